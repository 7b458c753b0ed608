"""Two instructions beside each other, their path, and the criteria by which they are compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from waypost.app.score.instruction_view import instruction_view
from waypost.app.score.pair_row import PairAnswer, PairRow
from waypost.app.score.path_face import PathFace
from waypost.domain.score.rubric import Criterion
from waypost.widgets.parts import heading, label, scroll_panel

_TEXTS_PX, _BELOW_PX = 240, 370


class PairFace(QWidget):
    """Shows one pair; reports answers and chooses nothing by itself."""

    answered = Signal(str, str)
    """Criterion and ``PairAnswer``."""

    criterion_chosen = Signal(str)
    """Criterion that keys answer now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Pair")
        self.current = ""
        """Criterion that keys answer; empty for none."""

        self._rows: dict[str, PairRow] = {}
        self._title = label("", "heading")
        self.left, self.right = instruction_view("Left"), instruction_view("Right")
        self._sources = label("", "muted"), label("", "muted")
        self.path = PathFace()
        self._keys = label("", "small")
        self._criteria = QWidget()
        self._column = QVBoxLayout(self._criteria)
        self._column.setContentsMargins(10, 0, 10, 10)
        self._column.setSpacing(8)
        self._column.addWidget(self._keys)
        self._column.addStretch(1)
        self._area = scroll_panel(self._criteria)
        self._lay_out()

    def _lay_out(self) -> None:
        texts = QSplitter(Qt.Orientation.Horizontal)
        for name, view, source in zip(
            ("Left", "Right"), (self.left, self.right), self._sources, strict=True
        ):
            texts.addWidget(_titled(name, source, view))
        below = QSplitter(Qt.Orientation.Horizontal)
        below.addWidget(self.path)
        below.addWidget(self._area)
        whole = QSplitter(Qt.Orientation.Vertical)
        whole.addWidget(texts)
        whole.addWidget(below)
        whole.setSizes([_TEXTS_PX, _BELOW_PX])
        for sides in (texts, below):
            sides.setStretchFactor(0, 1)
            sides.setStretchFactor(1, 1)
        for sides in (texts, below, whole):
            sides.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 0, 10)
        layout.addWidget(self._title)
        layout.addWidget(whole, 1)

    @property
    def asked(self) -> tuple[str, ...]:
        """Keys of the criteria that are shown, from above."""
        return tuple(self._rows)

    def row(self, criterion: str) -> PairRow:
        """The row of a criterion that is shown.

        Raises:
            KeyError: If it is not.
        """
        return self._rows[criterion]

    def set_texts(self, title: str, texts: tuple[str, str], sources: tuple[str, str]) -> None:
        """Show two instructions, the left one first.

        Args:
            title: Over both.
            texts: As written.
            sources: Where they come from; empty while that is hidden.
        """
        self._title.setText(title)
        for view, text in zip((self.left, self.right), texts, strict=True):
            if view.toPlainText() != text:
                view.setPlainText(text)
        for told, source in zip(self._sources, sources, strict=True):
            told.setText(source)

    def set_answers(
        self,
        asked: tuple[Criterion, ...],
        answers: Mapping[str, PairAnswer],
        missing: Collection[str],
        *,
        is_locked: bool,
    ) -> None:
        """Show what is said of a pair.

        Args:
            asked: The criteria to show.
            answers: Criterion → what is said.
            missing: Criteria that a submission lacked.
            is_locked: Whether nothing can be changed.
        """
        if tuple(row.criterion for row in self._rows.values()) != asked:
            self._make_rows(asked)
        for key, row in self._rows.items():
            row.set_answer(answers.get(key), is_missing=key in missing)
            row.set_locked(is_locked=is_locked)
        first = asked[0].key if asked else ""
        self.set_current(self.current if self.current in self._rows else first)

    def set_keys(self, sentence: str) -> None:
        """Say by which keys one answers."""
        self._keys.setText(sentence)
        self._keys.setVisible(bool(sentence))

    def set_current(self, criterion: str) -> None:
        """Let keys answer this criterion."""
        if criterion not in self._rows:
            return
        self.current = criterion
        for key, row in self._rows.items():
            row.set_current(is_current=key == criterion)
        self._area.ensureWidgetVisible(self._rows[criterion], 0, 20)
        self.criterion_chosen.emit(criterion)

    def step_criterion(self, places: int) -> None:
        """Let keys answer the next criterion, or the one before; from the last the first."""
        keys = self.asked
        if keys:
            self.set_current(keys[(keys.index(self.current) + places) % len(keys)])

    def _make_rows(self, asked: tuple[Criterion, ...]) -> None:
        for row in self._rows.values():
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = {entry.key: PairRow(entry) for entry in asked}
        for place, row in enumerate(self._rows.values(), 1):
            self._column.insertWidget(place, row)
            row.answered.connect(self.answered)
            row.chosen.connect(self.set_current)


def _titled(name: str, source: QLabel, view: QWidget) -> QWidget:
    made = QWidget()
    head = QHBoxLayout()
    head.addWidget(heading(name))
    head.addStretch(1)
    head.addWidget(source)
    layout = QVBoxLayout(made)
    layout.setContentsMargins(0, 0, 6, 0)
    layout.setSpacing(4)
    layout.addLayout(head)
    layout.addWidget(view, 1)
    return made
