"""The sheet: the instruction and its path on the left, the criteria on the right."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from waypost.app.score.criteria_face import CriteriaFace
from waypost.app.score.criterion_row import CriterionRow
from waypost.app.score.instruction_view import InstructionView
from waypost.app.score.path.path_face import PathFace
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.proposal import proposed_score
from waypost.domain.score.rubric import Criterion
from waypost.domain.score.sheet import Sheet
from waypost.widgets.choice_strip import ChoiceStrip
from waypost.widgets.parts import label

_SEEING_PX, _READING_PX = [180, 430], [260, 350]
"""Heights of the text and of its path, with and without anything to be seen along it, until
somebody moves the line between them."""


class SheetFace(CriteriaFace[CriterionRow]):
    """Shows one sheet; reports scores and chooses nothing by itself."""

    scored = Signal(str, int)
    """Criterion and score."""

    cannot_judge_chosen = Signal(str)
    """Criterion."""

    wording_chosen = Signal(str)
    """Item with another wording of the same episode."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Sheet", parent)
        self._item = ""
        self._choices: tuple[tuple[str, str], ...] = ()
        self._title = label("", "heading")
        self._wordings = ChoiceStrip("Wording")
        self._wordings.chosen.connect(self.wording_chosen)
        self._text = InstructionView("Instruction")
        self.path = PathFace()
        self._lay_out()

    def _lay_out(self) -> None:
        told = QWidget()
        left = QVBoxLayout(told)
        left.setContentsMargins(12, 10, 12, 10)
        left.addWidget(self._title)
        left.addWidget(self._wordings)
        reading = QSplitter(Qt.Orientation.Vertical)
        reading.addWidget(self._text)
        reading.addWidget(self.path)
        reading.setStretchFactor(1, 1)
        reading.setSizes(_READING_PX)
        moved: list[int] = []
        reading.splitterMoved.connect(lambda px, _: moved.append(px))

        def share(is_seen: bool) -> None:
            if not moved:
                reading.setSizes(_SEEING_PX if is_seen else _READING_PX)

        self.path.seen.connect(share)
        left.addWidget(reading, 1)
        sides = QSplitter(Qt.Orientation.Horizontal)
        sides.addWidget(told)
        sides.addWidget(self._area)
        sides.setStretchFactor(0, 1)
        sides.setStretchFactor(1, 1)
        sides.setChildrenCollapsible(False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(sides)

    def set_instruction(
        self, title: str, instruction: InstructionText, wordings: Collection[tuple[str, str]]
    ) -> None:
        """Show an instruction.

        Args:
            title: Over it.
            instruction: With its path.
            wordings: Item and name of each instruction for the same path that can be gone to.
        """
        self._title.setText(title)
        self._text.show_text(instruction.text)
        choices = tuple(wordings)
        self._wordings.setVisible(len(choices) > 1)
        if choices != self._choices:
            self._choices = choices
            self._wordings.set_choices((item, name, "", name) for item, name in choices)
        self._wordings.set_current(instruction.item)
        self._item = instruction.item

    def step_wording(self, places: int) -> None:
        """Ask for the next instruction for the same path; from the last the first."""
        items = [item for item, _ in self._choices]
        if self._item in items:
            place = (items.index(self._item) + places) % len(items)
            self.wording_chosen.emit(items[place])

    def set_sheet(
        self,
        asked: tuple[Criterion, ...],
        sheet: Sheet,
        instruction: InstructionText,
        missing: Collection[str] = (),
        *,
        is_locked: bool,
    ) -> None:
        """Show what is said on a sheet.

        Args:
            asked: The criteria to show.
            sheet: What is said.
            instruction: What it is about; proposals are made of it.
            missing: Criteria that a submission lacked.
            is_locked: Whether nothing can be changed.
        """
        if not self._shows(asked):
            self._set_rows(map(self._made, asked))
        for key, row in self._rows.items():
            row.set_answer(
                sheet.scores.get(key),
                cannot_judge=key in sheet.cannot_judge,
                comment=sheet.comments.get(key, ""),
                is_missing=key in missing,
            )
            row.set_proposal(proposed_score(row.criterion, instruction))
            row.set_locked(is_locked=is_locked)
        self._keep_current()

    def _made(self, criterion: Criterion) -> CriterionRow:
        row = CriterionRow(criterion)
        row.scored.connect(self.scored)
        row.cannot_judge_chosen.connect(self.cannot_judge_chosen)
        return row
