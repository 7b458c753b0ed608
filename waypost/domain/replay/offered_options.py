"""The moves that an agent could choose from at a step, as the log or else the graph has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from waypost.domain.base.frames import Vec3, wrap_to_pi
from waypost.domain.episode.run import Option
from waypost.domain.replay.panorama import OptionMarker, markers_at
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.text_map_places import placed_options


@dataclass(frozen=True, slots=True)
class OfferedOption:
    """One move."""

    label: str
    """As the model saw it; empty where the log has no options."""

    number: int | None
    """Of its marker in the pictures; ``None`` where geometry does not place it."""

    viewpoint_id: str
    text: str
    """Description given to the model."""

    turn_rad: float | None
    """From the agent's heading, to the left positive."""

    distance_m: float | None
    is_chosen: bool


def offered_options(replay: Replay, index: int) -> tuple[tuple[OfferedOption, ...], bool]:
    """The options of a step, and whether the log lists them; else they are the graph's neighbours.

    Args:
        replay: The run.
        index: The step.
    """
    step = replay.step(index)
    markers = {marker.viewpoint_id: marker for marker in markers_at(replay, index)}
    facing = float(replay.facing_rad[index])
    listed = placed_options(replay, step.decision) if step.decision else ()
    has_moved = step.decision is None or step.decision.end_pose > step.decision.first_pose
    if not listed:
        return tuple(
            _of_marker(marker, facing, has_moved=has_moved) for marker in markers.values()
        ), False
    action = step.decision.action.strip() if step.decision else ""
    labels = {option.label for option in listed}
    chosen = action if action in labels else ""
    made = (_of_log(option, markers, facing, chosen, step.position_m) for option in listed)
    return tuple(
        option if has_moved or chosen else replace(option, is_chosen=False) for option in made
    ), True


def _of_marker(marker: OptionMarker, facing: float, *, has_moved: bool) -> OfferedOption:
    return OfferedOption(
        marker.label,
        marker.number,
        marker.viewpoint_id,
        "",
        _turn(math.pi / 2 - marker.heading_rad, facing),
        marker.distance_m,
        marker.is_chosen and has_moved,
    )


def _of_log(
    option: Option,
    markers: Mapping[str, OptionMarker],
    facing: float,
    action: str,
    here: Vec3 | None,
) -> OfferedOption:
    """An option with its place; the label that the action names tells the chosen one first."""
    marker = markers.get(option.viewpoint_id) if option.viewpoint_id else None
    is_chosen = option.label == action if action else marker is not None and marker.is_chosen
    turn = distance = None
    if marker is not None:
        turn, distance = _turn(math.pi / 2 - marker.heading_rad, facing), marker.distance_m
    elif option.yaw_rad is not None:
        turn = _turn(option.yaw_rad, facing)
    if distance is None and option.position_m is not None and here is not None:
        distance = math.dist(here, option.position_m)
    return OfferedOption(
        option.label,
        marker.number if marker else None,
        option.viewpoint_id,
        option.text,
        turn,
        distance,
        is_chosen,
    )


def _turn(yaw_rad: float, facing_rad: float) -> float | None:
    return wrap_to_pi(yaw_rad - facing_rad) if math.isfinite(facing_rad) else None
