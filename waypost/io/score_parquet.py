"""Scores of every episode as Parquet: one row per run and episode, why a score is undefined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import WriteError
from waypost.io.atomic import open_atomic


class _GivenUpError(Exception):
    """The file keeps its old content."""


class ScoreParquetWriter:
    """Writes score tables piece by piece; the file appears when it is complete.

    Columns are ``run``, ``episode_id``, one per metric (null where undefined), and for each
    metric ``<metric>_undefined`` with the reason (null where defined). The profile and its
    definitions are in the metadata of the file.

    Args:
        path: Replaced when the writer closes without an error, as ``atomic.open_atomic`` does it.
        metrics: Names of the score columns.
        metadata: Text by key, e.g. the definitions as JSON.

    Raises:
        WriteError: If there is no file to be at the path, or it cannot be written.
    """

    def __init__(self, path: Path, metrics: Iterable[str], metadata: Mapping[str, str]) -> None:
        import pyarrow as pa  # noqa: PLC0415 - 0.2 s to import, needed by few commands
        import pyarrow.parquet as pq  # noqa: PLC0415

        self._pa = pa
        self._path = path
        self._metrics = tuple(metrics)
        text = pa.dictionary(pa.int32(), pa.string())
        fields = [pa.field("run", text), pa.field("episode_id", pa.string())]
        for name in self._metrics:
            fields += [pa.field(name, pa.float64()), pa.field(f"{name}_undefined", text)]
        self._schema = pa.schema(fields, metadata=dict(metadata))
        with ExitStack() as opening:
            stream = opening.enter_context(open_atomic(path))
            self._writer = pq.ParquetWriter(stream, self._schema, compression="zstd")
            self._open = opening.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            with self._open:
                self._writer.close()
            return
        # Whatever ended the work, it is not that this file cannot be written.
        with suppress(_GivenUpError), self._open:
            with suppress(OSError):
                self._writer.close()
            raise _GivenUpError

    def write(
        self,
        run: str,
        episode_ids: list[str],
        columns: list[NDArray[np.float64]],
        reasons: list[dict[int, str]],
    ) -> None:
        """Append the scores of one run on some episodes.

        Args:
            run: Name of the run.
            episode_ids: (N).
            columns: One (N,) array per metric, NaN where undefined.
            reasons: One per metric: row → why it is undefined.

        Raises:
            WriteError: If the file cannot be written.
        """
        pa = self._pa
        if not episode_ids:
            return
        text = pa.dictionary(pa.int32(), pa.string())
        arrays: list[Any] = [
            pa.array([run] * len(episode_ids)).cast(text),
            pa.array(episode_ids, pa.string()),
        ]
        for column, why in zip(columns, reasons, strict=True):
            texts = (
                [None] * len(episode_ids)
                if not why
                else [why.get(row) for row in range(len(episode_ids))]
            )
            arrays += [pa.array(column, from_pandas=True), pa.array(texts, pa.string()).cast(text)]
        try:
            self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        except OSError as error:
            raise WriteError(str(self._path), error.strerror or str(error)) from error
