"""What each chart counts: from outcomes of a run to a function that lays the chart out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from waypost.charts.bars import BarRow, by_rate, count_rows, rate_rows, rows_picture
from waypost.charts.confusion import confusion_picture
from waypost.charts.flow import flow_picture
from waypost.charts.picture import ChartPicture, Measure
from waypost.domain.base.progress import Progress
from waypost.domain.replay.charts import (
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
from waypost.viewers.charts.chart_view import MakePicture

NO_RUN: Final = "Open a run to see its charts."
NO_OTHER: Final = "Open a second run to compare with."
NO_MARKS: Final = "Nobody has marked causes in this run yet."
BLIND: Final = "Agreement compares everyone's marks; switch on “Everyone's marks” to see it."
NOTHING: Final = "No episode has what this chart shows."

Chart = tuple[MakePicture | None, str]
"""What lays the chart out, or why there is none."""


class ChartKind(StrEnum):
    """The charts, in the order of their chips."""

    FLOW = "flow"
    TAGS = "tags"
    LENGTH = "length"
    TURNS = "turns"
    SCENES = "scenes"
    RUNS = "runs"
    AGREEMENT = "agreement"


@dataclass(frozen=True, slots=True)
class ChartedAxis:
    """What people set on one axis of a taxonomy, to flow to."""

    title: str
    causes: Mapping[str, tuple[str, ...]]
    """Episode → titles of the categories."""


@dataclass(frozen=True, slots=True)
class ChartData:
    """Everything that charts of one run are made of."""

    outcomes: tuple[EpisodeOutcome, ...] = ()
    name: str = "this run"
    axes: tuple[ChartedAxis, ...] = ()
    others: Mapping[str, tuple[EpisodeOutcome, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """Other runs, by name."""

    agreements: tuple[Agreement, ...] | None = ()
    """``None`` for one who is blind to the marks of others."""

    whose: str = ""
    """Whose marks the axes carry."""

    def choices(self, kind: ChartKind) -> tuple[str, ...]:
        """What one can choose in a chart: the axis to flow to, the run to compare with."""
        if kind is ChartKind.FLOW:
            return tuple(axis.title for axis in self.axes)
        return tuple(self.others) if kind is ChartKind.RUNS else ()

    def size(self, kind: ChartKind) -> int:
        """Episodes that a chart has to count."""
        if kind is ChartKind.AGREEMENT:
            return 0
        return len(self.outcomes)

    def left_out(self, kind: ChartKind) -> int:
        """Episodes that lack what a chart sorts by."""
        if kind is ChartKind.LENGTH:
            return sum(entry.reference_m is None for entry in self.outcomes)
        if kind is ChartKind.TURNS:
            return sum(entry.turn_count is None for entry in self.outcomes)
        return 0


def make_chart(data: ChartData, kind: ChartKind, choice: str) -> Chart:
    """Count what a chart shows.

    Args:
        data: Of the run.
        kind: Which chart.
        choice: One of ``data.choices``; empty for none.
    """
    if kind is ChartKind.AGREEMENT:
        return _agreement(data)
    if not data.outcomes:
        return None, NO_RUN
    if kind is ChartKind.RUNS:
        return _runs(data, choice)
    if kind is ChartKind.FLOW:
        return _flow(data, choice), ""
    if kind is ChartKind.TAGS:
        return _rows(count_rows(tag_bars(data.outcomes), len(data.outcomes)), NOTHING)
    return _rows(rate_rows(_BARS[kind](data.outcomes)), NOTHING)


def counting(data: ChartData, kind: ChartKind, choice: str) -> Generator[Progress, None, Chart]:
    """``make_chart`` as background work."""
    yield Progress(0, data.size(kind), "counting episodes")
    return make_chart(data, kind, choice)


def _agreement(data: ChartData) -> Chart:
    if data.agreements is None:
        return None, BLIND
    return _rows(agreement_rows(data.agreements), NO_MARKS)


def _flow(data: ChartData, choice: str) -> MakePicture:
    causes = next((axis.causes for axis in data.axes if axis.title == choice), None)
    chart, total = flow_chart(data.outcomes, causes), len(data.outcomes)

    def make(wide: float, high: float, measure: Measure) -> ChartPicture:
        return flow_picture(chart, total, wide, high, measure)

    return make


def _runs(data: ChartData, choice: str) -> Chart:
    if choice not in data.others:
        return None, NO_OTHER
    result, names = confusion(data.outcomes, data.others[choice]), (data.name, choice)
    return lambda wide, _, measure: confusion_picture(result, names, wide, measure), ""


def _rows(rows: Sequence[BarRow], reason: str) -> Chart:
    if not rows:
        return None, reason
    return lambda wide, _, measure: rows_picture(rows, wide, measure), ""


_BARS: Final[Mapping[ChartKind, Callable[[Sequence[EpisodeOutcome]], tuple[Bar, ...]]]] = {
    ChartKind.LENGTH: success_by_length,
    ChartKind.TURNS: success_by_turns,
    ChartKind.SCENES: lambda outcomes: by_rate(success_by_scene(outcomes)),
}
