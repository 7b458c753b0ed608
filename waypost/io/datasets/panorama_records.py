"""What the descendants of Room-to-Room share: a path of viewpoints, a heading, a distance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import r2r_heading_from_yaw
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import Route
from waypost.domain.scene.graph import Extra
from waypost.io.datasets.episode_records import (
    geodesic_of,
    heading_to_yaw,
    id_of,
    leftovers,
    optional,
    texts_of,
)
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

RADIUS_M: Final = 3.0
"""Goal radius of the R2R family; the files do not state it."""

KNOWN: Final = frozenset({"scan", "path_id", "path", "heading", "distance", "instructions"})

CONVENTIONS: Final = (
    "Matterport3D viewpoints; headings in radians, 0 = +Y, clockwise seen from above;"
    " distances in metres along the graph"
)
KEYS: Final = ("scan", "path_id", "path", "instructions")
"""Those of every record of Room-to-Room and what descends from it."""


@dataclass(frozen=True, slots=True)
class PathRecord:
    """The parts of a record that do not depend on the instruction."""

    path_id: str
    scan: str
    reference: Route
    has_goal: bool
    start_yaw_rad: float | None
    geodesic_m: float | None
    geodesic_note: str
    extra: Extra
    raw: Any
    """The record itself."""

    @property
    def start_id(self) -> str:
        """The first viewpoint; empty if there is none."""
        return self.reference.viewpoint_ids[0] if len(self.reference) else ""

    def goal(self, **more: Any) -> tuple[Goal, ...]:
        """The last viewpoint as the one goal; none where the split keeps it secret."""
        if not self.has_goal:
            return ()
        return (Goal(self.reference.viewpoint_ids[-1], radius_m=RADIUS_M, **more),)

    def episode(
        self, name: str, split: str, episode_id: str, said: Instruction, **more: Any
    ) -> Episode:
        """An episode on this path.

        Args:
            name: Key of the format.
            split: Of the file.
            episode_id: Of the one instruction.
            said: The instruction.
            more: Further fields of ``Episode``, or others than those of the path.
        """
        fields = {"goals": self.goal(), "source_id": self.path_id} | more
        return Episode(
            dataset=name,
            split=split,
            episode_id=episode_id,
            scene_id=self.scan,
            instruction=said,
            reference=self.reference,
            start_viewpoint_id=self.start_id,
            start_yaw_rad=self.start_yaw_rad,
            geodesic_m=self.geodesic_m,
            geodesic_note=self.geodesic_note,
            has_ground_truth=self.has_goal,
            extra=self.extra,
            record=self.raw,
            **fields,
        )


def path_record(
    record: JsonValue,
    log: ReadLog,
    *,
    known: frozenset[str] = KNOWN,
    distance_key: str = "distance",
    record_id: str = "",
) -> PathRecord:
    """Read what R2R's descendants have in common.

    A path of one viewpoint is a start whose goal is kept secret, unless the record states a
    distance of 0: then the goal is the start.

    Args:
        record: The record.
        log: Told of doubtful headings, distances and ids, and of secret goals.
        known: Keys that the caller has a place for.
        distance_key: Key of the shortest distance from start to goal.
        record_id: For messages, where ``path_id`` is not the record's own id.

    Raises:
        ReadError: Naming the place and what is wrong there.
    """
    path_id = id_of(record.field("path_id"), log)
    item_id = record_id or path_id
    path = record.field("path")
    viewpoints = texts_of(path)
    if not viewpoints:
        raise path.error("is empty")
    geodesic, note = geodesic_of(optional(record, distance_key), item_id, log)
    has_goal = len(viewpoints) > 1 or geodesic == 0
    heading = optional(record, "heading")
    return PathRecord(
        path_id=path_id,
        scan=record.field("scan").as_text(),
        reference=Route(viewpoints),
        has_goal=has_goal,
        start_yaw_rad=None if heading is None else heading_to_yaw(heading, item_id, log),
        geodesic_m=geodesic,
        geodesic_note=note,
        extra=leftovers(record, known),
        raw=record.value,
    )


def instructions_of(record: JsonValue) -> Iterator[tuple[int, JsonValue]]:
    """The instructions of a record with their numbers.

    Raises:
        ReadError: If there is no array of them.
    """
    return enumerate(record.field("instructions").items())


def build_path_record(group: list[Episode]) -> dict[str, Any]:
    """An R2R record of the episodes of one path.

    Raises:
        InputError: If they have no viewpoints.
    """
    first = group[0]
    viewpoints = first.reference.viewpoint_ids or tuple(filter(None, (first.start_viewpoint_id,)))
    if not viewpoints:
        raise InputError("it has positions only, and viewpoints are needed")
    record: dict[str, Any] = {}
    if first.geodesic_m is not None:
        record["distance"] = first.geodesic_m
    record["scan"] = first.scene_id
    record["path_id"] = number_or_text(first.source_id or first.episode_id)
    record["path"] = list(viewpoints)
    if first.start_yaw_rad is not None:
        record["heading"] = r2r_heading_from_yaw(first.start_yaw_rad)
    record["instructions"] = [episode.instruction.text for episode in group]
    return record


def number_or_text(text: str) -> int | str:
    """An id as most files write it: a number where that says the same."""
    is_plain = text.isascii() and text.isdigit() and len(text) < 19 and str(int(text)) == text
    return int(text) if is_plain else text
