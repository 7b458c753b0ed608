"""Collects cycles in the main thread between tests, and hears of QObjects that die elsewhere.

The automatic collector runs in whichever thread makes the next object, and destroys QObjects there.
"""

from __future__ import annotations

import gc
import os
import tempfile
from pathlib import Path
from types import CodeType
from weakref import WeakSet

import pytest
from PySide6.QtCore import QObject, QThread, QTimer

from waypost.services.object_deaths import SWITCH, the_watch, watch_deaths_if_asked

LIVING: WeakSet[QThread | QTimer] = WeakSet()
"""Those that Python has made, which are few among all its objects."""

TESTS_PER_FULL_COLLECTION = {True: 10, False: 200}
"""With a window and without."""


class CycleCollecting:
    """The collections of a whole session of tests."""

    def __init__(self) -> None:
        gc.disable()
        self._since = 0.0
        # Programs that tests start say it in the same file.
        self._told = Path(tempfile.mkdtemp(prefix="waypost-tests-")) / "object_deaths.txt"
        os.environ[SWITCH] = str(self._told)
        watch_deaths_if_asked()
        watch = the_watch()
        assert watch is not None
        hear = watch._on_made

        def on_made(thing: QObject, code: CodeType, line: int) -> None:
            if isinstance(thing, QThread | QTimer):
                LIVING.add(thing)
            hear(thing, code, line)

        watch._on_made = on_made

    def collect_after(self, *, has_window: bool) -> None:
        """Look through what is young, and now and then through everything."""
        gc.disable()
        self._since += 1 / TESTS_PER_FULL_COLLECTION[has_window]
        if self._since >= 1:
            self._since = 0.0
            gc.unfreeze()
            gc.collect()
        else:
            gc.collect(1)

    def take_deaths(self) -> str:
        """What was told since this was asked last."""
        if not self._told.exists():
            return ""
        text = self._told.read_text(encoding="utf-8")
        self._told.unlink()
        return text

    def end(self) -> None:
        """Leave nothing behind."""
        self.take_deaths()
        self._told.parent.rmdir()


COLLECTING = pytest.StashKey[CycleCollecting]()
