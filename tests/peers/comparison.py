"""Compare Waypost with the numbers that released scorers printed, one expected file at a time.

A folder has annotations, results and one or more ``expected*.json``: what released code gave for
these very files, under its own names. Every number in it is compared with what the service behind
``waypost evaluate`` gives, means and per episode.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray
from peers.released_names import COUNTS, ECHOES, PROFILES, TOTALS, is_no_number, own_names

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.read_log import ReadLog
from waypost.services.evaluation.bucket_scores import STRAIGHT_LINE
from waypost.services.evaluation.evaluate import EvaluationOptions, RunReport, evaluate
from waypost.services.evaluation.stated import evaluate_stated

TOLERANCE: Final = 1e-9
"""Largest difference that counts as equal."""

_WHOLE: Final = ""
"""Stands for the id of an episode where a number is of the whole file."""


class Number(NamedTuple):
    """One released number beside ours."""

    name: str
    """As the scorer calls it."""

    episode_id: str
    """Empty for a mean or a total."""

    released: float | None
    ours: float | None
    tolerance: float = TOLERANCE

    @property
    def difference(self) -> float:
        """Infinite where only one of them is known."""
        if self.released is None or self.ours is None:
            return 0.0 if self.released is self.ours else math.inf
        return abs(self.released - self.ours)

    @property
    def is_equal(self) -> bool:
        """Whether they differ by no more than rounding."""
        return self.difference <= self.tolerance

    def __str__(self) -> str:
        """A line for people."""
        place = f" of {self.episode_id}" if self.episode_id else ""
        return f"{self.name}{place}: released {self.released}, here {self.ours}"


@dataclass(frozen=True)
class Expected:
    """One ``expected*.json``.

    Its keys: ``scorer`` and ``commit``; ``made_by``, what was called; ``profile`` of Waypost, null
    for scores without a path; ``files``, relative to the folder: ``annotations``, ``results``,
    ``connectivity``, ``options`` of the command; ``names``, metric of the profile → [its name in
    ``means``, divisor of the mean, its name in ``per_episode``]; ``totals``, rounded ones, where
    the scorer writes some; ``means`` and ``per_episode`` by episode id, in full precision.
    """

    path: Path

    @cached_property
    def content(self) -> dict[str, Any]:
        """All of it."""
        found: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
        return found

    @property
    def name(self) -> str:
        """Folder and file, e.g. ``duet-r2r/expected_repeats``."""
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def scorer(self) -> str:
        """Repository and file."""
        return str(self.content["scorer"])

    @property
    def profile(self) -> str:
        """Of Waypost; empty for scores without a path."""
        return self.content["profile"] or PROFILES.get(self.path.stem, "")

    @property
    def source(self) -> RunSource:
        """The files, as ``waypost evaluate`` takes them."""
        connectivity = self._files("connectivity")
        return RunSource(
            self._files("results"),
            self._files("annotations"),
            connectivity[0].resolve() if connectivity else None,
            profile_key=self.profile,
        )

    def _files(self, key: str) -> tuple[Path, ...]:
        given = self.content["files"].get(key, [])
        return tuple(
            self.path.parent / name for name in ([given] if isinstance(given, str) else given)
        )

    def options(self, per_episode: Path) -> EvaluationOptions:
        """What the command line would be told beside the files."""
        words = self.content["files"].get("options", "").split()
        return EvaluationOptions(
            goal_distance=STRAIGHT_LINE if STRAIGHT_LINE in words else "navmesh",
            # What the form does not know is what the scorer was told.
            assume_stop="no stop" in self.content["made_by"],
            per_episode=per_episode,
        )


def find_expected(folder: Path) -> list[Expected]:
    """Every expected file of the folders in a folder."""
    return [Expected(path) for path in sorted(folder.glob("*/expected*.json"))]


def compare(expected: Expected) -> list[Number]:
    """Every released number of a file beside ours."""
    if not expected.profile:
        return list(_stated(expected))
    with tempfile.TemporaryDirectory() as folder:
        table_path = Path(folder) / "scores.parquet"
        evaluation = exhaust(evaluate(expected.source, expected.options(table_path)))
        rows = pq.read_table(table_path).to_pylist()
    (report,) = evaluation.runs
    ids = _ids_of(expected, [row["episode_id"] for row in rows])
    scored = {ids[row["episode_id"]]: row for row in rows}
    columns = {
        key: np.array([np.nan if row[key] is None else row[key] for row in rows], dtype=np.float64)
        for key in report.metrics
    }
    return [
        *_of_the_file(expected, report, columns),
        *_of_the_episodes(expected, scored),
        *_totals(expected, report),
    ]


def _stated(expected: Expected) -> Iterator[Number]:
    """Scores that the results state themselves; totals of a file are what it states."""
    with tempfile.TemporaryDirectory() as folder:
        table_path = Path(folder) / "scores.parquet"
        (report,) = exhaust(evaluate_stated(expected.source, table_path)).runs
        rows = {row["episode_id"]: row for row in pq.read_table(table_path).to_pylist()}
    for name, value in _flat(expected.content["means"]):
        if name in report.totals:
            yield Number(name, _WHOLE, float(value), report.totals[name].stated)
            # As far as sums of 32-bit numbers go.
            yield Number(
                f"{name} of the runs", _WHOLE, 1.0, float(bool(report.totals[name].agrees))
            )
        elif not is_no_number(name):
            score = report.scores.get(name)
            yield Number(name, _WHOLE, float(value), None if score is None else score.value)
    for episode_id, values in expected.content["per_episode"].items():
        # StreamVLN's records have the scene before the id.
        row = rows.get(episode_id) or rows.get(episode_id.rpartition("_")[2], {})
        for name, value in values.items():
            if not is_no_number(name):
                is_known = math.isfinite(float(value))
                yield Number(name, episode_id, float(value) if is_known else None, row.get(name))


def measured_row(expected: Expected) -> tuple[dict[str, Any], list[Number]]:
    """What the table of docs/metrics.md says about an expected file, and the numbers behind it."""
    numbers = compare(expected)
    exact = [number.difference for number in numbers if number.tolerance == TOLERANCE]
    row = {
        "folder": expected.name,
        "scorer": expected.scorer,
        "commit": expected.content["commit"][:8],
        "profile": expected.profile,
        "episodes": len(expected.content["per_episode"]),
        "numbers": len(numbers),
        "largest_difference": rounded_up(max(exact)),
    }
    return row, numbers


def rounded_up(difference: float) -> float:
    """One significant digit, never below the difference."""
    if difference == 0:
        return 0.0
    step = 10.0 ** math.floor(math.log10(difference))
    return float(f"{math.ceil(difference / step) * step:.0e}")


def _of_the_file(
    expected: Expected, report: RunReport, columns: Mapping[str, NDArray[np.float64]]
) -> Iterator[Number]:
    names = own_names(expected.scorer, expected.content["names"])
    results = {**report.metrics, **report.of_the_whole_run}
    echoes = _echoes(expected)
    for name, value in _flat(expected.content["means"]):
        own = names.get(name)
        if name in COUNTS and "accuracy" in columns:
            yield Number(name, _WHOLE, _number(value), COUNTS[name](columns))
        elif own is not None:
            result = results[own.metric].value if own.metric in results else None
            yield Number(name, _WHOLE, float(value) / own.divisor, result)
        elif name in echoes:
            said = list(echoes[name].values())
            yield Number(name, _WHOLE, _number(value), sum(said) / len(said))
        elif not is_no_number(name):
            yield Number(name, _WHOLE, _number(value), None)


def _of_the_episodes(
    expected: Expected, scored: Mapping[str, Mapping[str, Any]]
) -> Iterator[Number]:
    names = own_names(expected.scorer, expected.content["names"])
    echoes = _echoes(expected)
    for episode_id, values in expected.content["per_episode"].items():
        row = scored.get(episode_id, {})
        for name, value in values.items():
            own = names.get(name)
            if own is not None:
                yield Number(name, episode_id, _number(value), row.get(own.metric))
            elif name in echoes:
                yield Number(name, episode_id, _number(value), echoes[name].get(episode_id))
            elif type(value) in {int, float} and not is_no_number(name):
                yield Number(name, episode_id, _number(value), None)


def _totals(expected: Expected, report: RunReport) -> Iterator[Number]:
    """What a scorer writes rounded to four decimals."""
    for name, value in expected.content.get("totals", {}).items():
        if name in TOTALS:
            yield Number(
                name, _WHOLE, value, report.metrics[TOTALS[name]].value, 0.5e-4 + TOLERANCE
            )
        else:
            yield Number(name, _WHOLE, value, float(report.coverage["found"]))


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _echoes(expected: Expected) -> dict[str, dict[str, float]]:
    """Of each number that repeats what was put in: episode → the number."""
    if expected.scorer not in ECHOES:
        return {}
    (annotations,), (results,) = expected.source.annotations, expected.source.results
    log = ReadLog()
    episodes = {
        episode.episode_id: episode
        for episode in EPISODE_FORMATS.find(annotations, "").read(annotations, log)
    }
    runs = list(RUN_FORMATS.find(results, "").read(results, log))
    return {
        name: {run.episode_id: echo(episodes[run.episode_id], run) for run in runs}
        for name, echo in ECHOES[expected.scorer].items()
    }


def _ids_of(expected: Expected, own: list[str]) -> dict[str, str]:
    """Our id of an episode → the scorer's, which may count answers or name demonstrations."""
    asked = expected.content["per_episode"].keys()
    if all(":" in name for name in asked):
        return {name: name if ":" in name else f"{name}:0" for name in own}
    if asked & set(own):
        return {name: name for name in own}
    (results,) = expected.source.results
    records = map(json.loads, results.read_text(encoding="utf-8").splitlines())
    named = {str(each["instruction_id"]): str(each["demonstration_id"]) for each in records}
    return {name: named[name] for name in own}
