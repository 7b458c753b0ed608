"""Write run files of any size: one record in memory, the old file kept until the new is whole."""

from __future__ import annotations

import codecs
import contextlib
import gzip
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.episode.run import EpisodeRun
from waypost.io.atomic import open_atomic
from waypost.io.json_writing import json_line
from waypost.io.logs.source_records import unchanged_source


class TextSink(Protocol):
    """Takes text, one piece after the other."""

    def write(self, text: str, /) -> object:
        """Append a piece."""


@contextlib.contextmanager
def open_text(path: Path) -> Iterator[TextSink]:
    """Open a text file that takes its name when whole; ``….gz`` is packed.

    Raises:
        WriteError: If the file cannot be written.
    """
    with open_atomic(path) as raw:
        if path.suffix == ".gz":
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                yield codecs.getwriter("utf-8")(packed)
        else:
            yield codecs.getwriter("utf-8")(raw)


def write_array(path: Path, values: Iterable[Any]) -> None:
    """Write a JSON array, one element on a line.

    Raises:
        WriteError: If the file cannot be written.
    """
    with open_text(path) as text:
        text.write("[")
        for index, value in enumerate(values):
            text.write(("," if index else "") + "\n" + json_line(value))
        text.write("\n]\n")


def write_members(path: Path, members: Iterable[tuple[str, Any]]) -> None:
    """Write a JSON object, one member on a line.

    Raises:
        InputError: If a name comes twice, which would lose a value.
        WriteError: If the file cannot be written.
    """
    names: set[str] = set()
    with open_text(path) as text:
        text.write("{")
        for name, value in members:
            if name in names:
                raise InputError(f"{path}: {name!r} comes twice, and this format holds one of each")
            text.write(("," if names else "") + f"\n{json_line(name)}: {json_line(value)}")
            names.add(name)
        text.write("\n}\n")


def write_lines(path: Path, values: Iterable[Any]) -> None:
    """Write JSON lines.

    Raises:
        WriteError: If the file cannot be written.
    """
    with open_text(path) as text:
        for value in values:
            text.write(json_line(value) + "\n")


def record_or(
    run: EpisodeRun, is_own: Callable[[Any], bool], build: Callable[[EpisodeRun], Any]
) -> Any:
    """The record that a run was read from if it is one of this format; else one made of it.

    A line of the open form that was made of such a record and not changed since gives it back.
    """
    for record in (run.record, unchanged_source(run.record)):
        if record is not None and is_own(record):
            return record
    return build(run)


def nameable(path: Path, name: str) -> str:
    """An id that becomes the name of a file in a folder.

    Args:
        path: The folder, for the message.
        name: The id.

    Raises:
        InputError: If it would lead to another folder.
    """
    if {"/", "\\"} & set(name):
        raise InputError(f"{path}: {name!r} cannot name a file")
    return name


def positions_of(run: EpisodeRun, form: str) -> NDArray[np.float64]:
    """The positions of a run, (N, 3) scene frame.

    Raises:
        InputError: If it has none.
    """
    if run.route.positions_m is None:
        raise InputError(
            f"{run.episode_id}: {form} needs positions, and this run has"
            f" {'viewpoints only' if run.route.viewpoint_ids else 'no route'}"
        )
    return run.route.positions_m


def viewpoints_of(run: EpisodeRun, form: str) -> tuple[str, ...]:
    """The viewpoints of a run.

    Raises:
        InputError: If it has none although it has a route.
    """
    if not run.route.viewpoint_ids and len(run.route):
        raise InputError(f"{run.episode_id}: {form} needs viewpoints, and this run has positions")
    return run.route.viewpoint_ids
