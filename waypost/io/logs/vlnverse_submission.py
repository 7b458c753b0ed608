"""VLNVerse challenge submissions: ground-truth files whose reference path is the run.

Source: VLNVerse challenge on EvalAI; shape of william13077/IAmGoodNavigator:demo.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from waypost.domain.base.counted_words import counted
from waypost.domain.base.frames import quaternion_from_yaw, yaw_from_quaternion
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import EMPTY_ROUTE, Route, route
from waypost.domain.episode.run import EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.json_writing import json_line
from waypost.io.logs.run_format import RunFormat, Way
from waypost.io.logs.run_records import others, read_records, read_rows
from waypost.io.logs.run_writing import open_text, positions_of, record_or
from waypost.io.read_log import ReadLog

RADIUS_M: Final = 3.0
_KNOWN: Final = frozenset(
    {"episode_id", "reference_path", "start_position", "start_rotation", "scan", "instruction"}
)


def can_read(head: FileHead) -> bool:
    """Whether the first episode has a dense path and its goal as one object."""
    first = head.first
    if isinstance(head.sample, dict) and isinstance(head.sample.get("episodes"), list):
        first = next(iter(head.sample["episodes"]), None)
    return _is_own(first)


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per episode."""
    return read_records(path, log, _run, under="episodes")


def _is_own(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and {"episode_id", "reference_path", "start_position"} <= record.keys()
        and isinstance(record.get("goals", {}), dict)
    )


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    record = item.json
    episode_id = normal_id(record.field("episode_id").value)
    positions = read_rows(record.field("reference_path"), 3)
    _check_goal(record, positions[-1].tolist() if len(positions) else None, episode_id, log)
    return EpisodeRun(
        episode_id=episode_id,
        route=_route(record, positions) if len(positions) else EMPTY_ROUTE,
        scene_id=record.text_of("scan"),
        instruction=_instruction(record),
        extra=others(record.value, _KNOWN),
        record=record.value,
    )


def _route(record: JsonValue, positions: Any) -> Route:
    if not record.has("start_rotation"):
        return route(positions_m=positions)
    yaws = np.full(len(positions), np.nan)
    yaws[0] = yaw_from_quaternion(*read_rows(_as_row(record.field("start_rotation")), 4)[0])
    return route(positions_m=positions, yaws_rad=yaws)


def _as_row(value: JsonValue) -> JsonValue:
    return JsonValue([value.value], value.file, value.place)


def _instruction(record: JsonValue) -> str:
    if not record.has("instruction"):
        return ""
    value = record.value["instruction"]
    text = value.get("instruction_text") if isinstance(value, dict) else value
    return text if isinstance(text, str) else ""


def _check_goal(record: JsonValue, last: list[float] | None, episode_id: str, log: ReadLog) -> None:
    goals = record.value.get("goals")
    goal = goals.get("position") if isinstance(goals, dict) else None
    if last is None or not isinstance(goal, list) or len(goal) != 3:
        return
    if not all(isinstance(number, int | float) for number in goal):
        return
    gap_m = math.dist(goal[:2], last[:2])
    if gap_m > 0.01:
        log.add(
            ImportKind.NOTE,
            f"{episode_id} gives a stop pose {gap_m:.2f} m from the end of its path; the path"
            " counts",
            item_id=episode_id,
            step=len(record.value["reference_path"]) - 1,
            value=goal,
        )


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the runs as ``{"episodes": […]}`` beside what ``log.document`` holds."""
    unturned = 0
    with open_text(path) as text:
        text.write('{"episodes": [')
        for index, run in enumerate(runs):
            record = record_or(run, _is_own, _record)
            unturned += "start_rotation" not in record
            text.write(("," if index else "") + "\n" + json_line(record))
        text.write("\n]")
        for key, value in log.document.items():
            text.write(f",\n{json_line(key)}: {json_line(value)}")
        text.write("}\n")
    log.warn(f"{path.name} holds positions and the first heading; thoughts and scores stay behind")
    if unturned:
        what = counted(unturned, "run states", "runs state")
        log.warn(f"{path.name}: {what} no first heading: there start_rotation is left out")


def _record(run: EpisodeRun) -> dict[str, Any]:
    positions = positions_of(run, "a VLNVerse submission").tolist()
    yaws = run.route.yaws_rad
    turned: dict[str, Any] = {}
    if yaws is not None and len(yaws) and not math.isnan(yaws[0]):
        turned["start_rotation"] = list(quaternion_from_yaw(float(yaws[0])))
    return {
        "episode_id": run.episode_id,
        "trajectory_id": run.episode_id,
        "scan": run.scene_id,
        "start_position": positions[0] if positions else None,
        **turned,
        "instruction": {"instruction_text": run.instruction},
        "reference_path": positions,
        "goals": {"position": positions[-1] if positions else None, "radius": RADIUS_M},
    }


FORMAT: Final = RunFormat(
    name="vlnverse-submission",
    title="VLNVerse challenge submission",
    can_read=can_read,
    read=read,
    conventions=(
        "USD positions in metres, Z up, on the floor; quaternions (w, x, y, z); the reference path"
        " of each record is the path that the agent took, the goal is where it stopped"
    ),
    source="william13077/IAmGoodNavigator:demo/fine_grained_demo.json",
    write=write,
    keys=("episode_id", "reference_path", "start_position"),
    dataset="VLNVerse",
    way=Way.POSITIONS,
)
