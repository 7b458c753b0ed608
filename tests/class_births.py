"""Hears of classes of Qt's that are made outside the main thread, which crash Python 3.11."""

from __future__ import annotations

import builtins
import threading
from typing import Any

import pytest
from PySide6.QtCore import QObject


class ClassBirths:
    """Those of a whole session of tests."""

    def __init__(self) -> None:
        self._heard: list[str] = []
        self._build = builtins.__build_class__
        builtins.__build_class__ = self._built

    def take(self) -> list[str]:
        """What was heard since this was asked last."""
        heard, self._heard = self._heard, []
        return heard

    def end(self) -> None:
        """Hear no more."""
        builtins.__build_class__ = self._build

    def _built(self, *arguments: Any, **keywords: Any) -> Any:
        made = self._build(*arguments, **keywords)
        here = threading.current_thread()
        if here is not threading.main_thread() and isinstance(made, type(QObject)):
            self._heard.append(f"{made.__module__}.{made.__qualname__}, made in {here.name}")
        return made


BIRTHS = pytest.StashKey[ClassBirths]()
