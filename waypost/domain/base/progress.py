"""How a long job runs in steps, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """One report of a job; the job can be cancelled each time it yields one."""

    done: float
    """How much is done, in the job's own unit, from 0 to ``total``."""

    total: float
    """How much there is to do in the same unit; 0 while that is not known."""

    message: str
    """What is being done now, for the user."""

    @property
    def fraction(self) -> float | None:
        """Share done in [0, 1], or ``None`` while the total is not known."""
        if self.total <= 0:
            return None
        return min(1.0, max(0.0, self.done / self.total))


Work = Generator[Progress, None, T]
"""A job in steps: yields its progress and returns its result; it may be cancelled at each step."""


def exhaust(work: Generator[S, None, T], report: Callable[[S], None] | None = None) -> T:
    """Run here and now what can be done in steps.

    Args:
        work: Yields its progress, or nothing of interest, and returns its result.
        report: Called with whatever it yields.

    Returns:
        The generator's return value; its exceptions pass through.
    """
    while True:
        try:
            step = next(work)
        except StopIteration as stop:
            result: T = stop.value
            return result
        if report is not None:
            report(step)
