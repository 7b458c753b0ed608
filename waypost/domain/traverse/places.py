"""Which nodes the places of a question mean, as far as their names say."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.task import Task

_PREFIXED: Final = re.compile(r"^(\S+)\s+[—-]\s+")


def fitting_nodes(place: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """Every node that a place fits as well as any other; CapNav takes the first of them.

    In this order: the id before a dash, an id, a name in any case, names that contain it.

    Args:
        place: As the question has it.
        names: Node id → name.

    Source: makeabilitylab/CapNav:annotator/src/pathfinding.js.
    """
    text = place.strip()
    prefixed = _PREFIXED.match(text)
    if prefixed and prefixed[1] in names:
        return (prefixed[1],)
    if text in names:
        return (text,)
    lower = text.lower()
    if not lower:
        return ()
    same = tuple(node_id for node_id, name in names.items() if name.strip().lower() == lower)
    return same or tuple(node_id for node_id, name in names.items() if lower in name.lower())


def unmistakable_place(node_id: str, names: Mapping[str, str]) -> str:
    """A node as a question file can write it: its name, with its id before it if others fit it.

    Args:
        node_id: A node.
        names: Node id → name.
    """
    name = names[node_id].strip()
    return name if fitting_nodes(name, names) == (node_id,) else f"{node_id} — {name}"


@dataclass(frozen=True, slots=True)
class PlaceMatch:
    """One place of a question and what it fits."""

    place: str
    node_id: str
    """The node it means; empty where no node fits, or several do and nobody has said which."""

    candidates: tuple[str, ...]
    """Every node that the name fits."""

    @property
    def problem(self) -> str:
        """Why it means no node, in words; empty if it means one."""
        if self.node_id:
            return ""
        if not self.candidates:
            return f"no node is named “{self.place}”"
        return f"“{self.place}” fits {len(self.candidates)} nodes: say which is meant"


def places_of(task: Task, graph: NavigationGraph) -> tuple[PlaceMatch, ...]:
    """The places of a question in a graph, from the start to the end."""
    names = node_names(graph)
    pairs = zip(task.places, task.chosen_ids, strict=True)
    return tuple(_match(place, node_id, names) for place, node_id in pairs)


def with_place(task: Task, index: int, node_id: str) -> Task:
    """A question of which one place means a node that a person chose.

    Args:
        task: The question.
        index: Into ``task.places``.
        node_id: The node; empty to leave it to the name again.
    """
    chosen = list(task.chosen_ids)
    chosen[index] = node_id
    return replace(task, node_ids=tuple(chosen) if any(chosen) else ())


def without_nodes(tasks: tuple[Task, ...], gone: Collection[str]) -> tuple[Task, ...]:
    """Questions whose places mean none of some nodes by choice; the same tuple if none did.

    An id may be given again to another place, which nobody chose.
    """
    if not any(node_id in gone for task in tasks for node_id in task.node_ids):
        return tasks
    return tuple(_without(task, gone) for task in tasks)


def _without(task: Task, gone: Collection[str]) -> Task:
    for index, node_id in enumerate(task.chosen_ids):
        if node_id in gone:
            task = with_place(task, index, "")
    return task


def node_names(graph: NavigationGraph) -> dict[str, str]:
    """Node id → name."""
    return {node.node_id: node.name for node in graph.nodes.values()}


def _match(place: str, chosen: str, names: Mapping[str, str]) -> PlaceMatch:
    candidates = fitting_nodes(place, names)
    if chosen in names:
        return PlaceMatch(place, chosen, candidates)
    return PlaceMatch(place, candidates[0] if len(candidates) == 1 else "", candidates)
