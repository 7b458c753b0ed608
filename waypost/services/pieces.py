"""Does what the window thread must do itself in pieces, so that it never stands still for long."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator

from PySide6.QtCore import QObject, QTimer

Steps = Generator[None, None, None]
"""Yields wherever the rest may wait."""

BUDGET_S = 0.01
"""Of the thread's own time, in one turn of the event loop; one step may exceed it."""


class Pieces(QObject):
    """Runs one generator of steps over as many turns of the event loop as it takes.

    Whatever fits into one turn is done when ``start`` returns. What is started while another is
    under way waits until that has ended, and replaces whatever waited before: under a stream of
    wishes something is finished all the time, and the newest wish in the end.

    Args:
        parent: Qt owner.
        budget_s: Time spent in one turn, of which at least one step is done.
    """

    def __init__(self, parent: QObject | None = None, budget_s: float = BUDGET_S) -> None:
        super().__init__(parent)
        self._budget_s = budget_s
        self._under_way: Steps | None = None
        self._wanted: Callable[[], Steps] | None = None
        self._is_stepping = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_busy(self) -> bool:
        """Whether something is left to do."""
        return self._under_way is not None or self._wanted is not None

    def start(self, steps: Callable[[], Steps]) -> None:
        """Do these steps, now or after those under way.

        Args:
            steps: Makes the generator when its turn has come.
        """
        self._wanted = steps
        if self._under_way is None and not self._is_stepping:
            self._go_on()

    def cancel(self) -> None:
        """Drop what is left to do."""
        self._under_way = self._wanted = None
        self._timer.stop()

    def _go_on(self) -> None:
        started_s = time.thread_time()
        self._is_stepping = True
        try:
            self._step()
            while self.is_busy and time.thread_time() - started_s < self._budget_s:
                self._step()
        finally:
            self._is_stepping = False
            if self.is_busy:
                self._timer.start()

    def _step(self) -> None:
        if self._under_way is None and self._wanted is not None:
            self._under_way, self._wanted = self._wanted(), None
        steps = self._under_way
        if steps is None:
            return
        has_ended = True
        try:
            next(steps)
            has_ended = False
        except StopIteration:
            pass
        finally:
            if has_ended and self._under_way is steps:
                self._under_way = None
