"""Frames of typed columns and their files: undefined is null, texts are safe in spreadsheets."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from waypost.io.atomic import write_bytes_atomic
from waypost.io.table_cells import write_csv_table

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

Columns = Mapping[str, tuple[type, Callable[[T], Any]]]
"""Name → ``str``, ``int``, ``float``, ``bool`` or ``dict`` (reason → count), and how a cell is
read from an item; ``None`` where it is undefined."""

_DTYPES: Final = {int: "Int64", float: "float64", bool: "boolean"}


def is_loaded() -> bool:
    """Whether pandas is there; the first table waits for it otherwise."""
    return "pandas" in sys.modules


def load() -> None:
    """Import pandas now, so that no window waits for it later."""
    importlib.import_module("pandas")


def column(values: Iterable[Any], kind: type) -> pd.Series[Any]:
    """Values of one type; ``None`` becomes null. Texts are kept as they are, halves included."""
    import pandas as pd  # noqa: PLC0415 - 0.3 s to import, needed when there are tables

    return pd.Series(list(values), dtype=_DTYPES.get(kind, object))


def frame_of(items: Iterable[T], columns: Columns[T]) -> pd.DataFrame:
    """One row per item."""
    import pandas as pd  # noqa: PLC0415 - as above

    kept = tuple(items)
    return pd.DataFrame(
        {name: column(map(cell, kept), kind) for name, (kind, cell) in columns.items()}
    )


def score_columns(
    keys: Iterable[str], value: Callable[[int, T], float | None], reason: Callable[[int, T], str]
) -> dict[str, tuple[type, Callable[[T], Any]]]:
    """Two columns per score: its value, and why it is undefined where it is.

    Args:
        keys: Names of the scores.
        value: By the number of the score, of an item.
        reason: Likewise; asked only where there is no value.
    """

    def why(number: int, item: T) -> str | None:
        return reason(number, item) if value(number, item) is None else None

    columns: dict[str, tuple[type, Callable[[T], Any]]] = {}
    for number, key in enumerate(keys):
        columns[key] = float, partial(value, number)
        columns[f"{key}_undefined"] = str, partial(why, number)
    return columns


def write_csv(path: Path, frame: pd.DataFrame) -> None:
    """Write a frame for spreadsheets: UTF-8 with a byte order mark, texts safe to open.

    Raises:
        WriteError: If the file cannot be written.
        InputError: If a text holds half a character.
    """
    cells = frame.astype(object).where(frame.notna(), None)
    rows = cells.itertuples(index=False, name=None)
    write_csv_table(path, frame.columns, ([_plain(cell) for cell in row] for row in rows))


def _plain(cell: Any) -> Any:
    if isinstance(cell, Mapping):
        return "; ".join(f"{count} × {reason}" for reason, count in cell.items())
    return cell


def write_parquet(
    path: Path, frame: pd.DataFrame, metadata: Mapping[str, str] | None = None
) -> None:
    """Write a frame as Parquet with the types of its columns.

    Args:
        path: The file.
        frame: What to write.
        metadata: Texts by key to stand in the file beside the columns.

    Raises:
        WriteError: If the file cannot be written.
    """
    import pyarrow as pa  # noqa: PLC0415 - 0.2 s to import, needed by few commands
    import pyarrow.parquet as pq  # noqa: PLC0415

    kinds = {"O": pa.string(), "i": pa.int64(), "f": pa.float64(), "b": pa.bool_()}
    schema = pa.schema([(name, kinds[dtype.kind]) for name, dtype in frame.dtypes.items()])
    table = pa.Table.from_pandas(frame, schema, preserve_index=False)
    stream = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(metadata), stream)
    write_bytes_atomic(path, stream.getvalue())
