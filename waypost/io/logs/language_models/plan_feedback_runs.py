"""Plan–feedback logs in the manner of CorNav and NavBench: plan, act, hear what came of it.

Neither project has published a log. This reader takes what their papers describe: records with a
list of steps, each of which may have a plan, a thought, an action, feedback and a pose.
Source: CorNav, arXiv:2306.10322; NavBench/Evaluation_Code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from waypost.domain.base.frames import FRAMES, SCENE, Frame
from waypost.domain.base.visible_text import one_line
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.route import EMPTY_ROUTE, Route, route
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind, RunEnd
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.json_writing import json_line
from waypost.io.logs.run_format import RunFormat
from waypost.io.logs.run_records import others, read_records, read_rows, top_record
from waypost.io.logs.run_writing import record_or, write_array
from waypost.io.read_log import ReadLog

_IDS: Final = ("episode_id", "instr_id", "id")
_KNOWN: Final = frozenset({*_IDS, "instruction", "scene_id", "steps", "stopped", "end_reason"})
_STEP: Final = frozenset(
    {
        "plan",
        "thought",
        "observation",
        "action",
        "output",
        "feedback",
        "success",
        "position",
        "viewpoint",
    }
)
_BACKTRACK: Final = re.compile(r"\bback[\s_-]?trac", re.IGNORECASE)
"""An action that says that the agent goes back; a walk that does may have other reasons."""

_UNITS: Final = {"m": 1.0, "cm": 0.01}


def can_read(head: FileHead) -> bool:
    """Whether the first record has steps, one of which has feedback or a plan."""
    return _is_own(top_record(head))


def _is_own(record: Any) -> bool:
    if not isinstance(record, dict) or not isinstance(record.get("steps"), list):
        return False
    has_id = any(key in record for key in _IDS) or "instruction" in record
    steps = [step for step in record["steps"] if isinstance(step, dict)]
    return has_id and any("feedback" in step or "plan" in step for step in steps)


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per record of an array, of JSON lines or of a lone object."""
    return read_records(path, log, _run, as_lines=True)


def _run(item: Item, _log: ReadLog) -> EpisodeRun:
    record = item.json
    found = (record.value[key] for key in _IDS if record.has(key))
    episode_id = next(map(normal_id, found), "")
    steps = list(record.field("steps").items())
    poses, decisions = _decisions(steps)
    viewpoints = [step.text_of("viewpoint") for step in poses]
    stopped = record.value.get("stopped")
    walked = _route(record, poses, viewpoints)
    return EpisodeRun(
        episode_id=episode_id,
        route=walked,
        decisions=tuple(decisions),
        end=RunEnd(
            called_stop=stopped if isinstance(stopped, bool) else None,
            reason=record.text_of("end_reason"),
            action_count=len(steps),
        ),
        is_frame_stated=walked.positions_m is None or bool(record.text_of("frame")),
        scene_id=record.text_of("scene_id"),
        instruction=record.text_of("instruction"),
        extra=others(record.value, _KNOWN),
        record=record.value,
    )


def _decisions(steps: list[JsonValue]) -> tuple[list[JsonValue], list[Decision]]:
    """Steps that state a pose, which is where the step ended, and one decision per step."""
    poses: list[JsonValue] = []
    decisions = []
    for step in steps:
        step.as_object()
        first = len(poses)
        if step.has("position") or step.has("viewpoint"):
            poses.append(step)
        is_start = first == 0 and len(poses) == 1 and not step.has("action")
        decisions.append(_decision(step, 1 if is_start else first, len(poses)))
    return poses, decisions


def _decision(step: JsonValue, first: int, end: int) -> Decision:
    feedback = step.text_of("feedback")
    events = [Event(EventKind.OTHER, f"feedback: {feedback}")] if feedback else []
    if step.value.get("success") is False:
        events.append(Event(EventKind.NO_MOVE, feedback or "the action failed"))
    action = _text(step, "action")
    if _BACKTRACK.search(action):
        events.append(Event(EventKind.BACKTRACK, f"the action says so: {one_line(action, 80)}"))
    return Decision(
        first_pose=first,
        end_pose=max(first, end),
        action=action,
        raw_text=step.text_of("output"),
        observation=_text(step, "observation"),
        thought=step.text_of("thought"),
        plan=_text(step, "plan"),
        events=tuple(events),
        extra=others(step.value, _STEP),
    )


def _text(step: JsonValue, key: str) -> str:
    """A member as text; lists of text are one item on a line, other values are JSON."""
    value = step.value.get(key)
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return "\n".join(value)
    return value if isinstance(value, str) else json_line(value)


def _route(record: JsonValue, poses: list[JsonValue], viewpoints: list[str]) -> Route:
    if not poses:
        return EMPTY_ROUTE
    has_positions = all(step.has("position") for step in poses)
    if not has_positions:
        return route(viewpoints)
    rows = [step.value["position"] for step in poses]
    positions = read_rows(JsonValue(rows, record.file, f"{record.place} positions"), 3)
    scale = _UNITS.get(record.text_of("unit") or "m")
    frame: Frame | None = FRAMES.get(record.text_of("frame") or SCENE.key)
    if scale is None or frame is None:
        raise record.error(f"unit is one of {', '.join(_UNITS)}, frame one of {', '.join(FRAMES)}")
    in_scene = frame.to_scene(positions) * scale if scale != 1.0 else frame.to_scene(positions)
    return route(viewpoints if all(viewpoints) else (), positions_m=np.asarray(in_scene))


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the runs as an array of records with steps."""
    write_array(path, (record_or(run, _is_own, _record) for run in runs))
    log.warn(f"{path.name} holds steps with their pose; headings and scores stay behind")


def _lacks(run: EpisodeRun) -> str:
    return "" if len(run.route) or run.decisions else "pose and no decision"


def _record(run: EpisodeRun) -> dict[str, Any]:
    poses = [_pose(run.route, index) for index in range(len(run.route))]
    decisions = run.decisions or tuple(Decision(i, i + 1) for i in range(1, len(poses)))
    steps: list[dict[str, Any]] = [{**pose, "plan": ""} for pose in poses[:1]]
    for decision in decisions:
        texts = {
            "plan": decision.plan,
            "thought": decision.thought,
            "observation": decision.observation,
            "action": decision.action,
            "output": decision.raw_text,
            "feedback": "\n".join(event.message for event in decision.events),
        }
        between = poses[max(decision.first_pose, 1) : max(decision.end_pose - 1, 0)]
        steps += [{**pose, "action": decision.action} for pose in between]
        moved = decision.end_pose > max(decision.first_pose, 1)
        steps.append({**texts, **(poses[decision.end_pose - 1] if moved else {})})
    has_frame = run.route.positions_m is not None and run.is_frame_stated
    return {
        "episode_id": run.episode_id,
        "scene_id": run.scene_id,
        "instruction": run.instruction,
        **({"frame": SCENE.key} if has_frame else {}),
        "stopped": run.end.called_stop,
        "end_reason": run.end.reason,
        "steps": steps,
    }


def _pose(walked: Route, index: int) -> dict[str, Any]:
    pose: dict[str, Any] = {}
    if walked.viewpoint_ids:
        pose["viewpoint"] = walked.viewpoint_ids[index]
    if walked.positions_m is not None:
        pose["position"] = walked.positions_m[index].tolist()
    return pose


FORMAT: Final = RunFormat(
    name="plan-feedback",
    title="Plan–feedback log (CorNav and NavBench style)",
    can_read=can_read,
    read=read,
    conventions=(
        "each step states the pose it ended at; a first step with a pose and no action is the"
        " start; positions in the scene frame and metres unless the record names another frame or"
        " the unit cm; a form of our own after the papers' descriptions, for no log is published"
    ),
    source="arXiv:2306.10322 (CorNav); NavBench/Evaluation_Code",
    write=write,
    lacks=_lacks,
    keys=("episode_id", "steps", "plan", "feedback"),
)
