"""CapNav questions (``<scene>_QA.json``) to and from domain values, without loss.

Source: makeabilitylab/CapNav:annotator/SAMPLE-QA.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from waypost.domain.scene.graph import Extra
from waypost.domain.traverse.task import Task
from waypost.io.foreign_errors import reader
from waypost.io.graphs.capnav_source import overlay, remember, remembered
from waypost.io.json_reading import JsonDocument, JsonValue, read_json
from waypost.io.json_writing import write_json_file

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
    """Read a task file; see ``tasks_from_capnav``.

    Raises:
        ReadError: Naming the place, e.g. ``questions[2].nodes_involved.start``.
    """
    return tasks_from_capnav(read_json(path), extra)


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


def tasks_to_capnav(tasks: tuple[Task, ...], extra: Extra | None = None) -> Any:
    """Return the JSON value of a task file, in the shape of the file the tasks came from."""
    questions = [_question(task) for task in tasks]
    top = remembered(extra or MappingProxyType({})).get("tasks", {})
    return questions if isinstance(top, list) else {**top, "questions": questions}


def write_capnav_tasks(path: Path, tasks: tuple[Task, ...], extra: Extra | None = None) -> None:
    """Write a task file; see ``tasks_to_capnav``.

    Raises:
        WriteError: If the file cannot be written.
    """
    write_json_file(path, tasks_to_capnav(tasks, extra))


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
        **{key: involved.text_of(key) for key in _TEXT_KEYS},
    )


def _question(task: Task) -> Any:
    raw = remembered(task.extra).get("question", {})
    raw_involved = raw.get("nodes_involved", {})
    now: dict[str, Any] = {
        "start": task.start,
        "start_detail": task.start_detail,
        "intermediate": list(task.intermediate),
        "end": task.end,
        "end_detail": task.end_detail,
    }
    then: dict[str, Any] = {}
    if raw:
        then = {key: raw_involved.get(key) or "" for key in _TEXT_KEYS}
        then["intermediate"] = list(raw_involved.get("intermediate", []))
    involved = overlay(raw_involved, now, then)
    return {**raw, "question": task.question, "nodes_involved": involved}
