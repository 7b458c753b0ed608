"""``waypost drive``: drive an agent straight towards a target, without a window."""

from __future__ import annotations

import argparse
import re
from dataclasses import asdict, dataclass
from typing import Any

from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    add_correction_options,
    add_gaps_option,
    check_gaps,
    given_scene,
)
from waypost.app.commands.arguments.engine_options import add_engine_options, chosen_engine
from waypost.app.commands.arguments.path_types import file_to_read
from waypost.app.terminal.messages import warn
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Vec3, bearing_rad
from waypost.domain.scene.gaps import geometry_gaps
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.geometry.holes_underfoot import Hole, longest_hole
from waypost.geometry.ray_index import RayIndex
from waypost.io.agent_files import find_agent
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engines import EngineChoice
from waypost.simulators.protocol import Contact, DriveOutcome, EngineInfo

_ABOVE_M = 0.3
"""A position may lie this much below the floor it means."""

_REACH_M = 2.5
_LONGEST_S = 86_400


@dataclass(frozen=True)
class Drive:
    """What was driven and how it ended."""

    scene: Scene
    profile: AgentProfile
    outcome: DriveOutcome
    engine: EngineInfo
    mover_hash: str
    hole: Hole | None
    """Where its wheels or feet had no ground, on the straight way as far as it came."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    # Without this, argparse takes "-1,2,0" for an option.
    parser._negative_number_matcher = re.compile(r"^-\.?\d")  # noqa: SLF001
    parser.add_argument("--scene", type=file_to_read, required=True, help="scene file")
    parser.add_argument("--agent", required=True, help="key of a shipped agent, or a TOML file")
    parser.add_argument(
        "--from", dest="start", required=True, metavar="X,Y,Z", help="floor position, scene frame"
    )
    parser.add_argument("--to", dest="target", required=True, metavar="X,Y,Z", help="the same")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--time-limit",
        type=float,
        metavar="S",
        help="simulated seconds after which to give up (default: three times what the way takes at "
        "top speed, and 15)",
    )
    add_correction_options(parser)
    add_gaps_option(parser)
    add_asset_options(parser)
    add_engine_options(parser)


def run(options: argparse.Namespace) -> int:
    """Drive and report.

    Returns:
        0 whether or not the target was reached; problems of the input or of the engine are
        raised.
    """
    start = parse_position(options.start, "--from")
    target = parse_position(options.target, "--to")
    if options.time_limit is not None and not 0 < options.time_limit < _LONGEST_S:
        raise InputError(f"--time-limit: {options.time_limit:g} is not above 0 and below a day")
    engine = chosen_engine(options)
    profile = find_agent(options.agent)
    scene = given_scene(options)
    check_gaps(scene, options)
    drive = drive_straight(scene, profile, start, target, options.time_limit, engine)
    if options.json:
        write_json(report(drive))
    else:
        for line in _lines(drive):
            write_line(line)
    return 0


def parse_position(text: str, name: str) -> Vec3:
    """Read ``X,Y,Z``.

    Raises:
        InputError: If it is not three finite numbers.
    """
    try:
        x, y, z = (float(part) for part in text.split(","))
    except ValueError as error:
        raise InputError(f"{name}: {text}: expected three numbers X,Y,Z") from error
    if not all(abs(value) < 1e9 for value in (x, y, z)):
        raise InputError(f"{name}: {text}: expected three finite numbers X,Y,Z")
    return (x, y, z)


def drive_straight(
    scene: Scene,
    profile: AgentProfile,
    start: Vec3,
    target: Vec3,
    time_limit_s: float | None = None,
    choice: EngineChoice | None = None,
) -> Drive:
    """Spawn an agent facing a target and drive it straight there.

    Raises:
        InputError: If start or target lie outside the scene or have no floor.
        SimulatorError: If the engine is missing or fails.
    """
    _check_inside(scene, start, "--from")
    _check_inside(scene, target, "--to")
    with SimulatorClient.of(choice or EngineChoice()) as client:
        for warning in client.load_scene(scene):
            warn(warning)
        for point, name in ((start, "--from"), (target, "--to")):
            above = (point[0], point[1], point[2] + _ABOVE_M)
            if client.floor_below(above, _REACH_M) is None:
                raise InputError(f"{name}: {_text(point)}: there is no floor below this point")
        stood_m = client.spawn(profile, start, bearing_rad(start, target)).position_m
        outcome = client.drive_to(target, time_limit_s)
        hole = longest_hole(RayIndex.build(scene), stood_m, outcome.stopped_at_m, profile)
        return Drive(scene, profile, outcome, client.engine, client.settings_hash, hole)


def report(drive: Drive) -> dict[str, Any]:
    """The JSON document of a drive; metres and seconds, scene frame."""
    outcome, parameters = drive.outcome, drive.engine.parameters
    return {
        "reached": outcome.reached,
        "stopped_at_m": list(outcome.stopped_at_m),
        "displacement_m": outcome.displacement_m,
        "strict_collision": outcome.strict_collision,
        "contacts": [_contact(contact) for contact in outcome.contacts],
        "highest_step_m": outcome.highest_step_m,
        "engine": drive.engine.name,
        "engine_version": drive.engine.version,
        "profile_hash": drive.profile.profile_hash,
        "sim_time_s": outcome.sim_time_s,
        "progress_m": outcome.progress_m,
        "blocked_by": outcome.blocked_by,
        "mover_hash": drive.mover_hash,
        "scene_hash": drive.scene.content_hash,
        "scene_gaps": list(geometry_gaps(drive.scene)),
        "engine_parameters": parameters and asdict(parameters),
        "hole_m": drive.hole and drive.hole.length_m,
        "hole_at_m": drive.hole and list(drive.hole.at_m),
    }


def _contact(contact: Contact) -> dict[str, Any]:
    return {
        "point_m": list(contact.point_m),
        "normal": list(contact.normal),
        "object": contact.object,
    }


def _check_inside(scene: Scene, point: Vec3, name: str) -> None:
    try:
        low, high = scene.bounds_m
    except ValueError as error:
        raise InputError(f"{scene.path}: file: the scene holds no triangles") from error
    slack = (0.0, 0.0, _REACH_M)
    if not all(a - s <= p <= b + s for a, p, b, s in zip(low, point, high, slack, strict=True)):
        raise InputError(
            f"{name}: {_text(point)}: outside the scene, which spans {_text(low)} to {_text(high)}"
        )


def _text(point: Vec3) -> str:
    return ",".join(f"{value:.2f}" for value in point)


def _lines(drive: Drive) -> list[str]:
    outcome = drive.outcome
    verdict = "reached the target" if outcome.reached else f"stopped: {outcome.blocked_by}"
    lines = [
        f"{drive.profile.name} {verdict}",
        f"  at            {_text(outcome.stopped_at_m)} m after {outcome.sim_time_s:.2f} s",
        f"  progress      {outcome.progress_m:.2f} m",
        f"  highest step  {outcome.highest_step_m * 1000:.0f} mm",
        f"  displacement  {outcome.displacement_m:.3f} m"
        + (" (strict collision)" if outcome.strict_collision else ""),
    ]
    lines += [f"  touched       {c.object} at {_text(c.point_m)}" for c in outcome.contacts]
    if drive.hole is not None:
        lines.append(
            f"  hole          {drive.hole.length_m:.2f} m under a wheel or foot at "
            f"{_text(drive.hole.at_m)} m, which engines drive over"
        )
    return [*lines, f"  engine        {drive.engine.name} {drive.engine.version}"]
