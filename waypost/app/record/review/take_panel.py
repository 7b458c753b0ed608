"""What a coordinator reads of a take under review: which one, how it ended, scores, flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QVBoxLayout, QWidget

from waypost.app.record.review.score_table import ScoreLine, ScoreTable
from waypost.widgets.facts_table import Fact, FactsTable
from waypost.widgets.parts import button, label
from waypost.widgets.row_layouts import FlowRows

VIEWS: Final = (
    ("top", "From above"),
    ("chase", "From behind"),
    ("first_person", "First person"),
)
"""Ways to look at a take: mode of the camera, and its name."""


@dataclass(frozen=True, slots=True)
class OfferedTake:
    """One take that can be looked at."""

    number: int
    text: str
    """E.g. ``✓ take 2 of 3``."""


@dataclass(frozen=True, slots=True)
class TakeReport:
    """What there is to say about a take."""

    warnings: tuple[str, ...] = ()
    """Why it is incomplete, and flags: one sentence each."""

    scores: tuple[ScoreLine, ...] = ()
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()
    """What is known of its file."""


class TakePanel(QWidget):
    """Shows one of several takes; says what was chosen and decides nothing.

    Args:
        parent: Qt owner.
    """

    take_chosen = Signal(int)
    """Number of the take."""

    view_chosen = Signal(str)
    """Mode of the camera."""

    close_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys: Mapping[str, str] = {}
        self._title = label("", "title")
        self.takes = _NarrowCombo()
        self.takes.setAccessibleName("Take")
        self._state, self._warnings, self._notes = (
            label("", "muted"),
            label("", "warning"),
            label("", "small"),
        )
        self._state.setAccessibleName("State of the review")
        self._warnings.setAccessibleName("What to look at")
        self._notes.setAccessibleName("Notes on the file")
        self.scores, self._facts = ScoreTable(is_narrow=True), FactsTable()
        self._views: dict[str, QPushButton] = {}
        views = QWidget()
        row = FlowRows(views)
        for mode, name in VIEWS:
            made = button(name, f"Look: {name.lower()}", "chip")
            made.setCheckable(True)
            made.clicked.connect(lambda _=False, mode=mode: self._choose_view(mode))
            row.addWidget(made)
            self._views[mode] = made
        self.close_button = button("Back", "Back to the study", "link")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget in (
            self._title,
            self.takes,
            self._state,
            self._warnings,
            views,
            self.scores,
            self._facts,
            self._notes,
            self.close_button,
        ):
            layout.addWidget(widget)
        self.takes.activated.connect(lambda at: self.take_chosen.emit(self.takes.itemData(at)))
        self.close_button.clicked.connect(self.close_chosen)

    def set_takes(self, title: str, choices: tuple[OfferedTake, ...], number: int) -> None:
        """Show which takes there are and which one is looked at."""
        self._title.setText(title)
        self.takes.clear()
        for choice in choices:
            self.takes.addItem(choice.text, choice.number)
        self.takes.setCurrentIndex(self.takes.findData(number))

    def set_report(self, report: TakeReport) -> None:
        """Show what there is to say."""
        _say(self._warnings, "\n".join(f"⚠ {text}" for text in report.warnings))
        _say(self._notes, "\n".join(report.notes))
        self.scores.set_lines(report.scores)
        self._facts.set_facts(report.facts)

    def set_state(self, text: str) -> None:
        """Say what goes on, or why nothing can be shown."""
        _say(self._state, text)

    def set_view(self, mode: str) -> None:
        """Show how one looks; emits nothing."""
        for key, made in self._views.items():
            made.setChecked(key == mode)

    def set_keys(self, keys: Mapping[str, str]) -> None:
        """Write keys on the buttons: of each mode, and of ``close``."""
        for mode, name in VIEWS:
            self._views[mode].setText(f"{name}  {keys[mode]}".strip())
        self.close_button.setText(f"Back  {keys['close']}".strip())

    def _choose_view(self, mode: str) -> None:
        self.set_view(mode)
        self.view_chosen.emit(mode)


class _NarrowCombo(QComboBox):
    """A combo box that does not make its column as wide as its longest text."""

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        return QSize(80, super().minimumSizeHint().height())


def _say(place: QLabel, text: str) -> None:
    place.setText(text)
    place.setVisible(bool(text))
