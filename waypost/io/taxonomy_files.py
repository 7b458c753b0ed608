"""Failure taxonomies as TOML files that people can read and edit (docs/replay.md)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import tomli_w

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.causes.failure import Axis, Category, Taxonomy, check_taxonomy
from waypost.domain.causes.proposal import ANY_TAG
from waypost.domain.replay.tags import TagKind
from waypost.io.atomic import write_text_atomic
from waypost.io.foreign_errors import reader
from waypost.io.toml_reading import parse_toml, read_toml_text

SCHEMA_VERSION: Final = 1
"""Number in every taxonomy file; a file with a higher one is refused."""

SHIPPED_KEYS: Final = ("vln-mme", "capnav")
"""Taxonomies that come with Waypost, in the order they are shown."""

_TAXONOMY_KEYS: Final = ("schema_version", "key", "title", "version", "source", "notes", "axes")
_AXIS_KEYS: Final = ("key", "title", "is_required", "allows_several", "categories")
_CATEGORY_KEYS: Final = ("key", "title", "description", "shortcut", "tags")


@reader
def read_taxonomy(path: Path) -> Taxonomy:
    """Read one taxonomy.

    Raises:
        ReadError: Naming the file, the place and what is wrong with it.
    """
    return parse_taxonomy(read_toml_text(path), str(path))


def parse_taxonomy(text: str, file: str) -> Taxonomy:
    """Read a taxonomy from TOML text; ``file`` is only named in messages.

    Raises:
        ReadError: Naming the file, the place and what is wrong with it. Unknown keys are
            refused: a misspelt one would silently change what analysts can answer.
    """
    table = parse_toml(text, file)
    _check_keys(table, _TAXONOMY_KEYS, file, "")
    stated = _get(table, "schema_version", int, file, "")
    if stated > SCHEMA_VERSION:
        raise ReadError(file, "schema_version", f"is {stated}, newer than {SCHEMA_VERSION}")
    taxonomy = Taxonomy(
        key=_get(table, "key", str, file, ""),
        title=_get(table, "title", str, file, ""),
        version=_get(table, "version", int, file, ""),
        axes=tuple(
            _axis(entry, file, f"axes[{index}]")
            for index, entry in enumerate(_tables(table, "axes", file, ""))
        ),
        source=_get(table, "source", str, file, "", ""),
        notes=_get(table, "notes", str, file, "", ""),
    )
    try:
        return check_taxonomy(taxonomy)
    except InputError as error:
        place, _, reason = str(error).partition(": ")
        raise ReadError(file, place, reason) from error


def _axis(table: Mapping[str, Any], file: str, place: str) -> Axis:
    _check_keys(table, _AXIS_KEYS, file, place)
    return Axis(
        key=_get(table, "key", str, file, place),
        title=_get(table, "title", str, file, place),
        categories=tuple(
            _category(entry, file, f"{place}.categories[{index}]")
            for index, entry in enumerate(_tables(table, "categories", file, place))
        ),
        is_required=_get(table, "is_required", bool, file, place, default=True),
        allows_several=_get(table, "allows_several", bool, file, place, default=False),
    )


def _category(table: Mapping[str, Any], file: str, place: str) -> Category:
    _check_keys(table, _CATEGORY_KEYS, file, place)
    return Category(
        key=_get(table, "key", str, file, place),
        title=_get(table, "title", str, file, place),
        description=_get(table, "description", str, file, place, ""),
        shortcut=_get(table, "shortcut", str, file, place, ""),
        tags=_tags(table, file, place),
    )


def _tags(table: Mapping[str, Any], file: str, place: str) -> tuple[str, ...]:
    stated = _get(table, "tags", list, file, place, [])
    known = {ANY_TAG, *TagKind}
    for tag in stated:
        if not isinstance(tag, str) or tag not in known:
            raise ReadError(file, _within(place, "tags"), f"{tag!r} is no computed tag")
    return tuple(stated)


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], file: str, place: str) -> None:
    unknown = next((key for key in table if key not in known), None)
    if unknown is not None:
        raise ReadError(file, _within(place, unknown), f"is none of {', '.join(known)}")


def _get(
    table: Mapping[str, Any],
    key: str,
    kind: type,
    file: str,
    place: str,
    default: Any = None,
) -> Any:
    value = table.get(key, default)
    if value is None:
        raise ReadError(file, _within(place, key), "is missing")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        words = {str: "text", int: "a whole number", bool: "true or false", list: "a list"}
        raise ReadError(file, _within(place, key), f"is not {words[kind]}")
    return value


def _tables(table: Mapping[str, Any], key: str, file: str, place: str) -> list[dict[str, Any]]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise ReadError(file, _within(place, key), "is not a list of tables")
    return value


def _within(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def format_taxonomy(taxonomy: Taxonomy) -> str:
    """A taxonomy as TOML text, every field written out."""
    table = {
        "schema_version": SCHEMA_VERSION,
        "key": taxonomy.key,
        "title": taxonomy.title,
        "version": taxonomy.version,
        "source": taxonomy.source,
        "notes": taxonomy.notes,
        "axes": [
            {
                "key": axis.key,
                "title": axis.title,
                "is_required": axis.is_required,
                "allows_several": axis.allows_several,
                "categories": [
                    {
                        **{name: getattr(entry, name) for name in _CATEGORY_KEYS},
                        "tags": list(entry.tags),
                    }
                    for entry in axis.categories
                ],
            }
            for axis in taxonomy.axes
        ],
    }
    return tomli_w.dumps(table, multiline_strings=False)


def write_taxonomy(path: Path, taxonomy: Taxonomy) -> None:
    """Write a taxonomy; the old file stays whole if that fails.

    Raises:
        WriteError: If the file cannot be written.
    """
    write_text_atomic(path, format_taxonomy(taxonomy))


def shipped_taxonomies() -> Mapping[str, Taxonomy]:
    """The taxonomies that come with Waypost, by key."""
    folder = resources.files("waypost.resources") / "taxonomies"
    found = {}
    for key in SHIPPED_KEYS:
        file = folder / f"{key}.toml"
        found[key] = parse_taxonomy(file.read_text(encoding="utf-8"), str(file))
    return MappingProxyType(found)
