"""Whether a value made of stored rows is what its type says; SQLite and JSON hold anything.

A value of a wrong type would be found much later, far from the file that holds it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import types
import typing
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from typing import Any, Final

_Check = Callable[[Any], None]
"""Raises ``TypeError`` for a value that does not fit."""

_WORDS: Final[Mapping[type, str]] = {
    str: "a text", int: "a whole number", float: "a number", bool: "true or false",
    type(None): "nothing",
}  # fmt: skip


def check_types(value: Any) -> None:
    """Check the fields of a value, and of the values in them, against their types.

    Numbers have to be finite. Values whose type says nothing (``Any``) may be anything.

    Args:
        value: Of a dataclass, a named tuple, or plain.

    Raises:
        TypeError: If a field is of another type; names the field.
    """
    kind: Any = type(value)
    check = _check_of(kind)
    check(value)


def check_field(kind: Hashable, name: str, value: Any) -> None:
    """Check a value for one field of a dataclass.

    Raises:
        TypeError: If it is of another type; names the field.
    """
    _named(name, _fields_of(kind)[name], value)


@cache
def _fields_of(kind: Hashable) -> dict[str, _Check]:
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
    else:
        names = list(getattr(kind, "_fields", ()))
    hints = typing.get_type_hints(kind) if names else {}
    return {name: _check_of(hints[name]) for name in names}


@cache
def _check_of(kind: Any) -> _Check:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in _WORDS:
        check = _plain_check(kind)
    elif origin in (types.UnionType, typing.Union):
        check = _union_check(arguments)
    elif origin is tuple:
        check = _tuple_check(arguments)
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        check = _mapping_check(*arguments)
    elif isinstance(kind, type) and kind is not Any:
        check = _instance_check(kind, _fields_of(kind))
    else:
        check = _anything
    return check


def _plain_check(kind: type) -> _Check:
    def check(value: Any) -> None:
        is_number = kind is float and type(value) in (int, float)
        if type(value) is not kind and not is_number:
            raise TypeError(f"expected {_WORDS[kind]}, found {_shown(value)}")
        if kind is float and not math.isfinite(value):
            raise TypeError(f"{value} is no finite number")

    return check


def _union_check(arguments: tuple[Any, ...]) -> _Check:
    checks = [_check_of(argument) for argument in arguments if argument is not type(None)]
    takes_none = type(None) in arguments

    def check(value: Any) -> None:
        if value is None and takes_none:
            return
        for each in checks[:-1]:
            with contextlib.suppress(TypeError):
                each(value)
                return
        checks[-1](value)

    return check


def _tuple_check(arguments: tuple[Any, ...]) -> _Check:
    is_of_any_length = len(arguments) == 2 and arguments[1] is Ellipsis
    checks = [_check_of(argument) for argument in arguments if argument is not Ellipsis]

    def check(value: Any) -> None:
        if not isinstance(value, tuple):
            raise TypeError(f"expected a list, found {_shown(value)}")
        if not is_of_any_length and len(value) != len(checks):
            raise TypeError(f"expected {len(checks)} values, found {len(value)}")
        for place, each in enumerate(value):
            _named(f"[{place}]", checks[0 if is_of_any_length else place], each)

    return check


def _mapping_check(of_keys: Any, of_values: Any) -> _Check:
    check_key, check_value = _check_of(of_keys), _check_of(of_values)

    def check(value: Any) -> None:
        if not isinstance(value, Mapping):
            raise TypeError(f"expected an object, found {_shown(value)}")
        for key, each in value.items():
            check_key(key)
            _named(str(key), check_value, each)

    return check


def _instance_check(kind: type, fields: Mapping[str, _Check]) -> _Check:
    def check(value: Any) -> None:
        if not isinstance(value, kind):
            raise TypeError(f"expected {kind.__name__}, found {_shown(value)}")
        for name, each in fields.items():
            _named(name, each, getattr(value, name))

    return check


def _anything(_: Any) -> None:
    """Values whose type says nothing fit."""


def _named(name: str, check: _Check, value: Any) -> None:
    try:
        check(value)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def _shown(value: Any) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"
