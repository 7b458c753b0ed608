"""Makes a study from a file of episodes; the window and the command line share it."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from waypost.domain.base.counted_words import counted, few_of
from waypost.domain.base.errors import EditError, ReadError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.episode import Episode
from waypost.domain.project import Project
from waypost.domain.record.assignment import path_count, too_few_paths
from waypost.domain.record.same_paths import path_ids
from waypost.domain.record.study import ConsentText, EpisodeKey, Study, StudyEpisode, StudyRules
from waypost.domain.record.study_edits import create_study
from waypost.io.agent_files import drivable_agents
from waypost.io.file_reading import open_for_reading
from waypost.io.graphs.matterport_graphs import has_graph
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog
from waypost.io.scenes.scene_folder import scene_names
from waypost.services.relative_path import relative_path

_REPORT_EVERY = 200
_NAMED = 3


@dataclass(frozen=True, slots=True)
class StudyWish:
    """What a study is to be made of."""

    rules: StudyRules
    """Its paths and the hash are filled in."""

    episodes_file: Path
    consent_text: str
    format_name: str = ""
    """Of the episodes; empty: by content."""

    split: str = ""
    """Only episodes of this split, practice excepted; empty: all."""

    training_ids: frozenset[str] = frozenset()
    """Episodes that everyone drives first and that never count."""

    is_first_training: bool = False
    """Whether the first episode that is taken is practice as well."""

    own_scene: Path | None = None
    """The scene of the project. Where no place of scenes is named, and the file holds episodes in
    it, only those are taken."""

    connectivity: Path | None = None
    navmeshes: Path | None = None
    """A folder of navmeshes, or of scenes."""

    scenes_place: Path | None = None
    """A folder of scenes or a list of them; see ``find_scene_file``."""


@dataclass(frozen=True, slots=True)
class MadeStudy:
    """A study nobody takes part in yet."""

    study: Study
    notes: tuple[str, ...]
    """What to tell the user about the file, one sentence each."""


@dataclass(frozen=True, slots=True)
class EpisodeFileFacts:
    """What a file of episodes holds, for the form of a new study."""

    path: str
    count: int
    scenes: tuple[str, ...]
    splits: tuple[str, ...]
    ids: frozenset[str]
    unplaced: int
    """Episodes that name a viewpoint and no position."""

    paths: int
    """Different paths, either way."""

    graphs: Path | None = None
    """A folder nearby that has viewpoint graphs of its scenes, where its episodes name any."""


def file_hash(path: Path) -> str:
    """SHA-256 of a file, hexadecimal.

    Raises:
        ReadError: If it cannot be read.
    """
    with open_for_reading(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def stated_path(root: Path, stored: str) -> Path:
    """The path that a rule means; see ``relative_path``."""
    return Path(os.path.normpath(root / PurePosixPath(stored)))


def known_agent(key: str, project: Project) -> str:
    """The key of an agent that participants can drive; empty for the usual one.

    Raises:
        EditError: If neither the project nor Waypost has it.
    """
    known = drivable_agents(project.agents)
    if key and key not in known:
        raise EditError(f"there is no agent {key!r}; known: {', '.join(known)}")
    return key


GraphSearch = Callable[[Path, Collection[str]], Work[Path | None]]
"""File of episodes and their scenes → the folder nearby with their viewpoint graphs, if any."""


def survey_episodes(path: Path, graphs: GraphSearch | None = None) -> Work[EpisodeFileFacts]:
    """Look through a file of episodes, and around it for the graphs that it needs.

    Args:
        path: The file.
        graphs: Looks around it; ``None`` leaves that out.

    Raises:
        ReadError: If it cannot be used.
    """
    found: list[Episode] = []
    yield from _reported(EPISODE_FORMATS.read(path, ReadLog()), found)
    scenes = tuple(dict.fromkeys(episode.scene_id for episode in found))
    has_viewpoints = any(episode.start_viewpoint_id for episode in found)
    return EpisodeFileFacts(
        str(path),
        len(found),
        scenes,
        tuple(dict.fromkeys(episode.split for episode in found if episode.split)),
        frozenset(episode.episode_id for episode in found),
        sum(_is_unplaced(episode) for episode in found),
        len(set(zip((e.scene_id for e in found), path_ids(found), strict=True))),
        (yield from graphs(path, scenes)) if graphs and has_viewpoints else None,
    )


def make_study(wish: StudyWish, root: Path, time_utc: str) -> Work[MadeStudy]:
    """Read the episodes and make the study.

    Args:
        wish: What it is made of.
        root: The project's folder, which paths are kept relative to.
        time_utc: When the consent text is put in force.

    Raises:
        ReadError: If the file cannot be used or lacks a practice episode.
        EditError: If a rule of studies refuses it.
    """
    log = ReadLog()
    found: list[Episode] = []
    yield from _reported(EPISODE_FORMATS.read(wish.episodes_file, log, wish.format_name), found)
    taken = [
        episode
        for episode in found
        if episode.episode_id in wish.training_ids or not wish.split or episode.split == wish.split
    ]
    own = scene_names(wish.own_scene) if wish.own_scene and not wish.scenes_place else frozenset()
    here = [episode for episode in taken if episode.scene_id in own]
    taken = here or taken
    missing = wish.training_ids - {episode.episode_id for episode in taken}
    if missing:
        where = f" in {wish.own_scene.name}" if here and wish.own_scene is not None else ""
        raise ReadError(
            str(wish.episodes_file),
            "episodes",
            f"there is no episode {few_of(sorted(missing), _NAMED)}{where}",
        )
    paths = path_ids(taken)
    listed = [
        StudyEpisode(
            EpisodeKey(episode.dataset, episode.scene_id, episode.episode_id),
            episode.split,
            episode.episode_id in wish.training_ids or (wish.is_first_training and number == 0),
            paths[number],
        )
        for number, episode in enumerate(taken)
    ]
    yield Progress(len(found), len(found), "Making the study")
    study = create_study(
        _with_paths(wish, root), listed, ConsentText(1, wish.consent_text, time_utc)
    )
    elsewhere = () if here else _scene_doubts(taken, wish)
    notes = (*_log_notes(log, wish.episodes_file), *_path_doubts(study), *_doubts(taken, wish))
    return MadeStudy(study, (*elsewhere, *notes))


def _with_paths(wish: StudyWish, root: Path) -> StudyRules:
    """The rules with the files and folders, relative to the project's folder."""

    def kept(path: Path | None) -> str:
        return "" if path is None else relative_path(root, path)

    return replace(
        wish.rules,
        episodes_path=kept(wish.episodes_file),
        episodes_hash=file_hash(wish.episodes_file) if wish.episodes_file.is_file() else "",
        connectivity_path=kept(wish.connectivity),
        navmeshes_path=kept(wish.navmeshes),
        scenes_path=kept(wish.scenes_place),
    )


def _reported(episodes: Iterator[Episode], found: list[Episode]) -> Iterator[Progress]:
    """Collect episodes, with a progress now and then."""
    for episode in episodes:
        if len(found) % _REPORT_EVERY == 0:
            yield Progress(0.0, 0.0, f"Reading the episodes: {len(found):,}")
        found.append(episode)


def _is_unplaced(episode: Episode) -> bool:
    return episode.start_position_m is None and bool(episode.start_viewpoint_id)


def _log_notes(log: ReadLog, path: Path) -> tuple[str, ...]:
    notes = [finding.message for finding in log.findings[:_NAMED]]
    if log.counts.total() > _NAMED:
        notes.append(f"{counted(log.counts.total() - _NAMED, 'more note')} on {path}")
    return tuple(notes)


def _path_doubts(study: Study) -> tuple[str, ...]:
    """What will keep people from getting as many episodes as the rules say."""
    notes = []
    training = [episode for episode in study.episodes.values() if episode.is_training]
    twice = len(training) - len({episode.path for episode in training})
    if twice:
        what = counted(twice, "practice episode leads", "practice episodes lead")
        notes.append(f"{what} along the path of another one and will not be driven")
    size = len(study.episodes) - len(training)
    wanted = min(study.rules.episodes_per_participant if study.rules else 0, size)
    paths = path_count(study)
    if paths < wanted:
        notes.append(too_few_paths(paths, wanted))
    return tuple(notes)


def _scene_doubts(episodes: list[Episode], wish: StudyWish) -> tuple[str, ...]:
    """That the episodes are of other scenes than the one in which they would be driven."""
    if wish.own_scene is None or wish.scenes_place is not None:
        return ()
    scenes, own = sorted({episode.scene_id for episode in episodes}), wish.own_scene.name
    if len(scenes) == 1:
        return (f"all episodes are in the scene {scenes[0]}, and will be driven in {own}",)
    where = f"they are in {few_of(scenes, _NAMED)}, and without a folder of scenes none is shown"
    return (f"no episode is in {own}: {where}",)


def _doubts(episodes: list[Episode], wish: StudyWish) -> tuple[str, ...]:
    """What will keep episodes from being shown in the window."""
    scans = Counter(episode.scene_id for episode in episodes if _is_unplaced(episode))
    if not scans:
        return ()
    if wish.connectivity is None:
        what = f"{counted(scans.total(), 'episode names', 'episodes name')} viewpoints only"
        return (f"{what}; without connectivity files none is shown in the window",)
    lacking = [scan for scan in scans if not has_graph(wish.connectivity, scan)]
    if not lacking:
        return ()
    return (f"{wish.connectivity}: has no connectivity file of {few_of(lacking, _NAMED)}",)
