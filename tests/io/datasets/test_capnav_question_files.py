"""Question files come back as they were, and say unmistakably which place is meant."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from waypost.domain.scene.graph import NavigationGraph, Node, build_graph
from waypost.domain.traverse.places import with_place
from waypost.domain.traverse.task import Task
from waypost.io.agent_files import shipped_agents
from waypost.io.datasets.capnav_prompts import node_list_text, prompt_text, write_prompts
from waypost.io.datasets.capnav_tasks import (
    read_capnav_tasks,
    tasks_to_capnav,
    write_capnav_tasks,
)
from waypost.io.graphs.capnav_source import remember
from waypost.io.json_reading import parse_json
from waypost.io.json_writing import json_layout
from waypost.io.labels.capnav_hallucinated import (
    hallucinated_questions,
    listed_as_hallucinated,
    with_hallucinated,
)
from waypost.io.labels.capnav_traverse import (
    TraverseOptions,
    labels_from_capnav,
    labels_to_capnav,
)

CAPNAV_NAMES = ("HUMAN", "WHEELCHAIR", "HUMANOID", "QUADRUPEDAL", "SWEEPER")
FILE = {"questions": [{"question": "Café?", "nodes_involved": {"start": "a", "end": "b"}}]}
GRAPH = build_graph(
    [
        Node("node_1", "Hall", (0.0, 0.0, 0.0)),
        Node("node_2", "Bedroom", (1.0, 0.0, 0.0)),
        Node("node_3", "Bedroom", (2.0, 0.0, 0.0)),
    ],
    [],
)


@pytest.mark.parametrize(
    "style",
    [
        {"indent": 2, "ensure_ascii": False},
        {"indent": 1},
        {"indent": "\t"},
        {"separators": (",", ":")},
        {},
    ],
)
@pytest.mark.parametrize("end", ["", "\n"])
def test_a_file_of_any_program_comes_back_byte_for_byte(
    style: dict[str, Any], end: str, tmp_path: Path
) -> None:
    path = tmp_path / "X_QA.json"
    path.write_text(json.dumps(FILE, **style) + end, encoding="utf-8")
    before = path.read_bytes()
    found = read_capnav_tasks(path)
    write_capnav_tasks(path, found.tasks, found.extra, GRAPH)
    assert path.read_bytes() == before


def test_a_file_laid_out_by_hand_keeps_its_values(tmp_path: Path) -> None:
    path = tmp_path / "X_QA.json"
    text = '{ "questions": [{"question": "?",\n "nodes_involved": {"start": "a", "end": "b"}}] }'
    path.write_text(text)
    assert json_layout(text, json.loads(text)) is None
    found = read_capnav_tasks(path)
    write_capnav_tasks(path, found.tasks, found.extra)
    assert json.loads(path.read_text()) == json.loads(text)


def test_a_chosen_place_is_written_so_that_capnav_finds_it() -> None:
    task = Task("?", "Hall", "Bedroom")
    for node_id, written in (("node_2", "Bedroom"), ("node_3", "node_3 — Bedroom")):
        chosen = with_place(task, 1, node_id)
        (question,) = tasks_to_capnav((chosen,), graph=GRAPH)["questions"]
        assert question["nodes_involved"]["end"] == written


TRAVERSE = {"HUMAN": {}, "_hallucinatedQuestions": ["Is there a pool?", "An old one?"]}


def remembering(traverse: dict[str, Any]) -> NavigationGraph:
    found = labels_from_capnav(parse_json(json.dumps(traverse), "t.json"), GRAPH)
    return replace(GRAPH, extra=found.extra)


def test_hallucinated_questions_go_through_the_traverse_file_and_can_be_restored() -> None:
    graph = remembering(TRAVERSE)
    asked = (Task("Is there a pool?", "Hall", "Pool"), Task("And the bed?", "Hall", "Bedroom"))
    tasks = with_hallucinated(asked, listed_as_hallucinated(graph.extra))
    assert [task.is_hallucinated for task in tasks] == [True, False]

    def written(tasks: tuple[Task, ...]) -> Any:
        listed = hallucinated_questions(tasks, graph.extra)
        return labels_to_capnav({}, graph, TraverseOptions(hallucinated=listed))

    assert written(tasks) == TRAVERSE
    restored = (replace(tasks[0], is_hallucinated=False), replace(tasks[1], is_hallucinated=True))
    assert written(restored)["_hallucinatedQuestions"] == ["An old one?", "And the bed?"]


def test_a_file_without_the_list_gets_none_for_nothing() -> None:
    graph = remembering({"HUMAN": {}})
    assert labels_to_capnav({}, graph, TraverseOptions(hallucinated=())) == {"HUMAN": {}}


def test_a_traverse_file_that_lists_something_else_is_no_list() -> None:
    extra = remember(MappingProxyType({}), traverse={"_hallucinatedQuestions": {"value": 3}})
    assert listed_as_hallucinated(extra) == ()


def test_nodes_and_prompts_for_language_models(tmp_path: Path) -> None:
    agents = shipped_agents()
    agent = agents["humanoid"]
    asked = Task("From the hall to the bedroom?", "Hall", "Bedroom")
    text = prompt_text(asked, agent, GRAPH)
    assert node_list_text(GRAPH) == "node_1 — Hall\nnode_2 — Bedroom\nnode_3 — Bedroom"
    assert node_list_text(GRAPH) in text
    assert "From the hall to the bedroom?" in text
    assert "name: HUMANOID" in text
    assert f"highest_step_m: {agent.step_limit_m:g}" in text
    # Where the numbers of a shipped profile come from is nothing for a model; one's own words are.
    assert "description: A humanoid robot.\n" in text
    own = replace(agent, description="A crate. It has no arms.")
    assert "description: A crate. It has no arms.\n" in prompt_text(asked, own, GRAPH)
    (answer,) = json.loads(text[text.index("[\n") :])
    assert set(answer) == {"question", "agent", "result"}
    gone = replace(asked, is_hallucinated=True)
    written = write_prompts(tmp_path, "home", (gone, asked), tuple(agents.values()), GRAPH)
    names = {path.name for path in (tmp_path / "home").iterdir()}
    assert written.count == len(agents)
    assert names == {
        "home-nodes.json",
        *(
            f"home_1__{n}.txt"
            for n in ("HUMAN", "WHEELCHAIR", "HUMANOID", "QUADRUPEDAL", "SWEEPER")
        ),
    }


def test_prompts_from_before_are_told_and_stay(tmp_path):
    """A model that is given the whole folder would be asked what is asked no more."""
    agents = tuple(shipped_agents().values())[:1]
    asked = Task("From the hall to the bedroom?", "Hall", "Bedroom")
    first = write_prompts(tmp_path, "home", (asked, asked), agents, GRAPH)
    assert first.older == ()
    assert first.sentence == "Wrote 2 prompts and home-nodes.json."
    (tmp_path / "home" / "home_notes.txt").write_text("of somebody's own")
    gone = replace(asked, is_hallucinated=True)
    again = write_prompts(tmp_path, "home", (asked, gone), agents, GRAPH)
    (older,) = again.older
    assert older.startswith("home_1__")
    assert (tmp_path / "home" / older).exists()
    assert again.sentence == (
        f"Wrote 1 prompt and home-nodes.json. 1 prompt from before stands beside them: {older}."
    )
