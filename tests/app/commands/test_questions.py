"""``waypost questions`` on a project with two bedrooms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from waypost.app.main import main
from waypost.domain.project import Project
from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.domain.traverse.traversability import (
    Passage,
    Reason,
    TraversabilityLabel,
    Verdict,
)
from waypost.io.agent_files import shipped_agents
from waypost.store.project_store import ProjectStore

QUESTIONS = {
    "questions": [
        {"question": "Hall to kitchen?", "nodes_involved": {"start": "hall", "end": "kitchen"}},
        {"question": "Hall to bedroom?", "nodes_involved": {"start": "hall", "end": "bedroom"}},
    ]
}
GRAPH = build_graph(
    [
        Node("node_1", "Hall", (0.0, 0.0, 0.0)),
        Node("node_2", "Kitchen", (1.0, 0.0, 0.0)),
        Node("node_3", "Bedroom", (2.0, 0.0, 0.0)),
        Node("node_4", "Bedroom", (3.0, 0.0, 0.0)),
    ],
    [
        Edge("edge_1", "node_1", "node_2"),
        Edge("edge_2", "node_1", "node_3"),
        Edge("edge_3", "node_1", "node_4"),
    ],
)
LABELS = (
    TraversabilityLabel(Passage("node_1", "node_2", "human"), Verdict.TRAVELS),
    TraversabilityLabel(Passage("node_1", "node_2", "sweeper"), Verdict.DOES_NOT, Reason.DOOR),
)

Say = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    def run(*words: object) -> tuple[int, Any, str]:
        code = main(["questions", *map(str, words)])
        out, err = capsys.readouterr()
        return code, json.loads(out) if "--json" in words else out, err

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "home.waypost"
    labels = MappingProxyType({label.passage: label for label in LABELS})
    value = Project("home", graph=GRAPH, labels=labels, agents=shipped_agents())
    ProjectStore.create(path, value, "test").close()
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "home_QA.json"
    path.write_text(json.dumps(QUESTIONS))
    return path


def test_import_asks_which_bedroom_and_mark_answers(say: Say, project: Path, file: Path) -> None:
    code, report, err = say("import", file, "--project", project, "--json")
    assert (code, report["read"]) == (1, 2)
    (problem,) = report["problems"]
    assert (problem["question"], problem["candidates"]) == (2, ["node_3", "node_4"])
    assert "“bedroom” fits 2 nodes: say which is meant (node_3, node_4" in err
    assert say("mark", 2, "--place", "bedroom=node_4", "--project", project)[0] == 0
    code, found, _ = say("list", "--project", project, "--json")
    assert code == 0
    assert [place["node"] for place in found["questions"][1]["places"]] == ["node_1", "node_4"]
    assert (found["needed_passages"], found["passages"]) == (2, 6)


def test_who_can_do_what_is_live_and_hallucinated_ones_count_nowhere(
    say: Say, project: Path, file: Path
) -> None:
    say("import", file, "--project", project)
    shown = say("list", "--project", project, "--json")[1]["agents"]
    assert shown["human"] == {"feasible": 1, "infeasible": 0, "undecided": 1, "share": 1.0}
    assert shown["sweeper"] == {"feasible": 0, "infeasible": 1, "undecided": 1, "share": 0.0}
    assert shown["wheelchair"]["share"] is None
    say("mark", 1, "--hallucinated", "--project", project)
    shown = say("list", "--project", project, "--json")[1]["agents"]
    assert shown["human"] == {"feasible": 0, "infeasible": 0, "undecided": 1, "share": None}
    say("mark", 1, "--restore", "--project", project)
    assert say("list", "--project", project, "--json")[1]["agents"]["human"]["feasible"] == 1


def test_a_second_file_is_added_or_takes_the_place(say: Say, project: Path, file: Path) -> None:
    say("import", file, "--project", project)
    code, _, err = say("import", file, "--project", project)
    assert code == 2
    assert "questions: it has 2 already; --add puts the file's behind them" in err
    _, added, err = say("import", file, "--project", project, "--add", "--json")
    assert added["questions"] == 4
    assert added["asked_again"] == 2
    assert "2 of them were there already, and count twice" in err
    replaced = say("import", file, "--project", project, "--replace", "--json")[1]
    assert replaced["questions"] == 2


def test_the_file_comes_back_and_prompts_are_written(
    say: Say, project: Path, file: Path, tmp_path: Path
) -> None:
    say("import", file, "--project", project)
    out = tmp_path / "out.json"
    assert say("export", "--project", project, "--out", out)[0] == 0
    assert out.read_bytes() == file.read_bytes()
    say("mark", 2, "--hallucinated", "--project", project)
    say("export", "--project", project, "--out", out, "--without-hallucinated")
    assert len(json.loads(out.read_text())["questions"]) == 1
    written = say(
        "prompts", "--project", project, "--out", tmp_path / "p", "--agents", "human", "--json"
    )[1]
    assert written["prompts"] == 1
    assert (tmp_path / "p" / "home" / "home_0__HUMAN.txt").is_file()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("mark", 9, "--restore"), "question 9: there are 2 questions"),
        (("mark", 1, "--place", "hall"), "must be PLACE=NODE with a node of the graph"),
        (("mark", 1, "--place", "attic=node_1"), "the question has hall, kitchen"),
        (("prompts", "--out", "p", "--agents", "cart"), "the project has no agent cart"),
    ],
)
def test_what_cannot_be_done_is_said(
    say: Say, project: Path, file: Path, words: tuple[object, ...], reason: str
) -> None:
    say("import", file, "--project", project)
    code, _, err = say(*words, "--project", project)
    assert code == 2
    assert reason in err
