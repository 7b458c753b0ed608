"""All passages of a graph measured in processes, each as soon as it is known."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import groupby
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from typing import Final

from waypost.domain.base.errors import Cancelled, InputError, SimulatorError
from waypost.domain.base.frames import Vec3
from waypost.domain.base.progress import Progress
from waypost.domain.scene.gaps import refusal_to_drive
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node, build_graph
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.passage_rule import DEFAULT_PASSAGE_RULE, PassageRule
from waypost.domain.traverse.traversability import Passage
from waypost.services.measuring.site import Site, SiteSettings, colliders_of
from waypost.services.pool_process import begin_pool_process

Agents = Mapping[str, AgentProfile]

_ASK_CANCELLED_S: Final = 0.1


def measure_passages(  # noqa: PLR0913 - what is measured, by which rule, and how
    scene: Scene,
    graph: NavigationGraph,
    agents: Agents,
    asked: Sequence[Passage],
    rule: PassageRule = DEFAULT_PASSAGE_RULE,
    *,
    workers: int = 2,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    settings: SiteSettings | None = None,
) -> Iterator[PassageMeasure]:
    """Measure passages; each is yielded as soon as it is known, so that the order may differ.

    Args:
        scene: What is measured.
        graph: Has the nodes; all of them bound the detours.
        agents: Profiles by key.
        asked: What is measured; the edges are dealt out in this order.
        rule: What “travels” means in the project.
        workers: Processes that measure, each with an engine of its own; 0 measures in this one.
        progress: Hears how many passages are done.
        cancelled: Asked ten times a second; once it is true, nothing more is measured.
        settings: Which opinions are asked for, and in which scenes; all opinions by default.

    Raises:
        InputError: If a passage names an unknown agent or node, or the scene lacks geometry.
        Cancelled: Once ``cancelled`` is true.
        SimulatorError: If a process ends before its time.
    """
    settings = settings or SiteSettings()
    _check(scene, graph, agents, asked, allows_gaps=settings.allows_gaps)
    deal = _Deal(
        colliders_of(scene),
        tuple((node.node_id, node.position_m) for node in graph.nodes.values()),
        tuple((e.edge_id, e.from_id, e.to_id, e.kind) for e in graph.edges.values()),
        dict(agents),
        rule,
        settings,
    )
    parts = _dealt(asked)
    measured = _in_processes(deal, parts, workers, cancelled) if workers else _here(deal, parts)
    total = len(asked)
    tell = progress or (lambda _: None)
    tell(Progress(0, total, f"Measuring {total:,} passages"))
    for done, measure in enumerate(measured, start=1):
        if cancelled is not None and cancelled():
            raise Cancelled
        tell(Progress(done, total, f"Measured {done:,} of {total:,} passages"))
        yield measure


def _check(
    scene: Scene,
    graph: NavigationGraph,
    agents: Agents,
    asked: Sequence[Passage],
    *,
    allows_gaps: bool,
) -> None:
    refusal = refusal_to_drive(scene)
    if refusal and not allows_gaps:
        raise InputError(f"{scene.path}: {refusal}")
    if not any(len(mesh.faces) for mesh in scene.meshes if mesh.is_collider):
        raise InputError(f"{scene.path}: file: the scene holds no triangles that stop an agent")
    for passage in asked:
        if passage.agent_key not in agents:
            raise InputError(f"agent {passage.agent_key!r} is not among the agents")
        for node_id in (passage.from_id, passage.to_id):
            if node_id not in graph.nodes:
                raise InputError(f"node {node_id!r} is not in the graph")


def _dealt(asked: Sequence[Passage]) -> list[tuple[Passage, ...]]:
    """Edge by edge; both ways of one body after each other, as what one found serves the other."""
    return [
        tuple(sorted(part, key=lambda passage: passage.agent_key))
        for _, part in groupby(asked, key=_edge_of)
    ]


def _edge_of(passage: Passage) -> frozenset[str]:
    return frozenset(passage[:2])


@dataclass(frozen=True, slots=True)
class _Deal:
    """What every process is told once, in values that travel between processes."""

    scene: Scene
    nodes: tuple[tuple[str, Vec3], ...]
    edges: tuple[tuple[str, str, str, EdgeKind], ...]
    agents: dict[str, AgentProfile]
    rule: PassageRule
    settings: SiteSettings

    def site(self) -> Site:
        """The scene, ready to be asked."""
        nodes = [Node(node_id, "", position_m) for node_id, position_m in self.nodes]
        graph = build_graph(nodes, [Edge(*edge) for edge in self.edges])
        return Site(self.scene, graph, self.rule, self.settings)


def _here(deal: _Deal, parts: Sequence[tuple[Passage, ...]]) -> Iterator[PassageMeasure]:
    site = deal.site()
    try:
        for part in parts:
            for passage in part:
                yield site.measure(passage, deal.agents[passage.agent_key])
    finally:
        site.close()


def _in_processes(
    deal: _Deal,
    parts: Sequence[tuple[Passage, ...]],
    workers: int,
    cancelled: Callable[[], bool] | None,
) -> Iterator[PassageMeasure]:
    # Spawned: the caller may be a window whose threads a fork would break.
    processes = get_context("spawn")
    ended = processes.Event()
    pool = ProcessPoolExecutor(
        min(workers, max(1, len(parts))),
        mp_context=processes,
        initializer=_begin,
        initargs=(deal, ended, logging.getLogger().isEnabledFor(logging.DEBUG)),
    )
    try:
        waiting: set[Future[list[PassageMeasure]]] = {pool.submit(_measure, p) for p in parts}
        while waiting:
            done, waiting = wait(waiting, _ASK_CANCELLED_S, FIRST_COMPLETED)
            if cancelled is not None and cancelled():
                raise Cancelled
            for future in done:
                yield from future.result()
    except BrokenProcessPool as error:
        raise SimulatorError("a measuring process ended unexpectedly") from error
    finally:
        ended.set()
        pool.shutdown(wait=True, cancel_futures=True)


_here_now: list[tuple[Site, dict[str, AgentProfile], Event]] = []
"""What this process measures, and whether it is to stop; its engine ends when it does."""


def _begin(deal: _Deal, ended: Event, is_verbose: bool) -> None:
    begin_pool_process(is_verbose)
    _here_now.append((deal.site(), deal.agents, ended))


def _measure(part: tuple[Passage, ...]) -> list[PassageMeasure]:
    site, agents, ended = _here_now[0]
    measures = []
    for passage in part:
        if ended.is_set():
            break
        measures.append(site.measure(passage, agents[passage.agent_key]))
    return measures
