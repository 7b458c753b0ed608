"""Room-to-Room annotations: one record per path, one episode per instruction.

Source: peteanderson80/Matterport3DSimulator:tasks/R2R/data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from waypost.domain.episode import Episode, Goal, Instruction, normal_id
from waypost.domain.errors import InputError
from waypost.domain.frames import yaw_from_r2r_heading
from waypost.domain.import_report import ImportKind
from waypost.domain.route import Route
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.panorama_records import build_path_record
from waypost.io.datasets.record_writing import records_of
from waypost.io.file_head import FileHead
from waypost.io.item_reading import read_items
from waypost.io.json_reading import JsonValue
from waypost.io.logs.msnav_objects import object_lists
from waypost.io.logs.run_writing import write_array
from waypost.io.read_log import ReadLog

RADIUS_M: Final = 3.0
_KEEPS: Final = frozenset({Part.VIEWPOINTS, Part.HEADING, Part.DISTANCE})
_KNOWN: Final = frozenset({"scan", "path_id", "path", "heading", "distance", "instructions"})
_NO_LISTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
SPLITS: Final = ("val_unseen", "val_seen", "val_train_seen", "train", "test")


def can_read(head: FileHead) -> bool:
    """Whether the first record has R2R's keys and none of its descendants'."""
    return head.first_has("scan", "path_id", "path", "instructions") and not (
        head.first_has("objId") or head.first_has("chunk_view") or head.first_has("instruction")
    )


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per instruction, ``<path_id>_<k>``.

    The object lists that MSNav adds to a record belong to its first instruction.
    """
    split = split_of(path)
    for item in read_items(path, log):
        try:
            yield from _episodes(item.json, split, log)
        except InputError as error:
            log.add(
                ImportKind.UNREADABLE,
                str(error),
                item_id=_id_or_place(item.json),
                value=item.json.place,
            )


def split_of(path: Path) -> str:
    """The split that the name of a file states; empty if it states none."""
    return next((split for split in SPLITS if split in path.name), "")


def _id_or_place(record: JsonValue) -> str:
    if record.has("path_id"):
        return normal_id(record.value["path_id"])
    return record.place


def _episodes(record: JsonValue, split: str, log: ReadLog) -> Iterator[Episode]:
    path_id = normal_id(record.field("path_id").value)
    viewpoints = tuple(item.as_text() for item in record.field("path").items())
    if not viewpoints:
        raise record.field("path").error("is empty")
    distance = record.field("distance").as_number() if record.has("distance") else None
    has_goal = len(viewpoints) > 1 or distance == 0
    if not has_goal:
        log.add(
            ImportKind.NO_GROUND_TRUTH,
            f"path {path_id} publishes only its start",
            item_id=path_id,
        )
    yaw = None
    if record.has("heading"):
        heading = record.field("heading").as_number()
        log.note_angle("heading", heading, path_id)
        yaw = yaw_from_r2r_heading(heading)
    extra = MappingProxyType({k: v for k, v in record.value.items() if k not in _KNOWN})
    lists = object_lists(record)
    for index, text in enumerate(record.field("instructions").items()):
        yield Episode(
            dataset="r2r",
            split=split,
            episode_id=f"{path_id}_{index}",
            scene_id=record.field("scan").as_text(),
            instruction=Instruction(text.as_text()),
            reference=Route(viewpoints),
            goals=(Goal(viewpoints[-1], radius_m=RADIUS_M),) if has_goal else (),
            start_viewpoint_id=viewpoints[0],
            start_yaw_rad=yaw,
            geodesic_m=distance,
            geodesic_note="" if distance is not None else "the file states no distance",
            source_id=path_id,
            object_lists=lists if index == 0 else _NO_LISTS,
            has_ground_truth=has_goal,
            extra=extra,
            record=record.value,
        )


def write(path: Path, episodes: Iterable[Episode], log: ReadLog) -> None:
    """Write an array of records, one per path.

    Raises:
        WriteError: If the file cannot be written.
    """
    write_array(path, records_of("r2r", episodes, build_path_record, log, _KEEPS))


FORMAT: Final = EpisodeFormat(
    name="r2r",
    title="Room-to-Room annotations",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints; headings in radians, 0 = +Y, clockwise seen from above;"
        " distances in metres along the graph"
    ),
    source="peteanderson80/Matterport3DSimulator:tasks/R2R/data",
    write=write,
)
