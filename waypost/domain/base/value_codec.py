"""Frozen domain values to and from JSON values, exactly, by the types of their fields.

Strict in reading: a value of another type, a number that is not finite and a field that nobody
knows are refused by the name of their field; an absent field has its default. Fields named
``record`` are left out, and those that are no arguments of their class. Arrays of float64 are kept
as the base64 of their bytes, so that NaN survives; paths that are marked ``PACKED`` as well, as
thousands of them are read at once.
"""

from __future__ import annotations

import base64
import dataclasses
import sys
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Converter = Callable[[Any], Any]

PACKED: Final = "packed"
"""Marks ``Annotated[tuple[Vec3, ...], PACKED]``: points that are kept as the base64 of float64."""

_LEFT_OUT: Final = "record"
_PLAIN: Final[Mapping[Any, str]] = {
    str: "a text", int: "a whole number", float: "a number", bool: "true or false",
    type(None): "nothing",
}  # fmt: skip
_LARGEST: Final = sys.float_info.max


def encode(value: Any) -> Any:
    """The JSON value of an instance of a frozen dataclass.

    Fields that hold their default are left out: for files and processes that only this version of
    the program reads again. What a field of type ``Any`` holds must be a JSON value already.

    Raises:
        TypeError: If a field has a type that this codec does not know.
    """
    return _codec(type(value))[0](value)


def decode(kind: type[T], value: Any) -> T:
    """The instance that ``encode`` made a JSON value of.

    Raises:
        ValueError: If the value is of another shape.
    """
    try:
        return decoder(kind)(value)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"is no {kind.__name__}: {error}") from error


def decoder(kind: type[T]) -> Callable[[Any], T]:
    """What makes instances of a type from JSON values, whether fields are left out or not.

    It raises ``TypeError`` or ``ValueError``, whose message begins with the field, or what the type
    itself raises.
    """
    made: Callable[[Any], T] = _codec(kind)[1]
    return made


def _codec(kind: Any) -> tuple[Converter, Converter]:
    """What encodes and what decodes values of a type; made once per type."""
    if kind not in _CODECS:
        _CODECS[kind] = _make_codec(kind)
    return _CODECS[kind]


_CODECS: Final[dict[Any, tuple[Converter, Converter]]] = {}


def _make_codec(kind: Any) -> tuple[Converter, Converter]:
    kind = _without_aliases(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    made: tuple[Converter, Converter]
    if origin is Annotated:
        made = _marked_codec(kind)
    elif kind is Any:
        made = _same, _same
    elif kind in _PLAIN:
        made = _same, _checked(kind)
    elif origin is np.ndarray:
        made = _packed, _unpacked
    elif dataclasses.is_dataclass(kind):
        made = _dataclass_codec(typing.cast("type[Any]", kind))
    elif kind in _WRITTEN:
        made = _WRITTEN[kind]
    elif isinstance(kind, type) and issubclass(kind, StrEnum):
        made = str, kind
    elif isinstance(kind, type) and issubclass(kind, tuple):
        made = _named_tuple_codec(kind)
    elif origin in (types.UnionType, typing.Union):
        made = _optional_codec(kind, arguments)
    elif origin in (tuple, frozenset):
        made = _collection_codec(origin, arguments)
    elif origin is not None and issubclass(origin, Mapping):
        made = _mapping_codec(arguments[1])
    else:
        raise TypeError(f"{kind} has no codec")
    return made


def _without_aliases(kind: Any) -> Any:
    """The type behind ``type X = …``, as libraries name theirs from Python 3.12 on.

    There ``NDArray[np.float64]`` is an alias with an argument, and no class has its origin.
    """
    origin = typing.get_origin(kind)
    if hasattr(origin, "__value__"):
        return _without_aliases(origin.__value__[typing.get_args(kind)])
    if origin is None and hasattr(kind, "__value__"):
        return _without_aliases(kind.__value__)
    return kind


def _same(value: Any) -> Any:
    return value


def _checked(kind: Any) -> Converter:
    def check(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"expected {_PLAIN[kind]}, found {_shown(value)}")
        return value

    return _number if kind is float else check


def _number(value: Any) -> Any:
    if type(value) is not float and type(value) is not int:
        raise TypeError(f"expected {_PLAIN[float]}, found {_shown(value)}")
    if not -_LARGEST <= value <= _LARGEST:
        raise ValueError(f"{value} is no finite number")
    return value


def _path(value: Any) -> Path:
    return Path(_checked(str)(value))


def _moment(value: Any) -> datetime:
    if not isinstance(value, str):
        raise TypeError(f"expected a time, found {_shown(value)}")
    return datetime.fromisoformat(value)


_WRITTEN: Final[Mapping[Any, tuple[Converter, Converter]]] = {
    Path: (Path.as_posix, _path), datetime: (datetime.isoformat, _moment),
}  # fmt: skip


def _shown(value: Any) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"


def _optional_codec(kind: Any, arguments: tuple[Any, ...]) -> tuple[Converter, Converter]:
    kept = [entry for entry in arguments if entry is not type(None)]
    if len(kept) != 1 or len(kept) == len(arguments):
        raise TypeError(f"{kind} has no codec")
    into, back = _codec(kept[0])
    return (
        lambda value: None if value is None else into(value),
        lambda value: None if value is None else back(value),
    )


def _collection_codec(origin: Any, arguments: tuple[Any, ...]) -> tuple[Converter, Converter]:
    if len(arguments) == 1 or arguments[-1] is Ellipsis:
        into, back = _codec(arguments[0])
        return (
            lambda value: [into(item) for item in value],
            lambda value: origin(map(back, _listed(value))),
        )
    return _row_codec(origin, arguments)


def _named_tuple_codec(kind: Any) -> tuple[Converter, Converter]:
    hints = typing.get_type_hints(kind)
    return _row_codec(kind._make, tuple(hints[name] for name in kind._fields))


def _row_codec(make: Converter, arguments: tuple[Any, ...]) -> tuple[Converter, Converter]:
    codecs = [_codec(entry) for entry in arguments]
    intos, backs = [into for into, _ in codecs], [back for _, back in codecs]

    def back(value: Any) -> Any:
        if len(_listed(value)) != len(backs):
            raise ValueError(f"expected {len(backs)} values, found {len(value)}")
        return make([decode_part(part) for decode_part, part in zip(backs, value, strict=True)])

    return lambda value: [into(part) for into, part in zip(intos, value, strict=True)], back


def _mapping_codec(kind: Any) -> tuple[Converter, Converter]:
    into, back = _codec(kind)
    return (
        lambda value: {key: into(item) for key, item in value.items()},
        lambda value: MappingProxyType({key: back(item) for key, item in _object(value).items()}),
    )


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"must be a list, not {_shown(value)}")
    return value


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"must be an object, not {_shown(value)}")
    return value


def _dataclass_codec(kind: type[Any]) -> tuple[Converter, Converter]:
    hints = typing.get_type_hints(kind, include_extras=True)
    entries = [
        entry for entry in dataclasses.fields(kind) if entry.init and entry.name != _LEFT_OUT
    ]
    codecs = {entry.name: _codec(hints[entry.name]) for entry in entries}
    # Where a default is empty, what is empty is the default; told now, not for every value.
    parts = [
        (entry.name, codecs[entry.name][0], _default(entry), _is_empty(_default(entry)))
        for entry in entries
    ]
    decoders = {name: codec[1] for name, codec in codecs.items()}
    required = [entry.name for entry in entries if _default(entry) is dataclasses.MISSING]

    def into(value: Any) -> dict[str, Any]:
        table = {}
        for name, encoded, default, is_empty in parts:
            item = getattr(value, name)
            if item is not default and not (is_empty and not len(item)):
                table[name] = encoded(item)
        return table

    def back(value: Any) -> Any:
        table = {}
        for name, item in _object(value).items():
            if name not in decoders:
                raise ValueError(
                    f"{name!r} is not known to this Waypost; it may be from a newer one"
                )
            try:
                table[name] = decoders[name](item)
            except (TypeError, ValueError) as error:
                raise ValueError(f"{name}: {error}") from error
        missing = [name for name in required if name not in table]
        if missing:
            raise ValueError(f"{', '.join(map(repr, missing))} is missing")
        return kind(**table)

    return into, back


def pack_points(points: Sequence[Sequence[float]]) -> str:
    """The text of points; see ``PACKED``.

    Raises:
        ValueError: If a coordinate is not finite.
    """
    array = np.array(points, dtype="<f8")
    if not np.isfinite(array).all():
        raise ValueError("a coordinate is no finite number")
    return base64.b64encode(array.tobytes()).decode("ascii")


def _marked_codec(kind: Any) -> tuple[Converter, Converter]:
    into, plain = _codec(kind.__origin__)
    if PACKED not in kind.__metadata__:
        return into, plain

    def back(value: Any) -> Any:
        if not isinstance(value, str):
            return plain(value)
        points = np.frombuffer(base64.b64decode(value, validate=True), dtype="<f8").reshape(-1, 3)
        if not np.isfinite(points).all():
            raise ValueError("a coordinate is no finite number")
        return tuple(map(tuple, points.tolist()))

    return pack_points, back


def _default(entry: dataclasses.Field[Any]) -> Any:
    if entry.default_factory is not dataclasses.MISSING:
        return entry.default_factory()
    return entry.default


def _is_empty(default: Any) -> bool:
    return isinstance(default, str | tuple | Mapping) and not default


def _packed(array: NDArray[np.float64]) -> list[Any]:
    data = np.ascontiguousarray(array, dtype="<f8").tobytes()
    return [list(array.shape), base64.b64encode(data).decode("ascii")]


def _unpacked(value: Any) -> NDArray[np.float64]:
    shape, text = value
    data = base64.b64decode(text, validate=True)
    # The bytes are copied once, and stay read-only as arrays in frozen values are.
    array = np.frombuffer(data, dtype="<f8").reshape(shape)
    return typing.cast("NDArray[np.float64]", array)
