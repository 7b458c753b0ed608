"""Batches with every round of every sheet as JSON lines, to keep and to bring back unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import ReadError
from waypost.domain.base.value_codec import decode, encode
from waypost.domain.score.batch import BatchItem, ScoreBatch, without_machine_paths
from waypost.domain.score.comparison import PairComparison
from waypost.domain.score.fairness import (
    may_see_sources,
    visible_comparisons,
    visible_sheets,
)
from waypost.domain.score.rubric import Rubric
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import Sheet
from waypost.io.atomic import write_text_atomic
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import reader
from waypost.io.json_reading import parse_json
from waypost.io.json_writing import json_line

SCHEMA_VERSION: Final = 1
"""Number in the first line; a file with a higher one is refused."""

_KINDS: Final[Mapping[str, type]] = MappingProxyType(
    {
        "rubric": Rubric,
        "batch": ScoreBatch,
        "item": BatchItem,
        "sheet": Sheet,
        "comparison": PairComparison,
    }
)
_HEAD: Final = "waypost_scores"


def history_text(book: ScoreBook, batches: Iterable[str], viewer: str) -> str:
    """Batches as JSON lines, as somebody may see them: a head, then one value a line.

    A rater's file has neither sources nor which items are attention checks until all own sheets
    are in, and of others only sheets on items of which the own sheet is in; pairs likewise. A
    folder of graphs outside the project's is left out: it says where somebody keeps files, and
    helps nobody else.

    Raises:
        EditError: If there is no such batch.
    """
    lines: list[dict[str, Any]] = [{_HEAD: SCHEMA_VERSION}]
    for name in batches:
        lines += (
            {"kind": _kind_of(value), "value": encode(value)}
            for value in _values(book, name, viewer)
        )
    return "".join(f"{json_line(line)}\n" for line in lines)


def _values(book: ScoreBook, name: str, viewer: str) -> Iterator[Any]:
    batch = book.batch(name)
    yield from (rubric for key, rubric in book.rubrics.items() if key.key == batch.rubric.key)
    yield without_machine_paths(batch)
    knows = may_see_sources(book, name, viewer)
    for item in book.items_of(name):
        hidden = replace(item.instruction, source="")
        yield item if knows else BatchItem(item.key, hidden)
    yield from visible_sheets(book, name, viewer)
    yield from visible_comparisons(book, name, viewer)


def _kind_of(value: Any) -> str:
    return next(name for name, kind in _KINDS.items() if isinstance(value, kind))


def write_history(path: Path, text: str) -> None:
    """Write what ``history_text`` gives; the old file stays whole if that fails.

    Raises:
        WriteError: If the file cannot be written.
    """
    write_text_atomic(path, text)


@reader
def read_history(path: Path) -> ScoreBook:
    """Read a file of batches; see ``parse_history``.

    Raises:
        ReadError: Naming the line and what is wrong there.
    """
    return parse_history(read_file_text(path), str(path))


def parse_history(text: str, file: str) -> ScoreBook:
    """The rubrics, batches, items, sheets and comparisons of a file, whether they fit or not.

    Raises:
        ReadError: Naming the line: it is no JSON, of another kind, or a field is missing, unknown
            or of a wrong type.
    """
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines or not is_history(lines[0][1]):
        raise ReadError(file, "line 1", f"does not begin with {_HEAD}")
    stated = _head_of(lines[0][1])[_HEAD]
    if not isinstance(stated, int):
        raise ReadError(file, "line 1", f"{_HEAD} is {stated!r}, no whole number")
    if stated < 1:
        raise ReadError(file, "line 1", f"{_HEAD} is {stated}, no version")
    if stated > SCHEMA_VERSION:
        raise ReadError(file, "line 1", f"{_HEAD} is {stated}, newer than {SCHEMA_VERSION}")
    found: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
    for number, line in lines[1:]:
        kind, value = _value(line, file, number)
        found[kind].append(value)
    return ScoreBook(
        _by(found["rubric"], lambda rubric: rubric.identity),
        _by(found["batch"], lambda batch: batch.name),
        *(_by(found[kind], lambda value: value.key) for kind in ("item", "sheet", "comparison")),
    )


def is_history(first_line: str) -> bool:
    """Whether a file that begins with this line is one of ours."""
    return _HEAD in _head_of(first_line)


def _head_of(first_line: str) -> dict[str, Any]:
    """The object in the first line; an empty one where it is none."""
    try:
        head = parse_json(first_line.removeprefix("\ufeff"), "").root.value
    except ReadError:
        return {}
    return head if isinstance(head, dict) else {}


def _value(line: str, file: str, number: int) -> tuple[str, Any]:
    place = f"line {number}"
    try:
        entry = parse_json(line, file).root.value
    except ReadError as error:
        raise ReadError(file, place, error.reason) from error
    if not isinstance(entry, dict) or entry.get("kind") not in list(_KINDS):
        raise ReadError(file, place, f"its kind is none of {', '.join(_KINDS)}")
    try:
        return entry["kind"], decode(_KINDS[entry["kind"]], entry.get("value"))
    except (TypeError, ValueError, KeyError) as error:
        raise ReadError(file, place, f"{entry['kind']}: {error}") from error


def _by(values: Iterable[Any], key: Callable[[Any], Any]) -> Mapping[Any, Any]:
    return MappingProxyType({key(value): value for value in values})
