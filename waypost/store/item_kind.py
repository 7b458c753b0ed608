"""What the store knows about a kind of item: its table, and its codec to rows and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table

from waypost.domain.project import Project

RowValues = Mapping[Any, Any]
"""Column name → value."""


@dataclass(frozen=True, eq=False, slots=True)
class ItemKind:
    """One kind of item: its table, and the two directions of its codec."""

    name: str
    """As messages and the history call it: ``node``."""

    table: Table
    key_columns: tuple[str, ...]
    """The primary key, in the order of the parts of a key."""

    items: Callable[[Project], Mapping[Any, Any]]
    """The items of this kind in a project, by key, in order."""

    key_from_parts: Callable[[tuple[Any, ...]], Any]
    to_row: Callable[[Any], dict[str, Any]]
    """Everything except the key and the stamps."""

    from_row: Callable[[RowValues], Any]
    title: Callable[[Any, Any], str]
    """Key and value → the item as a person knows it."""

    def key_row(self, key: Any) -> dict[str, Any]:
        """The key as column values."""
        parts = key if isinstance(key, tuple) else (key,)
        return dict(zip(self.key_columns, parts, strict=True))

    def key_of(self, row: RowValues) -> Any:
        """The key of a row."""
        return self.key_from_parts(tuple(row[column] for column in self.key_columns))

    def item_text(self, key: Any) -> str:
        """The key as the history writes it."""
        return json.dumps(list(key)) if isinstance(key, tuple) else str(key)


def to_json(value: Any) -> str:
    """JSON text of a value as files hold it; read-only mappings become objects."""
    return json.dumps(value, default=_plain)


def from_json(text: str) -> Any:
    """The value of a JSON text; objects inside stay plain dictionaries.

    Raises:
        ValueError: If it is no JSON.
        RecursionError: If it is nested too deeply.
    """
    return json.loads(text)


def _plain(value: object) -> dict[Any, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def single(parts: tuple[Any, ...]) -> Any:
    """The key of a kind whose key has one part."""
    return parts[0]
