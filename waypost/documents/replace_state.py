"""The one undo command: it swaps two immutable states of a project."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from waypost.domain.project import Project


class ReplaceState(QUndoCommand):
    """Puts ``after`` in place of ``before``, or back.

    Args:
        text: What the edit is called in the menu.
        before: The state that undo brings back, as the same object.
        after: The state that redo brings back, as the same object.
        merge_key: Commands with an equal key, one after the other, become one step.
        apply: Makes a state the document's state; gets the name of the edit as well.
    """

    def __init__(
        self,
        text: str,
        before: Project,
        after: Project,
        merge_key: object | None,
        apply: Callable[[Project, str], None],
    ) -> None:
        super().__init__(text)
        self._before = before
        self.after = after
        """The state that redo brings back."""

        self.merge_key = merge_key
        """Whatever identifies the gesture this edit belongs to."""

        self._apply = apply

    def id(self) -> int:
        """Qt offers two commands for merging when they have the same id, except −1."""
        return -1 if self.merge_key is None else 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the result of the following command of the same gesture."""
        if not isinstance(other, ReplaceState) or other.merge_key != self.merge_key:
            return False
        self.after = other.after
        self.setObsolete(self.after is self._before)
        return True

    def undo(self) -> None:
        """Bring back the state before."""
        self._apply(self._before, f"Undo {self.text()}")

    def redo(self) -> None:
        """Bring (back) the state after."""
        self._apply(self.after, self.text())
