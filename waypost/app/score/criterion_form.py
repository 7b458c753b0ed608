"""The form of one criterion: its scale, what its levels mean, and when it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from waypost.domain.score.rubric import (
    HIGHEST_SCORE,
    Check,
    CheckKind,
    Condition,
    Criterion,
    Level,
    ScaleKind,
)
from waypost.widgets.form_fields import Field, choice_box, number_box

_SCALES = {
    ScaleKind.LIKERT.value: "Likert",
    ScaleKind.POINTS.value: "Points, from 0",
    ScaleKind.YES_NO.value: "Yes or no",
}
_ALWAYS, _FACT, _NO_FACT, _SCORED = "always", "fact", "no_fact", "scored"
_CONDITIONS = {
    _ALWAYS: "Always",
    _FACT: "If a fact holds",
    _NO_FACT: "Unless a fact holds",
    _SCORED: "After a criterion",
}
_NO_CHECK = "none"
_CHECKS = {
    _NO_CHECK: "Nothing",
    CheckKind.AT_MOST_WORDS.value: "At most so many words",
    CheckKind.OMITS_NAME.value: "A name is left out",
}
_TABLE_PX = 172


class CriterionForm(QWidget):
    """Shows a criterion in fields; says when it was changed."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key, self.title, self.description = QLineEdit(), QLineEdit(), QLineEdit()
        self.scale = choice_box(_SCALES)
        self.least, self.most = number_box(0, HIGHEST_SCORE, 1), number_box(0, HIGHEST_SCORE, 5)
        self.required = QCheckBox("Required")
        self.asked = choice_box(_CONDITIONS)
        self.fact, self.name = QLineEdit(), QLineEdit()
        self.other = choice_box({})
        self.at_least = number_box(-1, HIGHEST_SCORE, -1, "any score")
        self.check = choice_box(_CHECKS)
        self.words = number_box(0, 10_000, 0)
        self.levels = _levels_table()
        self._fields: Mapping[str, Field] = {
            "key": Field("Key", self.key, "In files, e.g. clarity."),
            "title": Field("Name", self.title),
            "description": Field("What is judged", self.description),
            "scale": Field("Scale", self.scale),
            "least": Field("Lowest score", self.least),
            "most": Field("Highest score", self.most),
            "required": Field("Required", self.required),
            "only_if": Field("Asked", self.asked),
            "fact": Field("Fact", self.fact, "E.g. actions_given, as the file says."),
            "other": Field("Criterion", self.other),
            "at_least": Field("At least", self.at_least),
            "check": Field("A program proposes", self.check),
            "check.words": Field("Words", self.words),
            "check.name": Field("Name of", self.name, "E.g. target, as names.target in the file."),
            "levels": Field("What scores mean", self.levels),
        }
        self._lay_out()
        self._connect()

    @property
    def criterion(self) -> Criterion:
        """What the fields say."""
        scale = ScaleKind(str(self.scale.currentData()))
        return Criterion(
            self.key.text().strip(),
            self.title.text().strip(),
            scale,
            self.least.value() if scale is ScaleKind.LIKERT else 0,
            self.most.value(),
            tuple(self._said_levels()),
            self.description.text().strip(),
            self.required.isChecked(),
            self._condition(),
            self._check(),
        )

    def set_criterion(self, entry: Criterion, before: Iterable[Criterion]) -> None:
        """Show another criterion; reports nothing.

        Args:
            entry: The criterion.
            before: Those above it, on whose scores it may depend.
        """
        with ExitStack() as quiet:
            for own in self._fields.values():
                quiet.enter_context(QSignalBlocker(own.control))
            self._fill(entry, before)
        self._show_needed()

    def _fill(self, entry: Criterion, before: Iterable[Criterion]) -> None:
        for line, text in (
            (self.key, entry.key), (self.title, entry.title), (self.description, entry.description)
        ):  # fmt: skip
            if line.text().strip() != text:
                line.setText(text)
        self.scale.setCurrentIndex(self.scale.findData(entry.scale.value))
        self.least.setValue(entry.least)
        self.most.setValue(entry.most)
        self.required.setChecked(entry.is_required)
        self._set_condition(entry.only_if, before)
        check = entry.check
        self.check.setCurrentIndex(self.check.findData(check.kind.value if check else _NO_CHECK))
        self.words.setValue(check.words or 0 if check else 0)
        self.name.setText(check.name if check else "")
        self._show_levels({level.score: level for level in entry.levels})

    def set_problems(self, problems: Mapping[str, str]) -> None:
        """Say what is wrong, by field; a field that is not named is right."""
        for name, own in self._fields.items():
            own.set_problem(problems.get(name, ""))

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        rows: Sequence[tuple[tuple[str, int], ...]] = (
            (("key", 2), ("title", 4)),
            (("description", 6),),
            (("scale", 2), ("least", 2), ("most", 2)),
            (("levels", 6),),
            (("required", 6),),
            (("only_if", 2), ("fact", 4), ("other", 2), ("at_least", 2)),
            (("check", 2), ("check.words", 4), ("check.name", 4)),
        )
        for number, row in enumerate(rows):
            column = 0
            for name, span in row:
                # What is never shown together has one place.
                place = 2 if name in {"other", "check.name"} else column
                place = 4 if name == "at_least" else place
                grid.addWidget(
                    self._fields[name], number, place, 1, span, Qt.AlignmentFlag.AlignTop
                )
                column += span
        for column in range(6):
            grid.setColumnStretch(column, 1)

    def _connect(self) -> None:
        for line in (self.key, self.title, self.description, self.fact, self.name):
            line.textEdited.connect(lambda _: self.changed.emit())
        for box in (self.scale, self.asked, self.other, self.check):
            box.currentIndexChanged.connect(lambda _: self._on_changed())
        for number in (self.least, self.most, self.at_least, self.words):
            number.valueChanged.connect(lambda _: self._on_changed())
        self.required.toggled.connect(lambda _: self.changed.emit())
        self.levels.cellChanged.connect(lambda *_: self.changed.emit())

    def _on_changed(self) -> None:
        with QSignalBlocker(self.levels):
            self._show_levels({level.score: level for level in self._said_levels()})
        self._show_needed()
        self.changed.emit()

    def _show_needed(self) -> None:
        scale, asked = self.scale.currentData(), self.asked.currentData()
        check = self.check.currentData()
        shown = {
            "least": scale == ScaleKind.LIKERT,
            "fact": asked in {_FACT, _NO_FACT},
            "other": asked == _SCORED,
            "at_least": asked == _SCORED,
            "check.words": check == CheckKind.AT_MOST_WORDS,
            "check.name": check == CheckKind.OMITS_NAME,
        }
        for name, is_shown in shown.items():
            self._fields[name].setVisible(is_shown)

    def _condition(self) -> Condition | None:
        asked = self.asked.currentData()
        if asked in {_FACT, _NO_FACT}:
            return Condition(self.fact.text().strip(), asked == _FACT)
        if asked == _SCORED:
            least = self.at_least.value()
            other = str(self.other.currentData() or "")
            return Condition(criterion=other, at_least=None if least < 0 else least)
        return None

    def _set_condition(self, condition: Condition | None, before: Iterable[Criterion]) -> None:
        self.other.clear()
        for entry in before:
            self.other.addItem(entry.title or entry.key, entry.key)
        asked = _ALWAYS
        if condition is not None and (condition.criterion or not condition.fact):
            asked = _SCORED if condition.criterion or self.asked.currentData() == _SCORED else _FACT
            self.other.setCurrentIndex(self.other.findData(condition.criterion))
        elif condition is not None:
            asked = _FACT if condition.is_set else _NO_FACT
        self.asked.setCurrentIndex(self.asked.findData(asked))
        if condition is None or self.fact.text().strip() != condition.fact:
            self.fact.setText(condition.fact if condition else "")
        least = None if condition is None else condition.at_least
        self.at_least.setValue(-1 if least is None else least)

    def _check(self) -> Check | None:
        kind = self.check.currentData()
        if kind == CheckKind.AT_MOST_WORDS:
            return Check(CheckKind.AT_MOST_WORDS, self.words.value() or None)
        if kind == CheckKind.OMITS_NAME:
            return Check(CheckKind.OMITS_NAME, name=self.name.text().strip())
        return None

    def _said_levels(self) -> Iterable[Level]:
        for row in range(self.levels.rowCount()):
            score, title, told = (self._cell(row, column) for column in range(3))
            if title or told:
                yield Level(int(score), title, told)

    def _cell(self, row: int, column: int) -> str:
        found = self.levels.item(row, column)
        return found.text().strip() if found else ""

    def _show_levels(self, levels: Mapping[int, Level]) -> None:
        """A row for every score of the scale, and for described ones that are off it."""
        scale, most = self.scale.currentData(), self.most.value()
        least = self.least.value() if scale == ScaleKind.LIKERT else 0
        own = {0, most} if scale == ScaleKind.YES_NO else set(range(least, most + 1))
        scores = sorted(own | set(levels))
        shown = [self._cell(row, 0) for row in range(self.levels.rowCount())]
        wanted = [levels[score] for score in scores if score in levels]
        if shown == [*map(str, scores)] and [*self._said_levels()] == wanted:
            # What somebody is typing in stays.
            return
        self.levels.setRowCount(len(scores))
        for row, score in enumerate(scores):
            level = levels.get(score)
            texts = (str(score), level.title if level else "", level.description if level else "")
            for column, text in enumerate(texts):
                cell = QTableWidgetItem(text)
                if column == 0:
                    cell.setFlags(cell.flags() & ~Qt.ItemFlag.ItemIsEditable)
                self.levels.setItem(row, column, cell)


def _levels_table() -> QTableWidget:
    table = QTableWidget(0, 3)
    table.setHorizontalHeaderLabels(["score", "name", "what it means"])
    table.verticalHeader().hide()
    for column in (0, 1):
        table.horizontalHeader().setSectionResizeMode(
            column, QHeaderView.ResizeMode.ResizeToContents
        )
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    table.horizontalHeader().setStretchLastSection(True)
    table.setFixedHeight(_TABLE_PX)
    table.setTabKeyNavigation(False)
    return table
