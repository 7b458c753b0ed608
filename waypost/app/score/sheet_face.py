"""The sheet: the instruction and its path on the left, the criteria on the right."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from waypost.app.score.criterion_row import CriterionRow
from waypost.app.score.instruction_view import instruction_view
from waypost.app.score.path_face import PathFace
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.proposal import proposed_score
from waypost.domain.score.rubric import Criterion
from waypost.domain.score.sheet import Sheet
from waypost.widgets.choice_strip import ChoiceStrip
from waypost.widgets.parts import label, scroll_panel

_SEEING_PX, _READING_PX = [180, 430], [260, 350]
"""Heights of the text and of its path, with and without anything to be seen along it, until
somebody moves the line between them."""


class SheetFace(QWidget):
    """Shows one sheet; reports scores and chooses nothing by itself."""

    scored = Signal(str, int)
    """Criterion and score."""

    cannot_judge_chosen = Signal(str)
    """Criterion."""

    wording_chosen = Signal(str)
    """Item with another wording of the same episode."""

    criterion_chosen = Signal(str)
    """Criterion that digits score now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Sheet")
        self.current = ""
        """Criterion that digits score; empty for none."""

        self._rows: dict[str, CriterionRow] = {}
        self._told = self._item = ""
        self._choices: tuple[tuple[str, str], ...] = ()
        self._title = label("", "heading")
        self._wordings = ChoiceStrip("Wording")
        self._wordings.chosen.connect(self.wording_chosen)
        self._text = instruction_view("Instruction")
        self.path = PathFace()
        self._criteria = QWidget()
        self._column = QVBoxLayout(self._criteria)
        self._column.setContentsMargins(10, 10, 10, 10)
        self._column.setSpacing(8)
        self._column.addStretch(1)
        self._area: QScrollArea = scroll_panel(self._criteria)
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

    @property
    def asked(self) -> tuple[str, ...]:
        """Keys of the criteria that are shown, from above."""
        return tuple(self._rows)

    def row(self, criterion: str) -> CriterionRow:
        """The row of a criterion that is shown.

        Raises:
            KeyError: If it is not.
        """
        return self._rows[criterion]

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
        if self._told != instruction.text:
            # The view has line ends and odd spaces of its own; it is asked nothing.
            self._told = instruction.text
            self._text.setPlainText(instruction.text)
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
    ) -> None:
        """Show what is said on a sheet.

        Args:
            asked: The criteria to show.
            sheet: What is said.
            instruction: What it is about; proposals are made of it.
            missing: Criteria that a submission lacked.
        """
        if tuple(row.criterion for row in self._rows.values()) != asked:
            self._make_rows(asked)
        for key, row in self._rows.items():
            row.set_answer(
                sheet.scores.get(key),
                cannot_judge=key in sheet.cannot_judge,
                comment=sheet.comments.get(key, ""),
                is_missing=key in missing,
            )
            row.set_proposal(proposed_score(row.criterion, instruction))
            row.set_locked(is_locked=sheet.is_locked)
        self.set_current(self.current if self.current in self._rows else next(iter(asked)).key)

    def set_current(self, criterion: str) -> None:
        """Let digits score this criterion."""
        if criterion not in self._rows:
            return
        self.current = criterion
        for key, row in self._rows.items():
            row.set_current(is_current=key == criterion)
        self._area.ensureWidgetVisible(self._rows[criterion], 0, 20)
        self.criterion_chosen.emit(criterion)

    def step_criterion(self, places: int) -> None:
        """Let digits score the next criterion, or the one before; from the last the first."""
        keys = self.asked
        if keys:
            self.set_current(keys[(keys.index(self.current) + places) % len(keys)])

    def _make_rows(self, asked: tuple[Criterion, ...]) -> None:
        for row in self._rows.values():
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = {entry.key: CriterionRow(entry) for entry in asked}
        for place, row in enumerate(self._rows.values()):
            self._column.insertWidget(place, row)
            row.scored.connect(self.scored)
            row.cannot_judge_chosen.connect(self.cannot_judge_chosen)
            row.chosen.connect(self.set_current)
