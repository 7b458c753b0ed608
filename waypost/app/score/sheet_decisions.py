"""What a lead decides about a sheet or a comparison of a rater: accepted, or returned."""

from __future__ import annotations

from PySide6.QtCore import QObject

from waypost.app.score.score_panel import ScorePanel
from waypost.app.score.sheet_desk import SheetDesk
from waypost.app.score.typed_texts import TypedTexts
from waypost.domain.score.comparison_edits import accept_comparison, return_comparison
from waypost.domain.score.sheet_edits import accept_sheet, return_sheet


class SheetDecisions(QObject):
    """Decides about what is at hand when the panel is asked to.

    Args:
        desk: Through which what is at hand is changed.
        panel: Has the buttons, and the comment.
        texts: Keep the comment.
    """

    def __init__(self, desk: SheetDesk, panel: ScorePanel, texts: TypedTexts) -> None:
        super().__init__(desk)
        self._desk, self._panel, self._texts = desk, panel, texts
        panel.accept_chosen.connect(self.accept)
        panel.returned.connect(self.give_back)

    @property
    def _noun(self) -> str:
        return "comparison" if self._desk.is_comparing else "sheet"

    def accept(self) -> None:
        """Accept what is at hand of another rater, with what is written to them."""
        self._texts.keep()
        by = self._desk.viewer
        self._desk.decide(
            f"Accept a {self._noun}",
            lambda book, sheet, now: accept_sheet(book, sheet, by, now),
            lambda book, key, now: accept_comparison(book, key, by, now),
        )

    def give_back(self, comment: str) -> None:
        """Return what is at hand to its rater; without a comment the cursor goes there."""
        self._texts.keep()
        by = self._desk.viewer
        is_done = self._desk.decide(
            f"Return a {self._noun}",
            lambda book, sheet, now: return_sheet(book, sheet, by, comment, now),
            lambda book, key, now: return_comparison(book, key, by, comment, now),
        )
        if not is_done:
            self._panel.comment.setFocus()
