"""From recordings on disk to takes of a study: which there are, what they come to, their scores."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.progress import Progress, Work, exhaust
from waypost.domain.episode.episode import Episode
from waypost.domain.record.recording import LOST, TIME_UP, Recording
from waypost.domain.record.study import (
    AssignmentKey,
    EpisodeKey,
    Study,
    Take,
    TakeKey,
    moment,
    next_take_key,
)
from waypost.domain.record.study_edits import has_grown, same_recording
from waypost.domain.record.take_rules import TakeRules, rules_of_header
from waypost.domain.record.take_summary import summarise
from waypost.io.file_reading import read_plain_bytes
from waypost.io.graphs.matterport_graphs import has_graph, load_graph
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_records import (
    RECORDS_SUFFIX,
    TakeRecords,
    csv_path_of,
    read_records,
    records_path,
)
from waypost.metrics.profile import Scenery
from waypost.services.navmesh_distances import goal_distance_over
from waypost.services.relative_path import relative_path
from waypost.services.study.take_scoring import SCORING_VERSION, TakeScores, score_recording

EpisodeOf = Callable[[EpisodeKey], Episode | None]
"""The full episode of a key; ``None`` where its file is not at hand."""

SceneryOf = Callable[[str], Scenery]
"""What a scene contributes to scoring, by its id."""


def no_scenery(_: str) -> Scenery:
    """Neither graph nor navmesh."""
    return Scenery()


def scenery_of_files(graphs: Path | None, navmeshes: Path | None = None) -> SceneryOf:
    """Gives viewpoint graphs and distances over the floor of folders that have them.

    Args:
        graphs: Folder of connectivity files.
        navmeshes: Folder of navmeshes, or of scenes.
    """

    def of_scene(scene_id: str) -> Scenery:
        has = graphs is not None and has_graph(graphs, scene_id)
        graph = load_graph(graphs, scene_id) if graphs is not None and has else None
        return Scenery(graph, goal_distance_over(navmeshes, scene_id))

    return of_scene


def take_of_file(
    study: Study,
    root: Path,
    file: Path,
    episode_of: EpisodeOf,
    scenery_of: SceneryOf = no_scenery,
) -> Take:
    """Read a recording as the next take of the assignment that its header names.

    Args:
        study: Gives the number of the take.
        root: The project's folder; the take keeps its path relative to it.
        file: The CSV of a take.
        episode_of: Gives the episode to score against.
        scenery_of: Gives what its scene contributes to scoring.

    Raises:
        ReadError: If it cannot be read, or its header names no episode and participant, no time
            when it began, or rules that are none.
    """
    recording = read_recording(file)
    key = assignment_of_header(recording.header)
    if key is None:
        raise ReadError(str(file), "header", "names no episode and participant of a study")
    episode = episode_of(key.episode)
    take = Take(
        next_take_key(study, key),
        relative_path(root, file),
        _content_hash(file),
        _started_utc(recording, file),
        summarise(recording),
        _rules(recording, file),
    )
    if episode is None:
        return take
    return with_scores(take, score_recording(recording, episode, scenery_of(key.scene_id)))


def with_scores(take: Take, scores: TakeScores) -> Take:
    """The take with scores as they are computed now."""
    return replace(
        take,
        profile=scores.profile,
        scores=scores.values,
        score_notes=scores.notes,
        scoring_version=SCORING_VERSION,
    )


def _started_utc(recording: Recording, file: Path) -> str:
    started = str(recording.header.get("started_utc", ""))
    try:
        moment(started)
    except ValueError as error:
        reason = f"started_utc: {started[:40]!r} is no time"
        raise ReadError(str(file), "header", reason) from error
    return started


def _rules(recording: Recording, file: Path) -> TakeRules:
    try:
        return rules_of_header(recording.header)
    except ValueError as error:
        raise ReadError(str(file), "header", f"rules: {error}") from error


def assignment_of_header(header: Mapping[str, Any]) -> AssignmentKey | None:
    """Whose attempt at what a recording is; ``None`` if it is of no study."""
    episode, participant = header.get("episode"), header.get("participant")
    if not isinstance(episode, Mapping) or not isinstance(participant, str) or not participant:
        return None
    dataset, scene, own = (episode.get(n) for n in ("dataset", "scene_id", "episode_id"))
    if dataset is None or scene is None or own is None:
        return None
    return AssignmentKey(str(dataset), str(scene), str(own), participant)


def find_new_takes(
    study: Study,
    root: Path,
    folder: Path,
    episode_of: EpisodeOf,
    scenery_of: SceneryOf = no_scenery,
) -> tuple[tuple[Take, ...], tuple[str, ...]]:
    """All of ``search_new_takes`` at once."""
    return exhaust(search_new_takes(study, root, folder, episode_of, scenery_of))


def search_new_takes(
    study: Study,
    root: Path,
    folder: Path,
    episode_of: EpisodeOf,
    scenery_of: SceneryOf = no_scenery,
) -> Work[tuple[tuple[Take, ...], tuple[str, ...]]]:
    """Recordings in a folder that belong to the study and that it does not list.

    This is how a project catches up after a crash: see ``study_edits.adopt_takes``. Copies of a
    recording that it lists, such as those of an export, are left alone: they have no answers,
    and would count in its stead. One that is listed as cut off is looked at again: it may have
    been under way then.

    Yields:
        Progress, before each recording.

    Returns:
        The takes, the earliest first, and a sentence about each file that cannot be used.
    """
    whole = {take.path for take in study.takes.values() if take.summary.is_complete}
    cut_off = {take.path for take in study.takes.values()} - whole
    known = {
        (take.key.assignment, take.started_utc, take.content_hash)
        for take in study.takes.values()
        if (root / take.path).is_file()
    }
    found, problems = list[Take](), list[str]()
    files = [file for file in _recordings(folder) if relative_path(root, file) not in whole]
    for number, file in enumerate(files):
        yield Progress(number, len(files), f"Taking in {file.name}")
        try:
            records = read_records(records_path(file))
            key = assignment_of_header(records.header)
            if key is None or key not in study.assignments:
                continue
            has_ended = relative_path(root, file) in cut_off and _has_ended(records)
            own = (key, records.header.get("started_utc"), _content_hash(file))
            if own in known and not has_ended:
                continue
            take = take_of_file(study, root, file, episode_of, scenery_of)
            listed = same_recording(study, take)
            if listed is None or has_grown(listed, take):
                _check_unchanged(file, take, records)
                known.add((key, take.started_utc, take.content_hash))
                found.append(take)
        except (InputError, OSError) as error:
            problems.append(str(error))
    found.sort(key=lambda take: (take.started_utc, take.path))
    return _numbered(study, found), tuple(problems)


def _has_ended(records: TakeRecords) -> bool:
    """Whether they tell of an end that makes a take complete."""
    is_told = any(event.kind in {LOST, TIME_UP} for event in records.events)
    return is_told or (records.end is not None and records.end.get("complete") is True)


def _check_unchanged(file: Path, take: Take, records: TakeRecords) -> None:
    """See that a whole take holds what was recorded: nobody would know of another value."""
    digest = None if records.end is None else records.end.get("csv_sha256")
    if take.summary.is_complete and digest not in {None, take.content_hash}:
        raise ReadError(str(file), "file", "was changed after it was recorded; it is not taken in")


def _content_hash(file: Path) -> str:
    return hashlib.sha256(read_plain_bytes(file)).hexdigest()


def _recordings(folder: Path) -> Iterator[Path]:
    for records in sorted(folder.rglob(f"*{RECORDS_SUFFIX}")):
        file = csv_path_of(records)
        if file.is_file():
            yield file


def _numbered(study: Study, takes: list[Take]) -> tuple[Take, ...]:
    numbers: dict[AssignmentKey, int] = {}
    numbered = []
    for take in takes:
        own = take.key.assignment
        numbers[own] = numbers.get(own, next_take_key(study, own).number - 1) + 1
        numbered.append(replace(take, key=TakeKey(*own, numbers[own])))
    return tuple(numbered)
