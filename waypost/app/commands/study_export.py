"""``waypost study export``: takes with a manifest, tables, averages, submission files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from waypost.app.study_episodes import StudyEpisodes
from waypost.app.study_submissions import KINDS, write_submissions
from waypost.domain.study import Study, Take
from waypost.domain.study_progress import counted_takes
from waypost.io.json_writing import write_json_file
from waypost.io.study_exports import (
    ACTIVE_TIME_RULE,
    MANIFEST,
    Cell,
    CopyState,
    Table,
    copy_takes,
    remove_earlier_export,
    score_table,
    write_manifest,
    write_table_csv,
    write_table_parquet,
)
from waypost.metrics.participant_means import (
    MeanOfMeans,
    ParticipantMean,
    ScoredTake,
    means_of_means,
    participant_means,
)

_RULE: Final = (
    "each participant's mean over the takes where a score is defined, then the mean over"
    " participants; ci95 is the percentile bootstrap interval over 1,000 resamples of participants"
)


def add_export_arguments(parser: ArgumentParser) -> None:
    """Declare the options of the export."""
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--submission", action="append", default=[], choices=list(KINDS), help="may be repeated"
    )
    parser.add_argument(
        "--connectivity", type=Path, metavar="DIR", help="graphs, for R2R-style submissions"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (default: 0)")


def export_study(options: Namespace, study: Study, root: Path) -> dict[str, Any]:
    """Write everything and return the report.

    Raises:
        InputError: If an option lacks another.
        WriteError: If a file cannot be written.
    """
    out: Path = options.out
    takes, left_out = counted_takes(study)
    removed = remove_earlier_export(out)
    copied = copy_takes(root, out, takes)
    write_manifest(out / MANIFEST, study, copied, left_out)
    table = score_table(study, takes)
    write_table_csv(out / "scores.csv", table)
    write_table_parquet(out / "scores.parquet", table)
    means = participant_means([_scored(take) for take in takes])
    overall = means_of_means(means, options.seed)
    write_table_csv(out / "participants.csv", _means_table(means))
    write_table_csv(out / "averages.csv", _overall_table(overall))
    averages = {
        "rule": _RULE,
        "seed": options.seed,
        "active_time_rule": ACTIVE_TIME_RULE,
        "takes": len(takes),
        "participants": len({take.key.participant for take in takes}),
        "scores": [_overall_values(mean) for mean in overall],
    }
    write_json_file(out / "averages.json", averages)
    whole = [entry.take for entry in copied if entry.state is CopyState.COPIED]
    episodes = StudyEpisodes(study, root)
    submissions, problems = write_submissions(options, study, root, whole, episodes)
    notes = [
        f"{entry.take.path}: {_STATES[entry.state]}"
        for entry in copied
        if entry.state is not CopyState.COPIED
    ]
    return {
        "out": str(out),
        "removed_of_an_earlier_export": removed,
        "takes": {
            "counted": len(takes),
            "copied": len(whole),
            "left_out": dict(Counter(_short(entry.reason) for entry in left_out)),
        },
        "averages": averages["scores"],
        "submissions": submissions,
        "notes": [*notes, *episodes.notes, *problems],
    }


_STATES: Final = {
    CopyState.MISSING: "the file is missing; its summary and scores are in the tables",
    CopyState.CHANGED: "the file was changed since it was recorded; it is not exported",
}


def _short(reason: str) -> str:
    return reason.partition(":")[0]


def _scored(take: Take) -> ScoredTake:
    summary = take.summary
    measures: dict[str, float | None] = {
        "take.duration_s": summary.duration_ns / 1e9,
        "take.active_s": summary.active_ns / 1e9,
        "take.pause_s": summary.pause_ns / 1e9,
        "take.path_length_m": summary.path_length_m,
        "take.collision_count": float(summary.collision_count),
        "take.strict_collision_count": float(summary.strict_collision_count),
    }
    return ScoredTake(take.key.participant, {**measures, **take.scores}, take.score_notes)


def _reasons(undefined: dict[str, int]) -> str:
    return "; ".join(f"{count} × {reason}" for reason, count in undefined.items())


def _means_table(means: Sequence[ParticipantMean]) -> Table:
    columns: tuple[tuple[str, type], ...] = (
        ("participant", str),
        ("score", str),
        ("mean", float),
        ("n_takes", int),
        ("n_undefined", int),
        ("undefined", str),
    )
    rows: list[tuple[Cell, ...]] = [
        (m.participant, m.score, m.value, m.n, sum(m.undefined.values()), _reasons({**m.undefined}))
        for m in means
    ]
    return Table(columns, tuple(rows))


def _overall_table(means: Sequence[MeanOfMeans]) -> Table:
    columns: tuple[tuple[str, type], ...] = (
        ("score", str),
        ("mean_of_means", float),
        ("ci95_low", float),
        ("ci95_high", float),
        ("n_participants", int),
        ("n_takes", int),
        ("n_undefined", int),
        ("undefined", str),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            mean.score,
            mean.value,
            *(mean.ci95 or (None, None)),
            mean.n_participants,
            mean.n_takes,
            sum(mean.undefined.values()),
            _reasons({**mean.undefined}),
        )
        for mean in means
    ]
    return Table(columns, tuple(rows))


def _overall_values(mean: MeanOfMeans) -> dict[str, Any]:
    return {
        "score": mean.score,
        "mean_of_means": mean.value,
        "ci95": None if mean.ci95 is None else list(mean.ci95),
        "n_participants": mean.n_participants,
        "n_takes": mean.n_takes,
        "undefined": dict(mean.undefined),
    }
