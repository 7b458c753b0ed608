"""What the episodes of VLNVerse share: poses of Isaac Sim, dense expert paths, one goal as object.

Source: william13077/IAmGoodNavigator:fine_grained_demo.json, coarse_grained_demo.json.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import quaternion_from_yaw
from waypost.domain.episode.episode import Episode, Goal, Instruction, bare_scene
from waypost.domain.episode.route import EMPTY_ROUTE, Route, route
from waypost.io.datasets.episode_format import EpisodeWriter
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import (
    first_record,
    id_of,
    leftovers,
    optional,
    point_of,
    read_records,
    split_of,
    stated_geodesic,
)
from waypost.io.datasets.panorama_records import RADIUS_M
from waypost.io.datasets.pose_checks import (
    ISAAC,
    other_yaws,
    yaw_of_rotation,
)
from waypost.io.datasets.record_writing import records_of, write_array_or_members
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.logs.run_records import read_rows
from waypost.io.read_log import ReadLog

CONVENTIONS: Final = (
    "Isaac Sim: Z up, right-handed, metres, z = 0 on the floor; `start_rotation` is (w, x, y, z);"
    " heading 0 = +X, counter-clockwise; repeated points of `reference_path`, turns of the expert,"
    " are kept; a `geodesic_distance` of −1 means unknown"
)
KEYS: Final = ("episode_id", "scene_id", "start_position", "start_rotation", "instruction")
"""Those of every record."""
NOT_SEEN: Final = "No public sample was found. Assumed is the record of the fine and coarse sets, "
"""Said by the formats whose files VLNVerse has announced and not published."""

_KNOWN: Final = frozenset(
    {"episode_id", "trajectory_id", "scene_id", "scan", "start_position", "start_rotation", "info"}
    | {"goals", "instruction", "reference_path"}
)
_EPISODES: Final = "episodes"
_KEEPS: Final = frozenset({Part.POSITIONS, Part.HEADING, Part.DISTANCE})
STAGE_KEYS: Final = ("stages", "sub_goals", "subgoals", "sub_tasks", "subtasks")

InstructionReader = Callable[[JsonValue], Instruction]
InstructionBuilder = Callable[[Instruction], dict[str, Any]]


def vlnverse_record(head: FileHead) -> dict[str, Any] | None:
    """The first record if it is one of VLNVerse."""
    record = first_record(head, _EPISODES)
    if not isinstance(record, dict) or not {"episode_id", "start_position"} <= record.keys():
        return None
    is_named = str(record.get("scene_id", "")).startswith("vlnverse") or str(
        record.get("scan", "")
    ).startswith("kujiale")
    is_shaped = isinstance(record.get("goals"), dict) and "start_rotation" in record
    return record if is_named or is_shaped else None


def instruction_member(record: dict[str, Any], *keys: str) -> Any:
    """The first of some keys in a record's instruction, or in the record; ``None`` if none."""
    instruction = record.get("instruction")
    places = [instruction, record] if isinstance(instruction, dict) else [record]
    return next(
        (place[key] for place in places for key in keys if place.get(key) is not None), None
    )


def has_stages(record: dict[str, Any]) -> bool:
    """Whether a record has goals to reach one after the other."""
    goals = record.get("goals")
    is_several = isinstance(goals, list) and len(goals) > 1
    return is_several or any(isinstance(record.get(key), list) for key in STAGE_KEYS)


def read_vlnverse(
    path: Path, log: ReadLog, name: str, instruction_of: InstructionReader
) -> Iterator[Episode]:
    """Yield the episodes of a bare list (the demo) or of ``{"episodes": […]}`` (the splits).

    Raises:
        ReadError: If the file cannot be used.
    """
    split = split_of(path)
    return read_records(
        path,
        log,
        lambda record: [_episode(record, name, split, instruction_of, log)],
        id_keys=("episode_id",),
        under=_EPISODES,
    )


def _episode(
    record: JsonValue, name: str, split: str, instruction_of: InstructionReader, log: ReadLog
) -> Episode:
    episode_id = id_of(record.field("episode_id"), log)
    rotation = optional(record, "start_rotation")
    numbers = [] if rotation is None else [item.as_number() for item in rotation.items()]
    if rotation is not None and len(numbers) != 4:
        raise rotation.error(f"holds {len(numbers)} numbers, not 4")
    goals, stages = _goals(record)
    path = optional(record, "reference_path")
    reference = _route(path) if path is not None and path.as_array() else EMPTY_ROUTE
    geodesic, note = stated_geodesic(record, episode_id, log)
    trajectory = optional(record, "trajectory_id")
    return Episode(
        dataset=name,
        split=record.text_of("split") or split,
        episode_id=episode_id,
        scene_id=bare_scene(record.text_of("scan") or record.field("scene_id").as_text()),
        instruction=instruction_of(record),
        reference=reference,
        goals=goals,
        start_position_m=point_of(record.field("start_position")),
        start_yaw_rad=yaw_of_rotation(numbers, ISAAC, episode_id, log) if numbers else None,
        other_yaws_rad=other_yaws(numbers, ISAAC) if numbers else MappingProxyType({}),
        geodesic_m=geodesic,
        geodesic_note=note,
        source_id=episode_id if trajectory is None else id_of(trajectory, ReadLog()),
        stages=stages,
        has_ground_truth=bool(goals),
        extra=leftovers(record, _KNOWN),
        record=record.value,
    )


def _route(path: JsonValue) -> Route:
    return route(positions_m=read_rows(path, 3))


def _goals(record: JsonValue) -> tuple[tuple[Goal, ...], tuple[Goal, ...]]:
    """The goal, and the stages that lead to it where there are several."""
    listed = next(
        (found for key in STAGE_KEYS if (found := optional(record, key)) is not None), None
    )
    value = optional(record, "goals")
    steps = () if listed is None else tuple(_goal(item) for item in listed.items())
    if value is None:
        return steps[-1:], steps
    if isinstance(value.value, dict):
        final = (_goal(value),)
        return final, steps
    goals = tuple(_goal(item) for item in value.items())
    return goals[-1:], steps or (goals if len(goals) > 1 else ())


def _goal(value: JsonValue) -> Goal:
    radius = optional(value, "radius")
    return Goal(
        position_m=point_of(value.field("position")),
        radius_m=None if radius is None else radius.as_number(),
        extra=leftovers(value, frozenset({"position", "radius"})),
    )


def plain_instruction(record: JsonValue) -> Instruction:
    """``instruction_text`` as one text.

    Raises:
        ReadError: If it is something else.
    """
    return Instruction(record.field("instruction").field("instruction_text").as_text())


def text_of_any(record: JsonValue) -> str:
    """The text of an instruction in any form, its first style, or an empty text.

    Raises:
        ReadError: If a wording is no text.
    """
    value = _wording(record)
    if value is None:
        return ""
    if isinstance(value.value, dict):
        return next((text.as_text() for _, text in value.entries()), "")
    return value.as_text()


def styles_of(record: JsonValue) -> Mapping[str, str]:
    """The wordings of an instruction that comes in styles; empty for one text.

    Raises:
        ReadError: If a wording is no text.
    """
    value = _wording(record)
    if value is None or not isinstance(value.value, dict):
        return MappingProxyType({})
    return MappingProxyType({style: text.as_text() for style, text in value.entries()})


def _wording(record: JsonValue) -> JsonValue | None:
    value = optional(record, "instruction")
    if value is None or isinstance(value.value, str):
        return value
    return optional(value, "instruction_text")


def vlnverse_writer(
    name: str, build: InstructionBuilder, keeps: frozenset[Part] = frozenset()
) -> EpisodeWriter:
    """The writer of a bare list, or of ``{"episodes": […], …}`` if the episodes came from one.

    Args:
        name: Key of the format.
        build: Makes the ``instruction`` member.
        keeps: What the format has a place for beside poses and distance.
    """

    def write(path: Path, episodes: Iterable[Episode], log: ReadLog) -> None:
        records = records_of(
            name,
            episodes,
            lambda group: _build(group[0], build, Part.STAGES in keeps),
            log,
            _KEEPS | keeps,
            grouped=False,
        )
        write_array_or_members(path, _EPISODES, records, log)

    return write


def _build(episode: Episode, build: InstructionBuilder, has_stages: bool) -> dict[str, Any]:
    start = episode.start_position_m
    if start is None:
        raise InputError("it has no start position")
    yaw = episode.start_yaw_rad
    record: dict[str, Any] = {
        "start_position": list(start),
        **({} if yaw is None else {"start_rotation": list(quaternion_from_yaw(yaw))}),
        "instruction": build(episode.instruction),
    }
    if episode.reference.positions_m is not None:
        record["reference_path"] = episode.reference.positions_m.tolist()
    if goals := _goal_records(episode.goals):
        record["goals"] = goals[-1]
    if has_stages and (stages := _goal_records(episode.stages)):
        record["stages"] = stages
    known = episode.geodesic_m
    record["info"] = {"geodesic_distance": -1 if known is None else known}
    record |= {
        "scan": episode.scene_id,
        "episode_id": episode.episode_id,
        "trajectory_id": episode.source_id or episode.episode_id,
        "scene_id": f"vlnverse/{episode.scene_id}",
    }
    return record


def _goal_records(goals: Iterable[Goal]) -> list[dict[str, Any]]:
    return [
        {
            "position": list(goal.position_m),
            "radius": RADIUS_M if goal.radius_m is None else goal.radius_m,
        }
        for goal in goals
        if goal.position_m is not None
    ]
