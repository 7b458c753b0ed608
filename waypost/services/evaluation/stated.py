"""Give the scores that result files state themselves: no annotations, nothing computed anew."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.episode.run import SCORES_ONLY, EpisodeRun, scores_only_note
from waypost.domain.episode.run_ids import told_apart
from waypost.domain.episode.run_source import RunSource
from waypost.domain.episode.stated_scores import (
    StatedRule,
    StatedScore,
    StatedSum,
    TotalCheck,
    add_stated,
    check_totals,
    stated_scores,
    total_faults,
)
from waypost.io.atomic import target_of
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.logs.run_format import RunFormat
from waypost.io.read_log import MOST_FINDINGS, ReadLog
from waypost.io.score_parquet import ScoreParquetWriter
from waypost.services.evaluation.coverage import note_duplicate
from waypost.services.evaluation.evaluate import run_names
from waypost.services.evaluation.naming import named

_STEP = 10_000
_OR_STATED = "; without --profile the scores that it states are given"
_NO_NUMBER = "the source states no finite number"
_NOT_STATED = "the source does not state it"


@dataclass(frozen=True, slots=True)
class StatedReport:
    """What one result file states."""

    run: str
    """Name to show: the file without suffixes."""

    source: str
    format: str
    conventions: str
    coverage: dict[str, int]
    """``found`` counts runs, ``invalid`` those that cannot be read; with annotations also
    ``expected``, ``missing`` and ``foreign``."""

    scores: dict[str, StatedScore]
    """By the names of the source, in their order."""

    rule: StatedRule | None
    totals: dict[str, TotalCheck]
    findings: tuple[ImportFinding, ...]
    warnings: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every run was read once, all expected are there, and the totals are theirs."""
        odd = sum(self.coverage[key] for key in self.coverage if key not in {"expected", "found"})
        return not odd and not any(check.agrees is False for check in self.totals.values())


@dataclass(frozen=True, slots=True)
class StatedEvaluation:
    """What several result files state."""

    runs: tuple[StatedReport, ...]
    not_computed: str
    """Why the profile that was asked for was not computed; empty where none was."""


@dataclass(slots=True)
class _Rows:
    """The runs of one result file."""

    sums: dict[str, StatedSum] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    reported: list[dict[str, float | None]] = field(default_factory=list)
    coverage: Counter[str] = field(default_factory=Counter)
    bare: int = 0
    """Runs without a path."""

    _seen: dict[str, EpisodeRun] = field(default_factory=dict)

    def add(self, run: EpisodeRun, asked: set[str], log: ReadLog) -> None:
        if asked and run.episode_id not in asked:
            self.coverage["foreign"] += 1
            message = f"{run.episode_id} is not among the episodes asked for"
            log.add(ImportKind.FOREIGN, message, item_id=run.episode_id)
            return
        first = self._seen.setdefault(run.episode_id, run)
        if first is not run and run.episode_id:
            self.coverage[note_duplicate(first, run, log)] += 1
            return
        self.coverage["found"] += 1
        self.bare += not len(run.route)
        self.ids.append(run.episode_id)
        self.reported.append(dict(run.reported))
        add_stated(self.sums, run.reported)


def evaluate_stated(
    source: RunSource, per_episode: Path | None = None
) -> Generator[Progress, None, StatedEvaluation]:
    """Collect the scores that sources state; yields progress in runs read.

    Args:
        source: Result files. With a profile they must be scores only: what is computed anew needs
            annotations. Annotations say what is expected.
        per_episode: Parquet file for the scores of every run.

    Raises:
        InputError: If a file states no scores, or has paths that the profile could be computed of.
    """
    if not source.results:
        raise InputError("results are needed")
    if per_episode is not None:
        target_of(per_episode)
    asked = _asked(source)
    reports: list[StatedReport] = []
    tables: list[_Rows] = []
    for name, path in zip(run_names(source.results), source.results, strict=True):
        log, rows = ReadLog(), _Rows()
        entry = RUN_FORMATS.find(path, source.result_format)
        found = named(entry.read(path, log), source.annotations, source.annotation_format, log)
        for done, run in enumerate(told_apart(found, source), start=1):
            rows.add(run, asked, log)
            if done % _STEP == 0:
                yield Progress(done, 0, f"{path.name}: {counted(done, 'run')} read")
        log.finish()
        _require_scores(source, path, rows, log)
        reports.append(_report(name, path, entry, rows, asked, log))
        tables.append(rows)
        yield Progress(len(reports), len(source.results), f"{path.name} read")
    if per_episode is not None:
        _write(per_episode, [report.run for report in reports], tables)
    profile = source.profile_key
    why = f"the profile {profile} cannot be computed: {SCORES_ONLY}" if profile else ""
    return StatedEvaluation(tuple(reports), why)


def _asked(source: RunSource) -> set[str]:
    return {
        episode.episode_id
        for path in source.annotations
        for episode in EPISODE_FORMATS.find(path, source.annotation_format).read(path, ReadLog())
    }


def _require_scores(source: RunSource, path: Path, rows: _Rows, log: ReadLog) -> None:
    count = rows.coverage["found"]
    if source.profile_key and rows.bare < count:
        raise InputError(
            f"{path}: file: has paths, of which the profile {source.profile_key} can be computed:"
            f" give --annotations{_OR_STATED if rows.sums else ''}"
        )
    if rows.sums or log.stated_totals():
        return
    lost = next((f.message for f in log.findings if f.kind is ImportKind.UNREADABLE), "")
    if lost:
        raise InputError(f"{path}: file: has no run that can be read; {lost}")
    lacking = "--profile" if source.annotations else "--profile and --annotations"
    raise InputError(f"{path}: file: states no scores; give {lacking} to compute some")


def _report(
    name: str, path: Path, entry: RunFormat, rows: _Rows, asked: set[str], log: ReadLog
) -> StatedReport:
    coverage = {"expected": len(asked), "found": rows.coverage["found"]}
    coverage["missing"] = max(0, len(asked) - len(set(rows.ids))) if asked else 0
    for kind in ("duplicated_identical", "duplicated_conflicting", "foreign"):
        coverage[kind] = rows.coverage[kind]
    coverage["invalid"] = log.counts[ImportKind.UNREADABLE]
    runs = coverage["found"]
    scores = stated_scores(rows.sums, runs, entry.stated_rule)
    # Totals count runs that come twice or are not asked for, too, and those that cannot be read.
    others = ("duplicated_identical", "duplicated_conflicting", "foreign", "invalid")
    is_whole = not any(coverage[kind] for kind in others)
    rule = entry.stated_rule if is_whole else None
    totals = check_totals(log.stated_totals(), scores, runs, rule)
    for total, message in total_faults(totals):
        log.add(ImportKind.WRONG_TOTAL, message, item_id=path.name, value=total)
    if rows.bare:
        log.add(ImportKind.NOTE, scores_only_note(rows.bare, runs), item_id=path.name)
    return StatedReport(
        run=name,
        source=str(path),
        format=entry.name,
        conventions=entry.conventions,
        coverage=coverage,
        scores=scores,
        rule=entry.stated_rule,
        totals=totals,
        findings=tuple(log.findings[:MOST_FINDINGS]),
        warnings=tuple(log.warnings),
    )


def _write(path: Path, names: list[str], tables: list[_Rows]) -> None:
    keys = list(dict.fromkeys(key for rows in tables for key in rows.sums))
    definitions = dict.fromkeys(keys, "as the source states it")
    metadata = {
        "waypost.profile": "as the source states them",
        "waypost.definitions": json.dumps(definitions),
    }
    with ScoreParquetWriter(path, keys, metadata) as writer:
        for name, rows in zip(names, tables, strict=True):
            columns = [
                np.array([_number(told.get(key)) for told in rows.reported], dtype=np.float64)
                for key in keys
            ]
            reasons = [
                {
                    at: _NO_NUMBER if key in told else _NOT_STATED
                    for at, told in enumerate(rows.reported)
                    if told.get(key) is None
                }
                for key in keys
            ]
            writer.write(name, rows.ids, columns, reasons)


def _number(value: float | None) -> float:
    return math.nan if value is None else value
