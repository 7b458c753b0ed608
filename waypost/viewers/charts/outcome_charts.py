"""The charts of a failure analysis side by side in tabs; whatever is clicked names its episodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from waypost.domain.bar_pictures import BarRow, by_rate, count_rows, rate_rows, rows_picture
from waypost.domain.chart_picture import ChartPicture, Measure, Target
from waypost.domain.confusion_picture import confusion_picture
from waypost.domain.flow_picture import flow_picture
from waypost.domain.replay_charts import (
    Bar,
    EpisodeOutcome,
    confusion,
    flow_chart,
    success_by_length,
    success_by_scene,
    success_by_turns,
    tag_bars,
)
from waypost.metrics.analyst_agreement import Agreement
from waypost.viewers.charts.agreement_picture import agreement_rows
from waypost.viewers.charts.chart_view import ChartView, MakePicture


class ChartKind(StrEnum):
    """The charts, in the order of their tabs."""

    FLOW = "flow"
    TAGS = "tags"
    LENGTH = "length"
    TURNS = "turns"
    SCENES = "scenes"
    RUNS = "runs"
    AGREEMENT = "agreement"


_TAB_KEYS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right)

_TITLES: Final = {
    ChartKind.FLOW: "Flow",
    ChartKind.TAGS: "Tags",
    ChartKind.LENGTH: "Length",
    ChartKind.TURNS: "Turns",
    ChartKind.SCENES: "Scenes",
    ChartKind.RUNS: "Two runs",
    ChartKind.AGREEMENT: "Agreement",
}
_EXPLANATIONS: Final = {
    ChartKind.FLOW: "From outcome over behaviour to the cause people set; an episode with several"
    " causes flows to each.",
    ChartKind.TAGS: "Computed tags; an episode stands in each of its tags.",
    ChartKind.LENGTH: "Success by length of the reference; unknown success is left out of the"
    " rate.",
    ChartKind.TURNS: "Success by turns of the reference, 45° or more in plan; unknown success is"
    " left out of the rate.",
    ChartKind.SCENES: "Success by scene, the lowest first; unknown success is left out of the"
    " rate.",
    ChartKind.RUNS: "Where two runs succeed and what each does, over the episodes both have.",
    ChartKind.AGREEMENT: "How far analysts agree: share of equal answers, Krippendorff's α,"
    " Cohen's κ for two.",
}
NO_RUN: Final = "Open a run to see its charts."
NO_OTHER: Final = "Open a second run to compare with."
NO_MARKS: Final = "Nobody has marked causes in this run yet."
NOTHING: Final = "No episode has what this chart shows."
CHOICE_HINT: Final = "A click or Enter shows the episodes behind a part."


@dataclass(frozen=True, slots=True)
class CauseAxis:
    """What people set on one axis of a taxonomy, to flow to."""

    title: str
    causes: Mapping[str, tuple[str, ...]]
    """Episode → titles of the categories."""


class OutcomeCharts(QWidget):
    """Flows, bars, two runs against each other and agreement.

    ``episodes_chosen`` carries ``(title, ids)`` of whatever was clicked or entered.
    """

    episodes_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outcomes: tuple[EpisodeOutcome, ...] = ()
        self._name = "this run"
        self._axes: tuple[CauseAxis, ...] = ()
        self._others: dict[str, tuple[EpisodeOutcome, ...]] = {}
        self._agreements: tuple[Agreement, ...] = ()
        self._tabs = _Tabs()
        self._refresh_soon = QTimer(self)
        self._refresh_soon.setSingleShot(True)
        self._refresh_soon.timeout.connect(self._refresh_if_visible)
        self._choice_label = _words("")
        self._choice = QComboBox()
        self._choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._choice.setMinimumContentsLength(12)
        self._explanation = _words("muted")
        self._said = _words("")
        self.view = ChartView()
        self._area = _chart_area(self.view)
        self._area.viewport().installEventFilter(self)
        self._lay_out()
        self._tabs.currentChanged.connect(self._show_kind)
        self._choice.currentIndexChanged.connect(self._show_chart)
        self.view.target_chosen.connect(self._choose)
        self.view.target_shown.connect(self._say)
        self.view.place_shown.connect(self._scroll_to)
        self._show_kind()

    @property
    def kind(self) -> ChartKind:
        """The chart in front."""
        return list(ChartKind)[self._tabs.currentIndex()]

    @property
    def said(self) -> str:
        """The line below the chart."""
        return self._said.text()

    def show_chart(self, kind: ChartKind) -> None:
        """Bring a chart to the front."""
        self._tabs.setCurrentIndex(list(ChartKind).index(kind))

    def set_outcomes(self, outcomes: Sequence[EpisodeOutcome], name: str = "") -> None:
        """Show another run, or the same one changed.

        Args:
            outcomes: One per episode, in the order of the run.
            name: Of the run, for comparison with another.
        """
        self._outcomes = tuple(outcomes)
        self._name = name or "this run"
        self._refresh_soon.start()

    def set_causes(self, axes: Sequence[CauseAxis]) -> None:
        """Offer axes of taxonomies for the last column of the flow chart."""
        self._axes = tuple(axes)
        self._refresh_soon.start()

    def set_others(self, runs: Mapping[str, Sequence[EpisodeOutcome]]) -> None:
        """Offer other runs to compare with, by name."""
        self._others = {name: tuple(outcomes) for name, outcomes in runs.items()}
        self._refresh_soon.start()

    def set_agreements(self, agreements: Sequence[Agreement]) -> None:
        """Show how far analysts agree, a row per question."""
        self._agreements = tuple(agreements)
        self._refresh_soon.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what has changed while nobody looked."""
        super().showEvent(event)
        self._show_kind()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give the chart the height of the room it is seen in."""
        if event.type() == QEvent.Type.Resize and watched is self._area.viewport():
            self.view.set_wanted_height(self._area.viewport().height())
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        choice = QHBoxLayout()
        choice.setContentsMargins(12, 0, 12, 0)
        choice.addWidget(self._choice_label)
        choice.addWidget(self._choice, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        rows.addWidget(self._tabs)
        rows.addLayout(choice)
        for words in (self._explanation, self._said):
            words.setContentsMargins(12, 0, 12, 4)
        rows.addWidget(self._explanation)
        rows.addWidget(self._area, 1)
        rows.addWidget(self._said)

    def _refresh_if_visible(self) -> None:
        """Draw several changes at once, and none while nobody looks."""
        if self.isVisible():
            self._show_kind()

    def _show_kind(self) -> None:
        """Offer what the chart in front lets one choose, and draw it."""
        titles: tuple[str, ...] = ()
        if self.kind is ChartKind.FLOW:
            titles = tuple(axis.title for axis in self._axes)
        elif self.kind is ChartKind.RUNS:
            titles = tuple(self._others)
        name = "Compare with" if self.kind is ChartKind.RUNS else "Causes"
        self._choice_label.setText(name)
        self._choice.setAccessibleName(name)
        kept = self._choice.currentText()
        self._choice.blockSignals(True)
        self._choice.clear()
        self._choice.addItems(titles)
        # The last axis of a taxonomy names the cause.
        first = len(titles) - 1 if self.kind is ChartKind.FLOW else 0
        self._choice.setCurrentIndex(titles.index(kept) if kept in titles else first)
        self._choice.blockSignals(False)
        self._choice.setVisible(bool(titles))
        self._choice_label.setVisible(bool(titles))
        self._show_chart()

    def _show_chart(self) -> None:
        make, reason = self._maker()
        self._explanation.setText(reason or _EXPLANATIONS[self.kind])
        self.view.set_chart(f"Chart: {_TITLES[self.kind]}", make)
        self._say(None)

    def _maker(self) -> tuple[MakePicture | None, str]:
        """What draws the chart in front; a reason where there is nothing to draw."""
        if self.kind is ChartKind.AGREEMENT:
            return _rows_maker(agreement_rows(self._agreements), NO_MARKS)
        if not self._outcomes:
            return None, NO_RUN
        if self.kind is ChartKind.RUNS:
            return self._runs_maker()
        if self.kind is ChartKind.FLOW:
            return self._flow_maker(), ""
        bars = _BARS[self.kind](self._outcomes)
        is_count = self.kind is ChartKind.TAGS
        rows = count_rows(bars, len(self._outcomes)) if is_count else rate_rows(bars)
        return _rows_maker(rows, NOTHING)

    def _flow_maker(self) -> MakePicture:
        place = self._choice.currentIndex()
        causes = self._axes[place].causes if 0 <= place < len(self._axes) else None
        chart = flow_chart(self._outcomes, causes)
        total = len(self._outcomes)

        def make(wide: float, high: float, measure: Measure) -> ChartPicture:
            return flow_picture(chart, total, wide, high, measure)

        return make

    def _runs_maker(self) -> tuple[MakePicture | None, str]:
        name = self._choice.currentText()
        if name not in self._others:
            return None, NO_OTHER
        result = confusion(self._outcomes, self._others[name])
        names = (self._name, name)
        return lambda wide, _, measure: confusion_picture(result, names, wide, measure), ""

    def _choose(self, target: Target) -> None:
        self.episodes_chosen.emit((target.title, target.episode_ids))

    def _say(self, target: Target | None) -> None:
        hint = CHOICE_HINT if self.view.picture is not None else ""
        self._said.setText(hint if target is None else f"{target.title}: {target.detail}")

    def _scroll_to(self, place: QRect) -> None:
        middle = place.center()
        self._area.ensureVisible(middle.x(), middle.y(), 40, place.height() // 2 + 8)


_BARS: Final[Mapping[ChartKind, Callable[[Sequence[EpisodeOutcome]], tuple[Bar, ...]]]] = {
    ChartKind.TAGS: tag_bars,
    ChartKind.LENGTH: success_by_length,
    ChartKind.TURNS: success_by_turns,
    ChartKind.SCENES: lambda outcomes: by_rate(success_by_scene(outcomes)),
}


def _rows_maker(rows: Sequence[BarRow], reason: str) -> tuple[MakePicture | None, str]:
    if not rows:
        return None, reason
    return lambda wide, _, measure: rows_picture(rows, wide, measure), ""


class _Tabs(QTabBar):
    """A tab for each chart, walked through by its own arrow keys."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Chart")
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setDrawBase(False)
        for kind in ChartKind:
            self.addTab(_TITLES[kind])

    def event(self, event: QEvent) -> bool:
        """Claim the arrow keys before they are anybody's shortcut."""
        is_claim = event.type() == QEvent.Type.ShortcutOverride
        if is_claim and isinstance(event, QKeyEvent) and event.key() in _TAB_KEYS:
            event.accept()
            return True
        return super().event(event)


def _words(role: str) -> QLabel:
    made = QLabel()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(True)
    if role:
        made.setProperty("role", role)
    return made


def _chart_area(view: ChartView) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(view)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
