"""Agent profiles as TOML files that people can read and edit (docs/formats.md)."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

import tomli_w

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.traverse.agent import CONTACT_FIELDS, AgentProfile, BodyShape, DriveType
from waypost.io.atomic import write_text_atomic
from waypost.io.foreign_errors import reader
from waypost.io.toml_reading import checking, parse_toml, read_toml_text, shipped_files

SCHEMA_VERSION = 1
"""Number in every agent file; a file with a higher one is refused."""

SHIPPED_KEYS = ("human", "wheelchair", "humanoid", "quadruped", "sweeper")
"""Profiles that come with Waypost, in the order they are shown."""

_LOG = logging.getLogger(__name__)
_FIELDS: Mapping[str, Field[Any]] = {field.name: field for field in fields(AgentProfile)}


@reader
def read_agent(path: Path) -> AgentProfile:
    """Read one agent profile; keys that are not known are reported in the log.

    Raises:
        ReadError: Naming the file, the field and what is wrong with it.
    """
    return parse_agent(read_toml_text(path), str(path))


def parse_agent(text: str, file: str) -> AgentProfile:
    """Read an agent profile from TOML text; ``file`` is only named in messages.

    Raises:
        ReadError: Naming the file, the field and what is wrong with it.
    """
    return agent_of_table(_parse_table(text, file), file)


def agent_of_table(table: Mapping[str, Any], file: str) -> AgentProfile:
    """Read an agent profile from named values, as in a TOML file or the header of a recording.

    Raises:
        ReadError: Naming the file, the field and what is wrong with it.
    """
    values = {name: _value(table[name], field, file) for name, field in _present(table)}
    if values.get("shape") in {BodyShape.CYLINDER, BodyShape.CAPSULE} and "width_m" in values:
        values.setdefault("depth_m", values["width_m"])
    for name, field in _FIELDS.items():
        if name not in values and field.default is MISSING:
            raise ReadError(file, name, "is missing")
    with checking(file):
        profile = AgentProfile(**values)
    for key in unknown_keys(table):
        _LOG.warning("%s: %s: is not a field of an agent; ignored", file, key)
    return profile


def write_agent(path: Path, profile: AgentProfile) -> None:
    """Write one agent profile; keys of an existing file that are not known are kept.

    Raises:
        ReadError: If the existing file is not an agent file; it is left alone.
        WriteError: If the file cannot be written.
    """
    kept: dict[str, Any] = {}
    if path.exists():
        table = _parse_table(read_toml_text(path), str(path))
        kept = {key: table[key] for key in unknown_keys(table)}
    write_text_atomic(path, agent_text(profile, kept))


def agent_text(profile: AgentProfile, extra: Mapping[str, Any] | None = None) -> str:
    """Return the TOML text of a profile, with further keys after its own."""
    table: dict[str, Any] = {"schema_version": SCHEMA_VERSION}
    for name in _FIELDS:
        value = getattr(profile, name)
        if name in (*CONTACT_FIELDS, "colour") and not value:
            continue
        table[name] = str(value) if isinstance(value, StrEnum) else value
    return tomli_w.dumps({**table, **(extra or {})})


def unknown_keys(table: Mapping[str, Any]) -> tuple[str, ...]:
    """Keys of an agent table that Waypost has no use for."""
    return tuple(key for key in table if key not in _FIELDS and key != "schema_version")


def shipped_agents() -> Mapping[str, AgentProfile]:
    """Return the profiles that come with Waypost, by key, in the order they are shown."""
    return shipped_files("agents", SHIPPED_KEYS, parse_agent)


def drivable_agents(own: Mapping[str, AgentProfile]) -> Mapping[str, AgentProfile]:
    """The agents that can be driven in a project, by key: its own, and the shipped it has not."""
    return {**shipped_agents(), **own}


def _parse_table(text: str, file: str) -> dict[str, Any]:
    table = parse_toml(text, file)
    version = table.get("schema_version", SCHEMA_VERSION)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ReadError(file, "schema_version", f"{version!r} is not a version number")
    if version > SCHEMA_VERSION:
        reason = f"{version} is newer than this Waypost reads ({SCHEMA_VERSION}); update Waypost"
        raise ReadError(file, "schema_version", reason)
    return table


def _present(table: Mapping[str, Any]) -> list[tuple[str, Field[Any]]]:
    return [(name, field) for name, field in _FIELDS.items() if name in table]


def _value(value: Any, field: Field[Any], file: str) -> Any:
    if field.name in _CHOICES:
        choices = _CHOICES[field.name]
        if not isinstance(value, str) or value not in list(choices):
            raise ReadError(file, field.name, f"{value!r} is none of {', '.join(choices)}")
        return choices(value)
    if field.name == "contact_places_m":
        return _places(value, field.name, file)
    if field.name.endswith(("_m", "_mps")):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ReadError(file, field.name, f"{value!r} is not a number")
        return _as_float(value, field.name, file)
    kind, words = (str, "text") if field.name in _TEXTS else (bool, "true or false")
    if not isinstance(value, kind):
        raise ReadError(file, field.name, f"{value!r} is not {words}")
    return value


def _places(value: Any, name: str, file: str) -> tuple[tuple[float, float], ...]:
    """Pairs of numbers, forward and left."""
    wanted = "expected pairs of numbers, such as [[0.2, 0.25]]"
    if not isinstance(value, list | tuple):
        raise ReadError(file, name, wanted)
    places = []
    for place in value:
        if not isinstance(place, list | tuple) or len(place) != 2:
            raise ReadError(file, name, wanted)
        if any(isinstance(part, bool) or not isinstance(part, int | float) for part in place):
            raise ReadError(file, name, wanted)
        forward_m, left_m = (_as_float(part, name, file) for part in place)
        places.append((forward_m, left_m))
    return tuple(places)


def _as_float(value: float, name: str, file: str) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise ReadError(file, name, "is too large a number") from error


_CHOICES: Mapping[str, type[BodyShape | DriveType]] = {
    "shape": BodyShape,
    "drive": DriveType,
}
_TEXTS = frozenset({"key", "name", "description", "colour"})


def find_agent(name: str) -> AgentProfile:
    """A shipped profile by key, or one from a file.

    Raises:
        InputError: If there is neither.
    """
    shipped = shipped_agents()
    if name in shipped:
        return shipped[name]
    path = Path(name)
    if not path.suffix and not os.path.lexists(name):
        known = ", ".join(shipped)
        raise InputError(f"{name}: agent: no such agent or file; shipped: {known}")
    return read_agent(path)
