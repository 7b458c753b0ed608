"""``waypost prelabel``: measure every passage of a graph; a person decides what is uncertain."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    add_correction_options,
    asset_options,
    given_scene,
    note_outside,
    refuse_corrections,
)
from waypost.app.commands.arguments.engine_options import add_engine_options, chosen_engine
from waypost.app.commands.arguments.graph_frame import choose_frame
from waypost.app.commands.arguments.path_types import file_to_read, project_to_open
from waypost.app.commands.arguments.project_files import opened_project
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_json, write_line
from waypost.app.terminal.progress_line import progress_bar
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import FRAMES
from waypost.domain.project import Project
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.passage_rule import DEFAULT_PASSAGE_RULE, PassageRule
from waypost.domain.traverse.traversability import Passage, Verdict, all_passages
from waypost.geometry.ray_index import RayIndex
from waypost.io.agent_files import find_agent, shipped_agents
from waypost.io.graphs.graph_files import read_graph_file
from waypost.io.scenes.open_scene import read_scene
from waypost.services.measuring.body_sweep import sweep_library
from waypost.services.measuring.measure_passages import measure_passages
from waypost.services.measuring.site import SiteSettings
from waypost.store.project_store import ProjectStore


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is measured."""

    scene: Scene
    graph: NavigationGraph
    agents: Mapping[str, AgentProfile]
    passages: tuple[Passage, ...]
    rule: PassageRule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--project", type=project_to_open, metavar="P", help="project file or URL: its scene,"
        " graph, agents and rule"
    )  # fmt: skip
    what.add_argument("--scene", type=file_to_read, metavar="S", help="scene file, with --graph")
    parser.add_argument("--graph", type=file_to_read, metavar="G", help="graph file")
    parser.add_argument(
        "--frame", choices=list(FRAMES), help="frame of the graph (default: the one that fits)"
    )
    parser.add_argument(
        "--agents", nargs="+", metavar="A", help="keys of agents, or TOML files (default: all)"
    )
    parser.add_argument(
        "--edges", nargs="+", metavar="E",
        help="ids of edges, or FROM|TO for one direction (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--workers", type=int, default=2, metavar="N", help="processes that measure (default: 2)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--allow-gaps", action="store_true", help="measure even where geometry is missing"
    )
    add_engine_options(parser)
    add_correction_options(parser)
    add_asset_options(parser)


def run(options: argparse.Namespace) -> int:
    """Measure and report.

    Returns:
        0 whatever the answers are; problems of the input are raised.
    """
    if not 1 <= options.workers <= 256:
        raise InputError(f"--workers: {options.workers} is outside 1 to 256")
    chosen_engine(options)
    asked = _asked_of_project(options) if options.project else _asked_of_files(options)
    if sweep_library() is None:
        note("coal is not installed (the extra sweep): no opinion of a sweep")
    measures = _measured(asked, options)
    absent = (one for measure in measures for one in measure.absent_opinions)
    for name, why in {one.by: one.why for one in absent if one.by != "sweep"}.items():
        note(f"no opinion of {name}: {why}")
    if options.json:
        write_json({"passages": [passage_object(measure, asked.agents) for measure in measures]})
    else:
        for measure in measures:
            write_line(_line(measure, asked.graph))
        write_line(_summary(measures))
    return 0


def passage_object(measure: PassageMeasure, agents: Mapping[str, AgentProfile]) -> dict[str, Any]:
    """One passage in the JSON document; metres, degrees and seconds, scene frame."""
    provenance = measure.provenance
    opinions: dict[str, Any] = {
        opinion.by: {"answer": str(opinion.answer), "words": opinion.words}
        for opinion in measure.opinions
    }
    opinions |= {
        absent.by: {"answer": None, "words": absent.why} for absent in measure.absent_opinions
    }
    return {
        "from": measure.passage.from_id,
        "to": measure.passage.to_id,
        "agent": measure.passage.agent_key,
        "answer": str(measure.answer),
        "straight": str(measure.straight),
        "detour_m": measure.detour_m,
        "reason": None if measure.reason is None else str(measure.reason),
        "at_m": None if measure.at_m is None else list(measure.at_m),
        "margin_m": measure.margin_m,
        "clear_width_m": measure.clear_width_m,
        "step_up_m": measure.step_up_m,
        "step_down_m": measure.step_down_m,
        "turn_needs_m": measure.turn_needs_m,
        "turn_has_m": measure.turn_has_m,
        "head_room_m": measure.head_room_m,
        "slope_deg": measure.slope_deg,
        "contacts": list(measure.contacts),
        "opinions": opinions,
        "engine": provenance.engine or None,
        "profile_hash": agents[measure.passage.agent_key].profile_hash,
        "sim_time_s": measure.sim_time_s,
        "words": measure.words,
        "clear_width_at_m": None
        if measure.clear_width_at_m is None
        else list(measure.clear_width_at_m),
        "clear_width_length_m": measure.clear_width_length_m,
        "hole_m": measure.hole_m,
        "flights": measure.flights,
        "reversals": measure.reversals,
        "engine_version": provenance.engine_version or None,
        "mover_hash": provenance.mover_hash or None,
        "scene_hash": provenance.scene_hash,
        "engine_parameters": provenance.engine_parameters or None,
        "measuring_version": measure.measuring_version,
    }


def _measured(asked: _Asked, options: argparse.Namespace) -> list[PassageMeasure]:
    """All measures, in the order of the passages."""
    settings = SiteSettings(allows_gaps=options.allow_gaps, engine=chosen_engine(options))
    measured: dict[Passage, PassageMeasure] = {}
    with progress_bar("Measuring", "passage") as bar:
        bar.reset(len(asked.passages))
        for measure in measure_passages(
            asked.scene, asked.graph, asked.agents, asked.passages, asked.rule,
            workers=options.workers, settings=settings,
        ):  # fmt: skip
            measured[measure.passage] = measure
            bar.update()
    return [measured[passage] for passage in asked.passages]


def _asked_of_project(options: argparse.Namespace) -> _Asked:
    for name in ("graph", "frame"):
        if getattr(options, name) is not None:
            raise InputError(f"--{name}: the project has its own graph")
    refuse_corrections(options)
    with opened_project(options.project) as (store, project):
        scene = _scene_of(store, project, options)
    agents = _chosen_agents(options.agents, project.agents)
    graph = project.graph
    return _Asked(scene, graph, agents, _passages(graph, agents, options), project.passage_rule)


def _scene_of(store: ProjectStore, project: Project, options: argparse.Namespace) -> Scene:
    if not project.scene_path:
        raise InputError(f"{options.project}: scene: there is none")
    return note_outside(
        read_scene(
            store.root / project.scene_path,
            up_axis=project.scene_up_axis,
            metres_per_unit=project.scene_metres_per_unit,
            **asset_options(options),
        )
    )


def _asked_of_files(options: argparse.Namespace) -> _Asked:
    if options.graph is None:
        raise InputError("--graph: name the graph file of the scene")
    file = read_graph_file(options.graph)
    for warning in file.warnings:
        note(warning)
    scene = given_scene(options)
    frame, _ = choose_frame(file, options.frame, scene, RayIndex.build(scene))
    graph = file.build(frame)
    agents = _chosen_agents(options.agents, shipped_agents())
    asked = _passages(graph, agents, options)
    return _Asked(scene, graph, agents, asked, DEFAULT_PASSAGE_RULE)


def _chosen_agents(
    names: Sequence[str] | None, known: Mapping[str, AgentProfile]
) -> dict[str, AgentProfile]:
    if names is None:
        if not known:
            raise InputError("--agents: the project has no agents; name some")
        return dict(known)
    chosen: dict[str, AgentProfile] = {}
    for name in names:
        profile = known[name] if name in known else find_agent(name)
        if profile.key in chosen:
            raise InputError(f"--agents: {profile.key} is named twice")
        chosen[profile.key] = profile
    return chosen


def _passages(
    graph: NavigationGraph, agents: Iterable[str], options: argparse.Namespace
) -> tuple[Passage, ...]:
    """The passages of the named edges, or of all."""
    every = all_passages(graph, agents)
    if options.edges is None:
        if not every:
            raise InputError(f"{options.project or options.graph}: graph: has no edges to measure")
        return every
    wanted: set[tuple[str, str]] = set()
    for name in options.edges:
        wanted |= _directions(graph, name)
    return tuple(passage for passage in every if passage[:2] in wanted)


def _directions(graph: NavigationGraph, name: str) -> set[tuple[str, str]]:
    edge = graph.edges.get(name)
    if edge is not None:
        return {(edge.from_id, edge.to_id), (edge.to_id, edge.from_id)}
    start, _, end = name.partition("|")
    if graph.edge_between(start, end) is None:
        raise InputError(f"--edges: {name}: the graph has no such edge")
    return {(start, end)}


def _line(measure: PassageMeasure, graph: NavigationGraph) -> str:
    start, end = (graph.nodes[n].name or n for n in measure.passage[:2])
    way = "" if measure.straight is measure.answer else f" (straight: {measure.straight.words})"
    who = f"{start} → {end}, {measure.passage.agent_key}"
    return f"{who}: {measure.answer.words}{way}. {measure.words}"


def _summary(measures: Sequence[PassageMeasure]) -> str:
    counts = Counter(measure.answer for measure in measures)
    parts = [f"{counts[verdict]} {verdict.words}" for verdict in Verdict]
    return f"{counted(len(measures), 'passage')}: {', '.join(parts)}"
