"""Stands for Isaac Sim's Python: ``fake_isaac_worker.py BOOTSTRAP isaac``, or ``-c CODE``.

Isaac Sim's modules are the fakes beside this file, and there is a driver of NVIDIA that counts one
card, or what ``FAKE_ISAAC_CARDS`` says; without a number there is no driver.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import sys
from pathlib import Path

FAKES = Path(__file__).with_name("fake_isaac")


class FakeDriver:
    """The part of NVML that counts cards."""

    def __init__(self, cards: int) -> None:
        self._cards = cards

    def nvmlInit_v2(self) -> int:  # noqa: N802 - its name
        return 0 if self._cards >= 0 else 9

    def nvmlDeviceGetCount_v2(self, count) -> int:  # noqa: N802 - its name
        count._obj.value = self._cards
        return 0

    def nvmlShutdown(self) -> int:  # noqa: N802 - its name
        return 0


_REAL = ctypes.CDLL


def load(name, *arguments, **named):
    """``ctypes.CDLL`` with that driver."""
    if name not in {"libnvidia-ml.so.1", "nvml.dll"}:
        return _REAL(name, *arguments, **named)
    cards = os.environ.get("FAKE_ISAAC_CARDS", "1")
    if not cards:
        raise OSError(f"{name}: cannot open shared object file: No such file or directory")
    return FakeDriver(int(cards))


if __name__ == "__main__":
    ctypes.CDLL = load
    if os.environ.get("FAKE_ISAAC_FAULT") != "no isaacsim":
        sys.path.insert(0, str(FAKES))
    del sys.argv[0]
    if sys.argv[0] == "-c":
        code = sys.argv[1]
        del sys.argv[1]
        exec(code, {"__name__": "__main__"})  # noqa: S102 - as ``python -c`` does
    else:
        runpy.run_path(sys.argv[0], run_name="__main__")
