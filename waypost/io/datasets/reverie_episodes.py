"""REVERIE annotations: find a remote object that a short instruction names.

Source: YuankaiQi/REVERIE, cshizhe/VLN-DUET:map_nav_src/reverie/data_utils.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.episode import Episode, GoalObject, Instruction
from waypost.domain.episode.import_report import ImportKind
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import id_of, optional, read_records, split_of
from waypost.io.datasets.panorama_records import (
    CONVENTIONS,
    KEYS,
    KNOWN,
    build_path_record,
    instructions_of,
    number_or_text,
    path_record,
)
from waypost.io.datasets.record_writing import writer_of
from waypost.io.datasets.reverie_boxes import ObjectViews, find_boxes, read_object_views
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "reverie"
_KEEPS: Final = frozenset({Part.VIEWPOINTS, Part.HEADING, Part.DISTANCE, Part.TARGET})
_KNOWN: Final = KNOWN | {"objId", "id"}


def can_read(head: FileHead) -> bool:
    """Whether the first record is R2R's and names an object, or is tokenised as REVERIE's are."""
    return head.first_has("scan", "path_id", "path", "instructions") and (
        head.first_has("objId") or head.first_has("id", "instructions_l")
    )


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per instruction, ``<path_id>_<objId>_<k>``.

    Box files are looked for beside the annotations and one folder up.
    """
    split = split_of(path)
    boxes = find_boxes(path)
    views = None if boxes is None else read_object_views(boxes, log)
    if views is None:
        log.warn(
            f"{path}: no box files (BBoxes.json or BBox/) stand beside it, so it is unknown from"
            " which viewpoints the objects are seen"
        )
    yield from read_records(
        path,
        log,
        lambda record: _episodes(record, split, views, log),
        id_keys=("id", "path_id"),
    )


def _episodes(
    record: JsonValue, split: str, views: ObjectViews | None, log: ReadLog
) -> Iterator[Episode]:
    shared = path_record(record, log, known=_KNOWN)
    raw_object = optional(record, "objId")
    object_id = "" if raw_object is None else id_of(raw_object, ReadLog())
    raw_id = optional(record, "id")
    if raw_id is not None:
        record_id = id_of(raw_id, log)
    else:
        record_id = f"{shared.path_id}_{object_id}" if object_id else shared.path_id
    goals = shared.goal(target=_target(object_id, shared.scan, views, log, record_id))
    for index, text in instructions_of(record):
        yield shared.episode(
            _NAME,
            split,
            f"{record_id}_{index}",
            Instruction(text.as_text()),
            goals=goals,
            source_id=record_id,
        )


def _target(
    object_id: str, scan: str, views: ObjectViews | None, log: ReadLog, record_id: str
) -> GoalObject | None:
    if not object_id:
        return None
    if views is None:
        return GoalObject(object_id)
    seen_from = views.viewpoints(scan, object_id, log)
    if seen_from is None:
        log.warn(
            f"the box files have no viewpoint of {scan}, so it is unknown from which viewpoints its"
            " objects are seen"
        )
    elif not seen_from:
        log.add(
            ImportKind.NOTE,
            f"no box file shows object {object_id} of {scan}, so no run of {record_id} can succeed",
            item_id=record_id,
            value=object_id,
        )
    return GoalObject(object_id, visible_from=seen_from)


def _build(group: list[Episode]) -> dict[str, Any]:
    record = build_path_record(group)
    target = group[0].goals[0].target if group[0].goals else None
    if target is not None and target.object_id:
        path_id = (group[0].source_id or group[0].episode_id).removesuffix(f"_{target.object_id}")
        record["path_id"] = number_or_text(path_id)
        record["objId"] = number_or_text(target.object_id)
        record["id"] = f"{record['path_id']}_{target.object_id}"
    return record


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="REVERIE annotations",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS
    + "; an object counts as seen from a viewpoint where the box files list a view of it there",
    source="YuankaiQi/REVERIE:README.md",
    write=writer_of(_NAME, _build, _KEEPS),
    keys=(*KEYS, "objId"),
    dataset="REVERIE",
    profile_key="reverie",
)
