"""SOON annotations: find a described object, and point at it.

Two public forms: JSON lines with one path per record (as VLN-DUET publishes them) and the first
release, an array with several paths and wordings per record.
Source: ZhuFengdaaa/SOON, cshizhe/VLN-DUET:map_nav_src/soon/data_utils.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode, Goal, GoalObject, Instruction
from waypost.domain.episode.route import Route
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import (
    id_of,
    leftovers,
    optional,
    read_records,
    split_of,
    texts_of,
)
from waypost.io.datasets.panorama_records import RADIUS_M, number_or_text
from waypost.io.datasets.record_writing import records_of
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.logs.run_writing import write_array, write_lines
from waypost.io.read_log import ReadLog

_NAME: Final = "soon"
_KEEPS: Final = frozenset({Part.VIEWPOINTS, Part.STYLES, Part.TARGET, Part.OUTLINES})
_KNOWN: Final = frozenset({"path_id", "scan", "path", "instructions", "bboxes"})
_CORNERS: Final = ("left_top", "right_top", "right_bottom", "left_bottom")


def can_read(head: FileHead) -> bool:
    """Whether the first record has paths, instructions and boxes with targets."""
    if not head.line_has("path", "instructions", "bboxes"):
        return False
    boxes = head.first_line["bboxes"]
    return isinstance(boxes, list) and all(isinstance(box, dict) for box in boxes)


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per path and instruction.

    Its id is ``<path_id>_<k>`` in the form of VLN-DUET. The first release has no ids; there it is
    ``<record>-<path>_<k>``, counted from 0.
    """
    split = split_of(path)
    count = iter(range(1 << 62))
    return read_records(
        path,
        log,
        lambda record: _episodes(record, split, next(count), log),
        id_keys=("path_id",),
        as_lines=True,
    )


def _episodes(record: JsonValue, split: str, number: int, log: ReadLog) -> Iterator[Episode]:
    paths = record.field("path")
    is_several = any(isinstance(entry, list) for entry in paths.as_array())
    raw_id = optional(record, "path_id")
    record_id = str(number) if raw_id is None else id_of(raw_id, log)
    target, box_scan = _target(record.field("bboxes"))
    scan = record.text_of("scan") or box_scan
    if not scan:
        raise record.error("names no scan")
    extra = dict(leftovers(record, _KNOWN))
    for index, entry in enumerate(paths.items() if is_several else [paths]):
        viewpoints = texts_of(entry)
        if not viewpoints:
            raise entry.error("is empty")
        path_id = f"{record_id}-{index}" if is_several else record_id
        has_goal = len(viewpoints) > 1 or bool(target.polygons_rad)
        for place, text in enumerate(record.field("instructions").items()):
            yield Episode(
                dataset=_NAME,
                split=split,
                episode_id=f"{path_id}_{place}",
                scene_id=scan,
                instruction=_instruction(text),
                reference=Route(viewpoints),
                goals=(Goal(viewpoints[-1], radius_m=RADIUS_M, target=target),) if has_goal else (),
                start_viewpoint_id=viewpoints[0],
                geodesic_note="the file states no distance",
                source_id=record_id,
                has_ground_truth=has_goal,
                extra=MappingProxyType(extra),
                record=record.value,
            )


def _instruction(value: JsonValue) -> Instruction:
    """The full wording; the first release lists parts, the last but one is the whole."""
    if isinstance(value.value, str):
        return Instruction(value.as_text())
    if isinstance(value.value, list):
        parts = [part for part in value.value if isinstance(part, str)]
        if not parts:
            raise value.error("holds no wording")
        whole = value.value[-2] if len(value.value) > 1 else parts[-1]
        return Instruction(whole if isinstance(whole, str) else parts[-1])
    styles = {
        key: part for key, part in value.as_object().items() if key != "full" and _is_text(part)
    }
    return Instruction(value.field("full").as_text(), styles=MappingProxyType(styles))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _target(boxes: JsonValue) -> tuple[GoalObject, str]:
    """The object with its outline seen from every goal viewpoint, and the scan boxes name."""
    polygons: dict[str, tuple[tuple[float, float], ...]] = {}
    name = scan = object_id = ""
    for box in boxes.items():
        name = name or box.text_of("obj_name")
        scan = scan or box.text_of("scan")
        label = optional(box, "pseudo_label")
        if label is not None and label.has("obj_id") and not object_id:
            object_id = id_of(label.field("obj_id"), ReadLog())
        target = optional(box, "target")
        if target is None:
            continue
        polygons[box.field("image_id").as_text()] = tuple(
            (
                target.field(corner).field("heading").as_number(),
                target.field(corner).field("elevation").as_number(),
            )
            for corner in _CORNERS
        )
    return GoalObject(object_id, name, polygons_rad=MappingProxyType(polygons)), scan


def _build(group: list[Episode]) -> dict[str, Any]:
    first = group[0]
    if not first.reference.viewpoint_ids:
        raise InputError("it has positions only, and viewpoints are needed")
    target = first.goals[0].target if first.goals else None
    outlines = {} if target is None else target.polygons_rad
    return {
        "path_id": number_or_text(first.source_id or first.episode_id),
        "scan": first.scene_id,
        "path": list(first.reference.viewpoint_ids),
        "instructions": [
            {**episode.instruction.styles, "full": episode.instruction.text} for episode in group
        ],
        "bboxes": [
            {
                "image_id": viewpoint,
                "obj_name": "" if target is None else target.name,
                "target": {
                    corner: {"heading": heading, "elevation": elevation}
                    for corner, (heading, elevation) in zip(_CORNERS, corners, strict=True)
                },
            }
            for viewpoint, corners in outlines.items()
        ],
    }


def write(path: Path, episodes: Iterable[Episode], log: ReadLog) -> None:
    """Write JSON lines if the name says so (``.jsonl``, ``.jsonl.gz``), else an array.

    Raises:
        WriteError: If the file cannot be written.
    """
    is_lines = ".jsonl" in path.name
    (write_lines if is_lines else write_array)(
        path, records_of(_NAME, episodes, _build, log, _KEEPS)
    )


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="SOON annotations",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints; outlines of objects as heading and elevation in radians, kept"
        " as they stand in the file; no start heading (VLN-DUET and others choose one when they"
        " evaluate); no distance. The first release has no ids: they are counted here"
    ),
    source="cshizhe/VLN-DUET:map_nav_src/soon/data_utils.py",
    write=write,
    keys=("path", "instructions", "bboxes"),
    dataset="SOON",
    profile_key="soon",
)
