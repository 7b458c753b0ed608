"""The open form of runs that any agent can write: one JSON object per line, one line per episode.

Described for people in docs/run-schema.md and for machines in resources/schemas/run.schema.json.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from waypost.domain.base.frames import FRAMES, GLTF, SCENE, Frame
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.route import EMPTY_ROUTE, Route, route
from waypost.domain.episode.run import Answer, EpisodeRun, RunEnd
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.logs.run_format import RunFormat
from waypost.io.logs.run_records import (
    others,
    read_angles,
    read_records,
    read_rows,
    reported_scores,
    top_record,
)
from waypost.io.logs.run_writing import record_or, write_lines
from waypost.io.logs.source_records import SOURCE, with_source
from waypost.io.logs.waypost_decisions import decision_record, read_decision
from waypost.io.read_log import ReadLog

VERSION: Final = 1
"""Of the form; a file of a later version is refused."""

MARK: Final = "waypost_run"
"""Key that holds the version in every line."""

_FRAMES: Final = {**FRAMES, "habitat": GLTF}
_HEADINGS: Final = {"scene": (0.0, 1.0), "r2r": (math.pi / 2, -1.0), "habitat": (math.pi / 2, 1.0)}
"""Scene yaw = offset + sign · heading."""

_OF_THE_RUN: Final[tuple[str, ...]] = ("model", "setting")
_KNOWN: Final = frozenset(
    {
        MARK,
        "episode_id",
        "scene_id",
        "instruction",
        "frame",
        "heading_convention",
        "viewpoints",
        "positions",
        "headings",
        "elevations",
        "decisions",
        "end",
        "answer",
        "map_nodes",
        "samples",
        "times",
        "forward_step",
        "reported",
        "extra",
        SOURCE,
        *_OF_THE_RUN,
    }
)
_END: Final = (
    "called_stop",
    "reason",
    "action_count",
    "collision_count",
    "has_fallen",
    "is_stuck",
)


def can_read(head: FileHead) -> bool:
    """Whether the first record states the version of this form."""
    return MARK in top_record(head)


def _is_own(record: Any) -> bool:
    return isinstance(record, dict) and MARK in record


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per line; ``model`` and ``setting`` of the first go to ``log.document``."""
    return read_records(path, log, _run, as_lines=True)


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    record = item.json
    version = record.field(MARK)
    if version.value != VERSION or isinstance(version.value, bool):
        raise version.error(f"is {version.value!r}; this program reads version {VERSION}")
    episode_id = normal_id(record.field("episode_id").value)
    for key in _OF_THE_RUN:
        if record.text_of(key):
            log.document.setdefault(key, record.text_of(key))
    walked = _route(record)
    signs = _heading(record)
    decisions = tuple(
        read_decision(entry, len(walked), _frame(record), signs)
        for entry in _list(record, "decisions")
    )
    extra = dict(others(record.value, _KNOWN))
    if record.has("extra"):
        extra = dict(record.field("extra").as_object()) | extra
    reported = record.field("reported") if record.has("reported") else None
    return EpisodeRun(
        episode_id=episode_id,
        route=walked,
        decisions=decisions,
        end=_end(record),
        answer=_answer(record),
        map_node_ids=_texts(record, "map_nodes"),
        samples=_samples(record, len(walked)),
        times_s=_times(record, len(walked)),
        forward_step_m=_forward_step(record),
        reported=_reported(reported, episode_id, log),
        is_frame_stated=walked.positions_m is None or bool(record.text_of("frame")),
        scene_id=record.text_of("scene_id"),
        instruction=record.text_of("instruction"),
        extra=MappingProxyType(extra),
        record=record.value,
    )


def _list(record: JsonValue, key: str) -> Iterator[JsonValue]:
    if record.has(key) and record.value[key] is not None:
        yield from record.field(key).items()


def _texts(record: JsonValue, key: str) -> tuple[str, ...] | None:
    if record.value.get(key) is None:
        return None
    return tuple(entry.as_text() for entry in record.field(key).items())


def _reported(
    scores: JsonValue | None, episode_id: str, log: ReadLog
) -> MappingProxyType[str, float | None]:
    if scores is None or scores.value is None:
        return MappingProxyType({})
    unknown = {name: None for name, value in scores.as_object().items() if value is None}
    return MappingProxyType({**unknown, **reported_scores(scores, log, episode_id)})


def _frame(record: JsonValue) -> Frame:
    name = record.text_of("frame") or SCENE.key
    frame: Frame | None = _FRAMES.get(name)
    if frame is None:
        raise record.field("frame").error(f"{name!r} is none of {', '.join(_FRAMES)}")
    return frame


def _heading(record: JsonValue) -> tuple[float, float]:
    name = record.text_of("heading_convention") or "scene"
    if name not in _HEADINGS:
        raise record.field("heading_convention").error(
            f"{name!r} is none of {', '.join(_HEADINGS)}"
        )
    return _HEADINGS[name]


def _route(record: JsonValue) -> Route:
    viewpoints = _texts(record, "viewpoints") or ()
    positions = headings = elevations = None
    if record.value.get("positions") is not None:
        positions = _frame(record).to_scene(read_rows(record.field("positions"), 3))
    if record.value.get("headings") is not None:
        offset, sign = _heading(record)
        headings = offset + sign * np.array(read_angles(record.field("headings")))
    if record.value.get("elevations") is not None:
        elevations = read_angles(record.field("elevations"))
    if not viewpoints and (positions is None or not len(positions)):
        return EMPTY_ROUTE
    return route(viewpoints, positions, headings, elevations)


def _end(record: JsonValue) -> RunEnd:
    if record.value.get("end") is None:
        return RunEnd()
    end = record.field("end")
    return RunEnd(
        called_stop=_flag(end, "called_stop"),
        reason=end.text_of("reason"),
        action_count=_count(end, "action_count"),
        collision_count=_count(end, "collision_count"),
        has_fallen=_flag(end, "has_fallen"),
        is_stuck=_flag(end, "is_stuck"),
    )


def _flag(record: JsonValue, key: str) -> bool | None:
    known = record.as_object().get(key) is not None
    return record.field(key).as_flag() if known else None


def _count(record: JsonValue, key: str) -> int | None:
    if record.as_object().get(key) is None:
        return None
    number = record.field(key).as_number()
    if number < 0 or not number.is_integer():
        raise record.field(key).error(f"is {number}, not a count")
    return int(number)


def _number(record: JsonValue, key: str) -> float | None:
    return None if record.value.get(key) is None else record.field(key).as_number()


def _answer(record: JsonValue) -> Answer:
    if record.value.get("answer") is None:
        return Answer()
    answer = record.field("answer")
    answer.as_object()
    lists = {}
    if answer.value.get("object_lists") is not None:
        lists = {
            kind: tuple(name.as_text() for name in names.items())
            for kind, names in answer.field("object_lists").entries()
        }
    found = answer.value.get("object_id")
    return Answer(
        object_id=None if found is None else normal_id(found),
        heading_rad=_number(answer, "heading"),
        elevation_rad=_number(answer, "elevation"),
        object_lists=MappingProxyType(lists),
        agent_key=answer.text_of("agent"),
        agent_name=answer.text_of("agent_name"),
        says=None if answer.value.get("says") is None else answer.text_of("says"),
        reason=answer.text_of("reason"),
        failure=answer.text_of("failure"),
    )


def _samples(record: JsonValue, poses: int) -> tuple[int, ...] | None:
    if record.value.get("samples") is None:
        return None
    samples = []
    for entry in record.field("samples").items():
        number = entry.as_number()
        if not number.is_integer() or not 0 <= number < poses:
            raise entry.error(f"is {number}; the route has poses 0 to {poses - 1}")
        samples.append(int(number))
    return tuple(samples)


def _forward_step(record: JsonValue) -> float | None:
    step_m = _number(record, "forward_step")
    if step_m is not None and step_m <= 0:
        raise record.field("forward_step").error(f"is {step_m}, no distance that an action carries")
    return step_m


def _times(record: JsonValue, poses: int) -> tuple[float, ...] | None:
    if record.value.get("times") is None:
        return None
    times: list[float] = []
    for entry in record.field("times").items():
        time_s = entry.as_number()
        if times and time_s < times[-1]:
            raise entry.error(f"is {time_s}, earlier than the pose before")
        times.append(time_s)
    if len(times) != poses:
        raise record.field("times").error(f"has {len(times)} times for {poses} poses")
    return tuple(times)


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write runs of any origin, one line each, in the scene frame; nothing is left behind."""
    model = {key: log.document[key] for key in _OF_THE_RUN if key in log.document}
    write_lines(path, (record_or(run, _is_own, lambda run: _line(run, model)) for run in runs))


def _line(run: EpisodeRun, model: dict[str, Any]) -> dict[str, Any]:
    line = run_record(run, model)
    return line if run.record is None else with_source(line, run.record)


def run_record(run: EpisodeRun, model: dict[str, Any] | None = None) -> dict[str, Any]:
    """A run as one record of the open form; parts without content are left out."""
    walked = run.route
    record: dict[str, Any] = {
        MARK: VERSION,
        "episode_id": run.episode_id,
        **(model or {}),
        "scene_id": run.scene_id,
        "instruction": run.instruction,
        "frame": SCENE.key if walked.positions_m is not None and run.is_frame_stated else None,
        "viewpoints": list(walked.viewpoint_ids),
        "positions": None if walked.positions_m is None else walked.positions_m.tolist(),
        "headings": _angles(walked.yaws_rad),
        "elevations": _angles(walked.elevations_rad),
        "decisions": [decision_record(decision) for decision in run.decisions],
        "end": {key: value for key in _END if (value := getattr(run.end, key)) not in (None, "")},
        "answer": _answer_record(run.answer),
        "reported": dict(run.reported),
        "extra": dict(run.extra),
    }
    kept = {key: value for key, value in record.items() if value not in (None, "", [], {})}
    kept |= {"episode_id": run.episode_id}
    if run.map_node_ids is not None:
        kept["map_nodes"] = list(run.map_node_ids)
    if run.samples is not None:
        kept["samples"] = list(run.samples)
    if run.times_s is not None:
        kept["times"] = list(run.times_s)
    if run.forward_step_m is not None:
        kept["forward_step"] = run.forward_step_m
    return kept


def _angles(values: Any) -> list[float | None] | None:
    if values is None:
        return None
    return [None if math.isnan(value) else value for value in values.tolist()]


def _answer_record(answer: Answer) -> dict[str, Any]:
    parts: Sequence[tuple[str, Any]] = (
        ("object_id", answer.object_id),
        ("heading", answer.heading_rad),
        ("elevation", answer.elevation_rad),
        ("object_lists", {kind: list(names) for kind, names in answer.object_lists.items()}),
        ("agent", answer.agent_key or None),
        ("agent_name", answer.agent_name or None),
        ("says", answer.says),
        ("reason", answer.reason or None),
        ("failure", answer.failure or None),
    )
    return {key: value for key, value in parts if value not in (None, {})}


FORMAT: Final = RunFormat(
    name="waypost",
    title="Waypost open run form (JSON lines)",
    can_read=can_read,
    read=read,
    conventions=(
        "metres and radians; positions in the frame and headings in the convention that each line"
        " names, the scene frame (Z up, yaw 0 = +X, counter-clockwise) where it names none"
    ),
    source="docs/run-schema.md",
    write=write,
    keys=("waypost_run", "episode_id"),
)
