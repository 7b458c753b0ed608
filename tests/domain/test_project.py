from __future__ import annotations

from dataclasses import replace

from given_labels import set_label

from waypost.domain.project import Project, remove_agent, set_agent, set_graph
from waypost.domain.scene.graph import (
    NavigationGraph,
    add_edge,
    add_node,
    build_graph,
    delete_items,
    move_nodes,
)
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.traversability import (
    Circumstances,
    Passage,
    Provenance,
    TraversabilityLabel,
    Verdict,
)

CAT = AgentProfile("cat", "Cat", BodyShape.CAPSULE, 0.2, 0.2, 0.4, 0.3, True, False, False)
DOG = replace(CAT, key="dog", name="Dog")


def test_agents_keep_their_order_when_one_is_replaced() -> None:
    project = set_agent(set_agent(Project(), CAT), DOG)
    faster = replace(CAT, top_speed_mps=3.0)
    changed = set_agent(project, faster)
    assert list(changed.agents.items()) == [("cat", faster), ("dog", DOG)]
    assert changed.graph is project.graph
    assert project.agents["cat"] is CAT


def test_removing_an_agent_keeps_its_labels() -> None:
    label = TraversabilityLabel(Passage("a", "b", "cat"), Verdict.TRAVELS)
    project = set_agent(Project(labels=set_label({}, label)), CAT)
    changed = remove_agent(project, "cat")
    assert dict(changed.agents) == {}
    assert changed.labels is project.labels
    assert (
        changed.labels[label.passage].is_stale(Circumstances(changed.graph, changed.agents))
        is False
    )


def chain() -> NavigationGraph:
    """node_1 – node_2 – node_3."""
    graph = build_graph([], [])
    for x_m in (0.0, 1.0, 2.0):
        graph, _ = add_node(graph, (x_m, 0.0, 0.0))
    graph, _ = add_edge(graph, "node_1", "node_2")
    return add_edge(graph, "node_3", "node_2")[0]


def label(from_id: str, to_id: str) -> TraversabilityLabel:
    return TraversabilityLabel(Passage(from_id, to_id, "cat"), Verdict.TRAVELS)


def test_a_place_with_the_id_of_a_deleted_one_inherits_no_labels() -> None:
    labels = set_label(set_label({}, label("node_1", "node_2")), label("node_2", "node_3"))
    asked = Task("?", "Hall", "Cellar", node_ids=("node_1", "node_3"))
    project = Project(graph=chain(), labels=labels, tasks=(asked,))
    without = set_graph(project, delete_items(project.graph, ["node_3"]))
    assert list(without.labels) == [Passage("node_1", "node_2", "cat")]
    graph, node = add_node(without.graph, (9.0, 9.0, 0.0))
    assert node.node_id == "node_3"
    again = set_graph(without, add_edge(graph, "node_2", "node_3")[0])
    assert list(again.labels) == [Passage("node_1", "node_2", "cat")]
    # Nor is it what somebody has chosen that a question means.
    assert again.tasks == (replace(asked, node_ids=("node_1", "")),)


def test_other_edits_of_the_graph_leave_the_labels_the_same_object() -> None:
    labels = set_label(set_label({}, label("node_1", "node_2")), label("x", "y"))
    project = Project(graph=chain(), labels=labels)
    moved = set_graph(project, move_nodes(project.graph, {"node_1": (0.0, 5.0, 0.0)}))
    assert moved.labels is labels
    assert set_graph(project, add_edge(chain(), "node_1", "node_3")[0]).labels is labels
    assert set_graph(project, delete_items(chain(), edge_ids=["edge_2"])).labels is labels
    assert set_graph(
        Project(graph=chain()), delete_items(chain(), ["node_1"])
    ).graph.nodes.keys() == {
        "node_2",
        "node_3",
    }


def test_a_label_without_node_places_is_stale_once_a_node_is_moved() -> None:
    """As accepted from a measure before places were kept; an imported one rests on no scene."""
    old = replace(label("node_1", "node_2"), provenance=Provenance(scene_hash="s"))
    imported, else_where = label("node_2", "node_1"), label("node_2", "node_3")
    else_where = replace(else_where, provenance=Provenance(scene_hash="s"))
    labels = {given.passage: given for given in (old, imported, else_where)}
    project = Project(graph=chain(), labels=labels)

    def stale(now: Project) -> list[Passage]:
        on = Circumstances(now.graph, {}, "s")
        return [passage for passage, given in now.labels.items() if given.is_stale(on)]

    assert stale(project) == []
    moved = set_graph(project, move_nodes(project.graph, {"node_1": (0.0, 0.3, 0.0)}))
    assert stale(moved) == [old.passage]
    assert moved.labels[old.passage].provenance.from_m == (0.0, 0.0, 0.0)
    assert moved.labels[old.passage].provenance.to_m == (1.0, 0.0, 0.0)
    assert moved.labels[imported.passage] is imported
    assert moved.labels[else_where.passage] is else_where
    farther = set_graph(moved, move_nodes(moved.graph, {"node_1": (0.0, 0.6, 0.0)}))
    assert farther.labels is moved.labels
    back = set_graph(farther, move_nodes(farther.graph, {"node_1": (0.0, 0.0, 0.0)}))
    assert stale(back) == []
