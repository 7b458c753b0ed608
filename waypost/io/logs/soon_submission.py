"""SOON submissions: where an agent went, and where it points at the end.

``trajectory`` is an object (VLN-DUET) or a list of one (NaviLLM): ``path`` in groups of viewpoints
or as ``[viewpoint, 0, 0]``, ``obj_heading`` and ``obj_elevation`` with one number each, both as
shares of a turn from 0 to 1: the heading from 0, the elevation from −180° (½ is the horizon).
Source: cshizhe/VLN-DUET:map_nav_src/soon/agent_obj.py, map_nav_src/soon/data_utils.py,
zd11024/NaviLLM:tasks/datasets/soon.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Answer, EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.logs.r2r_runs import groups_of, read_trajectory, required_id
from waypost.io.logs.run_format import RunFormat, Way
from waypost.io.logs.run_records import others, read_records
from waypost.io.logs.run_writing import record_or, viewpoints_of, write_array
from waypost.io.read_log import ReadLog

_TURN_RAD: Final = 2 * math.pi
_KNOWN: Final = frozenset({"instr_id", "trajectory"})


def can_read(head: FileHead) -> bool:
    """Whether the first record has an object with a path as trajectory, or one in a list."""
    return _is_own(head.first)


def _is_own(record: Any) -> bool:
    if not isinstance(record, dict) or "instr_id" not in record:
        return False
    trajectory = record.get("trajectory")
    if isinstance(trajectory, list) and len(trajectory) == 1:
        trajectory = trajectory[0]
    return isinstance(trajectory, dict) and isinstance(trajectory.get("path"), list)


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per record."""
    return read_records(path, log, _run)


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    record = item.json
    episode_id = required_id(record)
    told = record.field("trajectory")
    if isinstance(told.value, list):
        told = next(told.items(), told)
    # The headings of NaviLLM's poses are placeholders.
    viewpoints, _, _, decisions = read_trajectory(told.field("path"))
    heading, elevation = (_share(told, key) for key in ("obj_heading", "obj_elevation"))
    if heading is None or elevation is None:
        log.add(ImportKind.NOTE, f"{episode_id} points at nothing", item_id=episode_id)
    return EpisodeRun(
        episode_id=episode_id,
        route=route(viewpoints),
        decisions=decisions,
        answer=Answer(
            heading_rad=None if heading is None else heading * _TURN_RAD,
            elevation_rad=None if elevation is None else elevation * _TURN_RAD - math.pi,
        ),
        extra=others(record.value, _KNOWN),
        record=record.value,
    )


def _share(told: JsonValue, key: str) -> float | None:
    """The first number under a key, a share of a turn; ``None`` where there is none."""
    if not told.has(key) or told.value[key] is None:
        return None
    values = told.field(key)
    stated = next(values.items(), None) if isinstance(values.value, list) else values
    if stated is None or stated.value is None:
        return None
    share = stated.as_number()
    if not 0 <= share <= 1:
        raise stated.error(f"is {share:g}, and a share of a turn is 0 to 1")
    return share


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write a submission; runs that came from one are written as they were.

    Raises:
        InputError: If a run has positions only.
        WriteError: If the file cannot be written.
    """
    write_array(path, (record_or(run, _is_own, lambda run: _record(run, log)) for run in runs))
    log.warn(f"{path.name} holds viewpoints and one direction; headings and thoughts stay behind")


def _record(run: EpisodeRun, log: ReadLog) -> dict[str, Any]:
    names = viewpoints_of(run, "a SOON submission")
    heading, elevation = run.answer.heading_rad, run.answer.elevation_rad
    if heading is None or elevation is None:
        log.add(
            ImportKind.NOTE,
            f"{run.episode_id} points at nothing, and VLN-DUET's scorer asks every run for a"
            " direction",
            item_id=run.episode_id,
        )
    up = None if elevation is None else math.remainder(elevation, _TURN_RAD) + math.pi
    return {
        "instr_id": run.episode_id,
        "trajectory": {
            "path": groups_of(run, names),
            "obj_heading": [] if heading is None else [heading % _TURN_RAD / _TURN_RAD],
            "obj_elevation": [] if up is None else [up / _TURN_RAD],
        },
    }


FORMAT: Final = RunFormat(
    name="soon-submission",
    title="SOON submissions of VLN-DUET and NaviLLM",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints in groups, one per decision, no headings of the agent; where it"
        " points is stated as shares of a turn from 0 to 1 (heading from 0; elevation from −180°,"
        " so that ½ is the horizon) and kept in radians"
    ),
    source="cshizhe/VLN-DUET:map_nav_src/soon/agent_obj.py",
    write=write,
    keys=("instr_id", "trajectory", "path", "obj_heading", "obj_elevation"),
    way=Way.VIEWPOINTS,
    dataset="SOON",
)
