"""How a long job runs in steps, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

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


def finish(steps: Generator[object, None, T]) -> T:
    """Run what can be done in steps here and now, and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result


def exhaust(
    work: Generator[Progress, None, T], report: Callable[[Progress], None] | None = None
) -> T:
    """Run a job here and now.

    Args:
        work: Yields its progress and returns its result.
        report: Called with each progress it yields.

    Returns:
        The generator's return value; its exceptions pass through.
    """
    while True:
        try:
            progress = next(work)
        except StopIteration as stop:
            result: T = stop.value
            return result
        if report is not None:
            report(progress)
