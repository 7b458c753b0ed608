"""Reads scripts of key presses, with which drives are rehearsed without a person."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from waypost.io.foreign_errors import reader
from waypost.io.json_reading import JsonValue, read_json

_LONGEST_S = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class KeyPress:
    """A key that goes down or up."""

    t_s: float
    """Simulated time since the first sample."""

    key: str
    """Name of the key, e.g. ``W``, ``Up``, ``Enter``."""

    is_down: bool


@reader
def read_key_script(path: Path, keys: frozenset[str]) -> tuple[KeyPress, ...]:
    """Read ``[{"t_s", "key", "down"}]``, in the order of time.

    Args:
        path: JSON file.
        keys: Names that are allowed; upper and lower case are one.

    Raises:
        ReadError: If the file is no such list; names the entry.
    """
    names = {name.lower(): name for name in keys}
    presses = [_press(entry, names) for entry in read_json(path).root.items()]
    return tuple(sorted(presses, key=lambda press: press.t_s))


def _press(entry: JsonValue, names: dict[str, str]) -> KeyPress:
    time, key = entry.field("t_s"), entry.field("key")
    t_s = time.as_number()
    if not 0 <= t_s <= _LONGEST_S:
        raise time.error(f"{t_s:g} is outside 0 to {_LONGEST_S:g}")
    name = names.get(key.as_text().lower())
    if name is None:
        raise key.error(f"{key.as_text()!r} is none of {', '.join(sorted(names.values()))}")
    return KeyPress(t_s, name, entry.field("down").as_flag())
