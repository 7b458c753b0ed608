"""The comment field of the sheet: what is written there stays with its item and criterion."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer

from waypost.app.score.score_panel import ScorePanel
from waypost.app.score.sheet_desk import SheetDesk
from waypost.domain.score.sheet_edits import set_comment

PAUSE_MS: Final = 800
"""After the last key, until what was typed so far is written down: it survives whatever comes."""


class CommentKeeping(QObject):
    """Shows the comment on the criterion at hand, and writes down what was typed there.

    All that is typed in one go, until the cursor leaves the field, is one step of undo.

    Args:
        desk: Through which the sheet at hand is changed.
        panel: Has the field.
    """

    def __init__(self, desk: SheetDesk, panel: ScorePanel) -> None:
        super().__init__(desk)
        self._desk, self._panel = desk, panel
        self._on: tuple[str, str, str] | None = None
        """Batch, item and criterion of the comment that is shown."""

        self._in_one_go = object()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._keep_so_far)
        panel.comment.textChanged.connect(self._pause.start)
        panel.commented.connect(lambda _: self.keep())

    def forget(self) -> None:
        """Write nothing down: what is shown is not what is at hand any more."""
        self._on = None

    def keep(self) -> None:
        """Write the comment down where it belongs, if that is still at hand."""
        self._keep_so_far()
        self._in_one_go = object()

    def _keep_so_far(self) -> None:
        self._pause.stop()
        desk, found = self._desk, self._desk.shown()
        if self._on is None or found is None or not desk.is_rater:
            return
        sheet = found[1]
        if self._on[:2] != (desk.batch_name, desk.item) or sheet.is_locked:
            return
        criterion, text = self._on[2], self._panel.comment.toPlainText()
        if sheet.comments.get(criterion, "") != text:
            desk.edit(
                "Comment",
                lambda book, own, now: set_comment(book, own, criterion, text, now),
                self._in_one_go,
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
