"""Decisions, options and events of the open run form, read and written.

See docs/run-schema.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final, TypeVar

from waypost.domain.base.frames import Frame, Vec3
from waypost.domain.episode.run import Decision, Event, EventKind, Option
from waypost.io.json_reading import JsonValue
from waypost.io.logs.run_records import others, read_rows

_Part = TypeVar("_Part")
_TEXTS: Final = ("action", "raw_text", "prompt", "observation", "thought", "plan")
_KNOWN: Final = frozenset(
    {"first_pose", "end_pose", "at_viewpoint", "options", "events", "extra", *_TEXTS}
)


def read_decision(
    entry: JsonValue, poses: int, frame: Frame, heading: tuple[float, float]
) -> Decision:
    """A decision of a record.

    Args:
        entry: Where it stands.
        poses: Length of the route.
        frame: Of positions.
        heading: Offset and sign that turn a heading into a scene yaw.

    Raises:
        ReadError: Naming what is wrong, also a range of poses outside the route.
    """
    first = _pose(entry, "first_pose", poses)
    end = _pose(entry, "end_pose", poses)
    if end < first:
        raise entry.field("end_pose").error(f"is {end}, before first_pose {first}")
    extra = dict(others(entry.value, _KNOWN))
    if entry.has("extra"):
        extra = dict(entry.field("extra").as_object()) | extra
    texts = {key: entry.text_of(key) for key in _TEXTS}
    return Decision(
        first_pose=first,
        end_pose=end,
        at_viewpoint_id=entry.text_of("at_viewpoint"),
        options=_all(entry, "options", lambda option: _option(option, frame, heading)),
        events=_all(entry, "events", _event),
        extra=MappingProxyType(extra),
        **texts,
    )


def _all(entry: JsonValue, key: str, read: Callable[[JsonValue], _Part]) -> tuple[_Part, ...]:
    if entry.value.get(key) is None:
        return ()
    return tuple(read(item) for item in entry.field(key).items())


def _pose(entry: JsonValue, key: str, poses: int) -> int:
    number = entry.field(key).as_number()
    if not number.is_integer() or not 0 <= number <= poses:
        raise entry.field(key).error(f"is {number}; the route has {poses} poses")
    return int(number)


def _event(event: JsonValue) -> Event:
    name = event.field("kind").as_text()
    try:
        kind = EventKind(name)
    except ValueError as error:
        known = ", ".join(EventKind)
        raise event.field("kind").error(f"{name!r} is none of {known}") from error
    return Event(kind, event.text_of("message"))


def _option(option: JsonValue, frame: Frame, heading: tuple[float, float]) -> Option:
    position: Vec3 | None = None
    if option.as_object().get("position") is not None:
        where = option.field("position")
        row = read_rows(JsonValue([where.value], where.file, where.place), 3)
        x, y, z = frame.to_scene(row)[0].tolist()
        position = (x, y, z)
    yaw = None
    if option.value.get("heading") is not None:
        yaw = heading[0] + heading[1] * option.field("heading").as_number()
    return Option(
        label=option.text_of("label"),
        viewpoint_id=option.text_of("viewpoint"),
        position_m=position,
        yaw_rad=yaw,
        text=option.text_of("text"),
        picture=option.text_of("picture"),
    )


def decision_record(decision: Decision) -> dict[str, Any]:
    """A decision as a record in the scene frame; parts without content are left out."""
    record = {
        "at_viewpoint": decision.at_viewpoint_id,
        **{key: getattr(decision, key) for key in _TEXTS},
        "options": [_option_record(option) for option in decision.options],
        "events": [
            {"kind": event.kind.value, "message": event.message} for event in decision.events
        ],
        "extra": dict(decision.extra),
    }
    kept = {key: value for key, value in record.items() if value}
    return {"first_pose": decision.first_pose, "end_pose": decision.end_pose, **kept}


def _option_record(option: Option) -> dict[str, Any]:
    record = {
        "label": option.label,
        "viewpoint": option.viewpoint_id,
        "position": None if option.position_m is None else list(option.position_m),
        "heading": option.yaw_rad
        if option.yaw_rad is None or math.isfinite(option.yaw_rad)
        else None,
        "text": option.text,
        "picture": option.picture,
    }
    return {key: value for key, value in record.items() if value not in (None, "")}
