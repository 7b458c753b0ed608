"""How long a rater is at each sheet: keys, mouse, watching and focus, without idle time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QWindow

from waypost.domain.score.active_time import ActiveTime

_ACTS: Final = frozenset(
    {
        # A key that is somebody's shortcut is never a press of the window.
        QEvent.Type.ShortcutOverride,
        QEvent.Type.KeyPress,
        QEvent.Type.MouseMove,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
        QEvent.Type.FocusIn,
    }
)


class SheetTime(QObject):
    """Counts for one sheet at a time; what is not yet written down is kept by sheet.

    Args:
        parent: Qt owner.
        clock: Seconds on a clock that only goes forward.
    """

    def __init__(self, parent: QObject, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._window: QWindow | None = None
        self._time = ActiveTime()
        self._at: object | None = None
        self._kept: dict[object, float] = {}
        """Sheet → seconds that no edit has written down."""

    def begin(self, window: QWindow | None) -> None:
        """Listen to a window."""
        self.end()
        self._window = window
        if window is not None:
            window.installEventFilter(self)
            if window.isActive():
                self._time = self._time.act(self._clock())

    def end(self) -> None:
        """Listen no more; the time stands."""
        if self._window is not None:
            self._window.removeEventFilter(self)
            self._window = None
        self._time = self._time.leave(self._clock())

    @property
    def is_watching(self) -> bool:
        """Whether a walk is played, which is one act until it ends."""
        return self._time.is_watching

    def watch(self, *, is_watching: bool) -> None:
        """Notice that a walk is played, or no more."""
        if is_watching is not self.is_watching:
            self._time = self._time.watch(self._clock(), is_watching=is_watching)

    def turn_to(self, sheet: object | None) -> None:
        """Count for another sheet, or for none."""
        if sheet == self._at:
            return
        seconds, self._time = self._time.taken(self._clock())
        if self._at is not None:
            self._kept[self._at] = self._kept.get(self._at, 0.0) + seconds
        self._at = sheet

    def take(self) -> float:
        """Seconds at the sheet at hand that nobody has taken yet."""
        seconds, self._time = self._time.taken(self._clock())
        return self._kept.pop(self._at, 0.0) + seconds

    def give_back(self, seconds: float) -> None:
        """Keep seconds that could not be written down."""
        if self._at is not None:
            self._kept[self._at] = self._kept.get(self._at, 0.0) + seconds

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice every act, and the focus going elsewhere."""
        if event.type() in _ACTS:
            self._time = self._time.act(self._clock())
        elif event.type() is QEvent.Type.FocusOut:
            self._time = self._time.leave(self._clock())
        return super().eventFilter(watched, event)
