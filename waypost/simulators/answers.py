"""Makes values of what a worker said, and believes none of it: types, lengths, finite numbers.

A worker is another program, often with another Python, and an engine may spoil its memory. A wrong
number that looks right would end in a label.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

T = TypeVar("T")
Check = Callable[[Any, str], Any]

_LARGEST_INTEGER: Final = 2**63 - 1


class AnswerError(ValueError):
    """What a worker said is not what was asked for; its text names the place."""


def restored(kind: type[T], value: object, place: str) -> T:
    """The value of a declared type that JSON values describe.

    Args:
        kind: A frozen dataclass of the protocol, a tuple, or a plain type.
        value: As it came out of the header of a message.
        place: What it is, for the error.

    Raises:
        AnswerError: If anything in it has another type or length, or is not finite.
    """
    made: T = _check_of(typing.cast("Hashable", kind))(value, place)
    return made


@functools.cache
def _check_of(kind: Any) -> Check:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _record_of(typing.cast("type[Any]", kind))
    if origin is tuple:
        return _tuple_of(arguments)
    if origin in (types.UnionType, typing.Union):
        return _optional_of(arguments)
    if kind is float:
        return _number
    if kind is int:
        return _integer
    return _plain_of(kind)


def _record_of(kind: type[Any]) -> Check:
    hints = typing.get_type_hints(kind)
    checks = {entry.name: _check_of(hints[entry.name]) for entry in dataclasses.fields(kind)}
    needed = {
        entry.name
        for entry in dataclasses.fields(kind)
        if entry.default is dataclasses.MISSING and entry.default_factory is dataclasses.MISSING
    }

    def check(value: Any, place: str) -> Any:
        if not isinstance(value, dict) or not needed <= value.keys() <= checks.keys():
            raise AnswerError(f"{place} is no {kind.__name__}")
        return kind(**{name: checks[name](item, f"{place}.{name}") for name, item in value.items()})

    return check


def _tuple_of(arguments: tuple[Any, ...]) -> Check:
    is_endless = arguments[-1] is Ellipsis
    checks = [_check_of(entry) for entry in arguments if entry is not Ellipsis]

    def check(value: Any, place: str) -> Any:
        if not isinstance(value, list) or not (is_endless or len(value) == len(checks)):
            raise AnswerError(f"{place} is no list of the right length")
        parts = checks * len(value) if is_endless else checks
        return tuple(
            part(item, f"{place}[{number}]")
            for number, (part, item) in enumerate(zip(parts, value, strict=True))
        )

    return check


def _optional_of(arguments: tuple[Any, ...]) -> Check:
    (kind,) = (entry for entry in arguments if entry is not type(None))
    inner = _check_of(kind)
    return lambda value, place: None if value is None else inner(value, place)


def _number(value: Any, place: str) -> float:
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise AnswerError(f"{place} is no finite number")
    return number


def _integer(value: Any, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST_INTEGER:
        raise AnswerError(f"{place} is no whole number")
    return value


def _plain_of(kind: Any) -> Check:
    def check(value: Any, place: str) -> Any:
        if type(value) is not kind:
            raise AnswerError(f"{place} is no {kind.__name__}")
        return value

    return check
