"""Instructions of every format of episodes, and of plain tables, JSON and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import Vec3, vec3
from waypost.domain.score.instruction_text import (
    InstructionText,
    PlaceOf,
    episode_instructions,
)
from waypost.io.file_head import read_head
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import reader
from waypost.io.graphs.matterport_graphs import read_connectivity
from waypost.io.json_reading import JsonValue, parse_json, read_json
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog
from waypost.io.table_cells import table_rows

_TEXT_KEYS: Final = ("text", "instruction")
_ID_KEYS: Final = ("item", "id")
_PLAIN_KEYS: Final = ("source", "task", "language", "dataset", "scene_id", "episode_id")
_LIST_KEYS: Final = ("facts",)
_SEPARATOR: Final = "|"
"""Between several facts or names in one cell of a table."""

_NAME_PREFIX: Final = "names."
_LIST_MEMBERS: Final = ("instructions", "items")


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """What a file of instructions holds."""

    format: str
    """Key of the format of episodes, or ``csv``, ``json`` or ``jsonl``."""

    instructions: tuple[InstructionText, ...]
    warnings: tuple[str, ...] = ()


@reader
def read_instructions(path: Path, connectivity: Path | None = None) -> InstructionFile:
    """Read the instructions of a file.

    Args:
        path: Episodes in any known form; a CSV; a JSON list of texts or objects, alone or as
            ``instructions`` or ``items`` of an object; JSON lines of objects. Plain forms have
            ``text`` (or ``instruction``), and may have ``item`` (or ``id``), ``source``, ``task``,
            ``language``, ``dataset``, ``scene_id``, ``episode_id``, ``facts`` and ``names.WHAT``.
        connectivity: Folder of Matterport3D's graphs, for the paths of episodes on viewpoints.

    Raises:
        ReadError: Naming the place and what is wrong there; also if two have the same id, or
            there is no instruction at all.
    """
    file = str(path)
    if path.suffix.lower() in {".csv", ".tsv"}:
        return _checked(file, "csv", tuple(_of_table(read_file_text(path), file)))
    head = read_head(path)
    known = EPISODE_FORMATS.of_content(head)
    if known is not None:
        log = ReadLog()
        found = episode_instructions(known.read(path, log), _places(connectivity))
        return _checked(file, known.name, found, log.oddities)
    if head.is_folder:
        raise ReadError(file, "file", "holds no episodes")
    if head.is_lines or path.suffix.lower() == ".jsonl":
        return _checked(file, "jsonl", tuple(_of_lines(read_file_text(path), file)))
    document = read_json(path)
    entries = document.root
    for name in _LIST_MEMBERS:
        if entries.has(name):
            entries = entries.field(name)
            break
    found = tuple(_of_value(entry, number) for number, entry in enumerate(entries.items(), 1))
    return _checked(file, "json", found, document.warnings)


def _places(connectivity: Path | None) -> PlaceOf:
    @lru_cache
    def graph(scene_id: str) -> Mapping[str, Vec3]:
        if connectivity is None or not connectivity.is_dir():
            return {}
        file = connectivity / f"{scene_id}_connectivity.json"
        if not file.is_file():
            return {}
        found = read_connectivity(file, ReadLog())
        return {
            node: vec3(at) for node, at in zip(found.viewpoint_ids, found.positions_m, strict=True)
        }

    return lambda scene_id, node: graph(scene_id).get(node)


def _checked(
    file: str, form: str, found: tuple[InstructionText, ...], warnings: tuple[str, ...] = ()
) -> InstructionFile:
    if not found:
        raise ReadError(file, "file", "holds no instruction")
    seen: set[str] = set()
    for entry in found:
        if entry.item in seen:
            raise ReadError(file, "item", f"{entry.item!r} is the id of two instructions")
        seen.add(entry.item)
    return InstructionFile(form, found, warnings)


def _of_table(text: str, file: str) -> Iterator[InstructionText]:
    for number, row in enumerate(table_rows(text, file, ()), 1):
        cells = {name: cell for name, cell in row.cells.items() if name}
        lists = {
            name: tuple(part for part in cells.pop(name).split(_SEPARATOR) if part)
            for name in list(cells)
            if name in _LIST_KEYS or name.startswith(_NAME_PREFIX)
        }
        yield _instruction(cells, lists, number, file, f"line {row.line}")


def _of_lines(text: str, file: str) -> Iterator[InstructionText]:
    # Only \n ends a line: the others may stand in a text as they are.
    lines = ((place, line) for place, line in enumerate(text.split("\n"), 1) if line.strip())
    for number, (place, line) in enumerate(lines, 1):
        try:
            value = parse_json(line, file).root
        except ReadError as error:
            raise ReadError(file, f"line {place}", error.reason) from error
        yield _of_value(JsonValue(value.value, file, f"line {place}"), number)


def _of_value(entry: JsonValue, number: int) -> InstructionText:
    if isinstance(entry.value, str):
        return _instruction({"text": entry.as_text()}, {}, number, entry.file, entry.place)
    cells: dict[str, str] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for name, member in entry.entries():
        if name in _LIST_KEYS:
            lists[name] = tuple(part.as_text() for part in member.items())
        elif name == _NAME_PREFIX[:-1]:
            for what, named in member.entries():
                lists[name + "." + what] = tuple(part.as_text() for part in named.items())
        elif name in _TEXT_KEYS:
            cells[name] = member.as_text()
        elif member.value is not None:
            cells[name] = _as_written(member.value)
    return _instruction(cells, lists, number, entry.file, entry.place)


def _as_written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _instruction(
    cells: dict[str, str],
    lists: Mapping[str, tuple[str, ...]],
    number: int,
    file: str,
    place: str,
) -> InstructionText:
    text = _first(cells, _TEXT_KEYS)
    if text is None:
        raise ReadError(file, place, f"has none of {' and '.join(_TEXT_KEYS)}")
    if not text.strip():
        raise ReadError(file, place, "its text is empty")
    item = _first(cells, _ID_KEYS) or str(number)
    source, task, language, dataset, scene_id, episode_id = (
        cells.pop(name, "") for name in _PLAIN_KEYS
    )
    names = {
        name.removeprefix(_NAME_PREFIX): found
        for name, found in lists.items()
        if name.startswith(_NAME_PREFIX) and found
    }
    return InstructionText(
        item,
        text,
        source,
        task,
        language,
        dataset,
        scene_id,
        episode_id,
        names=MappingProxyType(names),
        facts=lists.get("facts", ()),
        extra=MappingProxyType({name: cell for name, cell in cells.items() if cell}),
    )


def _first(cells: dict[str, str], names: tuple[str, ...]) -> str | None:
    """The first cell that is there under any of these names, which then are taken out."""
    name = next((name for name in names if name in cells), None)
    return None if name is None else cells.pop(name)
