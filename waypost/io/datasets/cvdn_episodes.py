"""CVDN's Navigation from Dialog History: go on after two people talked about the way.

Source: mmurray/cvdn:tasks/NDH/data/README.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import r2r_heading_from_yaw
from waypost.domain.episode.episode import Episode, Goal, GoalObject, Instruction, Turn
from waypost.domain.episode.route import EMPTY_ROUTE, Route
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import (
    heading_to_yaw,
    id_of,
    leftovers,
    optional,
    read_records,
    split_of,
    texts_of,
)
from waypost.io.datasets.panorama_records import number_or_text
from waypost.io.datasets.record_writing import writer_of
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "cvdn"
_KEEPS: Final = frozenset(
    {Part.VIEWPOINTS, Part.HEADING, Part.DIALOGUE, Part.MORE_GOALS, Part.ALTERNATIVES, Part.TARGET}
)
_KNOWN: Final = frozenset(
    {"inst_idx", "scan", "target", "start_pano", "dialog_history", "end_panos"}
    | {"player_path", "planner_path"}
)


def can_read(head: FileHead) -> bool:
    """Whether the first record has an instance number, a start and a dialogue."""
    return head.first_has("inst_idx", "scan", "start_pano", "dialog_history")


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per instance; its id is ``inst_idx``."""
    split = split_of(path)
    return read_records(
        path, log, lambda record: [_episode(record, split, log)], id_keys=("inst_idx",)
    )


def _episode(record: JsonValue, split: str, log: ReadLog) -> Episode:
    episode_id = id_of(record.field("inst_idx"), log)
    start = record.field("start_pano")
    heading = optional(start, "heading")
    ways = {
        name: Route(texts_of(found))
        for name, key in (("planner", "planner_path"), ("player", "player_path"))
        if (found := optional(record, key)) is not None
    }
    reference = _trusted(ways)
    if reference is not None:
        ways["trusted"] = reference
    ends = optional(record, "end_panos")
    end_ids = () if ends is None else texts_of(ends)
    target = GoalObject(name=record.text_of("target"))
    talk = optional(record, "dialog_history")
    before = record.value.get("nav_history")
    return Episode(
        dataset=_NAME,
        split=split,
        episode_id=episode_id,
        scene_id=record.field("scan").as_text(),
        instruction=Instruction(
            record.text_of("target"), dialogue=() if talk is None else tuple(_turns(talk, before))
        ),
        reference=EMPTY_ROUTE if reference is None else reference,
        goals=tuple(Goal(end, target=target) for end in end_ids),
        start_viewpoint_id=start.field("pano").as_text(),
        start_yaw_rad=None if heading is None else heading_to_yaw(heading, episode_id, log),
        geodesic_note="the file states no distance",
        source_id=episode_id,
        alternatives=MappingProxyType(ways),
        has_ground_truth=bool(end_ids),
        extra=leftovers(record, _KNOWN),
        record=record.value,
    )


def _trusted(ways: dict[str, Route]) -> Route | None:
    """The player's path if it passed the planner's goal after the start, else the planner's."""
    planner, player = ways.get("planner"), ways.get("player")
    if planner is None or not len(planner):
        return player
    if player is not None and planner.viewpoint_ids[-1] in player.viewpoint_ids[1:]:
        return player
    return planner


def _turns(talk: JsonValue, before: object) -> Iterator[Turn]:
    """The turns with their place on the walk ``before`` the episode, where it has that place."""
    for turn in talk.items():
        found = optional(turn, "nav_idx")
        at = None if found is None else int(found.as_number())
        yield Turn(
            turn.text_of("role"),
            turn.field("message").as_text(),
            at,
            _place(before, at),
        )


def _place(walked: object, at: int | None) -> str:
    """A viewpoint of the walk; empty where it has none there, which spoils no score."""
    if at is None or not isinstance(walked, list) or not 0 <= at < len(walked):
        return ""
    return walked[at] if isinstance(walked[at], str) else ""


def _build(group: list[Episode]) -> dict[str, Any]:
    (episode,) = group
    if not episode.start_viewpoint_id:
        raise InputError("it has positions only, and viewpoints are needed")
    yaw = episode.start_yaw_rad
    record: dict[str, Any] = {
        "inst_idx": number_or_text(episode.episode_id),
        "scan": episode.scene_id,
        "target": episode.instruction.text,
        "start_pano": {
            "pano": episode.start_viewpoint_id,
            "elevation": 0.0,
            **({} if yaw is None else {"heading": r2r_heading_from_yaw(yaw)}),
        },
        "nav_camera": [],
        "nav_history": episode.extra.get("nav_history", []),
        "dialog_history": [
            {"nav_idx": turn.at_pose, "role": turn.role, "message": turn.message}
            for turn in episode.instruction.dialogue
        ],
    }
    if episode.goals:
        record["end_panos"] = [goal.viewpoint_id for goal in episode.goals]
    planner = episode.alternatives.get("planner", episode.reference)
    if len(planner):
        record["planner_path"] = list(planner.viewpoint_ids)
    if "player" in episode.alternatives:
        record["player_path"] = list(episode.alternatives["player"].viewpoint_ids)
    return record


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="CVDN, Navigation from Dialog History",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints; headings in radians, 0 = +Y, clockwise seen from above; any of"
        " `end_panos` is a goal; the reference is the trusted path: the player's if it reached the"
        " planner's goal, else the planner's"
    ),
    source="mmurray/cvdn:tasks/NDH/data/README.md",
    write=writer_of(_NAME, _build, _KEEPS, grouped=False),
    keys=("inst_idx", "scan", "start_pano", "dialog_history"),
    dataset="CVDN",
    profile_key="cvdn",
)
