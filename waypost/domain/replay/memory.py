"""What the agent remembered: topological maps as text, and MSNav's pruning of its map."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from waypost.domain.episode.run import Decision
from waypost.domain.replay.replay import Replay
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

_CONNECTED: Final = re.compile(r"Place\s+(\d+)\s+is connected with Places?\s*([\d,\s]*)")
_PLACE: Final = re.compile(r"Place\s+(\d+)")
_TRAJECTORY: Final = re.compile(r"^Trajectory:\s*Place([\d\s]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TextMap:
    """A map as the model read it: places numbered as they were met."""

    trajectory: tuple[int, ...]
    """Places walked, start first; empty where the log does not show it."""

    links: Mapping[int, tuple[int, ...]]
    """Place → places it is said to be connected with, in the order of the text."""

    beside: tuple[int, ...]
    """Places seen and not visited, beside the map (“Supplementary Info”)."""

    @property
    def places(self) -> tuple[int, ...]:
        """Every place the texts mention, by number."""
        named = {*self.trajectory, *self.links, *self.beside}
        return tuple(sorted(named.union(*self.links.values())))


def parse_text_map(map_text: str, beside_text: str = "", trajectory_text: str = "") -> TextMap:
    """Read MapGPT's and MSNav's map texts; what is no such text gives an empty map.

    Args:
        map_text: Lines ``Place 0 is connected with Places 1, 2``.
        beside_text: Lines ``Place 5, which is corresponding to Image 5``.
        trajectory_text: ``Place 0 1 3``.

    Source:
        chen-judge/MapGPT:GPT/one_stage_prompt_manager.py.
    """
    links = {
        int(place): tuple(int(number) for number in re.findall(r"\d+", joined))
        for place, joined in _CONNECTED.findall(map_text)
    }
    return TextMap(
        tuple(int(number) for number in re.findall(r"\d+", trajectory_text)),
        MappingProxyType(links),
        tuple(dict.fromkeys(int(number) for number in _PLACE.findall(beside_text))),
    )


def text_map_of(decision: Decision) -> TextMap | None:
    """The map that a decision was taken on; ``None`` where the log has none."""
    map_text = decision.extra.get("map")
    if not isinstance(map_text, str):
        return None
    beside = decision.extra.get("supplementary_info", "")
    trajectory = _TRAJECTORY.search(decision.prompt)
    return parse_text_map(
        map_text,
        beside if isinstance(beside, str) else "",
        trajectory[1] if trajectory else "",
    )


def text_maps(replay: Replay) -> dict[int, TextMap]:
    """Step → map, for the steps whose log shows one."""
    found = {}
    for step, index in enumerate(replay.decisions.tolist()):
        shown = text_map_of(replay.run.decisions[index]) if index >= 0 else None
        if shown is not None:
            found[step] = shown
    return found


@dataclass(frozen=True, slots=True)
class PruningParameters:
    """The numbers of MSNav's map pruning; the defaults are those of its program.

    Source:
        MrCapricornLiu/MSNav:vln/parser.py.
    """

    weight_time: float = 1.0
    """λt."""

    weight_degree: float = 2.5
    """λd."""

    weight_frontier: float = 5.0
    """λf."""

    weight_distance: float = 0.5
    """λdist; counts only where ``uses_distance``."""

    uses_distance: bool = False
    start_step: int = 15
    """Nothing is pruned before this step."""

    old_after_steps: int = 13
    """A node must not have been visited for more steps than this."""

    keep_recent_steps: int = 6
    """Nodes visited within so many steps always stay."""

    most_per_step: int = 1


MSNAV_PRUNING: Final = PruningParameters()


@dataclass(frozen=True, slots=True)
class MemoryNode:
    """An explored node of the agent's map at one step, with what its score is made of."""

    viewpoint_id: str
    age_steps: int
    """Steps since the last visit."""

    degree: int
    """Edges in the agent's map."""

    unexplored: int
    """Neighbours never visited."""

    distance_edges: int | None
    """Edges of the agent's map between here and there; ``None`` where no way is left."""

    terms: tuple[float, float, float, float]
    """λt·ft, λd·fd, λf·ff, λdist·fdist."""

    is_candidate: bool
    """Old enough, not recent and not current."""

    is_pruned: bool
    """Removed from the map at this step."""

    @property
    def score(self) -> float:
        """P = λt·ft + λd·fd + λf·ff + λdist·fdist; the highest are pruned first."""
        return sum(self.terms)


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """The agent's map at one step."""

    step: int
    current_id: str
    nodes: tuple[MemoryNode, ...]
    """Explored nodes in the map before this step's pruning, in the order they were added."""

    struck_out: tuple[str, ...]
    """Every node pruned up to and including this step and not visited again."""


def replay_pruning(
    walked: Sequence[tuple[str, int]],
    graph: ViewpointGraph,
    parameters: PruningParameters = MSNAV_PRUNING,
) -> tuple[MemoryStep, ...]:
    """Carry MSNav's map along a path and prune it as its program does.

    ft is the age beyond ``old_after_steps``, fd the negative degree, ff the negative number of
    unexplored neighbours, fdist the number of edges to the node, 0 where no way is left. Time
    counts arrivals.

    Args:
        walked: (viewpoint, step) of every arrival.
        graph: The scan: its neighbours are the candidates that the agent sees.
        parameters: Weights and limits.

    Source:
        MrCapricornLiu/MSNav:vln/gpt_agent.py.
    """
    links: dict[str, list[str]] = {}
    last_visit: dict[str, int] = {}
    struck: dict[str, None] = {}
    visited: set[str] = set()
    states = []
    for time, (here, step) in enumerate(walked):
        visited.add(here)
        struck.pop(here, None)
        links.setdefault(here, _seen_from(here, graph))
        last_visit[here] = time
        pruned, nodes = _scores(links, last_visit, visited, here, time, parameters)
        for name in pruned:
            links.pop(name)
            last_visit.pop(name)
            struck[name] = None
            for others in links.values():
                if name in others:
                    others.remove(name)
        states.append(MemoryStep(step, here, nodes, tuple(struck)))
    return tuple(states)


def pruning_of(
    replay: Replay, parameters: PruningParameters = MSNAV_PRUNING
) -> tuple[MemoryStep, ...]:
    """``replay_pruning`` of a run on a given graph; empty for other runs."""
    if replay.graph is None or not replay.viewpoint_ids:
        return ()
    walked = [(replay.viewpoint_ids[step], step) for _, step in replay.moves]
    return replay_pruning(walked, replay.graph, parameters)


def _seen_from(name: str, graph: ViewpointGraph) -> list[str]:
    here = graph.index.get(name)
    if here is None:
        return []
    return [graph.viewpoint_ids[place] for place in sorted(graph.neighbours[here])]


def _scores(
    links: dict[str, list[str]],
    last_visit: dict[str, int],
    visited: set[str],
    here: str,
    time: int,
    parameters: PruningParameters,
) -> tuple[list[str], tuple[MemoryNode, ...]]:
    """Names to prune now, and every node with its score."""
    edges = _edges_from(here, links)
    must_exceed = max(parameters.old_after_steps, parameters.keep_recent_steps)
    nodes = []
    for name, others in links.items():
        age = time - last_visit[name]
        unexplored = sum(other not in visited for other in others)
        far = edges.get(name)
        reach = far if parameters.uses_distance and far is not None else 0
        terms = (
            parameters.weight_time * (age - parameters.old_after_steps),
            -parameters.weight_degree * len(others),
            -parameters.weight_frontier * unexplored,
            parameters.weight_distance * reach,
        )
        is_due = time >= parameters.start_step and name != here and age > must_exceed
        nodes.append((name, age, len(others), unexplored, far, terms, is_due))
    due = sorted((node for node in nodes if node[6]), key=lambda node: -sum(node[5]))
    pruned = [node[0] for node in due[: parameters.most_per_step]]
    return pruned, tuple(MemoryNode(*node, is_pruned=node[0] in pruned) for node in nodes)


def _edges_from(start: str, links: dict[str, list[str]]) -> dict[str, int]:
    edges = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for name in links[here]:
            if name in links and name not in edges:
                edges[name] = edges[here] + 1
                queue.append(name)
    return edges
