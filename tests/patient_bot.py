"""The bot of pytest-qt, which by itself gives up after five seconds, with patience."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from patience import PATIENCE_MS
from pytestqt.qtbot import QtBot


class PatientBot(QtBot):
    """Waits as long as a slow machine may need."""

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
