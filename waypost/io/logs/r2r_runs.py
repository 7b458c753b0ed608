"""Result files of the R2R family: official submissions and DUET, HAMT and REVERIE predictions.

An entry of ``trajectory`` may be ``[viewpoint, heading, elevation]``, ``[viewpoint]``, a group of
viewpoints that one decision led over, or a plain viewpoint; all may stand in one file.
Source: peteanderson80/Matterport3DSimulator:tasks/R2R/eval.py, cshizhe/VLN-DUET:map_nav_src.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import r2r_heading_from_yaw
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Answer, Decision, EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.foreign_errors import input_error
from waypost.io.item_reading import read_items
from waypost.io.json_reading import JsonValue, kind_of
from waypost.io.logs.run_format import RunFormat, Way
from waypost.io.logs.run_writing import record_or, viewpoints_of, write_array
from waypost.io.read_log import ReadLog

_ID_KEYS: Final = ("inst_idx", "instr_id", "instruction_id")
"""CVDN's first: NaviLLM keeps an id of its own making under ``instr_id`` beside it."""

_OBJECT_KEYS: Final = ("predObjId", "pred_objid")
_KNOWN: Final = frozenset({*_ID_KEYS, *_OBJECT_KEYS, "trajectory", "path"})


def can_read(head: FileHead) -> bool:
    """Whether the first record has an instruction id and a trajectory of viewpoints."""
    if not any(head.first_has(key) for key in _ID_KEYS) or not head.first_has("trajectory"):
        return False
    trajectory = head.first["trajectory"]
    is_told_apart = isinstance(trajectory, list) and isinstance(next(iter(trajectory), ""), dict)
    return isinstance(trajectory, list) and not is_told_apart and not head.first_has("details")


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per record, in the order of the file."""
    for item in read_items(path, log):
        try:
            run = read_record(item.json, log)
        except Exception as error:
            log.add(
                ImportKind.UNREADABLE,
                str(input_error(error, path, item.json.place)),
                item_id=record_id(item.json) or item.json.place,
                value=item.json.place,
            )
            continue
        if run.route.yaws_rad is not None:
            for name, angles in (("heading", np.pi / 2 - run.route.yaws_rad), *_elevations(run)):
                log.note_angle(name, float(np.fmax.reduce(np.abs(angles))), run.episode_id)
        yield run


def _elevations(run: EpisodeRun) -> Iterator[tuple[str, NDArray[np.float64]]]:
    if run.route.elevations_rad is not None:
        yield "elevation", run.route.elevations_rad


def record_id(record: JsonValue) -> str:
    """The normal form of a record's id; empty if it has none."""
    if not isinstance(record.value, dict):
        return ""
    found = (record.value[key] for key in _ID_KEYS if record.value.get(key) is not None)
    return next(map(normal_id, found), "")


def required_id(record: JsonValue) -> str:
    """The id of a record.

    Raises:
        ReadError: If it has none.
    """
    episode_id = record_id(record)
    if not episode_id:
        raise record.error("has no instr_id")
    return episode_id


def read_record(record: JsonValue, log: ReadLog) -> EpisodeRun:
    """One run of a record.

    Args:
        record: As in a result file.
        log: Told of angles that are infinite; they count as unknown.

    Raises:
        ReadError: Naming the place and what is wrong there.
    """
    episode_id = required_id(record)
    viewpoints, yaws, elevations, decisions = read_trajectory(record.field("trajectory"))
    if len(viewpoints) > 1 and all(map(_is_placeholder, record.value["trajectory"])):
        log.warn(f"{record.file}: headings that are 0 at every pose of a run count as unknown")
        yaws = elevations = [math.nan] * len(viewpoints)
    yaws = _known(yaws, "heading", episode_id, log)
    elevations = _known(elevations, "elevation", episode_id, log)
    has_angles = any(not math.isnan(yaw) for yaw in yaws)
    objects = [record.value[key] for key in _OBJECT_KEYS if record.value.get(key) is not None]
    answer = Answer(object_id=normal_id(objects[0])) if objects else Answer()
    return EpisodeRun(
        episode_id=episode_id,
        route=route(
            viewpoints,
            yaws_rad=yaws if has_angles else None,
            elevations_rad=elevations if has_angles else None,
        ),
        decisions=decisions,
        answer=answer,
        extra=MappingProxyType({k: v for k, v in record.value.items() if k not in _KNOWN}),
        record=record.value,
    )


def _is_placeholder(entry: Any) -> bool:
    """Whether a pose has whole zeros for its angles, as NaviLLM writes them (tasks/datasets)."""
    return _is_pose(entry) and all(type(angle) is int and not angle for angle in entry[1:])


def _known(angles: list[float], name: str, item_id: str, log: ReadLog) -> list[float]:
    for step, angle in enumerate(angles):
        if math.isinf(angle):
            message = f"{item_id}: the {name} at step {step} is infinite and counts as unknown"
            log.add(ImportKind.NOT_FINITE, message, item_id=item_id, step=step, value="infinite")
    return [math.nan if math.isinf(angle) else angle for angle in angles]


def read_trajectory(
    trajectory: JsonValue,
) -> tuple[list[str], list[float], list[float], tuple[Decision, ...]]:
    """Viewpoints, scene yaws, elevations and decisions of a ``trajectory``; angles as they stand.

    Groups are flattened; where every entry is one pose there are no decisions. The first entry
    is where the run begins; its later members, if any, were reached before the first decision.

    Raises:
        ReadError: Naming the entry that is of no known form.
    """
    viewpoints: list[str] = []
    yaws: list[float] = []
    elevations: list[float] = []
    ends: list[int] = []
    is_grouped = False
    for index, entry in enumerate(trajectory.as_array()):
        if isinstance(entry, str):
            names, yaw, elevation = (entry,), math.nan, math.nan
        elif _is_pose(entry):
            names, yaw, elevation = (entry[0],), math.pi / 2 - entry[1], float(entry[2])
        elif isinstance(entry, list) and all(isinstance(name, str) for name in entry):
            names, yaw, elevation = tuple(entry), math.nan, math.nan
            is_grouped = is_grouped or len(names) != 1
        else:
            raise JsonValue(entry, trajectory.file, f"{trajectory.place}[{index}]").error(
                f"is {kind_of(entry)} that is neither a viewpoint, a group of viewpoints"
                " nor [viewpoint, heading, elevation]"
            )
        viewpoints += names
        yaws += (yaw,) * len(names)
        elevations += (elevation,) * len(names)
        ends.append(len(viewpoints))
    decisions: tuple[Decision, ...] = ()
    if is_grouped:
        decisions = tuple(Decision(a, b) for a, b in itertools.pairwise(ends))
    return viewpoints, yaws, elevations, decisions


def _is_pose(entry: Any) -> bool:
    if not isinstance(entry, list) or len(entry) != 3:
        return False
    name, heading, elevation = entry
    return (
        isinstance(name, str)
        and isinstance(heading, (int, float))
        and isinstance(elevation, (int, float))
    )


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write a result file; runs that came from one are written as they were.

    Others get ``[viewpoint, heading, elevation]`` where they have angles, else groups of
    viewpoints, one per decision; ``[viewpoint]`` where a run without decisions lacks a heading.

    Raises:
        InputError: If a run has positions only.
        WriteError: If the file cannot be written.
    """
    write_array(path, (record_or(run, _is_own, lambda run: _record(run, log)) for run in runs))


def _is_own(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and isinstance(record.get("trajectory"), list)
        and "details" not in record
        and any(key in record for key in _ID_KEYS)
    )


def _record(run: EpisodeRun, log: ReadLog) -> dict[str, Any]:
    names = viewpoints_of(run, "an R2R result file")
    record: dict[str, Any] = {"instr_id": run.episode_id, "trajectory": _trajectory(run, names)}
    if run.answer.object_id is not None:
        record["predObjId"] = run.answer.object_id
    if any(decision.raw_text or decision.thought for decision in run.decisions):
        log.add(
            ImportKind.NOTE,
            f"{run.episode_id}: thoughts are left out; an R2R result file has no place for them",
            item_id=run.episode_id,
        )
    return record


def _trajectory(run: EpisodeRun, names: tuple[str, ...]) -> list[Any]:
    yaws = run.route.yaws_rad
    if yaws is not None and not (np.isnan(yaws).any() and run.decisions):
        tilts = run.route.elevations_rad
        known = np.zeros(len(names)) if tilts is None else np.nan_to_num(tilts)
        return [
            [name] if math.isnan(yaw) else [name, r2r_heading_from_yaw(yaw), tilt]
            for name, yaw, tilt in zip(names, yaws.tolist(), known.tolist(), strict=True)
        ]
    return groups_of(run, names)


def groups_of(run: EpisodeRun, names: tuple[str, ...]) -> list[list[str]]:
    """The viewpoints of a run in groups: the start, then what each decision led over.

    Args:
        run: Its decisions make the groups; without any that moved each viewpoint is one.
        names: Its viewpoints.
    """
    moves = [decision for decision in run.decisions if decision.end_pose > decision.first_pose]
    if not moves:
        return [[name] for name in names]
    groups = [list(names[: moves[0].first_pose])] if moves[0].first_pose else []
    return groups + [list(names[move.first_pose : move.end_pose]) for move in moves]


FORMAT: Final = RunFormat(
    name="r2r",
    title="R2R, DUET, HAMT and REVERIE result files",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints; headings in radians, 0 = +Y, clockwise seen from above;"
        " elevations in radians, up is positive"
    ),
    source="peteanderson80/Matterport3DSimulator:tasks/R2R/eval.py",
    write=write,
    keys=("instr_id", "trajectory"),
    way=Way.VIEWPOINTS,
)
