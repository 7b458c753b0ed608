"""A scripted editing session that acknowledges every accepted edit; made to be killed.

``editing_session.py FILE SEED FIRST LAST store|document`` goes on after edit FIRST, prints the
number of each edit when it is saved, and waits for the kill after edit LAST.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from waypost.domain.base.errors import EditError
from waypost.domain.project import Project, set_agent, set_graph
from waypost.domain.scene.graph import add_edge, add_node, delete_items, describe_node, move_nodes
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel, Verdict

LENGTH = 2000


class Step(NamedTuple):
    """One edit of the script."""

    is_undo: bool
    project: Project


def script(seed: int) -> list[Step]:
    """The start and every edit; each state differs from the one before."""
    chance = random.Random(seed)
    steps = [Step(False, Project("session"))]
    past: list[Project] = []
    while len(steps) <= LENGTH:
        now = steps[-1].project
        if past and chance.random() < 0.2:
            steps.append(Step(True, past.pop()))
            continue
        try:
            project = _edited(now, chance, len(steps))
        except EditError:
            continue
        if project != now:
            past.append(now)
            steps.append(Step(False, project))
    return steps


def _edited(project: Project, chance: random.Random, number: int) -> Project:
    graph = project.graph
    position_m = (chance.uniform(-9, 9), chance.uniform(-9, 9), 0.0)
    if len(graph.nodes) < 4 or (len(graph.nodes) < 60 and chance.random() < 0.3):
        return set_graph(project, add_node(graph, position_m, f"Räum “{number}” 🚪")[0])
    a, b = chance.sample(list(graph.nodes), 2)
    match chance.randrange(7):
        case 0:
            graph = add_edge(graph, a, b)[0]
        case 1:
            graph = move_nodes(graph, {a: position_m, b: position_m})
        case 2:
            graph = describe_node(graph, a, description=f"{number} " * 800)
        case 3:
            graph = describe_node(graph, a, name=f"=name {number}")
        case 4:
            graph = delete_items(graph, [a])
        case 5:
            size_m = 0.4 + number / 10_000
            shape = BodyShape.CYLINDER
            agent = AgentProfile("cat", "Cat", shape, size_m, size_m, 1, 0.1, True, True, True)
            project = set_agent(project, agent)
        case _:
            label = TraversabilityLabel(Passage(a, b, "cat"), Verdict.UNCERTAIN, note=str(number))
            project = replace(project, labels={**project.labels, label.passage: label})
    return set_graph(project, graph)


def _through_store(file: Path, steps: list[Step], first: int) -> Iterator[int]:
    from waypost.store.project_store import ProjectStore

    store = ProjectStore.open(file)
    if store.load() != steps[first].project:
        raise SystemExit("the file is not where the session left it")
    for number in range(first + 1, len(steps)):
        store.save(steps[number - 1].project, steps[number].project, "ana")
        yield number


def _through_document(file: Path, steps: list[Step], first: int) -> Iterator[int]:
    from PySide6.QtCore import QCoreApplication

    from waypost.documents.project_document import ProjectDocument
    from waypost.documents.save_state import SaveKind
    from waypost.services.cycle_collector import collect_in_qt_thread
    from waypost.store.project_store import ProjectStore

    application = QCoreApplication([])
    collect_in_qt_thread(application)
    document = ProjectDocument(ProjectStore.open(file), "ana")
    for number in range(first + 1, len(steps)):
        if steps[number].is_undo and document.undo_stack.canUndo():
            document.undo()
        else:
            document.edit("Edit", steps[number].project)
            if steps[number].is_undo:
                # The step it takes back was made before the last kill: Qt must not know it.
                document.undo_stack.clear()
        application.processEvents()
        if document.project != steps[number].project:
            raise SystemExit("undo went elsewhere than the script")
        if document.save_state.kind is not SaveKind.SAVED:
            raise SystemExit(document.save_state.reason)
        yield number


def main() -> None:
    """Run the session."""
    file, way = Path(sys.argv[1]), sys.argv[5]
    seed, first, last = map(int, sys.argv[2:5])
    edits = _through_document if way == "document" else _through_store
    for number in edits(file, script(seed)[: last + 1], first):
        os.write(1, b"%d\n" % number)
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main()
