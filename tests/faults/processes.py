"""Processes of tests that kill others: whether they are gone, and waiting for it."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil
from patience import PATIENCE_S


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait without an event loop."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline_s
        time.sleep(0.01)


def lives(process: psutil.Process) -> bool:
    """Whether it runs; an orphan that has ended may wait until the system takes it away."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for_end(process: psutil.Process) -> None:
    """Wait until a process is gone."""
    wait_until(lambda: not lives(process))
