"""A reader with every fault there is, by which the harness itself is tested."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from faults.fuzz.family import Family, Sample


def _write(path: Path) -> None:
    path.with_name("new").write_text("x")


def _too_much_memory(path: Path) -> None:
    bytearray(1 << 40)


_DEEDS: tuple[Callable[[Path], object], ...] = (
    lambda path: os.kill(os.getpid(), signal.SIGSEGV),
    lambda path: time.sleep(60),
    lambda path: warnings.warn("odd", RuntimeWarning, stacklevel=1),
    lambda path: print("hello", file=sys.stderr),
    _write,
    _too_much_memory,
)


def _mutate(rng: random.Random, sample: Sample, samples: Sequence[Sample]) -> Sample:
    return Sample("a", {"a": str(rng.randrange(len(_DEEDS) + 4)).encode()})


def _read(path: Path, rng: random.Random) -> None:
    number = int(path.read_bytes())
    if number < len(_DEEDS):
        _DEEDS[number](path)


DEADLY = Family(
    "deadly", "Faults on purpose", lambda _: [Sample("a", {"a": b"99"})], _read, _mutate
)
