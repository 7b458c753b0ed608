"""The rows of a run as JSON values, column by column: small, and quick to read back."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from waypost.domain.base.value_codec import decode, encode
from waypost.domain.replay.run_rows import MetricColumn, RunRow, RunRows
from waypost.domain.replay.tags import Tag, TagKind

BLOCK: Final = 2_000
"""Rows in one JSON value."""

_TEXTS: Final = ("scene_id", "split", "instruction", "ended_by")
_PLAIN: Final = ("episode_id", "attempt", "is_success", "step_count", "reference_m", "turn_count")
_ALLOWED: Final[dict[str, tuple[type, ...]]] = {
    "episode_id": (str,),
    "attempt": (int,),
    "is_success": (bool, type(None)),
    "step_count": (int,),
    "reference_m": (int, float, type(None)),
    "turn_count": (int, type(None)),
}
_KINDS: Final = {kind.value: kind for kind in TagKind}
_NUMBERS: Final = (int, float, type(None))
_LARGEST: Final = sys.float_info.max


def encode_rows(rows: RunRows) -> Iterator[dict[str, Any]]:
    """JSON values of rows: what holds for all, then blocks; texts that repeat are kept once.

    Blocks are small because a thread that packs JSON lets no other one run meanwhile.
    """
    yield {
        "name": rows.name,
        "source": rows.source,
        "profile_key": rows.profile_key,
        "profile_title": rows.profile_title,
        "metrics": [encode(column) for column in rows.columns],
    }
    for start in range(0, len(rows.rows), BLOCK):
        yield _encoded_block(rows.rows[start : start + BLOCK], len(rows.columns))


def _encoded_block(rows: Sequence[RunRow], count: int) -> dict[str, Any]:
    texts = _Texts()
    columns = {name: [getattr(row, name) for row in rows] for name in _PLAIN}
    codes = {name: [texts.code(getattr(row, name)) for row in rows] for name in _TEXTS}
    reasons = [
        [[place, texts.code(row.reasons[n])] for place, row in enumerate(rows) if row.reasons[n]]
        for n in range(count)
    ]
    tags = [
        [[tag.kind.value, tag.step, texts.code(tag.reason)] for tag in row.tags] for row in rows
    ]
    return {
        "columns": columns,
        "codes": codes,
        "values": [[row.values[n] for row in rows] for n in range(count)],
        "reasons": reasons,
        "tags": tags,
        "texts": texts.known,
    }


def decode_rows(values: Iterable[Any]) -> RunRows:
    """The rows that ``encode_rows`` made JSON values of.

    Raises:
        ValueError: If a value is of another shape.
    """
    try:
        blocks = iter(values)
        head = next(blocks, None) or {}
        metrics = tuple(decode(MetricColumn, column) for column in head["metrics"])
        heads = {key: head[key] for key in ("name", "source", "profile_key", "profile_title")}
        _check_kinds(list(heads.values()), (str,))
        rows = [row for block in blocks for row in _decoded_block(block, len(metrics))]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"holds no rows: {error}") from error
    return RunRows(**heads, columns=metrics, rows=tuple(rows))


def _decoded_block(value: Any, metric_count: int) -> Iterator[RunRow]:
    _check_kinds(value["texts"], (str,))
    # By number, so that one below zero is none and does not count from the end.
    texts: dict[int, str] = dict(enumerate(value["texts"]))
    plain = [value["columns"][name] for name in _PLAIN]
    for name, column in zip(_PLAIN, plain, strict=True):
        _check_kinds(column, _ALLOWED[name])
    coded = [[texts[code] for code in value["codes"][name]] for name in _TEXTS]
    for column in value["values"]:
        _check_kinds(column, _NUMBERS)
    count = len(plain[0])
    if len(value["values"]) != metric_count:
        raise ValueError(f"has {len(value['values'])} metrics, not {metric_count}")
    reasons = _reasons(value["reasons"], texts, count)
    empty = ("",) * metric_count
    values = zip(*value["values"], strict=True) if metric_count else iter([()] * count)
    for place, (head, text, numbers, tags) in enumerate(
        zip(zip(*plain, strict=True), zip(*coded, strict=True), values, value["tags"], strict=True)
    ):
        episode_id, attempt, is_success, step_count, reference_m, turn_count = head
        scene_id, split, instruction, ended_by = text
        yield RunRow(
            episode_id,
            attempt,
            scene_id,
            split,
            instruction,
            is_success,
            numbers,
            reasons.get(place, empty),
            tuple([Tag(_KINDS[kind], step, texts[code]) for kind, step, code in tags]),
            step_count,
            ended_by,
            reference_m,
            turn_count,
        )


def _check_kinds(values: Sequence[Any], allowed: tuple[type, ...]) -> None:
    wrong = set(map(type, values)) - set(allowed)
    if wrong:
        raise TypeError(f"a column holds {', '.join(sorted(kind.__name__ for kind in wrong))}")
    # JSON can hold infinity, what is no number, and integers beyond every float.
    if float in allowed and not all(
        -_LARGEST <= value <= _LARGEST for value in values if value is not None
    ):
        raise ValueError("a column holds a number that is not finite")


def _reasons(
    columns: Iterable[Iterable[tuple[int, int]]], texts: Mapping[int, str], count: int
) -> dict[int, tuple[str, ...]]:
    """Row → reasons of all metrics, where there is any."""
    listed = list(columns)
    found: dict[int, list[str]] = {}
    for number, column in enumerate(listed):
        for place, code in column:
            if not 0 <= place < count:
                raise IndexError(f"there is no row {place}")
            found.setdefault(place, [""] * len(listed))[number] = texts[code]
    # Rows without a path share their reasons; one tuple serves all of them.
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    return {
        place: shared.setdefault(whole, whole)
        for place, whole in ((place, tuple(reasons)) for place, reasons in found.items())
    }


@dataclass(slots=True)
class _Texts:
    """Texts by number, each kept once."""

    known: list[str] = field(default_factory=list)
    codes: dict[str, int] = field(default_factory=dict)

    def code(self, text: str) -> int:
        code = self.codes.get(text)
        if code is None:
            code = self.codes[text] = len(self.known)
            self.known.append(text)
        return code
