"""Rubrics as TOML files that people can read and edit (docs/scoring.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import tomli_w

from waypost.domain.score.rubric import (
    Check,
    CheckKind,
    Condition,
    Criterion,
    Level,
    Rubric,
    ScaleKind,
)
from waypost.domain.score.rubric_problems import check_rubric
from waypost.domain.score.score_book import ScoreBook
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
"""Number in every rubric file; a file with a higher one is refused."""

SHIPPED_KEYS: Final = (
    "vlnverse-fine",
    "vlnverse-coarse",
    "navbench-simple",
    "navbench-abstract",
    "navbench-step-by-step",
)
"""Rubrics that come with Waypost, in the order they are shown."""

_RUBRIC_KEYS: Final = (
    "schema_version", "key", "version", "title", "total", "source", "notes", "criteria",
)  # fmt: skip
_CRITERION_KEYS: Final = (
    "key", "title", "description", "scale", "least", "most", "is_required", "only_if", "check",
    "levels",
)  # fmt: skip
_LEVEL_KEYS: Final = ("score", "title", "description")
_CONDITION_KEYS: Final = ("fact", "is_set", "criterion", "at_least")
_CHECK_KEYS: Final = ("kind", "words", "name")


@reader
def read_rubric(path: Path) -> Rubric:
    """Read one rubric.

    Raises:
        ReadError: Naming the file, the place and what is wrong with it.
    """
    return parse_rubric(read_toml_text(path), str(path))


def parse_rubric(text: str, file: str) -> Rubric:
    """Read a rubric from TOML text; ``file`` is only named in messages.

    Raises:
        ReadError: Naming the file, the place and what is wrong with it. Unknown keys are
            refused: a misspelt one would silently change what raters are asked.
    """
    table = versioned_table(text, file, SCHEMA_VERSION, _RUBRIC_KEYS)
    rubric = Rubric(
        table.get("key", str),
        table.get("version", int),
        table.get("title", str),
        tuple(map(_criterion, table.tables("criteria"))),
        table.optional("total", int),
        table.get("source", str, ""),
        table.get("notes", str, ""),
    )
    with checking(file):
        return check_rubric(rubric)


def _criterion(table: TomlTable) -> Criterion:
    table.check_keys(_CRITERION_KEYS)
    scale = table.choice("scale", ScaleKind)
    if scale is not ScaleKind.LIKERT and "least" in table.values:
        raise table.error("least", "stands only on a likert scale; points begin with 0")
    only_if, check = table.table("only_if"), table.table("check")
    return Criterion(
        table.get("key", str),
        table.get("title", str),
        scale,
        table.get("least", int, 1) if scale is ScaleKind.LIKERT else 0,
        table.get("most", int, 1 if scale is ScaleKind.YES_NO else None),
        tuple(map(_level, table.tables("levels"))),
        table.get("description", str, ""),
        table.get("is_required", bool, default=True),
        None if only_if is None else _condition(only_if),
        None if check is None else _check(check),
    )


def _level(table: TomlTable) -> Level:
    table.check_keys(_LEVEL_KEYS)
    return Level(
        table.get("score", int), table.get("title", str), table.get("description", str, "")
    )


def _condition(table: TomlTable) -> Condition:
    table.check_keys(_CONDITION_KEYS)
    return Condition(
        table.get("fact", str, ""),
        table.get("is_set", bool, default=True),
        table.get("criterion", str, ""),
        table.optional("at_least", int),
    )


def _check(table: TomlTable) -> Check:
    table.check_keys(_CHECK_KEYS)
    return Check(
        table.choice("kind", CheckKind), table.optional("words", int), table.get("name", str, "")
    )


def format_rubric(rubric: Rubric) -> str:
    """A rubric as TOML text; what is not set is left out."""
    table: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "key": rubric.key,
        "version": rubric.version,
        "title": rubric.title,
        **({} if rubric.total is None else {"total": rubric.total}),
        "source": rubric.source,
        "notes": rubric.notes,
        "criteria": [_criterion_table(entry) for entry in rubric.criteria],
    }
    return tomli_w.dumps(table, multiline_strings=False)


def _criterion_table(entry: Criterion) -> dict[str, Any]:
    table: dict[str, Any] = {
        "key": entry.key,
        "title": entry.title,
        "description": entry.description,
        "scale": entry.scale.value,
        **({"least": entry.least} if entry.scale is ScaleKind.LIKERT else {}),
        "most": entry.most,
        "is_required": entry.is_required,
    }
    condition, check = entry.only_if, entry.check
    if condition is not None and condition.fact:
        table["only_if"] = {"fact": condition.fact, "is_set": condition.is_set}
    elif condition is not None:
        lowest = {} if condition.at_least is None else {"at_least": condition.at_least}
        table["only_if"] = {"criterion": condition.criterion, **lowest}
    if check is not None:
        words = {} if check.words is None else {"words": check.words}
        name = {"name": check.name} if check.name else {}
        table["check"] = {"kind": check.kind.value, **words, **name}
    table["levels"] = [
        {"score": level.score, "title": level.title, "description": level.description}
        for level in entry.levels
    ]
    return table


def write_rubric(path: Path, rubric: Rubric) -> None:
    """Write a rubric; the old file stays whole if that fails.

    Raises:
        WriteError: If the file cannot be written.
    """
    write_text_atomic(path, format_rubric(rubric))


def known_rubrics(book: ScoreBook) -> Mapping[str, Rubric]:
    """The shipped rubrics and those of a project, the newest version of each key."""
    found = dict(shipped_rubrics())
    for key, rubric in book.rubrics.items():
        known = found.get(key.key)
        if known is None or known.version <= key.version:
            found[key.key] = rubric
    return MappingProxyType(found)


@lru_cache
def shipped_rubrics() -> Mapping[str, Rubric]:
    """The rubrics that come with Waypost, by key."""
    return shipped_files("rubrics", SHIPPED_KEYS, parse_rubric)
