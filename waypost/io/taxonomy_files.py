"""Failure taxonomies as TOML files that people can read and edit (docs/replay.md)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import tomli_w

from waypost.domain.causes.failure import Axis, Category, Taxonomy, check_taxonomy
from waypost.domain.causes.proposal import ANY_TAG
from waypost.domain.replay.tags import TagKind
from waypost.io.atomic import write_text_atomic
from waypost.io.foreign_errors import reader
from waypost.io.toml_reading import (
    TomlTable,
    checking,
    read_toml_text,
    shipped_files,
    versioned_table,
)

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
    table = versioned_table(text, file, SCHEMA_VERSION, _TAXONOMY_KEYS)
    taxonomy = Taxonomy(
        key=table.get("key", str),
        title=table.get("title", str),
        version=table.get("version", int),
        axes=tuple(map(_axis, table.tables("axes"))),
        source=table.get("source", str, ""),
        notes=table.get("notes", str, ""),
    )
    with checking(file):
        return check_taxonomy(taxonomy)


def _axis(table: TomlTable) -> Axis:
    table.check_keys(_AXIS_KEYS)
    return Axis(
        key=table.get("key", str),
        title=table.get("title", str),
        categories=tuple(map(_category, table.tables("categories"))),
        is_required=table.get("is_required", bool, default=True),
        allows_several=table.get("allows_several", bool, default=False),
    )


def _category(table: TomlTable) -> Category:
    table.check_keys(_CATEGORY_KEYS)
    return Category(
        key=table.get("key", str),
        title=table.get("title", str),
        description=table.get("description", str, ""),
        shortcut=table.get("shortcut", str, ""),
        tags=_tags(table),
    )


def _tags(table: TomlTable) -> tuple[str, ...]:
    stated = table.get("tags", list, [])
    known = {ANY_TAG, *TagKind}
    for tag in stated:
        if not isinstance(tag, str) or tag not in known:
            raise table.error("tags", f"{tag!r} is no computed tag")
    return tuple(stated)


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
    return shipped_files("taxonomies", SHIPPED_KEYS, parse_taxonomy)
