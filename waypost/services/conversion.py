"""Convert episodes or runs from one format to another, and say what the other cannot hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError, ReadError, WriteError
from waypost.domain.base.progress import Progress
from waypost.domain.episode.episode import Episode, Goal
from waypost.domain.episode.flat_path import flat_run
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.run import SCORES_ONLY, EpisodeRun
from waypost.domain.episode.server_rules import VLNCE_SERVER
from waypost.domain.episode.step_checks import FORWARD_STEP_M, TELEPORT_M, teleports
from waypost.domain.episode.viewpoint_placing import floor_under
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.io.atomic import target_of
from waypost.io.graphs.matterport_graphs import has_graph, load_graph
from waypost.io.item_format import ItemFormat
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.logs import r2r_runs
from waypost.io.logs.run_format import RunFormat, Way
from waypost.io.read_log import ReadLog
from waypost.services.evaluation.naming import named

EPISODES: Final = EPISODE_FORMATS.what
RUNS: Final = RUN_FORMATS.what

_STEP: Final = 1000
_GROUNDED: Final = (
    "positions were taken from the viewpoint graph: the floor under each camera, which is not"
    " exactly a point of Habitat's navmesh"
)
FLAT_FORMAT: Final = r2r_runs.FORMAT.name
"""The only format in which runs are written flat."""

_NOT_FILLED: Final = (
    "the graphs of some scans are unknown, so that moves without an edge could not be filled; give"
    " --annotations and --connectivity"
)
_TELEPORTS: Final = (
    f"poses {TELEPORT_M:g} m or more apart are written, which {VLNCE_SERVER.name} refuses: there"
    " every action of an agent has a pose"
)
_MAY_BE_RUNS: Final = (
    "the file was read as episodes; runs may be published in the same shape, and are read with"
    " --kind runs"
)

Item = TypeVar("Item")

Advance = Callable[[Progress], None]
"""Told how many items were read."""


@dataclass(frozen=True, slots=True)
class ConversionRequest:
    """What to convert into what."""

    source: Path
    target_name: str
    """Key of the format to write."""

    out: Path
    kind: str = ""
    """``episodes`` or ``runs``; empty: what the content shows."""

    source_name: str = ""
    """Key of the format to read; empty: what the content shows."""

    annotations: tuple[Path, ...] = ()
    """Episode files that know scene and words of the runs."""

    connectivity: Path | None = None
    """Folder of viewpoint graphs, from which positions are taken."""

    is_flat: bool = False
    """Whether every entry of a result file is to hold one viewpoint, each the neighbour of the one
    before, as the R2R leaderboard reads it."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """What became of it."""

    kind: str
    source_format: str
    target_format: str
    read: int
    """Episodes or runs that the source holds."""

    written: int
    unreadable: int
    """Items of the source that could not be used."""

    findings: tuple[ImportFinding, ...]
    """What was found while reading, and what could not be held."""

    findings_left_out: int
    warnings: tuple[str, ...]
    source_conventions: str
    target_conventions: str


def convert(request: ConversionRequest, advance: Advance = lambda _: None) -> Conversion:
    """Convert a file; the target is replaced when all of it is written.

    Items that the target cannot hold are left out and reported as ``UNREADABLE``; if it can hold
    none, nothing is written.

    Raises:
        InputError: If the source cannot be read or the target not be written.
    """
    if target_of(request.out) == request.source.resolve():
        raise InputError(f"{request.out}: file: is the source, which is never overwritten")
    if request.is_flat and (request.target_name != FLAT_FORMAT or request.kind == EPISODES):
        raise InputError(f"--flat is for results that are converted to {FLAT_FORMAT}")
    kind = RUNS if request.is_flat else request.kind
    kinds = [kind] if kind else _kinds_of(request)
    try:
        result = (_convert_episodes if kinds[0] == EPISODES else _convert_runs)(request, advance)
    except (ReadError, WriteError):
        raise
    except InputError as error:
        raise InputError(f"{request.source}: {kinds[0]}: {error}") from error
    if len(kinds) == 1:
        return result
    return replace(result, warnings=(_MAY_BE_RUNS, *result.warnings))


def _kinds_of(request: ConversionRequest) -> list[str]:
    """What the source may hold and the target be made of, episodes first."""
    errors: dict[str, ReadError] = {}
    for known in (EPISODE_FORMATS, RUN_FORMATS):
        try:
            known.find(request.source, request.source_name)
            known.find(request.source, request.target_name)
        except ReadError as error:
            errors[known.what] = error
    kinds = [kind for kind in (EPISODES, RUNS) if kind not in errors]
    if kinds:
        return kinds
    unknown = [error for error in errors.values() if error.place == "format"]
    if unknown:
        raise unknown[0]
    if errors[EPISODES].reason == errors[RUNS].reason:
        raise errors[EPISODES]
    reason = "holds neither episodes nor runs in a known format"
    raise ReadError(str(request.source), "file", reason)


def _convert_episodes(request: ConversionRequest, advance: Advance) -> Conversion:
    source = EPISODE_FORMATS.find(request.source, request.source_name)
    target = EPISODE_FORMATS.find(request.source, request.target_name)
    if target.write is None:
        raise InputError(f"the format {request.target_name} is read and not written")
    log, report = _logs(source, target)
    counter = _Counter(advance, request.source.name)
    episodes: Iterable[Episode] = counter.count(source.read(request.source, log))
    if source.name != target.name:
        episodes = (_grounded_episode(item, request.connectivity, report) for item in episodes)
    target.write(request.out, episodes, report)
    left_out = report.counts[ImportKind.UNREADABLE]
    return _conversion(EPISODES, source, target, counter.done, left_out, log, report)


def _convert_runs(request: ConversionRequest, advance: Advance) -> Conversion:
    source = RUN_FORMATS.find(request.source, request.source_name)
    target = RUN_FORMATS.find(request.source, request.target_name)
    if target.write is None:
        raise InputError(f"the format {request.target_name} is read and not written")
    log, report = _logs(source, target)
    facts = _facts(request.annotations, log)
    counter = _Counter(advance, request.source.name)
    found = counter.count(source.read(request.source, log))
    runs: Iterable[EpisodeRun] = named(found, request.annotations, "", log)
    if source.name != target.name or request.is_flat:
        runs = (_told(run, facts) for run in runs)
        if target.way is not Way.VIEWPOINTS:
            runs = (_grounded_run(run, request.connectivity, report) for run in runs)
        runs = _holdable(runs, target, report)
    if target.name in VLNCE_SERVER.formats and source.name != target.name:
        runs = _told_of_teleports(runs, report)
    if request.is_flat:
        runs = _flat(runs, request.connectivity, report)
    target.write(request.out, runs, report)
    left_out = report.counts[ImportKind.UNREADABLE]
    return _conversion(RUNS, source, target, counter.done, left_out, log, report)


def _logs(source: ItemFormat[Any], target: ItemFormat[Any]) -> tuple[ReadLog, ReadLog]:
    """Logs of reading and of writing; what stands beside the items goes along within a format."""
    log = ReadLog()
    is_same = source.name == target.name
    return log, ReadLog(document=log.document) if is_same else ReadLog()


@dataclass(slots=True)
class _Counter:
    advance: Advance
    name: str
    done: int = 0

    def count(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            self.done += 1
            if self.done % _STEP == 0:
                self.advance(Progress(self.done, 0, f"{self.name}: {self.done:,} read"))
            yield item


def _conversion(
    kind: str,
    source: ItemFormat[Any],
    target: ItemFormat[Any],
    read: int,
    left_out: int,
    log: ReadLog,
    report: ReadLog,
) -> Conversion:
    log.finish()
    return Conversion(
        kind=kind,
        source_format=source.name,
        target_format=target.name,
        read=read,
        written=read - left_out,
        unreadable=log.counts[ImportKind.UNREADABLE],
        findings=(*log.findings, *report.findings),
        findings_left_out=log.left_out + report.left_out,
        warnings=tuple(dict.fromkeys((*log.warnings, *report.warnings))),
        source_conventions=source.conventions,
        target_conventions=target.conventions,
    )


@dataclass(frozen=True, slots=True)
class _Facts:
    scene_id: str
    instruction: str


def _facts(annotations: tuple[Path, ...], log: ReadLog) -> dict[str, _Facts]:
    return {
        episode.episode_id: _Facts(episode.scene_id, episode.instruction.text)
        for path in annotations
        for episode in EPISODE_FORMATS.read(path, log)
    }


def _told(run: EpisodeRun, facts: dict[str, _Facts]) -> EpisodeRun:
    known = facts.get(run.episode_id)
    if known is None:
        return run
    return replace(
        run,
        scene_id=run.scene_id or known.scene_id,
        instruction=run.instruction or known.instruction,
    )


def _grounded_run(run: EpisodeRun, connectivity: Path | None, report: ReadLog) -> EpisodeRun:
    grounded = _grounded(run.route, _graph(connectivity, run.scene_id))
    if grounded is run.route:
        return run
    report.warn(_GROUNDED)
    return replace(run, route=grounded)


def _holdable(
    runs: Iterable[EpisodeRun], target: RunFormat, report: ReadLog
) -> Iterator[EpisodeRun]:
    written = 0
    message = ""
    for run in runs:
        lacking = ""
        if target.way is Way.POSITIONS and run.route.positions_m is None:
            lacking = "positions (give --connectivity and --annotations)"
        if target.way is Way.VIEWPOINTS and len(run.route) and not run.route.viewpoint_ids:
            lacking = "viewpoints"
        if target.way is not None and run.has_scores_only:
            lacking = f"path: {SCORES_ONLY}"
        lacking = lacking or target.lacks(run)
        if not lacking:
            written += 1
            yield run
            continue
        message = f"run {run.episode_id} cannot be written as {target.name}: it has no {lacking}"
        report.add(ImportKind.UNREADABLE, message, item_id=run.episode_id)
    if message and not written:
        raise InputError(f"none of the runs can be held: {message}")


def _told_of_teleports(runs: Iterable[EpisodeRun], report: ReadLog) -> Iterator[EpisodeRun]:
    for run in runs:
        if teleports(replace(run, forward_step_m=FORWARD_STEP_M)):
            report.warn(_TELEPORTS)
        yield run


def _flat(
    runs: Iterable[EpisodeRun], connectivity: Path | None, report: ReadLog
) -> Iterator[EpisodeRun]:
    for run in runs:
        graph = _graph(connectivity, run.scene_id)
        if graph is None and len(run.route) > 1:
            report.warn(_NOT_FILLED)
        try:
            flat = flat_run(run, graph)
        except InputError as error:
            message = f"run {run.episode_id} cannot be written flat: {error}"
            report.add(ImportKind.UNREADABLE, message, item_id=run.episode_id)
            continue
        if flat.inserted:
            filled = counted(flat.inserted, "viewpoint")
            report.add(
                ImportKind.NOTE,
                f"{run.episode_id}: {filled} added where it goes on without an edge",
                item_id=run.episode_id,
                value=flat.inserted,
            )
        yield flat.run


def _grounded_episode(episode: Episode, connectivity: Path | None, report: ReadLog) -> Episode:
    graph = _graph(connectivity, episode.scene_id)
    if graph is None:
        return episode
    reference = _grounded(episode.reference, graph)
    start = episode.start_position_m or floor_under(graph, episode.start_viewpoint_id)
    goals = tuple(_grounded_goal(goal, graph) for goal in episode.goals)
    if (reference, start, goals) == (episode.reference, episode.start_position_m, episode.goals):
        return episode
    report.warn(_GROUNDED)
    return replace(episode, reference=reference, start_position_m=start, goals=goals)


def _grounded_goal(goal: Goal, graph: ViewpointGraph) -> Goal:
    if goal.position_m is not None:
        return goal
    return replace(goal, position_m=floor_under(graph, goal.viewpoint_id))


def _grounded(walked: Route, graph: ViewpointGraph | None) -> Route:
    """A route of viewpoints with their positions on the floor, if all of them are known."""
    if graph is None or walked.positions_m is not None or not walked.viewpoint_ids:
        return walked
    places = [floor_under(graph, name) for name in walked.viewpoint_ids]
    if not all(places):
        return walked
    return route(
        walked.viewpoint_ids,
        [place for place in places if place is not None],
        walked.yaws_rad,
        walked.elevations_rad,
    )


def _graph(connectivity: Path | None, scene_id: str) -> ViewpointGraph | None:
    if connectivity is None or not has_graph(connectivity, scene_id):
        return None
    return load_graph(connectivity, scene_id)
