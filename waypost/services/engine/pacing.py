"""Keeps simulated time at the pace of the wall clock without ever jumping to catch up."""

from __future__ import annotations


class StepPacer:
    """Says when the next batch of physics steps is due.

    A machine that is too slow falls behind by at most ``max_catch_up_s``; what lies further
    back is forgotten, so that the agent moves slower instead of jumping.
    """

    def __init__(self, batch_s: float, max_catch_up_s: float = 0.1) -> None:
        self.batch_s = batch_s
        self.max_catch_up_s = max_catch_up_s
        self._due_s: float | None = None

    def restart(self) -> None:
        """Forget the past; the next batch is due at once."""
        self._due_s = None

    def wait_s(self, now_s: float) -> float:
        """Seconds until a batch is due; 0 if it is."""
        return 0.0 if self._due_s is None else max(0.0, self._due_s - now_s)

    def take(self, now_s: float) -> bool:
        """Whether a batch is due; if so it counts as done.

        Args:
            now_s: A monotonic clock.
        """
        if self._due_s is None:
            self._due_s = now_s
        if now_s < self._due_s:
            return False
        self._due_s = max(self._due_s, now_s - self.max_catch_up_s) + self.batch_s
        return True
