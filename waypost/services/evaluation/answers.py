"""Scores of answers to CapNav's questions, which graphs and labels are needed for."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.progress import Progress
from waypost.domain.episode.run_source import RunSource
from waypost.metrics.aggregate import Aggregate, summarise
from waypost.services.replay.loading import ReplayedRun, replay_all


@dataclass(frozen=True, eq=False, slots=True)
class AnswerScores:
    """The scores of one result file."""

    replayed: ReplayedRun
    episode_ids: list[str]
    columns: list[NDArray[np.float64]]
    """One (N,) array per metric, NaN where undefined."""

    reasons: list[dict[int, str]]
    """One per metric: row → why it is undefined."""

    def gaps(self, first: AnswerScores) -> list[NDArray[np.float64]]:
        """One array per metric: these answers minus the first run's, where both are defined."""
        rows = {name: row for row, name in enumerate(first.episode_ids)}
        shared = [(rows[name], row) for row, name in enumerate(self.episode_ids) if name in rows]
        theirs = [row for row, _ in shared]
        own = [row for _, row in shared]
        gaps = (
            here[own] - there[theirs]
            for here, there in zip(self.columns, first.columns, strict=True)
        )
        return [gap[~np.isnan(gap)] for gap in gaps]

    def of_the_whole_run(self, seed: int) -> dict[str, Aggregate]:
        """What the profile says about the run as a whole, as ``waypost report`` does.

        Args:
            seed: Of the bootstrap intervals.
        """
        profile = self.replayed.profile
        columns = {
            metric.key: column for metric, column in zip(profile.metrics, self.columns, strict=True)
        }
        return {one.key: summarise(one, columns, seed) for one in profile.summaries}


def score_answers(source: RunSource, results: Path) -> Generator[Progress, None, AnswerScores]:
    """Score the answers of one result file or folder; yields progress in answers.

    Args:
        source: Names the questions, the graphs beside which the labels stand, and the profile.
        results: Of the results of the source, those to score.

    Raises:
        InputError: If a file as a whole cannot be used.
    """
    replayed = yield from replay_all(replace(source, results=(results,)))
    shown = replayed.episodes
    columns, reasons = [], []
    for metric in replayed.profile.metrics:
        values = [one.scores.values[metric.key] for one in shown]
        columns.append(np.array([np.nan if v is None else v for v in values], dtype=np.float64))
        why = (one.scores.reasons.get(metric.key) for one in shown)
        reasons.append({row: reason for row, reason in enumerate(why) if reason})
    ids = [one.replay.episode.episode_id for one in shown]
    return AnswerScores(replayed, ids, columns, reasons)
