from __future__ import annotations

import pytest
from annotators.small_house import GROUND, UPPER, wheelchair
from contrast import contrast_ratio
from given_labels import set_label

from waypost.annotators import palette
from waypost.annotators.graph.drawing import (
    DIMMED_ALPHA,
    GHOST_ALPHA,
    GraphLook,
    graph_drawing_steps,
)
from waypost.annotators.palette import STATE_COLORS
from waypost.domain.base.progress import exhaust
from waypost.domain.scene.findings import Finding, FindingKind
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node, build_graph
from waypost.domain.traverse.traversability import (
    Passage,
    PassageState,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
)
from waypost.viewers.scene.drawing import Drawing, MarkerShape


def graph_drawing(graph: NavigationGraph, look: GraphLook) -> Drawing:
    return exhaust(graph_drawing_steps(graph, look))


def two_nodes(kind=EdgeKind.WALK, end=(4.0, 0.0, 0.0)):
    nodes = (Node("a", "Hall", (0.0, 0.0, 0.0)), Node("b", "Bath", end))
    return build_graph(nodes, (Edge("e", "a", "b", kind),))


def label(start, end, verdict, provenance=None):
    reason = Reason.STEP_OR_SILL if verdict is Verdict.DOES_NOT else None
    return TraversabilityLabel(
        Passage(start, end, "wheelchair"), verdict, reason, provenance=provenance or Provenance()
    )


def test_an_empty_graph_draws_nothing():
    assert not graph_drawing(NavigationGraph(), GraphLook())


def test_nodes_are_discs_with_names_just_above_the_floor():
    drawing = graph_drawing(two_nodes(), GraphLook())
    assert [m.point for m in drawing.markers] == [(0.0, 0.0, 0.03), (4.0, 0.0, 0.03)]
    assert [t.text for t in drawing.labels] == ["Hall", "Bath"]
    assert drawing.lines[0].points == ((0.0, 0.0, 0.03), (4.0, 0.0, 0.03))


def test_kinds_differ_without_colour():
    walk, door, stairs, elevator = (
        graph_drawing(two_nodes(kind), GraphLook()) for kind in EdgeKind
    )
    assert (len(walk.lines), walk.lines[0].dash_px) == (1, 0)
    assert (len(door.lines), door.lines[0].dash_px) == (1, 9)
    assert len(stairs.lines) == 1 + 11
    assert elevator.lines[0].dash_px == 3
    squares = [m for m in elevator.markers if m.shape is MarkerShape.SQUARE]
    assert [m.point for m in squares] == [(2.0, 0.0, 0.03)]


def test_a_selected_node_has_a_bright_outline_and_its_name_always_shows():
    drawing = graph_drawing(two_nodes(), GraphLook(selection_nodes=frozenset("a"), has_names=False))
    assert drawing.markers[0].outline == palette.SELECTION
    assert drawing.markers[1].outline == palette.OUTLINE
    assert [(t.text, t.priority >= 100) for t in drawing.labels] == [("Hall", True)]


def test_a_selected_edge_has_a_halo():
    drawing = graph_drawing(two_nodes(), GraphLook(selection_edges=frozenset("e")))
    assert drawing.lines[0].color == palette.SELECTION
    assert drawing.lines[0].width_px > drawing.lines[1].width_px


def test_dragged_nodes_take_their_edges_along():
    drawing = graph_drawing(
        two_nodes(), GraphLook(moved_m={"b": (1.0, 2.0, 0.5), "gone": (0, 0, 0)})
    )
    assert drawing.markers[1].point == (1.0, 2.0, 0.53)
    assert drawing.lines[0].points[1] == (1.0, 2.0, 0.53)


def test_other_storeys_are_ghosts_without_names():
    graph = two_nodes(end=(4.0, 0.0, 2.72))
    look = GraphLook(storeys=(GROUND, UPPER), cut_z_m=1.5)
    drawing = graph_drawing(graph, look)
    assert [t.text for t in drawing.labels] == ["Hall"]
    assert drawing.markers[1].color[3] == GHOST_ALPHA
    assert drawing.lines[0].color[3] == 1.0
    upstairs = graph_drawing(graph, GraphLook(storeys=(GROUND, UPPER), cut_z_m=4.2))
    assert [t.text for t in upstairs.labels] == ["Bath"]


def test_a_large_graph_is_drawn_in_steps_from_the_first_edge_on():
    nodes = [Node(f"n{i}", f"Place {i}", (float(i), 0.0, 0.0)) for i in range(1001)]
    row = build_graph(nodes, (Edge(f"e{i}", f"n{i}", f"n{i + 1}") for i in range(1000)))
    chosen = GraphLook(selection_edges=frozenset(row.edges))
    steps = list(graph_drawing_steps(row, chosen))
    # Edges sorted, haloed and drawn, and nodes: each 200 at a time.
    assert len(steps) >= 4 * 5
    # The halos still lie under all lines.
    widths = [line.width_px for line in graph_drawing(row, chosen).lines]
    assert widths == sorted(widths, reverse=True)


def test_the_mark_of_a_problem_leaves_every_name_readable():
    findings = (
        Finding(FindingKind.NO_FLOOR, "no floor", ("a",), (), (0.0, 0.0, 0.0)),
        Finding(FindingKind.THROUGH_WALL, "wall", ("a", "b"), ("e",), (2.0, 0.0, 1.0)),
    )
    drawing = graph_drawing(two_nodes(), GraphLook(findings=findings))
    assert {label.text for label in drawing.labels} == {"! Hall", "! Bath", "!"}
    mark = min(label.priority for label in drawing.labels)
    assert [label.text for label in drawing.labels if label.priority == mark] == ["!"]


def test_problems_carry_a_sign_where_they_are():
    findings = (
        Finding(FindingKind.NO_FLOOR, "no floor", ("a",), (), (0.0, 0.0, 0.0)),
        Finding(FindingKind.THROUGH_WALL, "wall", (), ("e",), (2.0, 0.0, 1.0)),
    )
    drawing = graph_drawing(two_nodes(), GraphLook(findings=findings, has_names=False))
    assert [(t.text, t.point) for t in drawing.labels] == [
        ("! Hall", (0.0, 0.0, 0.03)),
        ("!", (2.0, 0.0, 1.0)),
    ]
    assert drawing.markers[0].color == palette.PROBLEM


def test_problems_of_other_storeys_carry_no_sign():
    finding = Finding(FindingKind.THROUGH_WALL, "wall", (), ("e",), (2.0, 0.0, 3.0))
    look = GraphLook(findings=(finding,), has_names=False, storeys=(GROUND, UPPER), cut_z_m=1.5)
    assert graph_drawing(two_nodes(), look).labels == ()


def test_findings_about_nodes_that_are_gone_are_not_drawn():
    finding = Finding(FindingKind.NO_FLOOR, "no floor", ("gone",), (), (0.0, 0.0, 0.0))
    drawing = graph_drawing(two_nodes(), GraphLook(findings=(finding,), has_names=False))
    assert drawing.labels == ()


def test_each_direction_has_its_own_line_on_its_right_with_an_arrow():
    labels = set_label({}, label("a", "b", Verdict.TRAVELS))
    labels = set_label(labels, label("b", "a", Verdict.DOES_NOT))
    drawing = graph_drawing(two_nodes(), GraphLook(agent=wheelchair(), labels=labels))
    there, back = drawing.lines
    assert there.has_arrow
    assert there.color == STATE_COLORS[PassageState.TRAVELS]
    assert there.points == ((0.0, -0.06, 0.03), (4.0, -0.06, 0.03))
    assert back.color == STATE_COLORS[PassageState.DOES_NOT]
    assert back.points == ((4.0, 0.06, 0.03), (0.0, 0.06, 0.03))
    assert [t.text for t in drawing.labels] == ["✓", "✕", "Hall", "Bath"]


def test_undecided_is_a_ring_and_never_looks_like_an_answer():
    drawing = graph_drawing(two_nodes(), GraphLook(agent=wheelchair(), has_names=False))
    rings = [m for m in drawing.markers if m.shape is MarkerShape.RING]
    assert len(rings) == 2
    assert drawing.labels == ()
    assert {line.color for line in drawing.lines} == {STATE_COLORS[PassageState.UNDECIDED]}


def test_a_stale_label_loses_its_colour():
    old = Provenance(scene_hash="old", profile_hash=wheelchair().profile_hash)
    labels = set_label({}, label("a", "b", Verdict.TRAVELS, old))
    look = GraphLook(agent=wheelchair(), labels=labels, scene_hash="new", has_names=False)
    drawing = graph_drawing(two_nodes(), look)
    assert drawing.labels[0].text == "▨"
    assert drawing.lines[0].dash_px == 5


def test_the_passage_at_hand_stands_out():
    nodes = [Node(i, f"Place {i}", (float(ord(i)), 0.0, 0.0)) for i in "abc"]
    graph = build_graph(nodes, (Edge("e", "a", "b"), Edge("f", "b", "c")))
    focus = Passage("b", "a", "wheelchair")
    drawing = graph_drawing(graph, GraphLook(agent=wheelchair(), focus=focus))
    halo, there, back, other, _ = drawing.lines
    assert halo.color == palette.SELECTION
    assert there.color[3] == DIMMED_ALPHA < 1.0
    assert back.color[3] == 1.0
    assert back.width_px > there.width_px
    assert other.color[3] == DIMMED_ALPHA
    discs = [m for m in drawing.markers if m.shape is MarkerShape.CIRCLE]
    assert [m.color[3] == 1.0 for m in discs] == [True, True, False]
    assert [t.text for t in drawing.labels] == ["○", "Place a", "Place b"]


def test_the_directions_of_an_elevator_shaft_do_not_coincide():
    graph = two_nodes(EdgeKind.ELEVATOR, (0.0, 0.0, 2.72))
    up, down = graph_drawing(graph, GraphLook(agent=wheelchair())).lines
    assert up.points[0][0] == pytest.approx(0.06)
    assert down.points[0][0] == pytest.approx(-0.06)


@pytest.mark.parametrize("color", [*STATE_COLORS.values(), palette.PROBLEM])
def test_signs_can_be_read(color):
    hexes = (
        "#" + "".join(f"{round(c * 255):02x}" for c in x[:3]) for x in (palette.SIGN_TEXT, color)
    )
    assert contrast_ratio(*hexes) >= 4.5


def test_every_one_of_a_thousand_labelled_passages_is_drawn():
    side = 32
    nodes = [Node(f"n{i}", f"Place {i}", (i % side, i // side, 0.0)) for i in range(1000)]
    pairs = [(i, i + 1) for i in range(999) if (i + 1) % side]
    edges = [Edge(f"e{k}", f"n{a}", f"n{b}") for k, (a, b) in enumerate(pairs)]
    graph = build_graph(nodes, edges)
    judged = Provenance("scene", wheelchair().profile_hash)
    given = [label(e.from_id, e.to_id, Verdict.TRAVELS, judged) for e in edges]
    labels = {one.passage: one for one in given}
    look = GraphLook(agent=wheelchair(), labels=labels, scene_hash="scene")
    drawing = graph_drawing(graph, look)
    assert len(drawing.lines) == 2 * len(edges)
    assert sum(t.text == "✓" for t in drawing.labels) == len(edges)
