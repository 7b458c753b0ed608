"""CapNav questions (``<scene>_QA.json``) to and from domain values, without loss.

Source: makeabilitylab/CapNav:annotator/SAMPLE-QA.json.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from waypost.domain.scene.graph import Extra, NavigationGraph
from waypost.domain.traverse.places import fitting_nodes, node_names, unmistakable_place
from waypost.domain.traverse.task import Task
from waypost.io.atomic import write_text_atomic
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import reader
from waypost.io.graphs.capnav_source import overlay, remember, remembered
from waypost.io.json_reading import JsonDocument, JsonValue, parse_json
from waypost.io.json_writing import JsonLayout, json_layout
from waypost.io.reading_limits import MOST_JSON_BYTES

_TEXT_KEYS = ("start", "start_detail", "end", "end_detail")


@dataclass(frozen=True, slots=True)
class CapnavTasks:
    """What a task file holds."""

    tasks: tuple[Task, ...]
    extra: Extra
    """To be kept as ``extra`` of the graph: keys of the whole file, or that it is a bare list."""

    warnings: tuple[str, ...]
    """Oddities that did not prevent reading."""


@reader
def read_capnav_tasks(path: Path, extra: Extra | None = None) -> CapnavTasks:
    """Read a task file; see ``tasks_from_capnav``. How it is laid out is remembered.

    Raises:
        ReadError: Naming the place, e.g. ``questions[2].nodes_involved.start``.
    """
    text = read_file_text(path, MOST_JSON_BYTES)
    document = parse_json(text, str(path))
    found = tasks_from_capnav(document, extra)
    layout = json_layout(text, document.root.value)
    kept = None if layout is None else asdict(layout)
    return replace(found, extra=remember(found.extra, tasks_layout=kept))


def tasks_from_capnav(document: JsonDocument, extra: Extra | None = None) -> CapnavTasks:
    """Convert a task file: an object with ``questions``, or a bare list.

    Args:
        document: The parsed file.
        extra: What is remembered already; the file's own keys are added.

    Raises:
        ReadError: Naming the place and what is wrong there.
    """
    root = document.root
    is_list = isinstance(root.value, list)
    questions = root if is_list else root.field("questions")
    tasks = tuple(_task(question) for question in questions.items())
    top = [] if is_list else {**root.as_object(), "questions": None}
    kept = remember(extra or MappingProxyType({}), tasks=top)
    return CapnavTasks(tasks, kept, document.warnings)


def tasks_to_capnav(
    tasks: tuple[Task, ...], extra: Extra | None = None, graph: NavigationGraph | None = None
) -> Any:
    """Return the JSON value of a task file, in the shape of the file the tasks came from.

    Args:
        tasks: What is asked.
        extra: Of the graph: what is remembered of the file.
        graph: Where a name alone would lead CapNav's programs to another node than the one that is
            meant, the place is written as ``node_7 — Bedroom``, which they understand.
    """
    names = {} if graph is None else node_names(graph)
    questions = [_question(task, _written_places(task, names)) for task in tasks]
    top = remembered(extra or MappingProxyType({})).get("tasks", {})
    return questions if isinstance(top, list) else {**top, "questions": questions}


def write_capnav_tasks(
    path: Path,
    tasks: tuple[Task, ...],
    extra: Extra | None = None,
    graph: NavigationGraph | None = None,
) -> None:
    """Write a task file; see ``tasks_to_capnav``. It is laid out as the file they came from.

    A file that was laid out by hand comes back with two spaces per level.

    Raises:
        WriteError: If the file cannot be written.
    """
    kept = remembered(extra or MappingProxyType({})).get("tasks_layout")
    layout = JsonLayout()
    if isinstance(kept, Mapping):
        separators = kept["separators"]
        layout = JsonLayout(**{**kept, "separators": tuple(separators) if separators else None})
    write_text_atomic(path, layout.text(tasks_to_capnav(tasks, extra, graph)))


def _written_places(task: Task, names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        unmistakable_place(node_id, names)
        if node_id in names and fitting_nodes(place, names)[:1] != (node_id,)
        else place
        for place, node_id in zip(task.places, task.chosen_ids, strict=True)
    )


def _task(question: JsonValue) -> Task:
    involved = question.field("nodes_involved")
    for key in ("start", "end"):
        if not involved.field(key).as_text().strip():
            raise involved.field(key).error("is empty")
    middle: tuple[str, ...] = ()
    if involved.has("intermediate"):
        middle = tuple(item.as_text() for item in involved.field("intermediate").items())
    return Task(
        question=question.field("question").as_text(),
        intermediate=middle,
        extra=remember(MappingProxyType({}), question=question.as_object()),
        start=involved.text_of("start"),
        end=involved.text_of("end"),
        start_detail=involved.text_of("start_detail"),
        end_detail=involved.text_of("end_detail"),
    )


def _question(task: Task, places: tuple[str, ...]) -> Any:
    raw = remembered(task.extra).get("question", {})
    raw_involved = raw.get("nodes_involved", {})
    now: dict[str, Any] = {
        "start": places[0],
        "start_detail": task.start_detail,
        "intermediate": list(places[1:-1]),
        "end": places[-1],
        "end_detail": task.end_detail,
    }
    then: dict[str, Any] = {}
    if raw:
        then = {key: raw_involved.get(key) or "" for key in _TEXT_KEYS}
        then["intermediate"] = list(raw_involved.get("intermediate", []))
    involved = overlay(raw_involved, now, then)
    return {**raw, "question": task.question, "nodes_involved": involved}
