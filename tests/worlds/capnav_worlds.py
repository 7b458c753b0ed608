"""A small CapNav scene: four rooms, what a sweeper can travel, questions and nine answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph
from waypost.domain.traverse.judged_graph import JudgedGraph
from waypost.domain.traverse.traversability import Passage, Reason, TraversabilityLabel, Verdict

ROOMS = ("Hall", "Kitchen", "Bedroom", "Attic")
IDS = {room: f"node_{number}" for number, room in enumerate(ROOMS, start=1)}
EDGES = (("Hall", "Kitchen"), ("Kitchen", "Bedroom"), ("Hall", "Bedroom"), ("Bedroom", "Attic"))

LABELS = (
    ("Hall", "Kitchen", "sweeper", Verdict.TRAVELS, None, ""),
    ("Kitchen", "Bedroom", "sweeper", Verdict.DOES_NOT, Reason.STAIRS, "three steps"),
    ("Hall", "Bedroom", "sweeper", Verdict.DOES_NOT, Reason.OTHER, "a rope across"),
    ("Attic", "Bedroom", "sweeper", Verdict.TRAVELS, None, ""),
    ("Hall", "Kitchen", "wheelchair", Verdict.TRAVELS, None, ""),
    ("Kitchen", "Bedroom", "wheelchair", Verdict.DOES_NOT, Reason.STAIRS, "three steps"),
    ("Bedroom", "Attic", "wheelchair", Verdict.UNCERTAIN, None, ""),
)
"""The wheelchair has no label between hall and bedroom."""

QUESTIONS = (("Hall", "Kitchen"), ("Hall", "Attic"), ("Bedroom", "Attic"), ("Kitchen", "Bedroom"))


def graph() -> NavigationGraph:
    """The rooms along a line, 2 m apart."""
    nodes = [Node(IDS[room], room, (2.0 * n, 0.0, 0.0)) for n, room in enumerate(ROOMS)]
    edges = [Edge(f"edge_{n}", IDS[a], IDS[b]) for n, (a, b) in enumerate(EDGES)]
    return build_graph(nodes, edges)


def judged() -> JudgedGraph:
    """The same with its labels."""
    labels = {}
    for start, end, agent, verdict, reason, note in LABELS:
        passage = Passage(IDS[start], IDS[end], agent)
        labels[passage] = TraversabilityLabel(passage, verdict, reason, note)
    return JudgedGraph(graph(), labels)


ANSWERS: tuple[tuple[int, str, str | None, tuple[str, ...], str], ...] = (
    (0, "SWEEPER", "yes", ("Hall", "Kitchen"), ""),
    (1, "SWEEPER", "yes", ("Hall", "Kitchen", "Bedroom", "Attic"), ""),
    (1, "SWEEPER", "no", ("Hall", "Bedroom", "Attic"), "A rope hangs there."),
    (1, "SWEEPER", "no", (), "There are steps."),
    (0, "SWEEPER", "no", ("Hall", "Kitchen"), "The door is narrow."),
    (0, "SWEEPER", None, (), ""),
    (2, "SWEEPER", "yes", ("Bedroom", "Attic"), ""),
    (0, "SWEEPER", "yes", ("Hall", "Bedroom", "Kitchen"), ""),
    (0, "SWEEPER", "yes", ("Kitchen", "Hall"), ""),
)
"""Question, agent, what is said, path, reason. Several answer one question: a result each."""


def record(number: int) -> dict[str, Any]:
    """One answer as CapNav's program writes it, under a prompt of its own."""
    question, agent, said, path, reason = ANSWERS[number]
    start, end = QUESTIONS[question]
    result = {"answer": said, "path": [IDS[room] for room in path], "reason": reason}
    return {
        "scene": "flat",
        "prompt_file": f"flat_{question}__{agent}.txt",
        "num_frames": 64,
        "raw_text": "",
        "result": [
            {
                "question": question_text(start, end),
                "agent": agent,
                "result": None if said is None else result,
            }
        ],
    }


def question_text(start: str, end: str) -> str:
    """A question as CapNav asks it."""
    return f"Can the agent go from the {start.lower()} to the {end.lower()}?"


def write_world(folder: Path) -> Path:
    """Questions, graph, labels and results, laid out as the benchmark does; the results."""
    for name in ("graphs", "traverse", "results"):
        (folder / name).mkdir(parents=True)
    nodes = [
        {"id": IDS[room], "name": room, "position": {"x": -2.0 * n, "y": 0.0, "z": 0.0}}
        for n, room in enumerate(ROOMS)
    ]
    edges = [{"id": f"edge_{n}", "from": IDS[a], "to": IDS[b]} for n, (a, b) in enumerate(EDGES)]
    _write(folder / "graphs" / "flat-graph.json", {"nodes": nodes, "edges": edges})
    sections: dict[str, dict[str, Any]] = {}
    for start, end, agent, verdict, _, note in LABELS:
        if verdict is not Verdict.UNCERTAIN:
            entry = {"traversable": verdict is Verdict.TRAVELS, "note": note}
            sections.setdefault(agent.upper(), {})[f"{IDS[start]}|{IDS[end]}"] = entry
    _write(folder / "traverse" / "flat-traverse.json", sections)
    questions = [
        {
            "question": question_text(start, end),
            "nodes_involved": {"start": start, "intermediate": [], "end": end},
        }
        for start, end in QUESTIONS
    ]
    _write(folder / "graphs" / "flat-QA.json", {"questions": questions})
    for number in range(len(ANSWERS)):
        made = record(number) | {"prompt_file": f"flat_{ANSWERS[number][0]}__S{number}.txt"}
        _write(folder / "results" / "flat" / f"flat_{number}__S.json", made)
    return folder / "results"


def _write(file: Path, value: object) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(value), encoding="utf-8")
