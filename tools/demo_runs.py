"""Write episodes over a graph and runs of the scripted agent, in forms of other programs."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tools.scripted_agent import MODEL, NOTE, Behaviour, ScriptedRun, walk
from tools.scripted_forms import mapgpt_case, mapgpt_console, navgpt_record, own_line
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import bearing_rad, r2r_heading_from_yaw
from waypost.domain.episode.run_source import RunSource
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.domain.traverse.task import Task
from waypost.io.atomic import write_text_atomic
from waypost.io.datasets.capnav_tasks import write_capnav_tasks
from waypost.io.datasets.r2r_episodes import read as read_r2r
from waypost.io.graphs.capnav_graph import write_capnav_graph
from waypost.io.graphs.capnav_names import section_of
from waypost.io.graphs.connectivity_export import write_graph_as_connectivity
from waypost.io.graphs.matterport_graphs import read_connectivity
from waypost.io.json_writing import json_text, write_json_file
from waypost.io.logs.run_writing import write_array, write_lines
from waypost.io.read_log import ReadLog

SEED: Final = 7
"""Of the words."""

CONNECTIVITY: Final = "connectivity"
EPISODES: Final = "R2R_demo.json"
NAVGPT: Final = "scripted_navgpt.json"
MAPGPT: Final = "scripted_mapgpt"
OPEN: Final = "scripted_open.jsonl"
CAPNAV: Final = "capnav"
ANSWERS: Final = "scripted"


@dataclass(frozen=True, slots=True)
class DemoInstruction:
    """One instruction of a path, and what the three agents make of it."""

    text: str
    in_open_form: Behaviour
    in_navgpt_form: Behaviour
    in_mapgpt_form: Behaviour


@dataclass(frozen=True, slots=True)
class DemoPath:
    """A reference path, as Room-to-Room describes one."""

    path_id: int
    places: tuple[str, ...]
    """Names of nodes, each joined to the next."""

    instructions: tuple[DemoInstruction, ...]


@dataclass(frozen=True, slots=True)
class CapnavAnswer:
    """What the scripted agent answers to a CapNav question."""

    question: int
    """Index among the tasks."""

    agent_key: str
    places: tuple[str, ...]
    """Names of nodes; they need not be joined, since models invent passages."""

    answer: str
    """``yes`` or ``no``."""

    reason: str


def write_demo_runs(
    folder: Path, scan: str, graph: NavigationGraph, paths: Sequence[DemoPath], prefix: str
) -> tuple[RunSource, ...]:
    """Write connectivity, episodes and one run in each of three forms.

    Args:
        folder: Made if missing; files of the same names are replaced.
        scan: What the graph is of.
        graph: With names that are told apart.
        paths: Over the graph.
        prefix: Path of the folder as the project names it, POSIX.

    Returns:
        The runs for a project's book.

    Raises:
        InputError: If a path is none of the graph, or too short for what is made of it.
        WriteError: If a file cannot be written.
    """
    connectivity = write_graph_as_connectivity(folder / CONNECTIVITY, scan, graph)
    viewpoints = read_connectivity(connectivity, ReadLog())
    names = {node.node_id: node.name for node in graph.nodes.values()}
    write_array(folder / EPISODES, path_records(scan, viewpoints, names, paths))
    asked = [instruction for path in paths for instruction in path.instructions]
    episodes = list(read_r2r(folder / EPISODES, ReadLog()))

    def runs(behaviours: Sequence[Behaviour]) -> list[ScriptedRun]:
        return [
            walk(episode, viewpoints, names, behaviour, SEED)
            for episode, behaviour in zip(episodes, behaviours, strict=True)
        ]

    lines = [
        own_line(run, viewpoints, names, SEED) for run in runs([a.in_open_form for a in asked])
    ]
    write_lines(folder / OPEN, lines)
    shown = runs([instruction.in_navgpt_form for instruction in asked])
    write_array(folder / NAVGPT, [navgpt_record(run, viewpoints, names) for run in shown])
    _write_mapgpt(folder / MAPGPT, runs([a.in_mapgpt_form for a in asked]), viewpoints)
    return tuple(
        RunSource(
            (Path(prefix, file),),
            (Path(prefix, EPISODES),),
            Path(prefix, CONNECTIVITY),
            name=f"Scripted agent, {form}",
        )
        for form, file in (("open form", OPEN), ("NavGPT form", NAVGPT), ("MapGPT form", MAPGPT))
    )


def write_capnav_answers(
    folder: Path,
    scan: str,
    graph: NavigationGraph,
    tasks: tuple[Task, ...],
    answers: Sequence[CapnavAnswer],
    prefix: str,
) -> RunSource:
    """Write CapNav's graph and questions, and answers of the scripted agent to some of them.

    Args:
        folder: Made if missing; files of the same names are replaced.
        scan: Scene of the questions.
        graph: With names that are told apart.
        tasks: The questions.
        answers: To them.
        prefix: Path of the folder as the project names it, POSIX.

    Raises:
        WriteError: If a file cannot be written.
    """
    write_capnav_graph(folder / f"{scan}-graph.json", graph)
    write_capnav_tasks(folder / f"{scan}-QA.json", tasks)
    ids = _ids(graph)
    for answer in answers:
        name = f"{scan}_{answer.question}__{section_of(answer.agent_key)}"
        record = _answer_record(scan, name, tasks[answer.question], answer, ids)
        write_json_file(folder / ANSWERS / scan / f"{name}.json", record)
    return RunSource(
        (Path(prefix, ANSWERS),),
        (Path(prefix, f"{scan}-QA.json"),),
        name="Scripted answers, CapNav form",
    )


def path_records(
    scan: str, viewpoints: ViewpointGraph, names: Mapping[str, str], paths: Sequence[DemoPath]
) -> list[dict[str, Any]]:
    """Room-to-Room's records; the agent faces along the first edge.

    Raises:
        InputError: If a place is unknown, or two places that follow each other are not joined.
    """
    ids = {name: node_id for node_id, name in names.items()}
    records = []
    for path in paths:
        unknown = [name for name in path.places if name not in ids]
        if unknown:
            raise InputError(f"path {path.path_id}: the graph has no place {unknown[0]!r}")
        way = [ids[name] for name in path.places]
        for start, end in itertools.pairwise(way):
            if viewpoints.index[end] not in viewpoints.neighbours[viewpoints.index[start]]:
                raise InputError(
                    f"path {path.path_id}: {names[start]} and {names[end]} are not joined"
                )
        first, second = (
            viewpoints.positions_m[viewpoints.index[name]].tolist()
            for name in (way[0], way[:2][-1])
        )
        ends = viewpoints.index[way[0]], viewpoints.index[way[-1]]
        records.append(
            {
                "distance": float(viewpoints.geodesics_m[ends]),
                "scan": scan,
                "path_id": path.path_id,
                "path": way,
                "heading": r2r_heading_from_yaw(bearing_rad(first, second)),
                "instructions": [instruction.text for instruction in path.instructions],
            }
        )
    return records


def _write_mapgpt(folder: Path, runs: Sequence[ScriptedRun], viewpoints: ViewpointGraph) -> None:
    for run in runs:
        name = f"case_InstrID_{run.episode.episode_id}.json"
        write_json_file(folder / name, mapgpt_case(run, viewpoints))
    texts = (mapgpt_console(run, viewpoints) for run in runs)
    write_text_atomic(folder / "console.log", f"Model version: {MODEL}\n{NOTE}\n{''.join(texts)}")


def _answer_record(
    scan: str, name: str, task: Task, answer: CapnavAnswer, ids: Mapping[str, str]
) -> dict[str, Any]:
    result = {
        "answer": answer.answer,
        "path": [ids[place] for place in answer.places],
        "reason": answer.reason,
    }
    return {
        "scene": scan,
        "prompt_file": f"{name}.txt",
        "model": MODEL,
        "num_frames": 0,
        "raw_text": json_text(result),
        "result": [
            {
                "question": task.question,
                "agent": section_of(answer.agent_key),
                "result": result,
            }
        ],
        "note": NOTE,
    }


def _ids(graph: NavigationGraph) -> dict[str, str]:
    return {node.name: node.node_id for node in graph.nodes.values()}
