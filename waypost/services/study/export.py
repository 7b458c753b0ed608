"""Exports a study: takes with a manifest, tables, averages and submission files."""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.episode import Episode
from waypost.domain.record.study import EpisodeKey, Study, Take
from waypost.domain.record.study_progress import LeftOut, counted_takes
from waypost.io.atomic import target_of
from waypost.io.growing_folder import growing_folder
from waypost.io.json_writing import write_json_file
from waypost.io.recordings.parquet import write_parquet_recording
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_frames import FRAMES_SUFFIX
from waypost.io.recordings.take_records import read_records, records_path
from waypost.io.study_exports import (
    ACTIVE_TIME_RULE,
    MANIFEST,
    WORDS,
    CopiedTake,
    CopyState,
    check_export_place,
    copy_takes,
    remove_earlier_export,
    write_manifest,
)
from waypost.services.guides import with_guide
from waypost.services.mixed_engines import engine_of_header, mixture_note
from waypost.services.study.episodes import StudyEpisodes, read_study_episodes
from waypost.services.study.frame_export import export_frames
from waypost.services.study.making import stated_path
from waypost.services.study.scoring_anew import with_missing_scores
from waypost.services.study.submissions import ExportWish, check_submissions, write_submissions
from waypost.tables.frames import write_csv, write_parquet
from waypost.tables.study_tables import (
    means_of_means,
    participant_means,
    take_frame,
    take_scores,
)
from waypost.tables.word_table import WordRow, word_frame, word_rows

_RULE: Final = (
    "each participant's mean over the takes where a score is defined, then the mean over"
    " participants; ci95 is the percentile bootstrap interval over 1,000 resamples of participants"
)


def export_study(
    out: Path, wish: ExportWish, study: Study, root: Path, seed: int = 0
) -> Work[dict[str, Any]]:
    """Write everything and return the report.

    All files grow in a temporary folder beside ``out`` and move there at the end, after the takes
    and submission files of an earlier export were removed; whoever cancels leaves nothing behind.

    Args:
        out: The folder; other files in it stay.
        wish: Which submission files are written.
        study: What is exported.
        root: Folder that the paths of takes resolve against.
        seed: Of the bootstrap.

    Raises:
        InputError: If submissions on a graph are asked for and there are no graphs.
        WriteError: If a file cannot be written, or would replace one that is of no export.
    """
    check_submissions(wish)
    check_export_place(out)
    episodes = yield from read_study_episodes(study, root, wish.connectivity)
    study = yield from with_missing_scores(study, root, episodes)
    takes, left_out = counted_takes(study)
    with growing_folder(out) as folder:
        copied = yield from _copy(root, folder, takes, has_parquet=wish.has_parquet)
        whole = [entry.take for entry in copied if entry.state is CopyState.COPIED]
        frames = yield from export_frames(root, folder, copied, is_wanted=wish.has_frames)
        yield Progress(1.0, 1.0, "Writing tables and averages")
        write_manifest(folder / MANIFEST, study, frames.entries, left_out)
        averages = _write_tables(folder, study, takes, seed)
        yield from _write_words(folder, root, copied, episodes, study)
        engines = _engines(folder, copied)
        submissions, problems = yield from write_submissions(
            folder, wish, study, root, whole, episodes
        )
        notes = [*episodes.notes, *problems]
        yield Progress(1.0, 1.0, f"Filling {out.name}")
        removed = remove_earlier_export(out)
        _move_into(folder, out)
    return {
        "out": str(out),
        "removed_of_an_earlier_export": removed,
        "takes": _takes_document(takes, whole, left_out),
        "camera_frames": frames.document,
        "averages": averages,
        "submissions": [{**one, "file": str(out / one["file"])} for one in submissions],
        "engines": sorted(set(engines) - {""}),
        "notes": [*_notes(copied, engines), *frames.problems, *(notes if wish.kinds else [])],
    }


def _takes_document(
    takes: Sequence[Take], whole: Sequence[Take], left_out: Sequence[LeftOut]
) -> dict[str, Any]:
    kinds = dict(Counter(entry.kind for entry in left_out))
    return {"counted": len(takes), "copied": len(whole), "left_out": kinds}


def _copy(
    root: Path, folder: Path, takes: Sequence[Take], *, has_parquet: bool
) -> Work[tuple[CopiedTake, ...]]:
    copied: list[CopiedTake] = []
    for number, take in enumerate(takes):
        yield Progress(number, len(takes), f"Copying {Path(take.path).name}")
        copied += copy_takes(root, folder, (take,))
        if has_parquet and copied[-1].file:
            path = folder / copied[-1].file
            write_parquet_recording(path.with_suffix(".parquet"), read_recording(path))
    return tuple(copied)


def _write_words(
    folder: Path,
    root: Path,
    copied: Sequence[CopiedTake],
    episodes: StudyEpisodes,
    study: Study,
) -> Work[None]:
    """Write when words were said and heard, where any episode has timed words."""
    annotations = [stated_path(root, study.rules.episodes_path)] if study.rules else []
    guided: dict[EpisodeKey, Episode] = {}
    rows: list[WordRow] = []
    for number, entry in enumerate(copied):
        key = entry.take.key.assignment.episode
        episode = guided.get(key) or episodes.find(key)
        if entry.state is not CopyState.COPIED or episode is None or not episode.instruction.words:
            continue
        yield Progress(number, len(copied), f"Reading the words of {episode.episode_id}")
        guided[key] = with_guide(episode, annotations) if key not in guided else episode
        rows += word_rows(entry.take, read_recording(folder / entry.file), guided[key])
    if rows:
        write_csv(folder / WORDS, word_frame(rows))


def _engines(folder: Path, copied: Sequence[CopiedTake]) -> list[str]:
    """The engine of each take that was copied; empty where its records name none."""
    engines = []
    for entry in copied:
        # A take may come from another program, without records or with others.
        with contextlib.suppress(ReadError):
            if entry.state is CopyState.COPIED:
                records = read_records(records_path(folder / entry.file))
                engines.append(engine_of_header(records.header))
    return engines


def _notes(copied: Sequence[CopiedTake], engines: Sequence[str]) -> list[str]:
    states = [
        f"{entry.take.path}: {_STATES[entry.state]}"
        for entry in copied
        if entry.state is not CopyState.COPIED
    ]
    mixture = mixture_note(engines, "take")
    return [*([mixture] if mixture else ()), *states]


def _write_tables(
    folder: Path, study: Study, takes: Sequence[Take], seed: int
) -> list[dict[str, Any]]:
    frame = take_frame(study, takes)
    write_csv(folder / "scores.csv", frame)
    write_parquet(folder / "scores.parquet", frame)
    means = participant_means(take_scores(takes))
    overall = means_of_means(means, seed)
    write_csv(folder / "participants.csv", means)
    write_csv(folder / "averages.csv", overall)
    scores = [_overall_values(row) for row in overall.to_dict("records")]
    averages = {
        "rule": _RULE,
        "seed": seed,
        "active_time_rule": ACTIVE_TIME_RULE,
        "takes": len(takes),
        "participants": len({take.key.participant for take in takes}),
        "scores": scores,
    }
    write_json_file(folder / "averages.json", averages)
    return scores


def _move_into(folder: Path, out: Path) -> None:
    """Move every file, the manifest last, so that it never tells of what is not there."""
    for frames in folder.rglob(f"*{FRAMES_SUFFIX}"):
        # Thousands of files in one step, unless files of others lie where they go.
        target = out / frames.relative_to(folder)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            frames.replace(target)
    files = (path for path in folder.rglob("*") if path.is_file())
    for path in sorted(files, key=lambda path: (path.name == MANIFEST, path)):
        target = out / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target_of(target))


_STATES: Final = {
    CopyState.MISSING: "the file is missing; its summary and scores are in the tables",
    CopyState.CHANGED: "the file was changed since it was recorded; it is not exported",
}


def _overall_values(row: dict[Hashable, Any]) -> dict[str, Any]:
    low, high = row["ci95_low"], row["ci95_high"]
    return {
        "score": row["score"],
        "mean_of_means": None if math.isnan(row["mean_of_means"]) else row["mean_of_means"],
        "ci95": None if math.isnan(low) else [low, high],
        "n_participants": row["n_participants"],
        "n_takes": row["n_takes"],
        "undefined": row["undefined"],
    }
