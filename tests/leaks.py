"""Fails the test that leaves threads, timers, windows or processes behind, not the one after it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import suppress

import psutil
import pytest
import shiboken6
from cycle_collecting import LIVING
from patience import PATIENCE_MS
from PySide6.QtCore import QThread, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from waypost.services.cycle_collector import CycleCollector


def leftovers() -> dict[int, str]:
    """What runs or shows now, by identity."""
    found: dict[int, str] = {}
    for thread in threading.enumerate():
        # A Python callback on a QThread leaves a record that lives as long as the process.
        if not isinstance(thread, threading._DummyThread):
            found[id(thread)] = f"thread {thread.name}"
    for thing in list(LIVING):
        if shiboken6.isValid(thing) and (text := _activity(thing)):
            found[id(thing)] = text
    if isinstance(QApplication.instance(), QApplication):
        for window in QApplication.topLevelWidgets():
            if window.isVisible():
                found[id(window)] = f"window {window!r}"
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            # Python's own, of every process that ever had processes of its own; it ends with it.
            is_tracker = "multiprocessing.resource_tracker" in " ".join(child.cmdline())
            if child.status() != psutil.STATUS_ZOMBIE and not is_tracker:
                found[child.pid] = f"process {child.pid}: {' '.join(child.cmdline())[:200]}"
    return found


def _activity(thing: QThread | QTimer) -> str:
    if isinstance(thing, QThread):
        return f"running {thing!r}" if thing.isRunning() else ""
    # The collector's lives as long as the application, which an earlier test made.
    is_left = thing.isActive() and not isinstance(thing.parent(), CycleCollector)
    return f"timer of {thing.parent()!r}, {thing.interval()} ms" if is_left else ""


def all_objects() -> list[object]:
    """Those that a collector has set aside as well."""
    gc.unfreeze()
    objects: list[object] = gc.get_objects()
    gc.freeze()
    return objects


@pytest.fixture(autouse=True)
def no_leaks(qtbot: QtBot) -> Iterator[None]:
    before = leftovers()
    yield
    found: list[str] = []

    def is_clean() -> bool:
        found[:] = [text for key, text in leftovers().items() if key not in before]
        return not found

    # A thread that was asked to end needs a moment to do so.
    with suppress(TimeoutError, AssertionError, Exception):
        qtbot.waitUntil(is_clean, timeout=PATIENCE_MS)
    assert not found, "left behind: " + "; ".join(found)
