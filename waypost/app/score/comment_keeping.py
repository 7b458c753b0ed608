"""The comment field of the sheet: what is written there stays with its item and criterion."""

from __future__ import annotations

from PySide6.QtCore import QObject

from waypost.app.score.score_panel import ScorePanel
from waypost.app.score.sheet_desk import SheetDesk
from waypost.domain.score.sheet_edits import set_comment


class CommentKeeping(QObject):
    """Shows the comment on the criterion at hand, and writes down what was typed there.

    Args:
        desk: Through which the sheet at hand is changed.
        panel: Has the field.
    """

    def __init__(self, desk: SheetDesk, panel: ScorePanel) -> None:
        super().__init__(desk)
        self._desk, self._panel = desk, panel
        self._on: tuple[str, str, str] | None = None
        """Batch, item and criterion of the comment that is shown."""

    def forget(self) -> None:
        """Write nothing down: what is shown is not what is at hand any more."""
        self._on = None

    def keep(self) -> None:
        """Write the comment down where it belongs, if that is still at hand."""
        desk, found = self._desk, self._desk.shown()
        if self._on is None or found is None or not desk.is_rater:
            return
        sheet = found[1]
        if self._on[:2] != (desk.batch_name, desk.item) or sheet.is_locked:
            return
        criterion, text = self._on[2], self._panel.comment.toPlainText()
        if sheet.comments.get(criterion, "") != text:
            desk.edit(
                "Comment", lambda book, own, now: set_comment(book, own, criterion, text, now)
            )

    def show(self, criterion: str) -> None:
        """Show the comment on a criterion of the sheet at hand."""
        desk = self._desk
        if desk.shown() is None or not desk.is_rater:
            self._on = None
            return
        here = desk.batch_name, desk.item, criterion
        if self._on not in {None, here}:
            self.keep()
        found = desk.shown()
        if found is None:
            return
        book, sheet = found
        entry = book.rubric_of(desk.batch_name, sheet.rubric_version).criterion(criterion)
        is_typing = self._panel.comment.hasFocus() and self._on == here
        self._on = here
        if not is_typing:
            title = f"Comment on {entry.title.lower()}" if entry else "Comment"
            self._panel.set_comment(title, sheet.comments.get(criterion, ""))
