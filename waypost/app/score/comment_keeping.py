"""The comment field: what is written there stays with its item and criterion, or its pair."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer

from waypost.app.score.score_panel import ScorePanel
from waypost.app.score.sheet_desk import SheetDesk
from waypost.domain.score.comparison_edits import set_pair_comment
from waypost.domain.score.sheet_edits import set_comment

PAUSE_MS: Final = 800
"""After the last key, until what was typed so far is written down: it survives whatever comes."""


class CommentKeeping(QObject):
    """Shows the comment on the criterion or pair at hand, and writes down what was typed there.

    All that is typed in one go, until the cursor leaves the field, is one step of undo.

    Args:
        desk: Through which the sheet or the comparison at hand is changed.
        panel: Has the field.
    """

    def __init__(self, desk: SheetDesk, panel: ScorePanel) -> None:
        super().__init__(desk)
        self._desk, self._panel = desk, panel
        self._on: tuple[str, str, str] | None = None
        """Batch, item and criterion of the own comment that is shown; a pair has no criterion."""

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
        desk, on = self._desk, self._on
        if on is None or on[:2] != (desk.batch_name, desk.item) or not desk.is_rater:
            return
        text, compared, found = self._panel.comment.toPlainText(), desk.compared(), desk.shown()
        if compared is not None and compared.comment != text:
            desk.compare(
                "Comment",
                lambda book, key, now: set_pair_comment(book, key, text, now),
                self._in_one_go,
            )
        if found is None or found[1].is_locked:
            return
        if found[1].comments.get(on[2], "") != text:
            desk.edit(
                "Comment",
                lambda book, own, now: set_comment(book, own, on[2], text, now),
                self._in_one_go,
            )

    def show(self, criterion: str = "") -> None:
        """Show the comment on a criterion of the sheet at hand, or on the pair."""
        desk = self._desk
        here = desk.batch_name, desk.item, criterion
        if self._on not in {None, here}:
            self.keep()
        said = self._said(criterion)
        is_typing = self._panel.comment.hasFocus() and self._on == here
        self._on = here if said is not None and desk.is_rater else None
        if said is not None and not is_typing:
            self._panel.set_comment(*said)

    def _said(self, criterion: str) -> tuple[str, str] | None:
        """Title and text of the comment; ``None`` where a lead writes to a rater, or at nothing."""
        desk = self._desk
        compared, found = desk.compared(), desk.shown()
        if compared is not None:
            return "Comment on the pair", compared.comment
        if found is None or not desk.is_rater:
            return None
        book, sheet = found
        entry = book.rubric_of(desk.batch_name, sheet.rubric_version).criterion(criterion)
        title = f"Comment on {entry.title.lower()}" if entry else "Comment"
        return title, sheet.comments.get(criterion, "")
