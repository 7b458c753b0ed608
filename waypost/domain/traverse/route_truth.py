"""What the labels of a project say about the route that a model predicts for an agent."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.viewpoint_graph import ViewpointGraph, build_viewpoint_graph
from waypost.domain.traverse.traversability import (
    REASON_TITLES,
    Circumstances,
    Labels,
    Passage,
    PassageState,
    passage_state,
)


@dataclass(frozen=True, slots=True)
class RouteEdge:
    """One move of a predicted route."""

    from_id: str
    to_id: str
    state: PassageState
    """Of the label; ``does not`` where the graph has no such edge or node."""

    title: str
    """``Hallway → Bathroom``."""

    told: str
    """Whether, and why, in words."""

    is_edge: bool = True
    """Whether the graph joins the two nodes."""

    @property
    def text(self) -> str:
        """One line for people: who, whether, and why."""
        return f"{self.title}: {self.told}"


def route_truth(
    node_ids: Sequence[str],
    graph: NavigationGraph,
    labels: Labels,
    agent_key: str,
    *,
    now: Circumstances,
) -> tuple[RouteEdge, ...]:
    """The truth of every move, in order; standing still is no move.

    Args:
        node_ids: The predicted route, as the model wrote it.
        graph: Of the project.
        labels: Of the project.
        agent_key: Whose labels count.
        now: What labels would be judged on, to tell stale ones.
    """
    found = []
    for start, end in itertools.pairwise(node_ids):
        if start == end:
            continue
        named = " → ".join(_name(graph, node_id) for node_id in (start, end))
        problem = _problem(graph, start, end)
        if problem:
            found.append(RouteEdge(start, end, PassageState.DOES_NOT, named, problem, False))
            continue
        passage = Passage(start, end, agent_key)
        state = passage_state(labels, passage, now)
        found.append(RouteEdge(start, end, state, named, _told(labels, passage, state)))
    return tuple(found)


def viewpoints_of_nodes(
    graph: NavigationGraph, scene_id: str, camera_height_m: float = 0.0
) -> ViewpointGraph:
    """The graph of a project as replays take it: a viewpoint above every node.

    Args:
        graph: With at most a few thousand nodes: all distances are computed.
        scene_id: Scene the runs name.
        camera_height_m: Of the viewpoints above their nodes, which stand on the floor.
    """
    names = tuple(graph.nodes)
    index = {name: place for place, name in enumerate(names)}
    floor = np.array([node.position_m for node in graph.nodes.values()], dtype=np.float64)
    positions = floor.reshape(-1, 3) + np.array([0.0, 0.0, camera_height_m])
    joined = np.zeros((len(names), len(names)), dtype=bool)
    for edge in graph.edges.values():
        joined[index[edge.from_id], index[edge.to_id]] = True
    return build_viewpoint_graph(
        scene_id, names, positions, joined, heights_m=np.full(len(names), camera_height_m)
    )


_WORDS: Final = {
    PassageState.TRAVELS: "travels",
    PassageState.DOES_NOT: "does not travel",
    PassageState.UNCERTAIN: "uncertain",
}


def _problem(graph: NavigationGraph, start: str, end: str) -> str:
    unknown = next((node_id for node_id in (start, end) if node_id not in graph.nodes), None)
    if unknown is not None:
        return f"the graph has no node {unknown}"
    return "" if graph.edge_between(start, end) else "the graph does not join them"


def _name(graph: NavigationGraph, node_id: str) -> str:
    node = graph.nodes.get(node_id)
    return node.name if node is not None and node.name else node_id


def _told(labels: Labels, passage: Passage, state: PassageState) -> str:
    label = labels.get(passage)
    if label is None:
        back = labels.get(passage.reverse)
        other = None if back is None else _WORDS[PassageState(back.verdict.value)]
        return "undecided" if other is None else f"undecided; the other way: {other}"
    told = _WORDS.get(state, f"stale ({label.verdict.value.replace('_', ' ')})")
    if label.reason is not None:
        told += f", {REASON_TITLES[label.reason]}"
    return f"{told}: {label.note}" if label.note else told
