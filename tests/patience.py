"""How long tests wait for what must happen: a slow, loaded machine needs longer, and no other.

A wait ends as soon as its condition holds; only a test that fails waits to the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot

PATIENCE_S = 60
PATIENCE_MS = PATIENCE_S * 1000


class PatientBot(QtBot):
    """The bot of pytest-qt, which by itself gives up after five seconds."""

    def waitUntil(self, callback: Callable[[], Any], *, timeout: int = PATIENCE_MS) -> None:  # noqa: N802 - pytest-qt names it
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:  # noqa: N802 - pytest-qt names it
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:  # noqa: N802 - pytest-qt names it
        return super().waitSignals(signals, timeout=timeout, **options)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:  # noqa: N802 - pytest-qt names it
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:  # noqa: N802 - pytest-qt names it
        return super().waitActive(widget, timeout=timeout)
