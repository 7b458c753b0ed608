"""DUET's detail files (``--detailed_output``): result files with what it thought of stopping.

``details`` names, for every viewpoint where the agent was asked, the probability of stopping there
(``stop_prob``) and, on REVERIE, the objects seen from it with their scores.
Source: cshizhe/VLN-DUET:map_nav_src/r2r/agent.py, map_nav_src/reverie/agent_obj.py.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.counted_words import counted
from waypost.domain.episode.run import Decision, EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.logs.r2r_runs import groups_of, read_record
from waypost.io.logs.run_format import RunFormat, Way
from waypost.io.logs.run_records import read_records
from waypost.io.logs.run_writing import record_or, viewpoints_of, write_array
from waypost.io.read_log import ReadLog

_STOP: Final = "stop_prob"
_OPTIONS: Final = "a_t"
_MOST_OBJECTS: Final = 5
"""So many objects are shown with a decision; all of them stay in its ``extra``."""


def can_read(head: FileHead) -> bool:
    """Whether the first record has a trajectory and probabilities of stopping by viewpoint.

    Without any, ``details`` is empty: so are runs of other forms written. MapGPT's cases have
    an empty one as well, beside the options taken.
    """
    return _is_own(head.first)


def _is_own(record: Any) -> bool:
    if not isinstance(record, dict) or not isinstance(record.get("trajectory"), list):
        return False
    details = record.get("details")
    if not isinstance(details, dict):
        return False
    if not details:
        return _OPTIONS not in record
    return any(isinstance(told, dict) and _STOP in told for told in details.values())


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per record, as of a result file, with the details at its decisions."""
    return read_records(path, log, _run)


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    run = read_record(item.json, log)
    if not item.json.has("details") or not run.route.viewpoint_ids:
        return run
    details = item.json.field("details")
    names = run.route.viewpoint_ids
    moves = run.decisions or tuple(Decision(at, at + 1) for at in range(1, len(names)))
    return dataclasses.replace(
        run, decisions=tuple(_detailed(move, names[move.first_pose - 1], details) for move in moves)
    )


def _detailed(move: Decision, here: str, details: JsonValue) -> Decision:
    """The decision with what the file says of the viewpoint where it was taken."""
    if not details.has(here):
        return dataclasses.replace(move, at_viewpoint_id=here)
    told = details.field(here)
    return dataclasses.replace(
        move,
        at_viewpoint_id=here,
        raw_text="\n".join(_lines(told)),
        extra=MappingProxyType(told.as_object()),
    )


def _lines(told: JsonValue) -> Iterator[str]:
    if told.has(_STOP):
        yield f"{_STOP} {told.field(_STOP).as_number():.4f}"
    if not (told.has("obj_ids") and told.has("obj_logits")):
        return
    scores = [score.as_number() for score in told.field("obj_logits").items()]
    seen = sorted(zip(scores, told.field("obj_ids").as_array(), strict=False), key=lambda s: -s[0])
    yield from (f"object {name}: {score:.4f}" for score, name in seen[:_MOST_OBJECTS])
    if len(seen) > _MOST_OBJECTS:
        yield f"… and {counted(len(seen) - _MOST_OBJECTS, 'more object')}"


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write a detail file; runs that came from one are written as they were.

    Raises:
        InputError: If a run has positions only.
        WriteError: If the file cannot be written.
    """
    write_array(path, (record_or(run, _is_own, _record) for run in runs))
    log.warn(f"{path.name} holds viewpoints and probabilities; headings and thoughts stay behind")


def _record(run: EpisodeRun) -> dict[str, Any]:
    names = viewpoints_of(run, "a detail file")
    record: dict[str, Any] = {"instr_id": run.episode_id, "trajectory": groups_of(run, names)}
    if run.answer.object_id is not None:
        record["pred_objid"] = run.answer.object_id
    record["details"] = {
        move.at_viewpoint_id: dict(move.extra)
        for move in run.decisions
        if move.at_viewpoint_id and _STOP in move.extra
    }
    return record


FORMAT: Final = RunFormat(
    name="duet-details",
    title="DUET detail files (--detailed_output)",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints in groups, one per decision, no headings; stop_prob is the"
        " probability of stopping at a viewpoint, 0 to 1, as it was when the agent was asked there"
    ),
    source="cshizhe/VLN-DUET:map_nav_src/r2r/agent.py",
    write=write,
    keys=("instr_id", "trajectory", "details"),
    way=Way.VIEWPOINTS,
)
