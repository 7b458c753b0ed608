"""One kind of item: its table, and the codec that all kinds share.

A row holds the key, the fields that are searched, and the other fields as one JSON text. A field
that a dataclass gets later changes no table: where it is absent it has its default.
"""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Table

from waypost.domain.base.value_codec import PACKED, decoder, pack_points
from waypost.domain.project import Project

RowValues = Mapping[Any, Any]
"""Column name → value."""

_OF_EVERY_ROW: Final = {"payload", "ordinal", "row_version", "changed_by", "changed_utc"}


@dataclass(frozen=True, eq=False)
class ItemKind:
    """One kind of item: its table, its types, and where a project has its items."""

    name: str
    """As messages and the history call it: ``node``."""

    table: Table
    key_type: Any
    """A text, a whole number or a named tuple of such; its parts are the primary key."""

    value_type: Any
    """A dataclass, or ``Any`` for JSON values."""

    key_fields: tuple[str, ...]
    """Fields of a value that its key stands in: one for all of it, or one for each part."""

    items: Callable[[Project], Mapping[Any, Any]]
    """The items of this kind in a project, by key, in order."""

    title: Callable[[Any, Any], str]
    """Key and value → the item as a person knows it."""

    @cached_property
    def key_columns(self) -> tuple[str, ...]:
        """The primary key, in the order of the parts of a key."""
        return tuple(self.table.primary_key.columns.keys())

    def key_row(self, key: Any) -> dict[str, Any]:
        """The key as column values."""
        parts = key if isinstance(key, tuple) else (key,)
        return dict(zip(self.key_columns, parts, strict=True))

    def key_of(self, row: RowValues) -> Any:
        """The key of a row.

        Raises:
            TypeError: If a part of it is of another type.
        """
        parts = [row[column] for column in self.key_columns]
        return self._decode_key(parts if self._has_parts else parts[0])

    def item_text(self, key: Any) -> str:
        """The key as the history writes it."""
        return json.dumps(list(key)) if isinstance(key, tuple) else str(key)

    def to_row(self, value: Any) -> dict[str, Any]:
        """Everything except the key and the stamps.

        Raises:
            TypeError: If something in it cannot be written as JSON.
            ValueError: If a number is not finite, which ``item_of`` would refuse.
        """
        own = {name: getattr(value, name) for name in self._own_columns}
        fields = self._payload_fields
        stored = value if fields is None else {name: getattr(value, name) for name in fields}
        for name in self._packed_fields:
            stored[name] = pack_points(stored[name])
        return {**own, "payload": self._encoder.encode(stored)}

    def item_of(self, row: RowValues) -> tuple[Any, Any]:
        """Key and value of a row.

        Raises:
            TypeError: If a field is of another type; names the field.
            ValueError: If the payload is no JSON, or a field is unknown, missing or out of range.
            RecursionError: If it is nested too deeply.
        """
        stored = json.loads(row["payload"])
        if isinstance(stored, dict):
            parts = [row[column] for column in self.key_columns]
            if self._is_key_one_field:
                stored[self.key_fields[0]] = parts if self._has_parts else parts[0]
            else:
                stored.update(zip(self.key_fields, parts, strict=False))
            # A step of undo that was kept before a column was made has the field in its payload.
            stored.update((name, row[name]) for name in self._searched_fields if name in row)
        value = self._decode_value(stored)
        for name in self._digests:
            if getattr(value, name) != row[name]:
                raise ValueError(f"the {name.removesuffix('_hash')} does not match its hash")
        if self._is_key_one_field:
            return getattr(value, self.key_fields[0]), value
        return self.key_of(row), value

    @cached_property
    def _is_key_one_field(self) -> bool:
        return len(self.key_fields) == 1

    @cached_property
    def _has_parts(self) -> bool:
        return issubclass(self.key_type, tuple)

    @cached_property
    def _own_columns(self) -> tuple[str, ...]:
        """What is searched, and digests by which a changed field is found out."""
        others = {*self.key_columns, *_OF_EVERY_ROW}
        return tuple(column.name for column in self.table.c if column.name not in others)

    @cached_property
    def _searched_fields(self) -> tuple[str, ...]:
        return tuple(name for name in self._own_columns if name in self._fields)

    @cached_property
    def _digests(self) -> tuple[str, ...]:
        return tuple(name for name in self._own_columns if name.endswith("_hash"))

    @cached_property
    def _payload_fields(self) -> tuple[str, ...] | None:
        if not self._fields:
            return None
        elsewhere = {*self.key_fields, *self._own_columns}
        return tuple(name for name in self._fields if name not in elsewhere)

    @cached_property
    def _packed_fields(self) -> tuple[str, ...]:
        if not self._fields:
            return ()
        hints = typing.get_type_hints(self.value_type, include_extras=True)
        return tuple(n for n in self._fields if PACKED in getattr(hints[n], "__metadata__", ()))

    @cached_property
    def _fields(self) -> tuple[str, ...]:
        if not dataclasses.is_dataclass(self.value_type):
            return ()
        return tuple(field.name for field in dataclasses.fields(self.value_type))

    @cached_property
    def _encoder(self) -> json.JSONEncoder:
        """What is kept of files of others may hold NaN, and comes back as it was."""
        return _ENCODER if not self._fields or _keeps_extra(self.value_type) else _FINITE_ENCODER

    @cached_property
    def _decode_key(self) -> Callable[[Any], Any]:
        return decoder(self.key_type)

    @cached_property
    def _decode_value(self) -> Callable[[Any], Any]:
        return decoder(self.value_type)


def _keeps_extra(kind: Any) -> bool:
    """Whether values of a type, or what they consist of, keep what was in files of others."""
    if not dataclasses.is_dataclass(kind):
        return False
    hints = typing.get_type_hints(kind)
    return "extra" in hints or any(map(_keeps_extra, hints.values()))


def _plain(value: object) -> Any:
    """What JSON has for a value that it does not know; every field is written, defaults too."""
    if isinstance(value, Mapping):
        return dict(value)
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Path):
        return value.as_posix()
    if isinstance(value, Real):
        return float(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), default=_plain)
_FINITE_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), default=_plain, allow_nan=False)
