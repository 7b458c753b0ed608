"""Fails the test that leaves threads, timers, windows or processes behind, not the one after it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import suppress

import psutil
import pytest
import shiboken6
from patience import PATIENCE_MS
from PySide6.QtCore import QObject, QThread, QTimer
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
    for thing in all_objects():
        if isinstance(thing, QObject) and shiboken6.isValid(thing):
            if isinstance(thing, QThread) and thing.isRunning() and not thing.isMainThread():
                found[id(thing)] = f"running {thing!r}"
            elif isinstance(thing.parent(), CycleCollector):
                continue  # It lives as long as the application, which an earlier test made.
            elif isinstance(thing, QTimer) and thing.isActive():
                found[id(thing)] = f"timer of {thing.parent()!r}, {thing.interval()} ms"
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
