"""While somebody drives, the keys are theirs; while a participant does, the window is as well."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal


class DrivingMode(QObject):
    """A workspace begins it, the window suspends its actions and puts its parts away.

    Args:
        parent: Qt owner.
    """

    began = Signal()
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_on = self._has_window = False
        self._allowed_ids: frozenset[str] = frozenset()

    @property
    def is_on(self) -> bool:
        """Whether somebody drives."""
        return self._is_on

    @property
    def has_window(self) -> bool:
        """Whether the whole window is theirs."""
        return self._is_on and self._has_window

    @property
    def allowed_ids(self) -> frozenset[str]:
        """The only actions that work meanwhile."""
        return self._allowed_ids

    def begin(self, allowed_ids: Iterable[str], *, has_window: bool = False) -> None:
        """Leave keys, and maybe the window, to somebody who drives."""
        self._allowed_ids, self._has_window = frozenset(allowed_ids), has_window
        self._is_on = True
        self.began.emit()

    def end(self) -> None:
        """Take them back."""
        self._is_on = False
        self.ended.emit()
