"""CapNav questions as episodes: from one place of the graph to another, through others if named.

Places are resolved as CapNav's path finder does: by id, by name, by part of a name.
Source: makeabilitylab/CapNav:annotator/SAMPLE-QA.json, annotator/src/pathfinding.js.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.episode.answer_places import find_place
from waypost.domain.episode.episode import Episode, Goal, GoalObject, Instruction
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.traverse.task import Task
from waypost.io.datasets.capnav_tasks import read_capnav_tasks, tasks_to_capnav
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.record_writing import records_of, write_array_or_members
from waypost.io.file_head import FileHead
from waypost.io.graphs.capnav_graph import read_capnav_graph
from waypost.io.graphs.capnav_source import remembered
from waypost.io.read_log import ReadLog

_NAME: Final = "capnav"
_KEEPS: Final = frozenset({Part.VIEWPOINTS, Part.STAGES, Part.TARGET})
_QUESTIONS: Final = "questions"
_TASK_FILES: Final = re.compile(r"[-_]QA\.json(\.gz)?$", re.IGNORECASE)


def can_read(head: FileHead) -> bool:
    """Whether the file holds questions with the nodes involved, or the folder such a file."""
    if head.is_folder:
        return any(_TASK_FILES.search(name) for name in head.names)
    questions = head.sample
    if isinstance(questions, dict):
        questions = questions.get(_QUESTIONS)
    first = questions[0] if isinstance(questions, list) and questions else None
    return isinstance(first, dict) and "nodes_involved" in first


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per question, ``<scene>_<k>`` counted from 0.

    The graph is ``<scene>-graph.json`` beside the questions; without it the places stay names.

    Raises:
        ReadError: If questions or graph cannot be used.
    """
    files = [path] if path.is_file() else sorted(_task_files(path))
    if not files:
        raise ReadError(str(path), "file", "does not exist or holds no questions")
    for file in files:
        yield from _episodes(file, log)


def _task_files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (entry for entry in folder.iterdir() if _TASK_FILES.search(entry.name))


def _episodes(path: Path, log: ReadLog) -> Iterator[Episode]:
    found = read_capnav_tasks(path)
    for warning in found.warnings:
        log.warn(warning)
    top = remembered(found.extra).get("tasks")
    if isinstance(top, dict):
        log.document.update(top)
    scene = _scene_of(path)
    names = _node_names(path, log)
    for index, task in enumerate(found.tasks):
        yield _episode(task, f"{scene}_{index}", scene, names, log)


def graph_beside(questions: Path) -> Path:
    """Where the graph stands that a file of questions is read with, if there is one."""
    return questions.resolve().parent / f"{_scene_of(questions)}-graph.json"


def _scene_of(path: Path) -> str:
    return _TASK_FILES.sub("", path.name).removesuffix(".json")


def _node_names(path: Path, log: ReadLog) -> Mapping[str, str]:
    """Node id → name of the graph beside the questions; empty if there is none."""
    graph = graph_beside(path)
    if not graph.is_file():
        if not log.has_graphs:
            log.warn(
                f"{path}: {graph.name} does not stand beside it: places stay names unless"
                " the graph is given"
            )
        return {}
    root = read_capnav_graph(graph).document.root
    return {
        node.field("id").as_text(): node.text_of("name") for node in root.field("nodes").items()
    }


def _episode(
    task: Task, episode_id: str, scene: str, names: Mapping[str, str], log: ReadLog
) -> Episode:
    places = (task.start, *task.intermediate, task.end)
    ids = [find_place(place, names) for place in places]
    for place, node_id in zip(places, ids, strict=True):
        if names and not node_id:
            log.add(
                ImportKind.UNKNOWN_VIEWPOINT,
                f"the graph of {scene} has no place {place!r}",
                item_id=episode_id,
                value=place,
            )
    goals = tuple(
        Goal(node_id, target=GoalObject(name=detail or place))
        for place, node_id, detail in zip(
            places[1:], ids[1:], (*("" for _ in task.intermediate), task.end_detail), strict=True
        )
    )
    is_resolved = all(ids)
    return Episode(
        dataset=_NAME,
        split="",
        episode_id=episode_id,
        scene_id=scene,
        instruction=Instruction(task.question),
        goals=goals[-1:] if ids[-1] else (),
        start_viewpoint_id=ids[0],
        geodesic_note="the file states no distance",
        source_id=episode_id,
        stages=goals if is_resolved and len(goals) > 1 else (),
        has_ground_truth=is_resolved,
        extra=MappingProxyType(
            {
                "start": task.start,
                "start_detail": task.start_detail,
                "intermediate": list(task.intermediate),
                "end": task.end,
                "end_detail": task.end_detail,
            }
        ),
        record=remembered(task.extra).get("question"),
    )


def _build(group: list[Episode]) -> dict[str, Any]:
    (episode,) = group
    ends = [goal.viewpoint_id for goal in episode.stages or episode.goals]
    start = str(episode.extra.get("start", "")) or episode.start_viewpoint_id
    if not start or not ends or not all(ends):
        raise InputError("it has no start and goal in a graph")
    task = Task(episode.instruction.text, start, ends[-1], intermediate=tuple(ends[:-1]))
    questions = tasks_to_capnav((task,))
    return dict(questions[_QUESTIONS][0] if isinstance(questions, dict) else questions[0])


def write(path: Path, episodes: Iterable[Episode], log: ReadLog) -> None:
    """Write questions: an object if they came from one, else a bare list.

    Raises:
        WriteError: If the file cannot be written.
    """
    records = records_of(_NAME, episodes, _build, log, _KEEPS, grouped=False)
    write_array_or_members(path, _QUESTIONS, records, log)


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="CapNav questions",
    can_read=can_read,
    read=read,
    conventions=(
        "nodes of a CapNav graph by id; no positions and no headings are read here, since the file"
        " does not state its frame (see `waypost graph import`); no shortest distance"
    ),
    source="makeabilitylab/CapNav:annotator/SAMPLE-QA.json",
    write=write,
    keys=("question", "nodes_involved"),
    dataset="CapNav",
    profile_key="capnav",
)
