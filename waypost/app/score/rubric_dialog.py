"""The form of a rubric, which finds mistakes as they are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from waypost.app.score.criterion_form import CriterionForm
from waypost.domain.base.errors import WaypostError
from waypost.domain.base.sentences import capitalised
from waypost.domain.base.value_codec import decode, encode
from waypost.domain.score.rubric import Criterion, Rubric, ScaleKind, criteria_to_score_anew
from waypost.domain.score.rubric_problems import RubricProblem, highest_sums, rubric_problems
from waypost.io.scores.rubric_files import read_rubric, write_rubric
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, choice_box, number_box
from waypost.widgets.parts import button, label

_EMPTY = Rubric("", 1, "", ())
_LIST_PX, _LIST_WIDTH_PX = 230, 220
_FORM_PX = 1000
_MOST_SUMS = 6
"""That are told one by one."""


class RubricDialog(FormDialog):
    """Asks for a rubric; stays open until it was saved.

    Args:
        known: Key → every version, the oldest first.
        batches_of: The batches of sheets that are scored by another version of a rubric.
        ask_open: Asks for a TOML file to read.
        ask_save: Asks for a TOML file to write.
        parent: Qt owner.
    """

    submitted = Signal()
    """The rubric has no mistake and was sent; `fail` or `accept` ends it."""

    def __init__(
        self,
        known: Mapping[str, tuple[Rubric, ...]],
        batches_of: Callable[[Rubric], tuple[str, ...]],
        ask_open: Callable[[], str],
        ask_save: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Rubric", "Save the rubric", parent)
        self._known, self._batches_of = known, batches_of
        self._ask_open, self._ask_save = ask_open, ask_save
        self._draft = self._begun = _EMPTY
        titles = {key: f"{own[-1].title}, version {own[-1].version}" for key, own in known.items()}
        self.base = choice_box({"": "An empty one", **titles})
        self.key, self.title, self.source = QLineEdit(), QLineEdit(), QLineEdit()
        self.total = number_box(-1, 99, -1, "not summed")
        self.criteria = QListWidget()
        self.criteria.setAccessibleName("Criteria")
        self.form = CriterionForm()
        self.open_file, self.save_file = button("Open TOML …"), button("Save as TOML …")
        self.add, self.remove = button("Add"), button("Remove")
        self.up, self.down = button("Up"), button("Down")
        self.adopt = QCheckBox()
        self._news = label("", "muted")
        self._fields = {
            "key": Field("Key", self.key, "In files, e.g. our-rubric."),
            "title": Field("Title", self.title),
            "source": Field("Source", self.source, "A paper, or who made it."),
            "total": Field("Highest sum", self.total),
            "criteria": Field("Criteria", self._criteria_list()),
        }
        self._lay_out()
        self._connect()
        self.set_rubric(_EMPTY)

    @property
    def rubric(self) -> Rubric:
        """What the form says, in the version that it has, or would have."""
        return replace(self._draft, version=self._version())

    @property
    def batches(self) -> tuple[str, ...]:
        """Batches to score by it from now on."""
        return self._batches_of(self.rubric) if self.adopt.isChecked() else ()

    @property
    def problems(self) -> tuple[RubricProblem, ...]:
        """What is wrong now."""
        found = [*rubric_problems(self.rubric)]
        if not self._draft.title.strip():
            found.insert(0, RubricProblem("title", "is empty", field="title"))
        return tuple(found)

    @property
    def news(self) -> str:
        """What saving would change."""
        return self._news.text()

    def holds_work(self) -> bool:
        """Whether the rubric is another than the one that the form began with."""
        return self._draft != self._begun

    def entries(self) -> dict[str, Any]:
        """What the form began with, the rubric as far as it is, and whether batches adopt it."""
        begun = str(self.base.currentData())
        return {"rubric": [begun, encode(self._draft)], "adopts": self.adopt.isChecked()}

    def set_entries(self, entries: Mapping[str, Any]) -> None:
        """Go on with what ``entries`` gave.

        Raises:
            ValueError: If it is of another shape.
        """
        match entries.get("rubric"):
            case [str(base), said]:
                rubric = decode(Rubric, said)
            case _:
                raise ValueError("is no rubric with what it began with")
        with QSignalBlocker(self.base):
            self.base.setCurrentIndex(max(0, self.base.findData(base)))
        begun = self._begun
        self.set_rubric(rubric)
        self._begun = begun
        self.adopt.setChecked(entries.get("adopts") is True)

    def set_rubric(self, rubric: Rubric) -> None:
        """Begin with a rubric."""
        self._draft = self._begun = rubric
        for line, text in (
            (self.key, rubric.key), (self.title, rubric.title), (self.source, rubric.source)
        ):  # fmt: skip
            line.setText(text)
            line.setCursorPosition(0)
        with QSignalBlocker(self.total):
            self.total.setValue(-1 if rubric.total is None else rubric.total)
        self._list_criteria(0)

    def _criteria_list(self) -> QWidget:
        made = QWidget()
        made.setFixedWidth(_LIST_WIDTH_PX)
        layout = QVBoxLayout(made)
        layout.setContentsMargins(0, 0, 0, 0)
        self.criteria.setMinimumHeight(_LIST_PX)
        layout.addWidget(self.criteria, 1)
        for pair in ((self.add, self.remove), (self.up, self.down)):
            row = QHBoxLayout()
            for made_button in pair:
                row.addWidget(made_button)
            layout.addLayout(row)
        return made

    def _lay_out(self) -> None:
        files = QWidget()
        row = QHBoxLayout(files)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(Field("Begin with", self.base), 1)
        row.addWidget(self.open_file)
        row.addWidget(self.save_file)
        both = QWidget()
        sides = QHBoxLayout(both)
        sides.setContentsMargins(0, 0, 0, 0)
        sides.setSpacing(16)
        sides.addWidget(self._fields["criteria"])
        sides.addWidget(self.form, 1)
        head = QWidget()
        line = QHBoxLayout(head)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(16)
        for name in ("key", "title", "source", "total"):
            line.addWidget(self._fields[name], 1, Qt.AlignmentFlag.AlignTop)
        self.lay_out(((files,), (head,), (both,)))
        told = QWidget()
        below = QVBoxLayout(told)
        below.setContentsMargins(0, 0, 0, 0)
        below.addWidget(self._news)
        below.addWidget(self.adopt)
        self.add_below(told)
        self.resize(_FORM_PX, self.height())

    def _connect(self) -> None:
        self.base.currentIndexChanged.connect(self._on_base)
        for line in (self.key, self.title, self.source):
            line.textEdited.connect(lambda _: self._on_head())
        self.total.valueChanged.connect(lambda _: self._on_head())
        self.criteria.currentRowChanged.connect(lambda _: self._show_criterion())
        self.form.changed.connect(self._on_criterion)
        self.add.clicked.connect(lambda *_: self._on_add())
        self.remove.clicked.connect(lambda *_: self._on_remove())
        self.up.clicked.connect(lambda *_: self._on_move(-1))
        self.down.clicked.connect(lambda *_: self._on_move(1))
        self.open_file.clicked.connect(lambda *_: self._on_open())
        self.save_file.clicked.connect(lambda *_: self._on_save())
        self.primary.clicked.connect(lambda *_: self.submitted.emit())

    def _version(self) -> int:
        """That of the same rubric if it is known, else the next one."""
        known = self._known.get(self._draft.key, ())
        for own in known:
            if replace(own, version=1) == replace(self._draft, version=1):
                return own.version
        return known[-1].version + 1 if known else 1

    def _on_base(self) -> None:
        own = self._known.get(str(self.base.currentData()))
        self.set_rubric(own[-1] if own else _EMPTY)

    def _on_head(self) -> None:
        total = self.total.value()
        self._draft = replace(
            self._draft,
            key=self.key.text().strip(),
            title=self.title.text().strip(),
            source=self.source.text().strip(),
            total=None if total < 0 else total,
        )
        self._show()

    def _on_criterion(self) -> None:
        place = self.criteria.currentRow()
        if place >= 0:
            self._set_criteria(
                [*self._draft.criteria[:place], self.form.criterion,
                 *self._draft.criteria[place + 1:]]
            )  # fmt: skip
            self._show()

    def _on_add(self) -> None:
        keys = {entry.key for entry in self._draft.criteria}
        number = next(n for n in range(1, len(keys) + 2) if f"criterion_{n}" not in keys)
        made = Criterion(f"criterion_{number}", f"Criterion {number}", ScaleKind.LIKERT, 1, 5)
        self._set_criteria([*self._draft.criteria, made])
        self._list_criteria(len(self._draft.criteria) - 1)

    def _on_remove(self) -> None:
        place = self.criteria.currentRow()
        if place >= 0:
            own = self._draft.criteria
            self._set_criteria([*own[:place], *own[place + 1 :]])
            self._list_criteria(min(place, len(own) - 2))

    def _on_move(self, places: int) -> None:
        here, own = self.criteria.currentRow(), list(self._draft.criteria)
        there = here + places
        if here >= 0 and 0 <= there < len(own):
            own[here], own[there] = own[there], own[here]
            self._set_criteria(own)
            self._list_criteria(there)

    def _on_open(self) -> None:
        path = self._ask_open()
        if path:
            try:
                found = read_rubric(Path(path))
            except WaypostError as error:
                self.fail(str(error))
                return
            self.fail("")
            self.set_rubric(found)

    def _on_save(self) -> None:
        path = self._ask_save()
        if path:
            try:
                write_rubric(Path(path), self.rubric)
            except WaypostError as error:
                self.fail(str(error))

    def _set_criteria(self, criteria: list[Criterion]) -> None:
        self._draft = replace(self._draft, criteria=tuple(criteria))

    def _list_criteria(self, place: int) -> None:
        """List the criteria anew and take one in hand."""
        with QSignalBlocker(self.criteria):
            self.criteria.clear()
            self.criteria.addItems([""] * len(self._draft.criteria))
            self.criteria.setCurrentRow(place if self._draft.criteria else -1)
        self._show_criterion()

    def _show_criterion(self) -> None:
        place = self.criteria.currentRow()
        self.form.setVisible(place >= 0)
        if place >= 0:
            own = self._draft.criteria
            self.form.set_criterion(own[place], own[:place])
        self._show()

    def _show(self) -> None:
        """Say what is wrong, and what saving would change."""
        problems, own = self.problems, self._draft.criteria
        wrong = {entry.criterion for entry in problems if entry.criterion is not None}
        for place, entry in enumerate(own):
            sign = "⚠ " if place in wrong else ""
            text = f"{sign}{entry.title or entry.key or '–'}  {entry.least}–{entry.most}"
            self.criteria.item(place).setText(text)
        for name, field in self._fields.items():
            said = (e for e in problems if e.criterion is None and e.field == name)
            field.set_problem(next((_said(e) for e in said), ""))
        here = self.criteria.currentRow()
        self.form.set_problems(
            {e.field: _said(e) for e in reversed(problems) if e.criterion == here}
        )
        self._fields["total"].set_hint(f"The scales add up to {self._sums()}.")
        is_known = self._version() in {e.version for e in self._known.get(self._draft.key, ())}
        self._say_news(is_known=is_known)
        self.primary.setEnabled(not problems and (not is_known or bool(self._adoptable())))
        self.save_file.setEnabled(not problems)

    def _sums(self) -> str:
        sums = highest_sums(self._draft)
        if len(sums) > _MOST_SUMS:
            return f"{sums[0]} to {sums[-1]}"
        return " or ".join(map(str, sums))

    def _adoptable(self) -> tuple[str, ...]:
        return self._batches_of(self.rubric)

    def _say_news(self, *, is_known: bool) -> None:
        version, known = self._version(), self._known.get(self._draft.key, ())
        if is_known:
            told = f"This is version {version} as it is."
        elif not known:
            told = "A new rubric, version 1."
        else:
            anew = set(criteria_to_score_anew(known[-1], self.rubric))
            titles = [entry.title for entry in self._draft.criteria if entry.key in anew]
            news = f"new to score: {', '.join(titles)}" if titles else "nothing is new to score"
            told = f"Version {version}; {news}. Sheets keep the version they were filled in by."
            if self.base.currentData() == self._draft.key and self._draft.version < version - 1:
                told += f" What is new since version {self._draft.version} is not in it."
        self._news.setText(told)
        names = self._adoptable()
        self.adopt.setVisible(bool(names))
        self.adopt.setText(f"Score {', '.join(names)} by it from now on")


def _said(problem: RubricProblem) -> str:
    """The reason as a sentence."""
    return f"{capitalised(problem.reason)}."
