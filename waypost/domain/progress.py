"""How far a long job has come, as every generator that can be cancelled reports it."""

from __future__ import annotations

from dataclasses import dataclass


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
