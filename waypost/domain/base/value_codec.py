"""Frozen domain values to and from JSON values, exactly, by the types of their fields.

For files and processes that only this version of the program reads again. Fields named ``record``
are left out, and those that are no arguments of their class. Arrays of float64 are kept as the
base64 of their bytes, so that NaN survives.
"""

from __future__ import annotations

import base64
import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Converter = Callable[[Any], Any]

_LEFT_OUT: Final = "record"
_PLAIN: Final = (str, int, float, bool, type(None))


def encode(value: Any) -> Any:
    """The JSON value of an instance of a frozen dataclass.

    Fields that hold their default are left out. What a field of type ``Any`` holds must be a
    JSON value already.

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
        made: T = _codec(kind)[1](value)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"is no {kind.__name__}: {error}") from error
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
    if kind is Any:
        made = _same, _same
    elif kind in _PLAIN:
        made = _same, _checked(kind)
    elif origin is np.ndarray:
        made = _packed, _unpacked
    elif dataclasses.is_dataclass(kind):
        made = _dataclass_codec(typing.cast("type[Any]", kind))
    elif isinstance(kind, type) and issubclass(kind, StrEnum):
        made = str, kind
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
    allowed = (int, float) if kind is float else kind

    def check(value: Any) -> Any:
        if not isinstance(value, allowed) or (isinstance(value, bool) and kind is not bool):
            raise TypeError(f"{value!r} is no {kind.__name__}")
        return value

    return check


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
    pairs = [_codec(entry) for entry in arguments]
    return (
        lambda value: [pair[0](item) for pair, item in zip(pairs, value, strict=True)],
        lambda value: origin(
            pair[1](item) for pair, item in zip(pairs, _listed(value), strict=True)
        ),
    )


def _mapping_codec(kind: Any) -> tuple[Converter, Converter]:
    into, back = _codec(kind)
    return (
        lambda value: {key: into(item) for key, item in value.items()},
        lambda value: MappingProxyType({key: back(item) for key, item in value.items()}),
    )


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return value


def _dataclass_codec(kind: type[Any]) -> tuple[Converter, Converter]:
    hints = typing.get_type_hints(kind)
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

    def into(value: Any) -> dict[str, Any]:
        table = {}
        for name, encoded, default, is_empty in parts:
            item = getattr(value, name)
            if item is not default and not (is_empty and not len(item)):
                table[name] = encoded(item)
        return table

    def back(value: Any) -> Any:
        return kind(**{name: decoders[name](item) for name, item in value.items()})

    return into, back


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
