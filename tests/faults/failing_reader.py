"""Stands for the readers of scenes in the child: fails in the way that an environment says."""

from __future__ import annotations

import ctypes
import itertools
import os
import resource
import signal
import sys
from pathlib import Path

from waypost.domain.base.progress import Progress
from waypost.io.confined.works import Handover

FAULT = "WAYPOST_TEST_FAULT"


def hand_over_scene(path: Path, **_: object):
    """The work that a child is asked for."""
    yield Progress(1, 2, f"process {os.getpid()}")
    globals()[f"_{os.environ[FAULT]}"]()
    return Handover({})


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _segmentation_fault() -> None:
    ctypes.string_at(0)


def _abort() -> None:
    os.abort()


def _bus_error() -> None:
    os.kill(os.getpid(), signal.SIGBUS)


def _stack_overflow() -> None:
    """Calls from C into Python and back, until a stack too small for Python's own limit is full."""
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 18, resource.RLIM_INFINITY))
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    sys.setrecursionlimit(1 << 30)

    def compare(_first: object, _second: object) -> int:
        numbers = (ctypes.c_int * 2)(2, 1)
        ctypes.CDLL(None).qsort(numbers, 2, 4, kind(compare))
        return 0

    compare(None, None)


def _bad_alloc() -> None:
    sys.stderr.write("terminate called after throwing an instance of 'std::bad_alloc'\n")
    sys.stderr.flush()
    os.abort()


def _leave() -> None:
    os._exit(0)


def _nonsense() -> None:
    for number in range(3, 12):
        try:
            os.write(number, b"this is no message at all")
        except OSError:
            continue
    _loop()


def _allocate() -> None:
    kept = []
    while True:
        kept.append(bytearray(b"x") * 10_000_000)


def _allocate_at_once() -> None:
    bytearray(1 << 42)


def _loop() -> None:
    """One call in C that never ends and never lets another thread have Python."""
    sum(itertools.repeat(0))
