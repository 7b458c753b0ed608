"""Whatever happens to a file, it is read or refused in one sentence; nothing else is raised."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import CAPNAV
from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.io.agent_files import agent_text, read_agent, shipped_agents
from waypost.io.datasets.capnav_tasks import read_capnav_tasks, tasks_to_capnav
from waypost.io.graphs.capnav_graph import (
    graph_from_capnav,
    graph_to_capnav,
    read_capnav_graph,
)
from waypost.io.labels.capnav_traverse import labels_to_capnav, read_capnav_traverse
from waypost.io.labels.labels_csv import read_labels_csv

POSITION = {"x": 0.0, "y": 1.0, "z": 2.0}
GRAPH_FILE = {
    "nodes": [
        {"id": "a", "name": "A", "description": "", "position": POSITION},
        {"id": "b", "name": "B", "description": "", "position": POSITION},
    ],
    "edges": [{"id": "e", "from": "a", "to": "b", "kind": "door"}],
}
TRAVERSE_FILE = {
    "HUMAN": {"a|b": {"traversable": False, "note": "door: x", "timestamp": "", "question": ""}},
    "_hallucinatedQuestions": [],
}
TASK_FILE = {
    "questions": [
        {"question": "?", "nodes_involved": {"start": "a", "intermediate": ["b"], "end": "b"}}
    ]
}
GRAPH = build_graph([Node(key, key, (0.0, 0.0, 0.0)) for key in "ab"], [Edge("e", "a", "b")])
JUNK = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([[], {}, [[]], {"a": {}}, "a", 10**400])
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places(item, (*path, index))


def _with(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _with(copy[path[0]], path[1:], junk)
    return copy


def _refusal(read: Callable[[], object]) -> str | None:
    try:
        read()
    except ReadError as error:
        return str(error)
    return None


def _use(kind: str, path: Path) -> None:
    if kind == "graph":
        graph_to_capnav(graph_from_capnav(read_capnav_graph(path), CAPNAV))
    elif kind == "traverse":
        labels_to_capnav(read_capnav_traverse(path, GRAPH).labels, GRAPH)
    else:
        tasks_to_capnav(read_capnav_tasks(path).tasks)


FILES = {"graph": GRAPH_FILE, "traverse": TRAVERSE_FILE, "tasks": TASK_FILE}


@pytest.mark.parametrize("kind", list(FILES))
@given(data=st.data())
def test_one_wrong_value(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from(list(_places(FILES[kind]))))
    path = tmp_path_factory.mktemp("junk") / "f.json"
    path.write_text(json.dumps(_with(FILES[kind], place, data.draw(JUNK))))
    refusal = _refusal(lambda: _use(kind, path))
    assert refusal is None or refusal.startswith(f"{path}: ")
    assert refusal is None or "\n" not in refusal


@pytest.mark.parametrize("kind", list(FILES))
def test_cut_off_anywhere(tmp_path: Path, kind: str) -> None:
    data = json.dumps(FILES[kind]).encode()
    path = tmp_path / "f.json"
    for end in range(len(data)):
        path.write_bytes(data[:end])
        with pytest.raises(ReadError):
            _use(kind, path)


@given(st.binary(max_size=60))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("bytes") / "f"
    path.write_bytes(data)
    for kind in ("graph", "traverse"):
        refusal = _refusal(lambda kind=kind: _use(kind, path))
        assert refusal is not None or data.strip() == b"{}"
    assert _refusal(lambda: read_agent(path)) is not None
    assert _refusal(lambda: read_labels_csv(path)) is not None


@given(data=st.data())
def test_damaged_agents(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    text = agent_text(shipped_agents()["wheelchair"])
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    path = tmp_path_factory.mktemp("agents") / "a.toml"
    path.write_text(text[:start] + data.draw(st.text(max_size=4)) + text[end:])
    refusal = _refusal(lambda: read_agent(path))
    assert refusal is None or refusal.startswith(f"{path}: ")
