"""The table of a run as CSV or Parquet: values with their profile, reasons where there are none."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import WriteError
from waypost.domain.base.visible_text import with_whole_characters
from waypost.domain.causes.blind_marks import NONE_GIVEN, BlindCount
from waypost.domain.replay.run_rows import RunRow, RunRows
from waypost.io.study_exports import Cell, Table, write_table_csv, write_table_parquet

SUFFIXES: Final = (".csv", ".parquet")
"""What a table can be written as, by the name of the file."""


@dataclass(frozen=True, slots=True)
class EpisodeCauses:
    """What people say about the episodes of a run; each mapping is by episode."""

    titles: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    by: str = ""
    """Whose marks these are; stands in every line."""

    blind: Mapping[str, BlindCount] = field(default_factory=lambda: MappingProxyType({}))
    """How many of the marks were made blind."""


NO_CAUSES: Final = EpisodeCauses()


def write_episode_table(
    path: Path,
    rows: RunRows,
    keys: Collection[tuple[str, int]] | None = None,
    causes: EpisodeCauses = NO_CAUSES,
) -> int:
    """Write one line per run of an episode.

    An undefined value is an empty cell (null), with the reason in the column
    ``<metric>_undefined``. The profile stands in every line of a CSV; definitions are in the
    metadata of a Parquet file under ``waypost.profile`` and ``waypost.definitions``.
    In a CSV, texts that a spreadsheet would run as a formula begin with an apostrophe. Halves of
    surrogate pairs, which no file holds, are spelled out as on the report's page.

    Args:
        path: ``….csv`` or ``….parquet``.
        rows: The run.
        keys: Episode and attempt of the lines to write; all without.
        causes: What people say.

    Returns:
        The number of lines.

    Raises:
        WriteError: If the name ends otherwise or the file cannot be written.
    """
    check_table_name(path)
    chosen = [row for row in rows.rows if keys is None or row.key in keys]
    lines = (_line(rows, row, causes) for row in chosen)
    table = Table(_columns(rows), tuple(tuple(map(_writable, line)) for line in lines))
    if path.suffix.lower() == ".csv":
        write_table_csv(path, table)
    else:
        write_table_parquet(path, table, _metadata(rows))
    return len(chosen)


def _writable(cell: Cell) -> Cell:
    return with_whole_characters(cell) if isinstance(cell, str) else cell


def check_table_name(path: Path) -> None:
    """Refuse a file name that says no known kind of table.

    Raises:
        WriteError: If it ends neither in .csv nor in .parquet.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise WriteError(str(path), "a table is written as .csv or .parquet")


def _columns(rows: RunRows) -> tuple[tuple[str, type], ...]:
    metrics: list[tuple[str, type]] = []
    for column in rows.columns:
        metrics += [(column.key, float), (f"{column.key}_undefined", str)]
    return (
        ("run", str),
        ("profile", str),
        ("episode_id", str),
        ("attempt", int),
        ("scene_id", str),
        ("split", str),
        ("instruction", str),
        ("success", bool),
        *metrics,
        ("tags", str),
        ("tag_steps", str),
        ("causes", str),
        ("causes_by", str),
        *((f"marks_{name}", int) for name in BlindCount._fields),
        ("step_count", int),
        ("ended_by", str),
        ("reference_m", float),
        ("turn_count", int),
    )


def _line(rows: RunRows, row: RunRow, causes: EpisodeCauses) -> tuple[Cell, ...]:
    scores: list[Cell] = []
    for value, reason in zip(row.values, row.reasons, strict=True):
        scores += [value, reason or None]
    steps = ("" if tag.step is None else str(tag.step) for tag in row.tags)
    return (
        rows.name,
        rows.profile_key,
        row.episode_id,
        row.attempt,
        row.scene_id,
        row.split,
        row.instruction,
        row.is_success,
        *scores,
        "; ".join(tag.kind.value for tag in row.tags),
        "; ".join(steps),
        "; ".join(causes.titles.get(row.episode_id, ())),
        causes.by or None,
        *causes.blind.get(row.episode_id, NONE_GIVEN),
        row.step_count,
        row.ended_by,
        row.reference_m,
        row.turn_count,
    )


def _metadata(rows: RunRows) -> dict[str, str]:
    described: dict[str, Any] = {
        column.key: {
            "definition": column.definition,
            "unit": column.unit,
            "source": column.source,
        }
        for column in rows.columns
    }
    told = {
        "waypost.run": rows.name,
        "waypost.source": rows.source,
        "waypost.profile": rows.profile_key,
        "waypost.profile_title": rows.profile_title,
        "waypost.definitions": json.dumps(described, ensure_ascii=False),
    }
    return {key: with_whole_characters(text) for key, text in told.items()}
