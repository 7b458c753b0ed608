"""A project of a team: nodes in a row, one agent, and people in every role."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from waypost.domain.project import Project, set_agent
from waypost.domain.scene.graph import add_edge, add_node, build_graph
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.traversability import (
    Passage,
    Reason,
    TraversabilityLabel,
    Verdict,
    passages,
)
from waypost.io.labels.labels_csv import labels_csv_text, write_labels_csv

CART = AgentProfile("cart", "Cart", BodyShape.BOX, 1, 1, 1, 0.01, False, False, False)
PEOPLE = "ana:annotator,ben:annotator,rita:reviewer,lea:lead"
SAID = {
    "ana": (Verdict.TRAVELS, Reason.DOOR, Verdict.TRAVELS, Reason.DOOR),
    "ben": (Verdict.TRAVELS, Reason.DOOR, Reason.TOO_NARROW, Reason.STAIRS),
}
"""What two annotators say about the four passages of ``row_of_nodes(3)``; a reason is “no”.

Of the answers three of four pairs are equal, 3 of 8 are “travels”: α = 1 − (2/8) / (2·3·5/56).
So it is of doors, of which 3 of 8 labels are.
"""

ALPHA = 1 - (2 / 8) / (2 * 3 * 5 / 56)


def row_of_nodes(count: int) -> Project:
    """Nodes in a row, with 2 × (count − 1) passages of one agent."""
    graph = build_graph([], [])
    for place in range(count):
        graph, _ = add_node(graph, (float(place), 0.0, 0.0), f"n{place}")
        if place:
            graph, _ = add_edge(graph, f"node_{place}", f"node_{place + 1}")
    return set_agent(Project(graph=graph), CART)


def cart_passages(project: Project) -> tuple[Passage, ...]:
    """Every passage, in the order of the graph."""
    return passages(project.graph, "cart")


def label_of(
    passage: Passage, said: Verdict | Reason, author: str, note: str = ""
) -> TraversabilityLabel:
    """A label; a reason says that it does not travel."""
    if isinstance(said, Reason):
        return TraversabilityLabel(passage, Verdict.DOES_NOT, said, note, author)
    return TraversabilityLabel(passage, said, None, note, author)


def answers_file(
    path: Path, project: Project, author: str, said: Iterable[Verdict | Reason], note: str
) -> Path:
    """A table of labels, one for each passage in turn."""
    ways = cart_passages(project)
    labels = {w: label_of(w, s, author, note) for w, s in zip(ways, said, strict=False)}
    write_labels_csv(path, labels_csv_text(labels, project.graph, ["cart"]))
    return path
