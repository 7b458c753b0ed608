"""The one undo command, which takes a step forward or back, and the steps on a stack of them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand, QUndoStack

from waypost.documents.kept_steps import History
from waypost.documents.undo_step import UndoStep

Take = Callable[[UndoStep, bool], bool]
"""Takes a step, forward or back, and says whether that could be done."""


class ReplaceState(QUndoCommand):
    """Puts the state after a step in place of the one before, or back.

    Args:
        step: What is done.
        merge_key: Commands with an equal key, one after the other, become one step.
        take: Takes its step.
        is_done: Whether the step was done long ago: then pushing it does nothing.
    """

    def __init__(
        self,
        step: UndoStep,
        merge_key: object | None,
        take: Take,
        *,
        is_done: bool = False,
    ) -> None:
        super().__init__(step.text)
        self.step = step
        """What it does; another one once commands are merged."""

        self.merge_key = merge_key
        """Whatever identifies the gesture this edit belongs to."""

        self.is_asleep = is_done
        """While it is put into its place in the history, nothing is done."""

        self._take = take

    def id(self) -> int:
        """Qt offers two commands for merging when they have the same id, except −1."""
        return -1 if self.merge_key is None else 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the result of the following command of the same gesture."""
        if not isinstance(other, ReplaceState) or other.merge_key != self.merge_key:
            return False
        if other.step.before is not self.step.after:
            return False
        self.step = UndoStep(self.step.text, self.step.before, other.step.after)
        self.setObsolete(self.step.after is self.step.before)
        return True

    def undo(self) -> None:
        """Bring back the state before."""
        self._go(forward=False)

    def redo(self) -> None:
        """Bring (back) the state after."""
        self._go(forward=True)

    def _go(self, *, forward: bool) -> None:
        # A step that cannot be taken any more leaves the history.
        if not self.is_asleep and not self._take(self.step, forward):
            self.setObsolete(True)


def steps_on(stack: QUndoStack) -> tuple[UndoStep, ...]:
    """Those that can be undone, and after them those that can be repeated."""
    found = (stack.command(place) for place in range(stack.count()))
    return tuple(command.step for command in found if isinstance(command, ReplaceState))


def restore_steps(history: History, stack: QUndoStack, take: Take) -> None:
    """Put steps of before on a stack; none of them is done again."""
    commands = [ReplaceState(step, None, take, is_done=True) for step in history.steps]
    for command in commands:
        stack.push(command)
    stack.setIndex(history.done)
    for command in commands:
        command.is_asleep = False
