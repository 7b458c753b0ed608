"""The table of a run as CSV or Parquet: values with their profile, reasons where there are none."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from waypost.domain.base.errors import WriteError
from waypost.domain.base.visible_text import with_whole_characters
from waypost.domain.causes.blind_marks import NONE_GIVEN, BlindCount
from waypost.domain.replay.run_rows import RunRow, RunRows
from waypost.domain.replay.tags import Tag
from waypost.tables.frames import Columns, column, frame_of, score_columns, write_csv, write_parquet

if TYPE_CHECKING:
    import pandas as pd

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
    frame = episode_frame(rows, chosen, causes)
    for name in [name for name, dtype in frame.dtypes.items() if dtype.kind == "O"]:
        frame[name] = column(map(_writable, frame[name]), str)
    if path.suffix.lower() == ".csv":
        write_csv(path, frame)
    else:
        write_parquet(path, frame, _metadata(rows))
    return len(chosen)


def _writable(cell: str | None) -> str | None:
    return None if cell is None else with_whole_characters(cell)


def check_table_name(path: Path) -> None:
    """Refuse a file name that says no known kind of table.

    Raises:
        WriteError: If it ends neither in .csv nor in .parquet.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise WriteError(str(path), "a table is written as .csv or .parquet")


def episode_frame(
    rows: RunRows, chosen: Sequence[RunRow], causes: EpisodeCauses = NO_CAUSES
) -> pd.DataFrame:
    """One row per run of an episode, with the columns of ``write_episode_table``."""

    def count(name: str, row: RunRow) -> int:
        return int(getattr(causes.blind.get(row.chart_id, NONE_GIVEN), name))

    columns: Columns[RunRow] = {
        "run": (str, lambda _: rows.name),
        "profile": (str, lambda _: rows.profile_key),
        "episode_id": (str, lambda row: row.episode_id),
        "attempt": (int, lambda row: row.attempt),
        **(_OF_PEOPLE if any(row.take is not None for row in chosen) else {}),
        "scene_id": (str, lambda row: row.scene_id),
        "split": (str, lambda row: row.split),
        "instruction": (str, lambda row: row.instruction),
        "success": (bool, lambda row: row.is_success),
        **score_columns(
            [column.key for column in rows.columns],
            lambda number, row: row.values[number],
            lambda number, row: row.reasons[number],
        ),
        "tags": (str, lambda row: "; ".join(tag.kind.value for tag in row.tags)),
        "tag_steps": (str, lambda row: "; ".join(map(_step, row.tags))),
        "causes": (str, lambda row: "; ".join(causes.titles.get(row.chart_id, ()))),
        "causes_by": (str, lambda _: causes.by or None),
        **{f"marks_{name}": (int, partial(count, name)) for name in BlindCount._fields},
        "step_count": (int, lambda row: row.step_count),
        "ended_by": (str, lambda row: row.ended_by),
        "reference_m": (float, lambda row: row.reference_m),
        "turn_count": (int, lambda row: row.turn_count),
    }
    return frame_of(chosen, columns)


_OF_PEOPLE: Final[Columns[RunRow]] = {
    "participant": (str, lambda row: row.participant or None),
    "take": (int, lambda row: row.take),
}
"""Columns that rows of people have beside those of models."""


def _step(tag: Tag) -> str:
    return "" if tag.step is None else str(tag.step)


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
