"""Rows of replays: each run under the metrics of one profile, whichever scores its episodes."""

from __future__ import annotations

import dataclasses
from collections import Counter
from types import MappingProxyType
from typing import Final

from waypost.domain.replay.charts import count_turns, reference_length_m
from waypost.domain.replay.run_rows import MetricColumn, RunRow, RunRows, first_letters
from waypost.metrics.profile import Profile
from waypost.services.replay.loading import ReplayedEpisode, ReplayedRun, ReplayScores
from waypost.services.replay.profiles import other_profiles_note

_NO_REASONS: Final = ("",) * 64


class GrowingRows:
    """The rows of a run as its replays come, headed by the profile of the first with a path.

    A run without a path says nothing of what the others are scored by: rows that stood there
    before are headed anew when the first one with a path comes.
    """

    def __init__(self) -> None:
        self.rows: list[RunRow] = []
        self.profile: Profile | None = None
        self.columns: tuple[MetricColumn, ...] = ()
        self._has_path = False
        self._scored_by: Counter[str] = Counter()

    def add(self, shown: ReplayedEpisode) -> RunRow:
        """The row of a further replay."""
        own, has_path = shown.scores.profile, shown.has_path
        if self.profile is None or (has_path and not self._has_path):
            self._head(own)
        self._has_path = self._has_path or has_path
        self._scored_by[own.key] += has_path
        row = _row_of(shown, self.profile or own, self.columns)
        self.rows.append(row)
        return row

    @property
    def note(self) -> str:
        """What to say of runs that are scored by other profiles; empty where none is."""
        key = "" if self.profile is None else self.profile.key
        return other_profiles_note(self._scored_by, key)

    def _head(self, profile: Profile) -> None:
        before, self.profile = self.profile, profile
        if before is None or before.key != profile.key:
            self.columns = columns_of(profile)
        if before is not None and before.key != profile.key:
            self.rows = [self._headed_anew(row, before) for row in self.rows]

    def _headed_anew(self, row: RunRow, before: Profile) -> RunRow:
        keys = [metric.key for metric in before.metrics]
        scores = ReplayScores(
            before,
            MappingProxyType(dict(zip(keys, row.values, strict=True))),
            MappingProxyType({k: why for k, why in zip(keys, row.reasons, strict=True) if why}),
        )
        values, reasons = _cells(scores, self.profile or before, self.columns)
        return dataclasses.replace(row, values=values, reasons=reasons)


def rows_of(run: ReplayedRun) -> RunRows:
    """The rows of a run that is in memory as a whole, every attempt included."""
    columns = columns_of(run.profile)
    return RunRows(
        run.name,
        run.source,
        run.profile.key,
        run.profile.title,
        columns,
        tuple(_row_of(shown, run.profile, columns) for shown in run.attempts),
    )


def columns_of(profile: Profile) -> tuple[MetricColumn, ...]:
    """The metrics of a profile as columns."""
    return tuple(
        MetricColumn(
            metric.key, metric.definition, metric.unit, metric.source, metric.is_higher_better
        )
        for metric in profile.metrics
    )


def _row_of(shown: ReplayedEpisode, profile: Profile, columns: tuple[MetricColumn, ...]) -> RunRow:
    replay = shown.replay
    episode = replay.episode
    points = replay.reference_points_m
    values, reasons = _cells(shown.scores, profile, columns)
    return RunRow(
        episode_id=episode.episode_id,
        attempt=shown.attempt,
        scene_id=episode.scene_id,
        split=episode.split,
        instruction=first_letters(episode.instruction.text),
        is_success=shown.is_success,
        values=values,
        reasons=reasons,
        tags=shown.tags,
        step_count=replay.step_count,
        ended_by=replay.ended_by,
        reference_m=reference_length_m(points),
        turn_count=count_turns(points) if len(points) else None,
        participant=shown.participant,
        take=shown.take,
    )


def _cells(
    scores: ReplayScores, profile: Profile, columns: tuple[MetricColumn, ...]
) -> tuple[tuple[float | None, ...], tuple[str, ...]]:
    """Values and reasons of scores in the columns of a profile."""
    found = scores.under(profile)
    values = tuple([found.values[column.key] for column in columns])
    if None not in values and len(columns) <= len(_NO_REASONS):
        return values, _NO_REASONS[: len(columns)]
    return values, tuple([found.reasons.get(column.key, "") for column in columns])
