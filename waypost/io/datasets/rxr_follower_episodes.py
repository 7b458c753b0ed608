"""RxR follower annotations: where people went who heard a guide's instruction.

Source: google-research-datasets/RxR:README.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import Route
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import (
    id_of,
    leftovers,
    read_records,
    split_of,
    texts_of,
)
from waypost.io.datasets.panorama_records import RADIUS_M, number_or_text
from waypost.io.datasets.record_writing import writer_of
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "rxr-follower"
_KEEPS: Final = frozenset({Part.VIEWPOINTS})
_KNOWN: Final = frozenset({"demonstration_id", "instruction_id", "path"})


def can_read(head: FileHead) -> bool:
    """Whether the first record is a demonstration of an instruction."""
    return head.line_has("demonstration_id", "instruction_id", "path")


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per demonstration; its ``source_id`` is the instruction followed."""
    split = split_of(path)
    return read_records(
        path,
        log,
        lambda record: [_episode(record, split, log)],
        id_keys=("demonstration_id",),
        as_lines=True,
    )


def _episode(record: JsonValue, split: str, log: ReadLog) -> Episode:
    path = record.field("path")
    viewpoints = texts_of(path)
    if not viewpoints:
        raise path.error("is empty")
    return Episode(
        dataset=_NAME,
        split=split,
        episode_id=id_of(record.field("demonstration_id"), log),
        scene_id=record.text_of("scan"),
        instruction=Instruction(""),
        reference=Route(viewpoints),
        goals=(Goal(viewpoints[-1], radius_m=RADIUS_M),),
        start_viewpoint_id=viewpoints[0],
        geodesic_note="the file states no distance",
        source_id=id_of(record.field("instruction_id"), log),
        extra=leftovers(record, _KNOWN),
        record=record.value,
    )


def _build(group: list[Episode]) -> dict[str, Any]:
    (episode,) = group
    if not episode.reference.viewpoint_ids:
        raise InputError("it has positions only, and viewpoints are needed")
    return {
        "demonstration_id": number_or_text(episode.episode_id),
        "instruction_id": number_or_text(episode.source_id or episode.episode_id),
        "path": list(episode.reference.viewpoint_ids),
    }


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="RxR follower annotations",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints that a person walked; the file states neither scan, heading nor"
        " words: they belong to the guide annotation with the same instruction id (`source_id`)"
    ),
    source="google-research-datasets/RxR:README.md",
    write=writer_of(_NAME, _build, _KEEPS, grouped=False, as_lines=True),
    keys=("demonstration_id", "instruction_id", "path"),
    profile_key="r4r",
)
