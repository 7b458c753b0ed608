"""The full episodes behind the keys of a study, read from the files that its rules name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.episode import Episode
from waypost.domain.record.recording import placed_on
from waypost.domain.record.same_paths import path_ids
from waypost.domain.record.study import EpisodeKey, Study
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog
from waypost.services.study.making import file_hash, stated_path
from waypost.services.study.takes import SceneryOf, no_scenery, scenery_of_files

_REPORT_EVERY = 200


@dataclass(frozen=True, slots=True)
class StudyEpisodes:
    """Episodes of a study and what their scenes contribute to scoring."""

    episodes: Mapping[EpisodeKey, Episode] = field(default_factory=lambda: MappingProxyType({}))
    """Those that name viewpoints only stand on the floor below them."""

    notes: tuple[str, ...] = ()
    """What to tell the user about the files."""

    scene_notes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Scene id → why its episodes could not be placed on its graph."""

    scenery_of: SceneryOf = no_scenery
    """Gives the viewpoint graph of a scene."""

    def find(self, key: EpisodeKey) -> Episode | None:
        """The episode of a key; ``None`` if the file is not at hand or lacks it."""
        return self.episodes.get(key)


def unknown_paths(study: Study, episodes: StudyEpisodes) -> Mapping[EpisodeKey, str]:
    """Which episodes lead along the same path, for a study that does not know; else nothing."""
    if all(one.path_id for one in study.episodes.values()):
        return MappingProxyType({})
    found = {key: one for key in study.episodes if (one := episodes.find(key)) is not None}
    ids = path_ids(list(found.values()))
    return MappingProxyType(dict(zip(found, ids, strict=True)))


def read_study_episodes(
    study: Study, root: Path, connectivity: Path | None = None
) -> Work[StudyEpisodes]:
    """Read the episodes of a study; what is wrong with its files is noted, not raised.

    Args:
        study: Names the files and the episodes.
        root: Folder that their paths resolve against.
        connectivity: Folder of viewpoint graphs, instead of those of the study.

    Yields:
        Progress, every few hundred episodes.
    """
    rules = study.rules
    if rules is None or not rules.episodes_path:
        return StudyEpisodes()
    path = stated_path(root, rules.episodes_path)
    graphs = connectivity or (
        stated_path(root, rules.connectivity_path) if rules.connectivity_path else None
    )
    navmeshes = stated_path(root, rules.navmeshes_path) if rules.navmeshes_path else None
    notes: list[str] = []
    found: dict[EpisodeKey, Episode] = {}
    yield Progress(0.0, 0.0, f"Reading {path.name}")
    try:
        if path.is_file() and rules.episodes_hash and file_hash(path) != rules.episodes_hash:
            notes.append(f"{path}: was changed since the study was made")
        for number, episode in enumerate(EPISODE_FORMATS.read(path, ReadLog(), _format(study))):
            if number % _REPORT_EVERY == 0:
                yield Progress(number, 0.0, f"Reading {path.name}: {counted(number, 'episode')}")
            key = EpisodeKey(episode.dataset, episode.scene_id, episode.episode_id)
            if key in study.episodes:
                found[key] = episode
    except ReadError as error:
        notes.append(f"the episodes of the study are not at hand: {error}")
        found = {}
    except (InputError, OSError) as error:
        notes.append(f"{path}: {error}")
        found = {}
    scene_notes: dict[str, str] = {}
    if graphs is not None:
        scene_notes = yield from _place(found, graphs)
    return StudyEpisodes(
        MappingProxyType(found),
        tuple(notes),
        MappingProxyType(scene_notes),
        scenery_of_files(graphs, navmeshes),
    )


def _place(found: dict[EpisodeKey, Episode], graphs: Path) -> Work[dict[str, str]]:
    """Put episodes on the floor of their graphs, scene by scene."""
    wanted: dict[str, list[EpisodeKey]] = {}
    for key, episode in found.items():
        if episode.start_position_m is None and episode.start_viewpoint_id:
            wanted.setdefault(key.scene_id, []).append(key)
    notes: dict[str, str] = {}
    for number, (scene_id, keys) in enumerate(wanted.items()):
        yield Progress(number, len(wanted), f"Placing episodes on the graph of {scene_id}")
        try:
            graph = load_graph(graphs, scene_id)
            for key in keys:
                start = found[key].start_viewpoint_id
                if start not in graph.index:
                    notes[scene_id] = f"the graph of {scene_id} has no viewpoint {start}"
                found[key] = placed_on(graph, found[key])
        except InputError as error:
            notes[scene_id] = str(error)
    return notes


def _format(study: Study) -> str:
    """The data set is the key of the format that its episodes were read as."""
    found = {key.dataset for key in study.episodes}
    return found.pop() if len(found) == 1 else ""
