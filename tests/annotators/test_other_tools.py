from __future__ import annotations

from dataclasses import replace

import pytest
from annotators.small_house import at

from waypost.annotators.graph.edge_tool import EdgeTool
from waypost.annotators.graph.measure_tool import MeasureTool, free_width
from waypost.annotators.graph.node_tool import NodeTool
from waypost.annotators.graph.question_tool import QuestionTool
from waypost.annotators.graph.tool import TOOL_KEYS, ToolName, start_tool
from waypost.domain.scene.graph import add_edge, delete_items
from waypost.viewers.scene.pointer import PointerPhase

PRESS, MOVE, RELEASE = PointerPhase.PRESS, PointerPhase.MOVE, PointerPhase.RELEASE


def test_every_tool_has_a_key_and_starts_idle():
    assert [TOOL_KEYS[name] for name in ToolName] == ["V", "N", "E", "M", "Q"]
    assert not any(start_tool(name).is_busy for name in ToolName)


def test_node_tool_places_with_every_click(player):
    d = player(NodeTool())
    d.click(0, 0)
    d.click(1, 0)
    d.double_click(0, 2)
    assert [n.name for n in d.context.graph.nodes.values()] == ["Place 1", "Place 2", "Place 3"]
    assert not d.context.graph.edges


def test_node_tool_joins_with_control(player):
    d = player(NodeTool())
    d.click(0, 0)
    d.click(1, 0, control=True)
    assert [e.text for e in d.edits] == ["Add Place 1", "Add Place 2, joined to Place 1"]
    assert d.context.graph.edge_between("node_1", "node_2")


def test_node_tool_selects_an_existing_node_and_refuses_furniture(player):
    d = player(NodeTool(), (0, 0, 0))
    d.click(0, 0)
    assert d.context.selection_nodes == {"node_1"}
    assert d.click(-2, -2).is_refused
    assert d.edits == []


def test_node_tool_ignores_a_drag(player):
    d = player(NodeTool())
    d.send(at(0, 0, PRESS))
    d.send(at(1, 0, MOVE))
    d.send(at(1, 0, RELEASE))
    assert d.edits == []
    assert not d.tool.is_busy


def test_node_tool_says_what_control_would_do(player):
    d = player(NodeTool(), (0, 0, 0))
    d.select("node_1")
    assert "Ctrl+click also joins it to Place 1" in d.send(at(1, 0)).message
    joined = d.send(at(1, 0, control=True))
    assert joined.message == "Click places a node joined to Place 1"
    assert len(joined.preview.lines) == 1


def test_edge_tool_chains(player):
    d = player(EdgeTool(), (0, 0, 0), (1, 0, 0), (1, 1, 0))
    for place in ((0, 0), (1, 0), (1, 1)):
        d.click(*place)
    graph = d.context.graph
    assert [(e.from_id, e.to_id) for e in graph.edges.values()] == [
        ("node_1", "node_2"),
        ("node_2", "node_3"),
    ]
    assert d.tool.cancel().tool == EdgeTool()


def test_edge_tool_refuses_twins_and_empty_floor(player):
    d = player(EdgeTool(), (0, 0, 0), (1, 0, 0))
    graph, _ = add_edge(d.context.graph, "node_2", "node_1")
    d.context = replace(d.context, graph=graph)
    assert d.click(3, 3).is_refused
    d.click(0, 0)
    refused = d.click(1, 0)
    assert refused.message == "Place 1 – Place 2 are joined already."
    assert d.edits == []


def test_edge_tool_draws_to_the_pointer_and_forgets_a_deleted_start(player):
    d = player(EdgeTool(), (0, 0, 0), (1, 0, 0))
    d.click(0, 0)
    hover = d.send(at(3, 0))
    assert hover.preview.lines[0].points[1] == pytest.approx((3, 0, 0.03), abs=1e-5)
    d.context = replace(d.context, graph=player(EdgeTool()).context.graph)
    assert d.send(at(3, 0)).message == "Click the node where the edge begins"
    assert not d.tool.is_busy


def test_measure_shows_distance_in_parts(player):
    d = player(MeasureTool())
    d.click(-3.0, 0.0)
    shown = d.send(at(1.0, 3.0))
    assert shown.message.startswith("5.00 m · ")
    d.click(1.0, 3.0)
    frozen = d.send(at(-4.0, 2.0))
    assert frozen.message == shown.message
    d.click(0.0, 0.0)
    assert d.tool == MeasureTool(d.tool.start_m)


def test_measure_counts_height(player):
    d = player(MeasureTool())
    d.click(-4.5, 4.0)
    assert "height +0.17 m" in d.send(at(-3.9, 4.0)).message


def test_the_free_width_in_the_door_is_its_clear_width(house):
    width = free_width((2.1, 0.3, 0.0), house)
    assert width.width_m == pytest.approx(0.80, abs=1e-4)
    assert sorted((width.left_m[1], width.right_m[1])) == pytest.approx([0.0, 0.8], abs=1e-4)


def test_the_width_across_a_line_is_square_to_it(house):
    """Beside the south wall the nearest obstacle is the wall, but the way leads along it."""
    across = free_width((2.1, 0.4, 0.0), house, toward=(1.0, 0.0))
    assert across.width_m == pytest.approx(0.80, abs=1e-4)
    assert free_width((4.0, -3.0, 0.0), house, toward=(0.0, 1.0)) is None


def test_measure_without_anything_under_the_pointer(player):
    d = player(MeasureTool())
    assert d.send(at(40, 40)).is_refused
    d.context = replace(d.context, rays=None)
    assert "prepared" in d.send(at(0, 0)).message


def test_the_question_tool_asks_from_node_to_node_and_through_others(player):
    d = player(QuestionTool(), (0, 0, 0), (1, 0, 0), (2, 0, 0))
    assert d.send(at(0, 0)).message == "Click starts a question at Place 1"
    d.click(0, 0)
    assert d.tool.is_busy
    assert "Place 1 is taken" in d.click(0, 0).message
    assert d.click(1, 1).is_refused
    d.click(1, 0, shift=True)
    hint = d.send(at(2, 0))
    assert hint.message == "Click asks: Place 1 → Place 2 → Place 3; Shift+click passes it"
    assert len(hint.preview.lines) == 2
    d.send(at(2, 0, PRESS))
    assert d.last.asked == ("node_1", "node_2", "node_3")
    assert not d.tool.is_busy
    assert d.edits == []


def test_a_half_asked_question_is_dropped_with_its_node(player):
    d = player(QuestionTool(), (0, 0, 0), (1, 0, 0))
    d.click(0, 0)
    d.context = replace(d.context, graph=delete_items(d.context.graph, ["node_1"]))
    assert d.send(at(1, 0)).message == "Click starts a question at Place 2"
    d.click(1, 0)
    assert d.tool.cancel().tool == QuestionTool()
