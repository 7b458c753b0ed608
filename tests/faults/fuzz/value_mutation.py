"""Put wrong values into the trees of JSON, TOML and msgpack: types, sizes, names, ids, repeats."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

BIG_TEXT = "long " * 20_000
ODD_TEXTS = (
    "",
    " ",
    "\n",
    "a\nerror: /etc/passwd: line 1: forged",
    "\x1b[31mred\x1b[0m",
    "\x00",
    "\x07",
    "\u202egnp.exe",
    "\u2028",
    "\ud800",
    "\udfff",
    "👩🏽‍🦽",
    "שלום",
    "=1+1",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "/dev/zero",
    "http://127.0.0.1:9/x",
    "nan",
    "inf",
    "-0",
    "1e999",
    "%s%n",
    "'; DROP TABLE nodes; --",
    "{}",
    "[]",
    "null",
    "true",
    "0x10",
    "१२",
    BIG_TEXT,
)
NUMBERS: tuple[Any, ...] = (
    0,
    -1,
    1,
    2,
    255,
    256,
    65_535,
    2**31 - 1,
    2**31,
    2**32,
    -(2**31),
    2**53 + 1,
    2**63,
    -(2**63),
    2**64,
    10**400,
    -(10**400),
    0.5,
    -0.0,
    1e-320,
    1e308,
    -1e308,
    1e39,
    float("nan"),
    float("inf"),
    float("-inf"),
)
_DIGITS, _DEEP = "\u0001digits\u0001", "\u0001deep\u0001"
_WRITTEN = {_DIGITS: "9" * 5_000, _DEEP: "[" * 100_000 + "]" * 100_000}
"""What no writer puts out by itself: an integer that Python refuses to read, brackets without end.

A text stands for it in the tree; ``written_out`` puts it in its place.
"""


def mutate_value(rng: random.Random, value: Any, times: int | None = None) -> Any:
    """A copy of a tree with one to three wrong places."""
    root = [copy.deepcopy(value)]
    for _ in range(times or rng.choice((1, 1, 1, 2, 3))):
        holder, key = _place(rng, root)
        rng.choice(_CHANGES)(rng, holder, key, root)
    return root[0]


def dump_json(value: Any) -> str:
    """JSON text of a tree from ``mutate_value``."""
    return written_out(json.dumps(value, ensure_ascii=False))


def written_out(text: str) -> str:
    """JSON or TOML text with the numbers and brackets that texts stand for."""
    for mark, content in _WRITTEN.items():
        escaped = json.dumps(mark)
        text = text.replace(escaped, content).replace(escaped[1:-1], content)
    return text


def junk(rng: random.Random) -> Any:
    """A value that is likely to be wrong wherever it is put."""
    kind = rng.randrange(9)
    if kind < 3:
        return rng.choice(NUMBERS)
    if kind < 5:
        return rng.choice(ODD_TEXTS)
    if kind == 5:
        return rng.choice((None, True, False))
    if kind == 6:
        return rng.choice((_DIGITS, _DIGITS, _DEEP, _nested(10), _nested(200)))
    if kind == 7:
        return copy.deepcopy(rng.choice(([], {}, [[]], [None], {"": 0}, {"a": {}}, [{}], [[], 0])))
    return [rng.choice(NUMBERS)] * rng.choice((1, 3, 4, 1000))


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def _places(value: Any, found: list[tuple[Any, Any]], most: int = 4000) -> None:
    if len(found) > most:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            found.append((value, key))
            _places(item, found, most)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found.append((value, index))
            _places(item, found, most)


def _place(rng: random.Random, root: list[Any]) -> tuple[Any, Any]:
    found: list[tuple[Any, Any]] = []
    _places(root, found)
    return rng.choice(found)


def _replace(rng: random.Random, holder: Any, key: Any, root: list[Any]) -> None:
    holder[key] = junk(rng)


def _delete(rng: random.Random, holder: Any, key: Any, root: list[Any]) -> None:
    if holder is not root:
        del holder[key]


def _rename(rng: random.Random, holder: Any, key: Any, root: list[Any]) -> None:
    if isinstance(holder, dict):
        holder[rng.choice(ODD_TEXTS[:-1])] = holder.pop(key)


def _copy_other(rng: random.Random, holder: Any, key: Any, root: list[Any]) -> None:
    """A value from elsewhere in the same file, which swaps ids and makes cycles of indices."""
    other, name = _place(rng, root)
    holder[key] = copy.deepcopy(other[name])


def _swap(rng: random.Random, holder: Any, key: Any, root: list[Any]) -> None:
    other, name = _place(rng, root)
    value, theirs = copy.deepcopy(holder[key]), copy.deepcopy(other[name])
    holder[key], other[name] = theirs, value


def _nudge(rng: random.Random, holder: Any, key: Any, root: list[Any]) -> None:
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int | float):
        holder[key] = rng.choice((value + 1, value - 1, -value, value * 1000, 0.5, str(value)))
    elif isinstance(value, str):
        cut = rng.randrange(len(value) + 1)
        holder[key] = value[:cut] + rng.choice(ODD_TEXTS[:-1]) + value[cut:]
    elif isinstance(value, list):
        holder[key] = value + value[:1] if rng.random() < 0.5 else value[:-1]
    else:
        holder[key] = [value]


def _repeat(rng: random.Random, holder: Any, key: Any, root: list[Any]) -> None:
    if isinstance(holder, list) and holder is not root:
        holder[key:key] = [copy.deepcopy(holder[key])] * rng.choice((1, 1, 50))


def _shuffle(rng: random.Random, holder: Any, key: Any, root: list[Any]) -> None:
    value = holder[key]
    if isinstance(value, list):
        rng.shuffle(value)
    elif isinstance(value, dict):
        items = list(value.items())
        rng.shuffle(items)
        value.clear()
        value.update(items)


_CHANGES: tuple[Callable[[random.Random, Any, Any, list[Any]], None], ...] = (
    _replace,
    _replace,
    _replace,
    _replace,
    _delete,
    _rename,
    _copy_other,
    _copy_other,
    _swap,
    _nudge,
    _nudge,
    _repeat,
    _shuffle,
)
