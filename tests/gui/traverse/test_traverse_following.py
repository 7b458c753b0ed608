"""What Traverse shows follows every change as if it were made anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from gui.user import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from passage_lists import said_words, search
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from waypost.annotators.graph.drawing import GraphLook, graph_drawing_steps
from waypost.annotators.traverse.label_draft import LabelAnswer
from waypost.annotators.traverse.labelling import accept, retract
from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.queue import queue_progress, queue_row_steps
from waypost.domain.base.errors import EditError
from waypost.domain.base.progress import exhaust
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import add_edge, add_node, delete_items, move_nodes
from waypost.domain.traverse.traversability import (
    PassageState,
    Reason,
    Verdict,
    judged_on,
    passage_states,
    passages,
)
from waypost.services.judging import circumstances

pytestmark = pytest.mark.gui

STEPS = ("label", "clear", "add", "join", "move", "delete", "undo", "redo", "agent", "next", "find")


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 99)), max_size=10))
def test_queue_and_overlay_are_as_if_made_anew(
    at_house: User, steps: list[tuple[str, int]]
) -> None:
    at_house.window.show_workspace("traverse")
    for step, number in steps:
        do(at_house, step, number)
        settle(at_house)
        assert_shown_as_made_anew(at_house)


def do(user: User, step: str, number: int) -> None:
    bench, traverse, project = user.window.bench, user.window.traverse, user.project
    if step == "undo":
        bench.undo()
    elif step == "redo":
        bench.redo()
    elif step == "agent":
        bench.choose_agent(list(project.agents)[number % len(project.agents)])
    elif step == "next":
        traverse.walk.next()
    elif step == "find":
        search(user.find(PassageList), ("", "does not", "place", "1 2")[number % 4])
    else:
        edited = edit(user, project, step, number)
        if edited is not None:
            user.document.edit(step, edited)


def edit(user: User, project: Project, step: str, number: int) -> Project | None:
    if step in ("label", "clear"):
        return judge(user, project, number, is_clearing=step == "clear")
    graph = project.graph
    if step == "add":
        return set_graph(project, add_node(graph, (number / 50, 1.0, 0.0))[0])
    nodes = list(graph.nodes) or ["none"]
    one, other = nodes[number % len(nodes)], nodes[number * 7 % len(nodes)]
    try:
        if step == "join":
            graph = add_edge(graph, one, other)[0]
        elif step == "move":
            graph = move_nodes(graph, {one: (number / 25, 0.5, 0.0)})
        else:
            graph = delete_items(graph, [one])
    except EditError:
        return None
    return set_graph(project, graph)


def judge(user: User, project: Project, number: int, *, is_clearing: bool) -> Project | None:
    graph, agent = project.graph, user.window.bench.agent
    assert agent is not None
    ways = passages(graph, agent.key)
    if not ways:
        return None
    passage = ways[number % len(ways)]
    if is_clearing:
        cleared = retract(project.labels, graph, passage)
        return replace(project, labels=cleared.labels) if cleared else None
    said = list(Verdict)[number % 3]
    # Every fourth is judged on another scene, and stale.
    scene_hash = "another" if number % 4 == 0 else user.window.bench.scene_hash
    made = accept(
        LabelAnswer(passage, said, Reason.STAIRS if said is Verdict.DOES_NOT else None, ""),
        project.labels,
        graph,
        author="ada",
        provenance=judged_on(passage, circumstances(project, scene_hash)),
        now=lambda: datetime(2026, 1, 5, tzinfo=UTC),
    )
    return replace(project, labels=made.labels)


def settle(user: User) -> None:
    traverse = user.window.traverse
    user.wait(lambda: not (traverse._filling.is_busy or traverse._shown._layer._pieces.is_busy))


def assert_shown_as_made_anew(user: User) -> None:
    bench, traverse, project = user.window.bench, user.window.traverse, user.project
    agent, followed = bench.agent, user.find(PassageList)
    assert agent is not None
    assert traverse.walk.queue.passages == passages(project.graph, agent.key)
    now = circumstances(project, bench.scene_hash)
    anew = PassageList()
    anew.set_rows(agent.name, exhaust(queue_row_steps(traverse.walk.queue, project.labels, now)))
    search(anew, followed._search.text())
    anew.set_current(traverse.current)
    assert shown(followed) == shown(anew)
    assert said_words(followed) == said_words(anew)
    anew.deleteLater()
    now = circumstances(project, bench.scene_hash)
    for profile in project.agents.values():
        ways = passages(project.graph, profile.key)
        counted = Counter(passage_states(project.labels, ways, now))
        progress = queue_progress(project.graph, project.labels, bench.scene_hash, profile)
        assert progress.total == len(ways)
        assert progress.undecided == counted[PassageState.UNDECIDED]
        assert progress.stale == counted[PassageState.STALE]
        assert progress.travels == counted[PassageState.TRAVELS]
    view = user.window.stage.view
    look = GraphLook(
        storeys=bench.storeys,
        cut_z_m=view.cut_z,
        agent=agent,
        labels=project.labels,
        scene_hash=bench.scene_hash,
        focus=traverse.current,
    )
    assert view._layers["graph"] == exhaust(graph_drawing_steps(project.graph, look))


def shown(queue: PassageList) -> tuple[list[str], str | None]:
    view = queue.findChild(QTableView)
    assert view is not None
    model, role = view.model(), Qt.ItemDataRole.AccessibleTextRole
    texts = [model.index(row, 0).data(role) for row in range(model.rowCount())]
    current = view.currentIndex()
    return texts, current.data(role) if current.isValid() else None
