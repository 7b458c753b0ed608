"""What belongs to a result file: annotations, graphs, pictures and a scene, found nearby.

The search is bounded: folders above the results and what lies a few levels below those. Once
episodes and graphs are found, little more is looked at for pictures and a scene.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress
from waypost.domain.episode.episode import Episode, may_be_one_scene
from waypost.domain.episode.run import EpisodeRun, run_name
from waypost.domain.episode.run_source import RunSource
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.logs.language_models.capnav_results import agent_of, question_id
from waypost.io.picture_sources.layouts import find_layout
from waypost.io.read_log import ReadLog
from waypost.io.scenes.registry import known_suffixes
from waypost.services.path_kinds import CAPNAV_GRAPHS, CONNECTIVITY, FILM

SAMPLE: Final = 40
"""Runs that are compared with annotations: the first of the file."""

_LEVELS_UP: Final = 4
_LEVELS_DOWN: Final = 3
_MOST_ENTRIES: Final = 30_000
_MOST_ENTRIES_BEYOND: Final = 2_000
"""Entries of folders farther away than the nearest one that has both episodes and graphs."""

_OFTEN_S: Final = 0.1
_PER_FOLDER: Final = 3_000
_MOST_ANNOTATIONS: Final = 60
_MOST_EPISODES: Final = 100_000
_LARGEST_BYTES: Final = 1 << 30
_ANNOTATIONS: Final = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_PICTURES: Final = (".jpg", ".jpeg", ".png")
_SCENES: Final = known_suffixes()
_SCENE_IN_FOLDER: Final = ("start_result_navigation.usd",)
_LEAST_SHARE: Final = 0.5

_START_M: Final = 3.0
"""In plan: a robot is put beside its start, but not in another room."""

_RESULT_WORDS: Final = ("submi", "pred", "result", "detail")


def search_companions(results: Path) -> Generator[Progress, None, RunSource]:
    """Find what fits the first runs of a result file or folder; the run is named after it.

    Annotations must have at least half of these runs by id (by instruction where a log has no
    ids), with the same scene and the same start where both name one. Bare ids do not do: another
    data set has them too.

    Raises:
        InputError: If the results cannot be read.
    """
    sample = _read_sample(results)
    yield Progress(0, 0, f"{counted(len(sample.runs), 'run')} looked at")
    nearby, fits = _Nearby(), _Fits(sample)
    left = _MOST_ENTRIES
    for top in _folders_above(results):
        left = yield from _look_below(top, results.resolve(), nearby, left)
        yield from fits.compare(nearby.annotations)
        if fits.is_whole and _has_graphs(nearby, fits.scans, sample):
            left = min(left, _MOST_ENTRIES_BEYOND)
    yield from fits.compare(nearby.annotations, is_last=True)
    reasons: list[str] = []
    annotations = fits.choose(reasons)
    yield Progress(0, 0, "looking for graphs and pictures")
    scans = sample.scans
    connectivity = _fitting_graphs(nearby, scans, sample, reasons)
    pictures = _fitting_pictures(nearby, scans, sample, reasons)
    scene = _fitting_scene(nearby, scans, reasons)
    return RunSource(
        (results,),
        annotations,
        connectivity,
        pictures,
        scene,
        run_name(results),
        reasons=tuple(reasons),
    )


def search_graphs(episodes: Path, scans: Collection[str]) -> Generator[Progress, None, Path | None]:
    """Find the folder with most of the viewpoint graphs of some scans around a file of episodes.

    The nearest of equal ones; ``None`` if nothing nearby has a graph of any of them.
    """
    nearby, left, wanted = _Nearby(), _MOST_ENTRIES, set(scans)
    for top in _folders_above(episodes):
        left = yield from _look_below(top, episodes.resolve(), nearby, left)
        if any(wanted <= known for known in nearby.graphs.values()):
            break
    graphs = nearby.graphs
    best = max(graphs, key=lambda folder: len(graphs[folder] & wanted), default=None)
    return best if best is not None and graphs[best] & wanted else None


@dataclass(slots=True)
class _Sample:
    """The first runs, and the episodes that were found for them."""

    runs: list[EpisodeRun]
    found: dict[int, Episode] = field(default_factory=dict)
    """Number of a run → its episode."""

    by_id: dict[str, list[int]] = field(default_factory=dict)
    by_text: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, run in enumerate(self.runs):
            if run.episode_id:
                for name in dict.fromkeys((run.episode_id, question_id(run.episode_id))):
                    self.by_id.setdefault(name, []).append(number)
            if run.instruction and (not run.episode_id or run.answer.agent_key):
                self.by_text.setdefault(_words(run.instruction), []).append(number)

    def matches(self, episode: Episode) -> Iterator[int]:
        """Runs of this episode, as far as both say where and what it is."""
        numbers = self.by_id.get(episode.episode_id, [])
        if self.by_text:
            numbers = numbers + self.by_text.get(_words(episode.instruction.text), [])
        return (n for n in numbers if _agreement(self.runs[n], episode) is not None)

    def agreed(self, found: dict[int, Episode]) -> list[str]:
        """What beside the id says that runs are of these episodes; empty if nothing does."""
        agreed = [_agreement(self.runs[n], episode) or () for n, episode in found.items()]
        return [each for each in _AGREED if any(each in one for one in agreed)]

    def words(self, found: dict[int, Episode]) -> str:
        """By what these runs and their episodes fit."""
        named = ["id"] * all(self.runs[n].episode_id for n in found) + self.agreed(found)
        return " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))

    @property
    def scans(self) -> set[str]:
        """Scenes that the runs and the episodes found for them name."""
        named = {episode.scene_id for episode in self.found.values()}
        return (named | {run.scene_id for run in self.runs}) - {""}

    @property
    def has_viewpoints(self) -> bool:
        """Whether any run is on a graph."""
        return any(run.route.viewpoint_ids for run in self.runs)


_AGREED: Final = ("scene", "instruction", "start")


def _agreement(run: EpisodeRun, episode: Episode) -> Collection[str] | None:
    """What beside the id says that a run is of an episode; ``None`` if something says it is not."""
    agreed = set()
    if run.scene_id and episode.scene_id:
        if not may_be_one_scene(run.scene_id, episode.scene_id):
            return None
        agreed.add("scene")
    starts = _are_starts_one(run, episode)
    if starts is False:
        return None
    if starts:
        agreed.add("start")
    texts = {episode.instruction.text, *episode.instruction.styles.values()} - {""}
    if run.instruction and texts:
        if _words(run.instruction) in map(_words, texts):
            agreed.add("instruction")
        elif not agreed:
            return None  # logs may shorten what they were told; then the rest has to tell
    return agreed


def _are_starts_one(run: EpisodeRun, episode: Episode) -> bool | None:
    """``None`` where one of them does not say where it begins."""
    walked, places = run.route.viewpoint_ids, run.route.positions_m
    asked = episode.start_viewpoint_id or next(iter(episode.reference.viewpoint_ids), "")
    if asked and walked:
        return walked[0] == asked
    begins = episode.start_position_m
    if begins is None or places is None or not len(places) or not run.is_frame_stated:
        return None
    return math.dist(places[0][:2], begins[:2]) <= _START_M


@dataclass(slots=True)
class _Nearby:
    """What lies around the results, nearest first."""

    annotations: list[Path] = field(default_factory=list)
    graphs: dict[Path, set[str]] = field(default_factory=dict)
    """Folder → scans that it has a graph of."""

    capnav_graphs: dict[str, Path] = field(default_factory=dict)
    """Scene → the nearest CapNav graph file named after it."""

    folders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Folder → names in it."""

    seen: set[str] = field(default_factory=set)
    """Folders that were listed, or could not be."""

    scenes: list[Path] = field(default_factory=list)


def _read_sample(results: Path) -> _Sample:
    entry = RUN_FORMATS.find(results)
    return _Sample(list(islice(entry.read(results, ReadLog()), SAMPLE)))


def _words(text: str) -> str:
    return " ".join(text.split())


def _folders_above(results: Path) -> Iterator[Path]:
    """Where to look, nearest first."""
    place = results.resolve()
    home = Path.home().resolve()
    # The results themselves may be a folder of 100,000 logs, in which nothing else is to be found.
    for number, top in enumerate(islice(place.parents, _LEVELS_UP)):
        if top.parent == top or (top == home and number):
            return  # everything of a person or a machine is no neighbourhood
        yield top


def _look_below(
    top: Path, results: Path, nearby: _Nearby, most_entries: int
) -> Generator[Progress, None, int]:
    """Note what a folder and those in it hold; returns how many entries may still be looked at."""
    queue = deque([(str(top), 0)])
    left = most_entries
    told = time.monotonic()
    while queue and left > 0:
        folder, depth = queue.popleft()
        if folder in nearby.seen:
            continue
        nearby.seen.add(folder)
        folders, count = _list_folder(folder, str(results), nearby)
        left -= count
        if depth < _LEVELS_DOWN:
            queue.extend((inner, depth + 1) for inner in folders)
        if time.monotonic() - told > _OFTEN_S:
            told = time.monotonic()
            yield Progress(0, 0, f"looking in {Path(folder).name}")
    return left


def _list_folder(folder: str, results: str, nearby: _Nearby) -> tuple[list[str], int]:
    folders: list[str] = []
    names: list[str] = []
    try:
        with os.scandir(folder) as listing:
            for entry in islice(listing, _PER_FOLDER):
                name = entry.name
                if name.startswith(".") or entry.path == results:
                    continue
                names.append(name)
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    _note_file(folder, name, nearby)
    except OSError:
        return [], 0
    nearby.folders[folder] = tuple(sorted(names))
    return sorted(folders), len(names)


def _note_file(folder: str, name: str, nearby: _Nearby) -> None:
    lowered = name.lower()
    if name.endswith(CONNECTIVITY):
        ending = next(end for end in CONNECTIVITY if name.endswith(end))
        nearby.graphs.setdefault(Path(folder), set()).add(name.removesuffix(ending))
    elif name.endswith(CAPNAV_GRAPHS):
        ending = next(end for end in CAPNAV_GRAPHS if name.endswith(end))
        nearby.capnav_graphs.setdefault(name.removesuffix(ending), Path(folder, name))
    elif lowered.endswith(_ANNOTATIONS):
        nearby.annotations.append(Path(folder, name))
    elif lowered.endswith(_SCENES):
        nearby.scenes.append(Path(folder, name))


class _Fits:
    """Which files have episodes of the first runs.

    Args:
        sample: The first runs; gets the episodes that are found.
    """

    def __init__(self, sample: _Sample) -> None:
        self._sample = sample
        self._episodes: dict[Path, dict[int, Episode]] = {}
        self._bare: dict[int, Path] = {}
        """How many runs a file has by their bare ids → the nearest such file."""

        self._compared: set[Path] = set()
        self._held_episodes = 0

    @property
    def is_whole(self) -> bool:
        """Whether one file has all the runs."""
        count = len(self._sample.runs)
        return any(len(found) == count for found in self._episodes.values())

    @property
    def scans(self) -> set[str]:
        """Scenes of the runs, as far as they are known by now."""
        found = (episode for each in self._episodes.values() for episode in each.values())
        return {episode.scene_id for episode in found} - {""}

    def compare(
        self, files: list[Path], *, is_last: bool = False
    ) -> Generator[Progress, None, None]:
        """Look into files not looked into yet, until one has all the runs.

        A submission may look like the file it answers, with the same ids and starts; what is
        named like one has its turn only when ``is_last``.
        """
        wanted = [path for path in files if path not in self._compared]
        if not is_last:
            wanted = [path for path in wanted if not _is_named_result(path)]
        for path in wanted:
            is_enough = len(self._compared) >= 4 * _MOST_ANNOTATIONS
            if self.is_whole or is_enough or self._held_episodes >= _MOST_ANNOTATIONS:
                return
            yield Progress(0, 0, f"comparing with {path.name}")
            found = yield from _compare(path, self._sample)
            self._compared.add(path)
            self._held_episodes += found is not None
            if found and self._sample.agreed(found):
                self._episodes[path] = found
            elif found:
                self._bare.setdefault(len(found), path)

    def choose(self, reasons: list[str]) -> tuple[Path, ...]:
        """The file with most of the runs, then files with those it lacks."""
        sample, fits = self._sample, dict(self._episodes)
        chosen: list[Path] = []
        while fits:
            best = max(fits, key=lambda path: len(fits[path]))
            gained = fits.pop(best)
            if not sample.found and len(gained) < _LEAST_SHARE * len(sample.runs):
                break
            chosen.append(best)
            sample.found |= gained
            reasons.append(
                f"{best.name} has {len(gained)} of the first {counted(len(sample.runs), 'run')}"
                f" by {sample.words(gained)}"
            )
            left = {
                path: {n: e for n, e in found.items() if n not in sample.found}
                for path, found in fits.items()
            }
            fits = {path: found for path, found in left.items() if found}
        if not chosen:
            reasons.append("no annotation file nearby has these episodes")
            if most := max(self._bare, default=0):
                reasons.append(
                    f"{self._bare[most].name} has {most} of their ids, but nothing else tells"
                    " whether they are its episodes: add it yourself if they are"
                )
        return tuple(chosen)


def _is_named_result(path: Path) -> bool:
    return any(word in path.name.lower() for word in _RESULT_WORDS)


def _compare(path: Path, sample: _Sample) -> Generator[Progress, None, dict[int, Episode] | None]:
    """Runs with their episodes in a file; ``None`` if it holds no episodes."""
    try:
        if not 0 < path.stat().st_size <= _LARGEST_BYTES:
            return None
        entry = EPISODE_FORMATS.find(path)
        found: dict[int, Episode] = {}
        for count, episode in enumerate(entry.read(path, ReadLog())):
            for number in sample.matches(episode):
                found.setdefault(number, episode)
            if len(found) == len(sample.runs) or count >= _MOST_EPISODES:
                break
            if count % 1000 == 999:
                yield Progress(0, 0, f"comparing with {path.name}")
    except (InputError, OSError):
        return None
    return found


def _has_graphs(nearby: _Nearby, scans: set[str], sample: _Sample) -> bool:
    """Whether graphs of all scans are found, or none are needed."""
    if not sample.has_viewpoints or (scans and scans <= nearby.capnav_graphs.keys()):
        return True
    return bool(scans) and any(scans <= known for known in nearby.graphs.values())


def _fitting_graphs(
    nearby: _Nearby, scans: set[str], sample: _Sample, reasons: list[str]
) -> Path | None:
    if not sample.has_viewpoints:
        return None
    drawn = [nearby.capnav_graphs[scan] for scan in sorted(scans) if scan in nearby.capnav_graphs]
    if len(scans) == 1 and drawn and any(agent_of(run) for run in sample.runs):
        reasons.append(f"{drawn[0].name} is CapNav's graph of {next(iter(scans))}")
        return drawn[0]
    best = max(nearby.graphs, key=lambda folder: len(nearby.graphs[folder] & scans), default=None)
    if best is None or not nearby.graphs[best] & scans:
        reasons.append("no connectivity folder nearby has these scans")
        return None
    count = len(nearby.graphs[best] & scans)
    reasons.append(f"{best.name} has the graphs of {count} of {len(scans)} scans")
    return best


def _fitting_pictures(
    nearby: _Nearby, scans: set[str], sample: _Sample, reasons: list[str]
) -> Path | None:
    """A folder with a subfolder of a scan, or with pictures named by a viewpoint of a run."""
    viewpoints = {name for run in sample.runs for name in run.route.viewpoint_ids}
    for place, names in nearby.folders.items():
        folder = Path(place)
        inside = [folder / name for name in names if name in scans]
        named = sum(
            name.lower().endswith(_PICTURES) and any(part in viewpoints for part in _parts(name))
            for name in names
        )
        holds = any(_has_pictures(inner) for inner in inside)
        if (named or holds) and (layout := find_layout(folder)) is not None:
            reasons.append(f"{folder.name} has pictures of these scans or viewpoints ({layout})")
            return folder
    return _tour(nearby, scans, reasons) if any(map(agent_of, sample.runs)) else None


def _tour(nearby: _Nearby, scans: set[str], reasons: list[str]) -> Path | None:
    """The film of a tour, which CapNav's models were shown, named after the one scene."""
    if len(scans) != 1:
        return None
    scan = next(iter(scans))
    for folder, names in nearby.folders.items():
        for name in names:
            if name.lower().endswith(FILM) and Path(name).stem.startswith(scan):
                reasons.append(f"{name} is a film of {scan}")
                return Path(folder, name)
    return None


def _parts(name: str) -> list[str]:
    return Path(name).stem.replace("-", "_").split("_")


def _has_pictures(folder: Path) -> bool:
    """Whether pictures lie in a folder or in a folder within it."""
    try:
        entries = list(islice(folder.iterdir(), 200))
        inner = next((entry for entry in entries if entry.is_dir()), None)
        entries += [] if inner is None else list(islice(inner.iterdir(), 50))
    except OSError:
        return False
    return any(entry.suffix.lower() in _PICTURES for entry in entries)


def _fitting_scene(nearby: _Nearby, scans: set[str], reasons: list[str]) -> Path | None:
    if len(scans) != 1:
        return None
    scan = next(iter(scans))
    fitting = [
        path
        for path in nearby.scenes
        if path.stem == scan or (path.parent.name == scan and path.name in _SCENE_IN_FOLDER)
    ]
    if not fitting:
        return None
    reasons.append(f"{fitting[0].name} is the scene {scan}")
    return fitting[0]
