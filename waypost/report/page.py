"""One self-contained HTML page about a run: metrics, charts, a table, every episode's replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.charts.svg import count_chart, flow_svg, rate_chart
from waypost.domain.base.visible_text import visible_text, with_short_ids
from waypost.domain.replay.charts import (
    EpisodeOutcome,
    flow_chart,
    outcome_of,
    success_by_length,
    success_by_scene,
    success_by_turns,
    tag_bars,
)
from waypost.domain.replay.map import LineRole, MarkRole, replay_map, time_colour
from waypost.domain.replay.step import Step
from waypost.domain.replay.tags import TAG_RULES, TAG_TITLES, TagKind
from waypost.io.atomic import open_atomic
from waypost.metrics.aggregate import Aggregate, aggregate, summarise
from waypost.metrics.analyst_agreement import DEFINITIONS
from waypost.report.analysis import NO_ANALYSIS, RunAnalysis
from waypost.report.map_style import LINES, MARKS, hex_of
from waypost.report.map_svg import map_svg
from waypost.report.odd_runs import odd_runs
from waypost.report.step_pictures import NO_PICTURES, EpisodePictures
from waypost.report.templates import page_template
from waypost.services.replay.loading import ReplayedEpisode, ReplayedRun, ReplayScores

MOST_IN_FULL: Final = 3000
"""Episodes that get a map and their steps; beyond, the table alone. Keeps pages openable."""

MOST_STEPS: Final = 200
"""Of an episode shown in full."""


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric of the run with everything that stands behind it."""

    key: str
    unit: str
    definition: str
    source: str
    result: Aggregate


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """One episode of the table and its details."""

    anchor: str
    shown: ReplayedEpisode
    outcome: EpisodeOutcome
    drawn: str | None
    """``None`` where nothing can be drawn or the page holds too many already."""

    steps: tuple[Step, ...]
    steps_left_out: int

    @property
    def headline(self) -> str:
        """Id of the episode, as short as a headline has it."""
        return with_short_ids(self.shown.chart_id)

    @property
    def verdict(self) -> str:
        """✓, ✕ or ?."""
        return {True: "✓", False: "✕", None: "?"}[self.outcome.is_success]

    @property
    def tags(self) -> str:
        """Names of the tags, as the table shows and filters them."""
        return ", ".join(TAG_TITLES[tag.kind] for tag in self.shown.tags)


def write_report(
    folder: Path,
    run: ReplayedRun,
    most_in_full: int = MOST_IN_FULL,
    pictures: EpisodePictures = NO_PICTURES,
    analysis: RunAnalysis = NO_ANALYSIS,
) -> Path:
    """Write ``report.html`` into a folder, which is made if it is missing.

    All text of files is escaped, and what is invisible in it spelled out; nothing is loaded from
    elsewhere.

    Args:
        folder: Where.
        run: What.
        most_in_full: Episodes with a map and steps.
        pictures: Of their steps.
        analysis: What people say about the run.

    Returns:
        The file.

    Raises:
        WriteError: If it cannot be written.
    """
    path = folder / "report.html"
    pieces = _pieces(run, most_in_full, pictures, analysis)
    with open_atomic(path) as page:
        # A page of 100,000 episodes takes hundreds of megabytes as one text.
        for piece in pieces:
            page.write(piece.encode("utf-8"))
    return path


def _pieces(
    run: ReplayedRun, most_in_full: int, pictures: EpisodePictures, analysis: RunAnalysis
) -> Iterator[str]:
    rows = [_row(index, shown, index < most_in_full) for index, shown in enumerate(run.episodes)]
    outcomes = [row.outcome for row in rows]
    return page_template("replay_report.html.j2", _shown).generate(
        run=run,
        odd_runs=odd_runs(run),
        rows=rows,
        metrics=metric_rows(run),
        summaries=summary_rows(run),
        stated=run.stated,
        charts=_charts(outcomes, analysis),
        analysis=analysis,
        definitions=DEFINITIONS,
        tag_rules=[(TAG_TITLES[kind], TAG_RULES[kind]) for kind in TagKind],
        legend=_legend(),
        most_in_full=most_in_full,
        pictures=pictures,
        number=_number,
    )


def _row(index: int, shown: ReplayedEpisode, is_full: bool) -> EpisodeRow:
    replay = shown.replay
    drawn = None
    if is_full and np.isfinite(replay.positions_m).any():
        drawn = map_svg(replay_map(replay), f"Map of episode {replay.episode.episode_id}")
    count = len(replay) if is_full else 0
    return EpisodeRow(
        anchor=f"e{index}",
        shown=shown,
        outcome=outcome_of(
            replay,
            shown.tags,
            shown.is_success,
            which="" if shown.take is None else shown.which,
        ),
        drawn=drawn,
        steps=tuple(replay.step(step) for step in range(min(count, MOST_STEPS))),
        steps_left_out=max(0, count - MOST_STEPS),
    )


def metric_rows(run: ReplayedRun) -> list[MetricRow]:
    """The mean of every metric of a run."""
    rows = []
    scored = [shown.scores.under(run.profile) for shown in run.episodes]
    for metric in run.profile.metrics:
        reasons = Counter(one.reasons[metric.key] for one in scored if metric.key in one.reasons)
        result = aggregate(_column(scored, metric.key), dict(reasons))
        rows.append(MetricRow(metric.key, metric.unit, metric.definition, metric.source, result))
    return rows


def summary_rows(run: ReplayedRun) -> list[MetricRow]:
    """What the profile says about a run as a whole; empty for most profiles."""
    if not run.profile.summaries:
        return []
    scored = [shown.scores.under(run.profile) for shown in run.episodes]
    columns = {metric.key: _column(scored, metric.key) for metric in run.profile.metrics}
    return [
        MetricRow(one.key, one.unit, one.definition, one.source, summarise(one, columns))
        for one in run.profile.summaries
    ]


def _column(scored: Sequence[ReplayScores], key: str) -> NDArray[np.float64]:
    values = [one.values[key] for one in scored]
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _charts(outcomes: Sequence[EpisodeOutcome], analysis: RunAnalysis) -> list[str]:
    total = len(outcomes)
    flows = [
        flow_svg(
            f"From outcome over behaviour to {use.cause_title}",
            flow_chart(outcomes, use.causes),
            total,
        )
        for use in analysis.uses
    ]
    charts = [
        *(flows or [flow_svg("From outcome to behaviour", flow_chart(outcomes), total)]),
        count_chart("Tags (an episode may have several)", tag_bars(outcomes), total),
        rate_chart("Success by length of the reference", success_by_length(outcomes)),
        rate_chart("Success by turns of the reference", success_by_turns(outcomes)),
        rate_chart("Success by scene", success_by_scene(outcomes)),
    ]
    return [chart for chart in charts if chart]


def _legend() -> dict[str, Any]:
    stops = ", ".join(hex_of(time_colour(share / 8)) for share in range(9))
    return {
        "reference": hex_of(LINES[LineRole.REFERENCE].colour),
        "path": f"linear-gradient(90deg, {stops})",
        "goal": hex_of(MARKS[MarkRole.GOAL].fill),
        "deviation": hex_of(MARKS[MarkRole.DEVIATION].fill),
        "end": hex_of(MARKS[MarkRole.END].fill),
        "revisit": hex_of(MARKS[MarkRole.REVISIT].outline),
    }


def _shown(value: Any) -> Any:
    """What stands on the page for a value of the template; pictures made here stay as they are."""
    return visible_text(value) if type(value) is str else value


def _number(value: float | None, digits: int = 3) -> str:
    return "—" if value is None else f"{value:.{digits}f}"
