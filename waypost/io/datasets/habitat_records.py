"""Episodes in Habitat's frame: what the R2R and RxR datasets of VLN-CE share.

Source: jacobkrantz/VLN-CE:README.md, habitat_extensions/task.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import GLTF, Vec3, habitat_quaternion_from_yaw, vec3
from waypost.domain.episode.episode import Episode, Goal, Instruction, bare_scene, normal_id
from waypost.domain.episode.route import EMPTY_ROUTE, Route, route
from waypost.io.datasets.episode_format import EpisodeWriter
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import (
    id_of,
    leftovers,
    optional,
    read_records,
    split_of,
    stated_geodesic,
)
from waypost.io.datasets.ground_truth_paths import GroundTruthPaths, find_ground_truth
from waypost.io.datasets.panorama_records import RADIUS_M, number_or_text
from waypost.io.datasets.pose_checks import (
    HABITAT,
    other_yaws,
    yaw_of_rotation,
)
from waypost.io.datasets.record_writing import records_of, write_members
from waypost.io.json_reading import JsonValue
from waypost.io.logs.run_records import read_rows
from waypost.io.read_log import ReadLog

CONVENTIONS: Final = (
    "Habitat: Y up, right-handed, forward −Z, metres, positions on the floor; `start_rotation` is"
    " (x, y, z, w); heading 0 = −Z, counter-clockwise"
)
KEYS: Final = ("episode_id", "scene_id", "start_position", "start_rotation", "instruction")
"""Those of every record."""

_KNOWN: Final = frozenset(
    {"episode_id", "trajectory_id", "scene_id", "start_position", "start_rotation", "info"}
    | {"goals", "instruction", "reference_path"}
)
_KEEPS: Final = frozenset({Part.POSITIONS, Part.HEADING, Part.DISTANCE, Part.MORE_GOALS})
_EPISODES: Final = "episodes"

InstructionReader = Callable[[JsonValue], tuple[Instruction, str]]
"""The instruction of a record, and the id that it gives the episode where it has one."""


def has_habitat_keys(record: Any) -> bool:
    """Whether a record is one of VLN-CE: a pose, an instruction, goals in a list if any."""
    return (
        isinstance(record, dict)
        and {"episode_id", "scene_id", "start_position", "start_rotation"} <= record.keys()
        and isinstance(record.get("instruction"), dict)
        and not isinstance(record.get("goals"), dict)
        and not str(record["scene_id"]).startswith("vlnverse")
    )


def read_habitat(
    path: Path, log: ReadLog, name: str, instruction_of: InstructionReader
) -> Iterator[Episode]:
    """Yield the episodes of a file; the dense paths of a ``_gt`` file beside it are added.

    Raises:
        ReadError: If a file cannot be used.
    """
    found = find_ground_truth(path)
    truth = None if found is None else GroundTruthPaths(found, GLTF, log)
    split = split_of(path)

    def episodes_of(record: JsonValue) -> list[Episode]:
        episode = _episode(record, name, split, instruction_of, log)
        if truth is not None:
            # Instruction ids are other numbers: they would find the path of another episode.
            dense = truth.take(normal_id(record.value["episode_id"]))
            episode = replace(episode, dense_reference_m=dense)
        return [episode]

    yield from read_records(path, log, episodes_of, id_keys=("episode_id",), under=_EPISODES)
    if truth is not None:
        truth.say_unused()


def _episode(
    record: JsonValue, name: str, split: str, instruction_of: InstructionReader, log: ReadLog
) -> Episode:
    instruction, own_id = instruction_of(record)
    file_id = id_of(record.field("episode_id"), log)
    episode_id = own_id or file_id
    start = read_rows(JsonValue([record.field("start_position").value], *_place(record)), 3)
    numbers = [item.as_number() for item in record.field("start_rotation").items()]
    if len(numbers) != 4:
        raise record.field("start_rotation").error(f"holds {len(numbers)} numbers, not 4")
    path = optional(record, "reference_path")
    goals = _goals(optional(record, "goals"))
    geodesic, note = stated_geodesic(record, episode_id, log)
    trajectory = optional(record, "trajectory_id")
    return Episode(
        dataset=name,
        split=record.text_of("split") or split,
        episode_id=episode_id,
        scene_id=bare_scene(record.field("scene_id").as_text()),
        instruction=instruction,
        reference=EMPTY_ROUTE if path is None else _route(path),
        goals=goals,
        start_position_m=vec3(GLTF.to_scene(start[0])),
        start_yaw_rad=yaw_of_rotation(numbers, HABITAT, episode_id, log),
        other_yaws_rad=other_yaws(numbers, HABITAT),
        geodesic_m=geodesic,
        geodesic_note=note,
        source_id=file_id if trajectory is None else id_of(trajectory, ReadLog()),
        has_ground_truth=bool(goals),
        extra=leftovers(record, _KNOWN),
        record=record.value,
    )


def _place(record: JsonValue) -> tuple[str, str]:
    return record.file, f"{record.place}.start_position"


def _route(path: JsonValue) -> Route:
    return route(positions_m=GLTF.to_scene(read_rows(path, 3)))


def _goals(value: JsonValue | None) -> tuple[Goal, ...]:
    if value is None:
        return ()
    goals = []
    for item in value.items():
        place = item.field("position")
        position = read_rows(JsonValue([place.value], place.file, place.place), 3)[0]
        radius = optional(item, "radius")
        goals.append(
            Goal(
                position_m=vec3(GLTF.to_scene(position)),
                radius_m=None if radius is None else radius.as_number(),
                extra=leftovers(item, frozenset({"position", "radius"})),
            )
        )
    return tuple(goals)


def build_habitat(episode: Episode, instruction: dict[str, Any]) -> dict[str, Any]:
    """A VLN-CE record of an episode.

    Raises:
        InputError: If it has no start position.
    """
    start = episode.start_position_m
    if start is None:
        raise InputError("it has no start position")
    scene = episode.scene_id
    record: dict[str, Any] = {
        "episode_id": number_or_text(episode.episode_id),
        "trajectory_id": number_or_text(episode.source_id or episode.episode_id),
        "scene_id": f"mp3d/{scene}/{scene}.glb",
        "start_position": habitat_point(start),
        "start_rotation": list(habitat_quaternion_from_yaw(episode.start_yaw_rad or 0.0)),
        "info": {} if episode.geodesic_m is None else {"geodesic_distance": episode.geodesic_m},
        "goals": [
            {
                "position": habitat_point(goal.position_m),
                "radius": RADIUS_M if goal.radius_m is None else goal.radius_m,
            }
            for goal in episode.goals
            if goal.position_m is not None
        ],
        "instruction": instruction,
    }
    if episode.reference.positions_m is not None:
        record["reference_path"] = [
            habitat_point(vec3(row)) for row in episode.reference.positions_m
        ]
    return record


def habitat_point(position_m: Vec3) -> list[float]:
    """A scene position in Habitat's frame."""
    return [float(value) for value in GLTF.from_scene(np.asarray(position_m))]


def habitat_writer(
    name: str, build: Callable[[list[Episode]], Any], keeps: frozenset[Part]
) -> EpisodeWriter:
    """The writer of ``{"episodes": […], …}``; dense paths are not in this file.

    Args:
        name: Key of the format.
        build: Makes the record of one episode; see ``build_habitat``.
        keeps: What the format has a place for beside poses and distance.
    """

    def write(path: Path, episodes: Iterable[Episode], log: ReadLog) -> None:
        records = records_of(name, episodes, build, log, _KEEPS | keeps, grouped=False)
        write_members(path, _EPISODES, records, log)

    return write
