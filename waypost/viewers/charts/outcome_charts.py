"""The charts of a failure analysis, one in front; whatever is clicked names its episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from waypost.charts.picture import ChartTarget
from waypost.domain.base.visible_text import breakable
from waypost.domain.replay.charts import EpisodeOutcome
from waypost.metrics.analyst_agreement import Agreement
from waypost.services.jobs import Job, JobRunner
from waypost.viewers.charts.chart_chips import ChartChips
from waypost.viewers.charts.chart_makers import (
    Chart,
    ChartData,
    ChartedAxis,
    ChartKind,
    counting,
    make_chart,
)
from waypost.viewers.charts.chart_view import ChartView

__all__ = ["ChartKind", "ChartedAxis", "OutcomeCharts"]

MANY: Final = 5_000
"""Episodes beyond which a chart is counted in the background."""

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
    ChartKind.FLOW: "Outcome, behaviour, each cause.",
    ChartKind.TAGS: "Computed tags; an episode stands in each of its tags.",
    ChartKind.LENGTH: "Success by length of the reference, ✓ at left; unknown success is left out"
    " of the rate.",
    ChartKind.TURNS: "Success by turns of the reference, 45° or more in plan, ✓ at left; unknown"
    " success is left out of the rate.",
    ChartKind.SCENES: "Success by scene, the lowest first, ✓ at left; unknown success is left out"
    " of the rate.",
    ChartKind.RUNS: "Where two runs succeed and what each does, over the episodes both have.",
    ChartKind.AGREEMENT: "How far analysts agree in blind marks of the taxonomy's newest version,"
    " ✓ agreed at left, ≠ disputed at right: share of equal answers, Krippendorff's α, Cohen's κ"
    " for two.",
}
_LEAST_HEIGHT_PX: Final = 220
"""Of the room for a chart."""

CHOICE_HINT: Final = "A click or Enter shows the episodes behind a part."


class OutcomeCharts(QWidget):
    """Flows, bars, two runs against each other and agreement.

    ``episodes_chosen`` carries ``(title, ids)`` of whatever was clicked or entered.

    Args:
        jobs: Counts large runs in the background; without, they are counted at once.
        parent: Qt owner.
    """

    episodes_chosen = Signal(object)

    def __init__(self, jobs: JobRunner | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self._data = ChartData()
        self._chips = ChartChips([_TITLES[kind] for kind in ChartKind])
        self._refresh_soon = QTimer(self)
        self._refresh_soon.setSingleShot(True)
        self._refresh_soon.timeout.connect(self._refresh_if_visible)
        self._choice_label = _words("")
        self._choice = QComboBox()
        self._choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._choice.setMinimumContentsLength(6)
        self._explanation = _words("muted")
        self._said = _words("")
        self.view = ChartView()
        self._area = _chart_area(self.view)
        self._area.setMinimumHeight(_LEAST_HEIGHT_PX)
        self._area.viewport().installEventFilter(self)
        self._lay_out()
        self._chips.chosen.connect(self._show_kind)
        self._choice.currentIndexChanged.connect(self._show_chart)
        self.view.target_chosen.connect(self._choose)
        self.view.target_shown.connect(self._say)
        self.view.place_shown.connect(self._scroll_to)
        self._show_kind()

    @property
    def kind(self) -> ChartKind:
        """The chart in front."""
        return list(ChartKind)[self._chips.current]

    def set_outcomes(self, outcomes: Sequence[EpisodeOutcome], name: str = "") -> None:
        """Show another run, or the same one changed.

        Args:
            outcomes: One per episode, in the order of the run.
            name: Of the run, for comparison with another.
        """
        self._set(replace(self._data, outcomes=tuple(outcomes), name=name or "this run"))

    def set_causes(self, axes: Sequence[ChartedAxis], whose: str = "") -> None:
        """Offer axes of taxonomies for the last column of the flow chart.

        Args:
            axes: With what was set.
            whose: Whose marks these are, e.g. ``your marks (ada)``.
        """
        self._set(replace(self._data, axes=tuple(axes), whose=whose))

    def set_others(self, runs: Mapping[str, Sequence[EpisodeOutcome]]) -> None:
        """Offer other runs to compare with, by name."""
        others = {name: tuple(outcomes) for name, outcomes in runs.items()}
        self._set(replace(self._data, others=others))

    def set_agreements(self, agreements: Sequence[Agreement] | None) -> None:
        """Show how far analysts agree, a row per question; ``None`` for who is blind to it."""
        kept = None if agreements is None else tuple(agreements)
        self._set(replace(self._data, agreements=kept))

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what has changed while nobody looked."""
        super().showEvent(event)
        self._show_kind()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give the chart the height of the room it is seen in."""
        if event.type() == QEvent.Type.Resize and watched is self._area.viewport():
            self.view.set_wanted_height(self._area.viewport().height())
        return super().eventFilter(watched, event)

    def _set(self, data: ChartData) -> None:
        self._data = data
        self._refresh_soon.start()

    def _lay_out(self) -> None:
        choice = QHBoxLayout()
        choice.setContentsMargins(12, 0, 12, 0)
        choice.addWidget(self._choice_label)
        choice.addWidget(self._choice, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        rows.addWidget(self._chips)
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

    def _show_kind(self, _place: int = 0) -> None:
        """Offer what the chart in front lets one choose, and draw it."""
        titles = self._data.choices(self.kind)
        name = "Compare with" if self.kind is ChartKind.RUNS else "Causes"
        self._choice_label.setText(name)
        self._choice.setAccessibleName(name)
        kept = self._choice.currentText()
        with QSignalBlocker(self._choice):
            self._choice.clear()
            self._choice.addItems(titles)
            # The last axis of a taxonomy names the cause.
            first = len(titles) - 1 if self.kind is ChartKind.FLOW else 0
            self._choice.setCurrentIndex(titles.index(kept) if kept in titles else first)
        self._choice.setVisible(bool(titles))
        self._choice_label.setVisible(bool(titles))
        self._show_chart()

    def _show_chart(self) -> None:
        """Count at once what is small, else in the background; only the last asked for is shown."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        data, kind, choice = self._data, self.kind, self._choice.currentText()
        count = data.size(kind)
        if self._jobs is None or count <= MANY:
            self._show_made(make_chart(data, kind, choice))
            return
        self._show_made((None, f"Counting {count:,} episodes …"))
        self._job = self._jobs.start("Counting episodes", counting(data, kind, choice))
        self._job.succeeded.connect(self._on_counted)

    def _on_counted(self, chart: Chart) -> None:
        self._job = None
        self._show_made(chart)

    def _show_made(self, chart: Chart) -> None:
        make, reason = chart
        self._explanation.setText(reason or self._explained())
        self.view.set_chart(f"Chart: {_TITLES[self.kind]}", make)
        self._say(None)

    def _explained(self) -> str:
        """What the chart in front shows, of which of several runs, and whose marks it counts."""
        told, whose = _EXPLANATIONS[self.kind], self._data.whose
        if self._data.others and self.kind is not ChartKind.RUNS:
            told = f"{breakable(self._data.name)}: {told}"
        if self.kind in {ChartKind.FLOW, ChartKind.AGREEMENT}:
            return f"{told} Counts {whose}." if whose else told
        missing = self._data.left_out(self.kind)
        verb = "stands" if missing == 1 else "stand"
        return f"{told} {missing:,} without it {verb} nowhere here." if missing else told

    def _choose(self, target: ChartTarget) -> None:
        self.episodes_chosen.emit((target.title, target.episode_ids))

    def _say(self, target: ChartTarget | None) -> None:
        hint = CHOICE_HINT if self.view.picture is not None else ""
        self._said.setText(hint if target is None else f"{target.title}: {target.detail}")

    def _scroll_to(self, place: QRect) -> None:
        middle = place.center()
        self._area.ensureVisible(middle.x(), middle.y(), 40, place.height() // 2 + 8)


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
