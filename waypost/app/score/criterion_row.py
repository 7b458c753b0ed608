"""One criterion on a sheet: its scale as buttons, what the levels mean, and “cannot judge”."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from waypost.app.score.criterion_card import CriterionCard
from waypost.domain.base.visible_text import breakable
from waypost.domain.score.proposal import ScoreProposal
from waypost.domain.score.rubric import Criterion
from waypost.widgets.parts import label, set_property


class CriterionRow(CriterionCard):
    """Shows one criterion; reports what is clicked and chooses nothing by itself."""

    scored = Signal(str, int)
    """Criterion and score."""

    cannot_judge_chosen = Signal(str)
    """Criterion."""

    def __init__(self, criterion: Criterion, parent: QWidget | None = None) -> None:
        super().__init__(criterion, parent)
        self._told.setVisible(bool(criterion.description))
        self._buttons = {score: self._score_button(score) for score in criterion.scores}
        self._cannot = self._chip("Cannot judge", "cannot judge")
        self._meanings = label("", "small")
        self._meanings.setText(
            "\n".join(
                f"{level.score}  {level.title}"
                + (f": {level.description}" if level.description else "")
                for level in criterion.levels
            )
        )
        self._state = label("", "muted")
        self._proposal = label("", "small")
        self._lay_out()

    def _score_button(self, score: int) -> QPushButton:
        level = self.criterion.level(score)
        made = self._chip(str(score), f"{score}" + (f", {level.title}" if level else ""))
        if level is not None:
            made.setToolTip(level.title)
        made.clicked.connect(lambda *_: self._on_score(score))
        return made

    def _lay_out(self) -> None:
        self._cannot.clicked.connect(self._on_cannot)
        scale = QHBoxLayout()
        scale.setSpacing(6)
        for made in self._buttons.values():
            scale.addWidget(made)
        scale.addWidget(self._cannot)
        scale.addStretch(1)
        self._column.addLayout(scale)
        for told in (self._state, self._meanings, self._proposal):
            self._column.addWidget(told)

    def set_answer(
        self, score: int | None, *, cannot_judge: bool, comment: str, is_missing: bool
    ) -> None:
        """Show what is said; of nothing nothing is chosen."""
        for given, made in self._buttons.items():
            made.setChecked(given == score)
        self._cannot.setChecked(cannot_judge)
        level = None if score is None else self.criterion.level(score)
        said = "missing" if is_missing else ""
        if cannot_judge:
            said = "cannot be judged"
        elif level is not None:
            # A score that means nothing more is chosen above.
            said = f"{score} – {level.title}"
        self._state.setText(" · ".join(part for part in (said, breakable(comment)) if part))
        self._state.setVisible(bool(self._state.text()))
        set_property(self._state, "role", "warning" if is_missing else "muted")

    def set_proposal(self, proposal: ScoreProposal | None) -> None:
        """Show what a program sees; nobody is bound by it."""
        told = f"Proposed: {proposal.score}, {proposal.because}." if proposal else ""
        self._proposal.setText(told)
        self._proposal.setVisible(bool(told))

    def set_current(self, *, is_current: bool) -> None:
        """Show whether digits score this one; what its levels mean stands only there."""
        self._meanings.setVisible(is_current and bool(self.criterion.levels))
        super().set_current(is_current=is_current)

    def set_locked(self, *, is_locked: bool) -> None:
        """Let nothing be changed, or let it again."""
        for made in (*self._buttons.values(), self._cannot):
            made.setEnabled(not is_locked)

    def _on_score(self, score: int) -> None:
        # What is shown follows the project, not the click.
        self._buttons[score].setChecked(False)
        self.chosen.emit(self.criterion.key)
        self.scored.emit(self.criterion.key, score)

    def _on_cannot(self) -> None:
        self._cannot.setChecked(False)
        self.chosen.emit(self.criterion.key)
        self.cannot_judge_chosen.emit(self.criterion.key)
