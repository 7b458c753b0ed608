from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from waypost.domain.base.errors import ReadError
from waypost.domain.traverse.task import Task
from waypost.io.datasets.capnav_tasks import (
    read_capnav_tasks,
    tasks_from_capnav,
    tasks_to_capnav,
    write_capnav_tasks,
)
from waypost.io.json_reading import parse_json

FILE: dict[str, Any] = {
    "scene": "HM3D00010",
    "questions": [
        {
            "question": "Can it go from the bed to the sink via the hall?",
            "level": 3,
            "nodes_involved": {
                "start": "bedroom",
                "start_detail": "bed",
                "intermediate": ["hall"],
                "end": "bathroom",
                "floor": None,
            },
        }
    ],
}


def test_questions_and_places() -> None:
    (task,) = tasks_from_capnav(parse_json(json.dumps(FILE), "q.json")).tasks
    assert replace(task, extra={}) == Task(
        "Can it go from the bed to the sink via the hall?",
        "bedroom",
        "bathroom",
        start_detail="bed",
        intermediate=("hall",),
        extra={},
    )


@pytest.mark.parametrize("file", [FILE, FILE["questions"], [], {"questions": []}])
def test_an_untouched_file_comes_back(file: Any) -> None:
    result = tasks_from_capnav(parse_json(json.dumps(file), "q.json"))
    assert json.dumps(tasks_to_capnav(result.tasks, result.extra)) == json.dumps(file)


def test_only_what_was_changed_changes() -> None:
    result = tasks_from_capnav(parse_json(json.dumps(FILE), "q.json"))
    task = replace(result.tasks[0], end_detail="sink", intermediate=())
    expected = json.loads(json.dumps(FILE))
    expected["questions"][0]["nodes_involved"]["intermediate"] = []
    expected["questions"][0]["nodes_involved"]["end_detail"] = "sink"
    assert tasks_to_capnav((task,), result.extra) == expected


def test_a_task_made_here(tmp_path: Path) -> None:
    task = Task("Can it?", "a", "b", intermediate=("c",))
    write_capnav_tasks(tmp_path / "q.json", (task,))
    assert json.loads((tmp_path / "q.json").read_text()) == {
        "questions": [
            {
                "question": "Can it?",
                "nodes_involved": {
                    "start": "a",
                    "start_detail": "",
                    "intermediate": ["c"],
                    "end": "b",
                    "end_detail": "",
                },
            }
        ]
    }
    (again,) = read_capnav_tasks(tmp_path / "q.json").tasks
    assert replace(again, extra=task.extra) == task


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ({}, "questions: is missing"),
        (5, "top level: is a number, not an object"),
        ([{"question": "x"}], "[0].nodes_involved: is missing"),
        (
            {"questions": [{"question": "x", "nodes_involved": {"start": "", "end": "b"}}]},
            "questions[0].nodes_involved.start: is empty",
        ),
        (
            [{"question": 1, "nodes_involved": {"start": "a", "end": "b"}}],
            "[0].question: is a number, not text",
        ),
        (
            [{"nodes_involved": {"start": "a", "end": "b", "intermediate": [None]}}],
            "[0].nodes_involved.intermediate[0]: is null, not text",
        ),
    ],
)
def test_bad_files_name_the_place(file: Any, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        tasks_from_capnav(parse_json(json.dumps(file), "q.json"))
    assert str(caught.value) == f"q.json: {message}"


@pytest.mark.realdata
def test_the_published_sample(shared_data: Path) -> None:
    path = shared_data / "capnav" / "SAMPLE-QA.json"
    result = read_capnav_tasks(path)
    assert [(task.start, task.end, task.intermediate) for task in result.tasks] == [
        ("entrance", "living room", ()),
        ("bedroom", "kitchen", ("hallway",)),
        ("bathroom", "balcony", ("living room",)),
    ]
    original = json.loads(path.read_text())
    assert json.dumps(tasks_to_capnav(result.tasks, result.extra)) == json.dumps(original)
