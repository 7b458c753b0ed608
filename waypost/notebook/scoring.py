"""Score runs in memory with a named profile: the numbers of ``waypost evaluate``."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_source import RunSource
from waypost.metrics.profile import Profile
from waypost.metrics.registry import find_profile
from waypost.notebook.reading import AnyPath
from waypost.notebook.values import Runs, renamed, with_unit
from waypost.services.evaluation.bucket_scores import STRAIGHT_LINE, RunScores
from waypost.services.evaluation.evaluate import COVERAGE, described, metric_means, score_in_memory
from waypost.services.navmesh_distances import check_navmeshes
from waypost.tables.frames import frame_of, score_columns

if TYPE_CHECKING:
    import pandas as pd

_GOAL_DISTANCES: Final = ("navmesh", STRAIGHT_LINE)


@dataclass(frozen=True)
class Scores:
    """The scores of one or several runs under one profile."""

    profile: Profile
    profile_name: str
    """Its key, with the stand-in it was computed with, if any."""

    definitions: Mapping[str, str]
    """Metric → what exactly is computed."""

    runs: Mapping[str, RunScores]
    """By the name of the run."""

    def to_frame(self) -> pd.DataFrame:
        """One row per run and episode: each metric, and why it is undefined where it is.

        These are the numbers of ``waypost evaluate --per-episode``.
        """
        rows = [
            (name, scores, place)
            for name, scores in self.runs.items()
            for place in range(len(scores.episode_ids))
        ]
        metrics = self.profile.metrics
        frame = frame_of(
            rows,
            {
                "run": (str, lambda row: row[0]),
                "episode_id": (str, lambda row: row[1].episode_ids[row[2]]),
                **score_columns([metric.key for metric in metrics], _value, _reason),
            },
        )
        units = {metric.key: with_unit(metric.key, metric.unit) for metric in metrics}
        return self._described(renamed(frame, units), units)

    def means_to_frame(self, seed: int = 0) -> pd.DataFrame:
        """One row per run and metric: the numbers of ``waypost evaluate --json``.

        Args:
            seed: Of the bootstrap intervals; that of ``--seed``.
        """
        rows = [
            {
                "run": name,
                "metric": metric.key,
                "unit": metric.unit,
                "mean": found.value,
                "ci95_low": found.ci95 and found.ci95[0],
                "ci95_high": found.ci95 and found.ci95[1],
                "n": found.n,
                "n_undefined": sum(found.undefined.values()),
                "undefined": dict(found.undefined),
            }
            for name, scores in self.runs.items()
            for metric, found in zip(self.profile.metrics, metric_means(scores, seed), strict=True)
        ]
        kinds = {
            "run": str,
            "metric": str,
            "unit": str,
            "mean": float,
            "ci95_low": float,
            "ci95_high": float,
            "n": int,
            "n_undefined": int,
            "undefined": dict,
        }
        frame = frame_of(rows, {key: (kind, partial(_field, key)) for key, kind in kinds.items()})
        return self._described(frame, {metric.key: metric.key for metric in self.profile.metrics})

    def _described(self, frame: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
        metrics = self.profile.metrics
        frame.attrs |= {
            "profile": self.profile_name,
            "title": self.profile.title,
            "notes": self.profile.notes,
            "definitions": {names[key]: text for key, text in self.definitions.items()},
            "units": {names[metric.key]: metric.unit for metric in metrics},
            "sources": {names[metric.key]: metric.source for metric in metrics},
            "coverage": {
                name: {key: scores.coverage[key] for key in COVERAGE}
                for name, scores in self.runs.items()
            },
            "warnings": [text for scores in self.runs.values() for text in scores.warnings],
        }
        return frame


def score(
    runs: Iterable[EpisodeRun] | Mapping[str, Iterable[EpisodeRun]],
    episodes: Iterable[Episode],
    profile: str,
    *,
    connectivity: AnyPath | None = None,
    navmesh: AnyPath | None = None,
    goal_distance: Literal["navmesh", "straight-line"] = "navmesh",
    assume_stop: bool = False,
) -> Scores:
    """Score runs as ``waypost evaluate`` does.

    Args:
        runs: Of one model, or name → runs of several.
        episodes: What they answer; the first of an id counts.
        profile: One of ``waypost metrics list``, e.g. ``r2r``.
        connectivity: Folder of ``<scan>_connectivity.json``.
        navmesh: Folder of ``<scene>.navmesh``, or of scenes, for distances over the floor.
        goal_distance: ``straight-line`` lets straight lines stand in for the navmesh; the
            definitions say so.
        assume_stop: Let runs of forms that know no STOP call it at their end; likewise said.

    Raises:
        ReadError: If there are no episodes, or the profile is unknown or needs something else.
    """
    if not isinstance(runs, Mapping):
        runs = {runs.name if isinstance(runs, Runs) else "run": runs}
    folder, navmeshes = _folder(connectivity), _folder(navmesh)
    if goal_distance not in _GOAL_DISTANCES:
        reason = f"{goal_distance!r} is none of {', '.join(_GOAL_DISTANCES)}"
        raise ReadError("score", "goal_distance", reason)
    try:
        if navmeshes is not None:
            check_navmeshes(navmeshes)
        source = RunSource(connectivity=folder, profile_key=profile, navmeshes=navmeshes)
        found = score_in_memory(
            source, goal_distance, episodes, runs.values(), assume_stop=assume_stop
        )
    except ReadError:
        raise
    except InputError as error:
        raise ReadError("score", profile, str(error)) from error
    _count_unreadable(found, runs.values())
    chosen = find_profile(profile)
    is_given = folder is not None
    name, definitions = described(
        chosen, goal_distance, has_graphs=is_given, assume_stop=assume_stop, navmeshes=navmeshes
    )
    return Scores(chosen, name, definitions, dict(zip(runs, found, strict=True)))


def _folder(path: AnyPath | None) -> Path | None:
    return None if path is None else Path(os.fspath(path))


def _count_unreadable(found: Iterable[RunScores], runs: Iterable[Iterable[EpisodeRun]]) -> None:
    """Runs that could not be read are invalid, as they are for ``waypost evaluate``."""
    for scores, given in zip(found, runs, strict=True):
        if isinstance(given, Runs):
            scores.coverage["invalid"] += given.source.unreadable


Row = tuple[str, RunScores, int]


def _value(metric: int, row: Row) -> float | None:
    value = float(row[1].columns[metric][row[2]])
    return None if math.isnan(value) else value


def _reason(metric: int, row: Row) -> str:
    return row[1].reasons[metric][row[2]]


def _field(key: str, row: Mapping[str, Any]) -> Any:
    return row[key]
