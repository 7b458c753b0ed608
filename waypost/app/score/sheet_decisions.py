"""What a lead decides about the sheet of a rater: accepted, or returned with a comment."""

from __future__ import annotations

from PySide6.QtCore import QObject

from waypost.app.score.score_panel import ScorePanel
from waypost.app.score.sheet_desk import SheetDesk
from waypost.domain.score.sheet_edits import accept_sheet, return_sheet


class SheetDecisions(QObject):
    """Decides about the sheet at hand when the panel is asked to.

    Args:
        desk: Through which the sheet at hand is changed.
        panel: Has the buttons, and the comment.
    """

    def __init__(self, desk: SheetDesk, panel: ScorePanel) -> None:
        super().__init__(desk)
        self._desk, self._panel = desk, panel
        panel.accept_chosen.connect(self.accept)
        panel.returned.connect(self.give_back)

    def accept(self) -> None:
        """Accept the sheet at hand of another rater."""
        by = self._desk.viewer
        self._desk.decide("Accept a sheet", lambda b, sheet, now: accept_sheet(b, sheet, by, now))

    def give_back(self, comment: str) -> None:
        """Return the sheet at hand to its rater."""
        by = self._desk.viewer
        if self._desk.decide(
            "Return a sheet", lambda b, sheet, now: return_sheet(b, sheet, by, comment, now)
        ):
            self._panel.set_comment("Comment to the rater", "")
