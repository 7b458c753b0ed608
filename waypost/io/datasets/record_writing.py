"""Write episode files record by record: whole or not at all, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportKind
from waypost.io.datasets.episode_format import EpisodeWriter
from waypost.io.datasets.episode_parts import Losses, Part
from waypost.io.json_writing import json_line
from waypost.io.logs.run_writing import open_text, write_array, write_lines
from waypost.io.read_log import ReadLog

_NOTHING: Final = object()


def records_of(
    name: str,
    episodes: Iterable[Episode],
    build: Callable[[list[Episode]], Any],
    log: ReadLog,
    keeps: frozenset[Part],
    *,
    grouped: bool = True,
) -> Iterator[Any]:
    """Yield one record per group of episodes that belong to one record.

    A group that came from this format gives the very record it came from; any other is built.
    What cannot be built is reported as ``UNREADABLE`` and left out.

    Args:
        name: Key of the format written.
        episodes: Those of one record one after the other.
        build: Makes a record of the episodes of one group; raises ``InputError`` if it cannot.
        log: Told of what is left out or lost, and of records written with more episodes than given.
        keeps: What this format has a place for beside the instruction.
        grouped: Whether a record of this format holds several instructions; else every episode
            is a group of its own.

    Raises:
        InputError: If there were episodes and not one could be written.
    """
    written = 0
    message = ""
    losses = Losses(name, keeps)
    groups = _groups(name, episodes) if grouped else ([episode] for episode in episodes)
    for group in groups:
        if _is_own(name, group[0]):
            _note_more_instructions(group, log)
            written += 1
            yield group[0].record
            continue
        try:
            record = build(group)
        except InputError as error:
            for episode in group:
                message = f"episode {episode.episode_id} cannot be written as {name}: {error}"
                log.add(ImportKind.UNREADABLE, message, item_id=episode.episode_id)
            continue
        written += 1
        for episode in group:
            losses.note(episode, is_turned="start_rotation" in record)
        yield record
    losses.report(log)
    if message and not written:
        raise InputError(f"none of the episodes can be held: {message}")


def writer_of(
    name: str,
    build: Callable[[list[Episode]], Any],
    keeps: frozenset[Part],
    *,
    grouped: bool = True,
    as_lines: bool = False,
) -> EpisodeWriter:
    """The writer of a format whose file is an array of records; with ``as_lines`` JSON lines.

    The other arguments are those of ``records_of``.
    """

    def write(path: Path, episodes: Iterable[Episode], log: ReadLog) -> None:
        records = records_of(name, episodes, build, log, keeps, grouped=grouped)
        (write_lines if as_lines else write_array)(path, records)

    return write


def _is_own(name: str, episode: Episode) -> bool:
    return episode.dataset == name and episode.record is not None


def _note_more_instructions(group: list[Episode], log: ReadLog) -> None:
    first = group[0]
    texts = first.record.get("instructions") if isinstance(first.record, dict) else None
    if isinstance(texts, list) and len(texts) > len(group):
        log.add(
            ImportKind.NOTE,
            f"record {first.source_id} is written whole, with all {len(texts)} of its"
            f" instructions; {len(group)} were asked for",
            item_id=first.source_id,
        )


def _groups(name: str, episodes: Iterable[Episode]) -> Iterator[list[Episode]]:
    group: list[Episode] = []
    for episode in episodes:
        if group and not _belong_together(name, group[-1], episode):
            yield group
            group = []
        group.append(episode)
    if group:
        yield group


def _belong_together(name: str, one: Episode, other: Episode) -> bool:
    if _is_own(name, one) or _is_own(name, other):
        return one.record is other.record
    return bool(one.source_id) and (one.source_id, one.scene_id, one.reference) == (
        other.source_id,
        other.scene_id,
        other.reference,
    )


def write_members(path: Path, under: str, records: Iterable[Any], log: ReadLog) -> None:
    """Write an object with the records under one key beside the members of ``log.document``.

    Members that stood before the records are written before them, the others after them.

    Raises:
        WriteError: If the file cannot be written.
    """
    with open_text(path) as text:
        remaining = iter(records)
        # Pulling the first record makes the reader behind it fill in what stands before.
        first = next(remaining, _NOTHING)
        before = [key for key in log.document if key != under]
        text.write("{")
        for key in before:
            text.write(f"{json_line(key)}: {json_line(log.document[key])},\n")
        text.write(f"{json_line(under)}: [")
        for index, record in enumerate(_with_first(first, remaining)):
            text.write((",\n" if index else "\n") + json_line(record))
        text.write("\n]")
        for key in [key for key in log.document if key != under and key not in before]:
            text.write(f",\n{json_line(key)}: {json_line(log.document[key])}")
        text.write("}\n")


def write_array_or_members(path: Path, under: str, records: Iterable[Any], log: ReadLog) -> None:
    """Write an array, or an object where the episodes came from one or something stands beside.

    Raises:
        WriteError: If the file cannot be written.
    """
    remaining = iter(records)
    first = next(remaining, _NOTHING)
    if log.document:
        write_members(path, under, _with_first(first, remaining), log)
    else:
        write_array(path, _with_first(first, remaining))


def _with_first(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    return rest if first is _NOTHING else chain([first], rest)
