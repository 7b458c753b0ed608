"""``waypost record``: record a drive by scripted keys from the start pose of an episode."""

from __future__ import annotations

import argparse
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    add_correction_options,
    add_gaps_option,
    check_gaps,
    given_scene,
)
from waypost.app.commands.arguments.engine_options import add_engine_options, chosen_engine
from waypost.app.commands.arguments.path_types import file_to_read, folder_to_read, folder_to_write
from waypost.app.commands.arguments.run_options import add_navmesh
from waypost.app.terminal.messages import say_error, warn
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.counted_words import few_of
from waypost.domain.base.errors import InputError, ReadError, SimulatorError, WorkerDiedError
from waypost.domain.episode.episode import Episode, normal_id
from waypost.domain.record.recording import (
    Recording,
    achieved_rate_hz,
    duration_ns,
    late_count,
    placed_on,
    start_pose,
    take_header,
)
from waypost.domain.record.trajectory import UNKNOWN_NS
from waypost.domain.scene.gaps import geometry_gaps
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.io.agent_files import find_agent
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.io.key_scripts import KeyPress, read_key_script
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_names import take_file_name
from waypost.io.recordings.take_records import add_missing_end
from waypost.io.scenes.scene_folder import scene_names
from waypost.metrics.profile import Scenery
from waypost.services.engine.scripted_take import SCRIPT_KEYS, play_keys
from waypost.services.engine.start_doubts import start_doubts
from waypost.services.navmesh_distances import check_navmeshes, goal_distance_over
from waypost.services.study.take_scoring import score_recording
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engines import EngineChoice
from waypost.simulators.protocol import RecordingStatus

_Scored = tuple[dict[str, dict[str, float | None]], dict[str, dict[str, str]]]


@dataclass(frozen=True)
class _Setup:
    """What is to be driven, and how."""

    scene: Scene
    episode: Episode
    profile: AgentProfile
    presses: tuple[KeyPress, ...]
    duration_s: float | None
    is_paced: bool
    participant: str
    folder: Path
    engine: EngineChoice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--scene", type=file_to_read, required=True, help="scene file")
    add_correction_options(parser)
    add_asset_options(parser)
    add_gaps_option(parser)
    parser.add_argument("--episodes", type=file_to_read, required=True, help="file of episodes")
    parser.add_argument("--episode", required=True, metavar="ID", help="which of them")
    parser.add_argument(
        "--agent", default="human", help="shipped agent, or a TOML file (default: human)"
    )
    parser.add_argument(
        "--script",
        type=file_to_read,
        required=True,
        help='JSON: [{"t_s": 0.5, "key": "W", "down": true}]',
    )
    parser.add_argument("--out", type=folder_to_write, required=True, help="folder of the takes")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--format", default="", help="format of the episodes, if not by content")
    parser.add_argument(
        "--connectivity",
        type=folder_to_read,
        metavar="DIR",
        help="folder of <scan>_connectivity.json, for episodes that name viewpoints only",
    )
    add_navmesh(parser)
    parser.add_argument(
        "--participant", default="", metavar="CODE", help="code of who drives (default: none)"
    )
    parser.add_argument(
        "--duration", type=float, metavar="S", help="simulated seconds (default: to the last press)"
    )
    parser.add_argument(
        "--realtime", action="store_true", help="keep to the wall clock instead of going fast"
    )
    add_engine_options(parser)


def run(options: argparse.Namespace) -> int:
    """Record and report.

    Returns:
        0 if the take is complete, 1 if it is not; problems of the input are raised.
    """
    engine = chosen_engine(options)
    presses = read_key_script(options.script, SCRIPT_KEYS)
    if options.duration is not None and not 0 < options.duration < 86_400:
        raise InputError(f"--duration: {options.duration:g} is not above 0 and below a day")
    if not presses and options.duration is None:
        raise ReadError(str(options.script), "top level", "presses no key; give a --duration")
    episode = find_episode(options.episodes, options.episode, options.scene, options.format)
    graph = None
    if options.connectivity is not None:
        graph = load_graph(options.connectivity, episode.scene_id)
        episode = placed_on(graph, episode)
    if options.navmesh is not None:
        check_navmeshes(options.navmesh)
    scenery = Scenery(graph, goal_distance_over(options.navmesh, episode.scene_id))
    start_pose(episode)
    profile = find_agent(options.agent)
    scene = given_scene(options)
    check_gaps(scene, options)
    setup = _Setup(
        scene,
        episode,
        profile,
        presses,
        options.duration,
        options.realtime,
        options.participant,
        options.out,
        engine,
    )
    file, problem = _record(setup)
    recording = read_recording(file)
    scores = _scores(recording, setup.episode, scenery)
    document = _report(file, recording, scores, problem)
    if options.json:
        write_json(document)
    else:
        for line in _lines(document):
            write_line(line)
    if problem:
        say_error(f"{file}: file: the take is not complete: {problem}")
    return 0 if document["complete"] else 1


def find_episode(path: Path, episode_id: str, scene: Path, format_name: str = "") -> Episode:
    """The episode of that id; of several in different scenes the one in this scene.

    Raises:
        ReadError: If the file cannot be read, has no such episode, or several in other scenes.
    """
    wanted, names = normal_id(episode_id), scene_names(scene)
    found: dict[str, Episode] = {}
    for episode in EPISODE_FORMATS.read(path, ReadLog(), format_name):
        if episode.episode_id != wanted:
            continue
        if episode.scene_id in names:
            return episode
        found.setdefault(episode.scene_id, episode)
    if len(found) > 1:
        scenes = few_of(list(found))
        reason = f"{wanted!r} is in several scenes ({scenes}), none of which is {scene.name}"
        raise ReadError(str(path), "episodes", reason)
    if not found:
        raise ReadError(str(path), "episodes", f"there is no episode {wanted!r}")
    return next(iter(found.values()))


def _record(setup: _Setup) -> tuple[Path, str]:
    """Drive; the file of the take, and what went wrong with writing it."""
    position, yaw = start_pose(setup.episode)
    wished = setup.folder / take_file_name(setup.episode, setup.participant)
    header = take_header(
        setup.episode,
        setup.profile,
        setup.scene.content_hash,
        participant=setup.participant,
        scene_gaps=geometry_gaps(setup.scene),
    )
    status: RecordingStatus | None = None
    try:
        with SimulatorClient.of(setup.engine) as client:
            for warning in client.load_scene(setup.scene):
                warn(warning)
            told = start_doubts(client.spawn(setup.profile, position, yaw), position)
            status = client.start_recording(wished, header)
            for sentence in told:
                warn(sentence)
                client.mark_recording("note", sentence)
            status = play_keys(
                client,
                setup.profile,
                setup.presses,
                duration_s=setup.duration_s,
                is_paced=setup.is_paced,
            )
    except SimulatorError as error:
        if status is None:
            raise
        with contextlib.suppress(InputError):
            # The take may be given away; what an engine said may name files of this computer.
            reason = error.own_words if isinstance(error, WorkerDiedError) else str(error)
            add_missing_end(Path(status.file), reason)
        return Path(status.file), str(error)
    return Path(status.file), status.problem


def _report(file: Path, recording: Recording, scored: _Scored, problem: str) -> dict[str, Any]:
    walls = recording.trajectory.wall_times_ns
    scores, reasons = scored
    return {
        "file": str(file),
        "rows": len(recording.trajectory),
        "duration_ns": duration_ns(recording),
        "complete": bool(recording.is_complete) and not problem,
        "reason": problem or recording.reason,
        "achieved_rate_hz": achieved_rate_hz(recording),
        "scores": scores,
        "score_reasons": reasons,
        "late_samples": late_count(recording),
        "wall_duration_ns": int(walls[-1]) if len(walls) and walls[-1] != UNKNOWN_NS else None,
        "engine": recording.header.get("engine"),
        "profile_hash": recording.header.get("profile_hash"),
        "mover_hash": recording.header.get("mover_hash"),
        "scene_hash": recording.header.get("scene_hash"),
        "scene_gaps": recording.header.get("scene_gaps", []),
    }


def _scores(recording: Recording, episode: Episode, scenery: Scenery) -> _Scored:
    """By the profile of the data set: value or ``None`` of each metric, and why it is ``None``."""
    scored = score_recording(recording, episode, scenery)
    start = len(scored.profile) + 1
    scores = {name[start:]: value for name, value in scored.values.items()}
    return {scored.profile: scores}, {
        scored.profile: {name[start:]: why for name, why in scored.notes.items()}
    }


def _lines(document: dict[str, Any]) -> list[str]:
    rate = document["achieved_rate_hz"]
    length = document["duration_ns"]
    ((profile, scores),) = document["scores"].items()
    return [
        f"{'complete' if document['complete'] else 'INCOMPLETE'}: {document['reason']}",
        f"  file      {document['file']}",
        f"  samples   {document['rows']}"
        + ("" if length is None else f" over {length / 1e9:.2f} s of simulated time"),
        f"  rate      {'unknown' if rate is None else f'{rate:.1f} samples per second'}",
        f"  scored as {profile}",
        *(f"  {name:<9} {value:.3f}" for name, value in scores.items() if value is not None),
    ]
