from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from annotators.small_house import at

from waypost.annotators.graph.select_tool import SelectTool
from waypost.annotators.graph.tool import delete_selection
from waypost.domain.scene.graph import EdgeKind, add_edge
from waypost.viewers.scene.pointer import RIGHT_BUTTON, PointerPhase

PRESS, MOVE, RELEASE = PointerPhase.PRESS, PointerPhase.MOVE, PointerPhase.RELEASE


def test_double_click_places_one_selected_node_on_the_floor(player):
    d = player(SelectTool())
    d.double_click(1.0, -2.0)
    assert [e.text for e in d.edits] == ["Add Place 1"]
    assert d.context.graph.nodes["node_1"].position_m == pytest.approx((1.0, -2.0, 0.0), abs=1e-5)
    assert d.context.selection_nodes == {"node_1"}


def test_double_click_on_a_node_places_no_second_one(player):
    d = player(SelectTool(), (0, 0, 0))
    result = d.double_click(0.0, 0.0)
    assert result.is_refused
    assert len(d.context.graph.nodes) == 1


def test_why_nothing_was_placed_stays_readable_after_the_double_click(player):
    d = player(SelectTool())
    refused = d.double_click(40.0, 40.0)
    assert refused.is_refused
    assert refused.message == "There is no floor under the pointer."
    assert d.send(at(40.0, 40.0, RELEASE)).message == refused.message


def test_click_selects_and_click_on_empty_floor_deselects(player):
    d = player(SelectTool(), (0, 0, 0), (1, 0, 0))
    d.click(0.1, 0.0)
    assert d.context.selection_nodes == {"node_1"}
    d.click(0.0, 3.0)
    assert d.context.selection_nodes == set()
    assert d.edits == []


def test_nearest_node_within_ten_pixels_wins(player):
    d = player(SelectTool(), (0, 0, 0), (0.3, 0, 0))
    d.click(0.16, 0.0)
    assert d.context.selection_nodes == {"node_2"}
    d.click(0.0, 0.21)
    assert d.context.selection_nodes == set()


def test_a_plain_click_only_selects(player):
    d = player(SelectTool(), (0, 0, 0), (1, 0, 0))
    d.click(0, 0)
    hint = d.send(at(1, 0))
    assert hint.message == (
        "Click selects Place 2; drag moves it; Alt+click joins Place 1 – Place 2"
    )
    d.click(1, 0)
    assert d.edits == []
    assert d.context.selection_nodes == {"node_2"}


def test_alt_click_on_a_second_node_joins_once(player):
    d = player(SelectTool(), (0, 0, 0), (1, 0, 0))
    d.click(0, 0)
    hint = d.send(at(1, 0, alt=True))
    assert hint.message == "Alt+click joins Place 1 – Place 2"
    assert hint.preview.lines
    d.click(1, 0, alt=True)
    assert [e.text for e in d.edits] == ["Join Place 1 – Place 2"]
    edge = d.context.graph.edges["edge_1"]
    assert (edge.from_id, edge.to_id, edge.kind) == ("node_1", "node_2", EdgeKind.WALK)
    assert d.context.selection_nodes == {"node_2"}
    d.click(0, 0, alt=True)
    assert len(d.edits) == 1
    assert d.context.selection_nodes == {"node_1"}


def test_joining_over_a_storey_makes_stairs(player):
    d = player(SelectTool(), (0, 0, 0), (1, 0, 2.72))
    d.select("node_1")
    d.context = replace(d.context, cut_z_m=4.0)
    d.click(1, 0, alt=True)
    assert d.context.graph.edges["edge_1"].kind is EdgeKind.STAIRS


def test_shift_and_control_extend_the_selection_without_joining(player):
    d = player(SelectTool(), (0, 0, 0), (1, 0, 0), (0, 1, 0))
    d.click(0, 0)
    d.click(1, 0, shift=True)
    d.click(0, 1, control=True)
    assert d.context.selection_nodes == {"node_1", "node_2", "node_3"}
    d.click(1, 0, control=True)
    assert d.context.selection_nodes == {"node_1", "node_3"}
    assert d.edits == []


def test_click_within_six_pixels_selects_the_edge(player):
    d = player(SelectTool(), (-1, 0, 0), (1, 0, 0))
    graph, _ = add_edge(d.context.graph, "node_1", "node_2")
    d.context = replace(d.context, graph=graph)
    d.click(0.2, 0.13)
    assert d.context.selection_edges == set()
    d.click(0.2, 0.11)
    assert d.context.selection_edges == {"edge_1"}
    assert d.context.selection_nodes == set()


def test_an_edge_with_one_end_behind_the_camera_can_be_clicked(player):
    d = player(SelectTool(), (-3, 0, 0), (1, 0, 0))
    graph, _ = add_edge(d.context.graph, "node_1", "node_2")
    view = d.context.project

    def half_blind(points):
        pixels = view(points)
        pixels[points[:, 0] < -1] = np.nan
        return pixels

    d.context = replace(d.context, graph=graph, project=half_blind)
    d.click(0.5, 0.0)
    assert d.context.selection_edges == {"edge_1"}


def test_drag_previews_and_edits_once_on_release(player):
    d = player(SelectTool(), (0, 0, 0))
    d.send(at(0, 0, PRESS))
    for x in (0.3, 0.6, 1.0):
        moving = d.send(at(x, 0, MOVE))
    assert moving.edit is None
    assert moving.moved_m["node_1"] == pytest.approx((1.0, 0.0, 0.0), abs=1e-5)
    assert d.context.graph.nodes["node_1"].position_m == (0, 0, 0)
    d.send(at(1.0, 0, RELEASE))
    assert [e.text for e in d.edits] == ["Move Place 1"]
    assert d.context.graph.nodes["node_1"].position_m == pytest.approx((1, 0, 0), abs=1e-5)
    assert d.context.selection_nodes == {"node_1"}


def test_a_drag_up_the_stairs_follows_the_treads(player):
    d = player(SelectTool(), (-4.5, 4, 0))
    d.send(at(-4.5, 4, PRESS))
    third_tread_x = -4 + 0.28 * 2.5
    moving = d.send(at(third_tread_x, 4, MOVE))
    assert moving.moved_m["node_1"][2] == pytest.approx(0.51, abs=1e-4)


def test_a_drag_over_a_table_keeps_the_last_floor_and_says_why(player):
    d = player(SelectTool(), (-1, -1, 0))
    d.send(at(-1, -1, PRESS))
    d.send(at(-1.2, -1.2, MOVE))
    over = d.send(at(-2, -2, MOVE))
    assert over.is_refused
    assert over.moved_m["node_1"] == pytest.approx((-1.2, -1.2, 0), abs=1e-5)


def test_dragging_one_of_several_selected_nodes_moves_all_and_snaps_each(player):
    d = player(SelectTool(), (0, 0, 0.1), (1, 1, -0.05), (3, 3, 0))
    d.select("node_1", "node_2")
    d.send(at(0, 0, PRESS))
    d.send(at(-1, 0, MOVE))
    d.send(at(-1, 0, RELEASE))
    nodes = d.context.graph.nodes
    assert [e.text for e in d.edits] == ["Move 2 nodes"]
    assert nodes["node_1"].position_m == pytest.approx((-1, 0, 0), abs=1e-5)
    assert nodes["node_2"].position_m == pytest.approx((0, 1, 0), abs=1e-5)
    assert nodes["node_3"].position_m == (3, 3, 0)
    assert d.context.selection_nodes == {"node_1", "node_2"}


def test_cancel_drops_a_drag(player):
    d = player(SelectTool(), (0, 0, 0))
    d.send(at(0, 0, PRESS))
    d.send(at(1, 0, MOVE))
    assert d.tool.is_busy
    d.tool = d.tool.cancel().tool
    d.send(at(1, 0, RELEASE))
    assert d.edits == []
    assert not d.tool.is_busy


def test_a_trembling_click_does_not_move(player):
    d = player(SelectTool(), (0, 0, 0))
    d.send(at(0, 0, PRESS))
    d.send(at(0.05, 0, MOVE))
    d.send(at(0.05, 0, RELEASE))
    assert d.edits == []
    assert d.context.selection_nodes == {"node_1"}


def test_undo_during_a_drag_that_removes_the_node_ends_the_drag(player):
    d = player(SelectTool(), (0, 0, 0))
    d.send(at(0, 0, PRESS))
    d.send(at(1, 0, MOVE))
    d.context = replace(d.context, graph=player(SelectTool()).context.graph)
    assert d.send(at(1.2, 0, MOVE)).is_refused
    d.send(at(1.2, 0, RELEASE))
    assert d.edits == []


def test_box_selects_what_lies_inside_and_shift_adds(player):
    d = player(SelectTool(), (0, 0, 0), (1, 1, 0), (-3, 0, 0))
    d.send(at(-0.5, -0.5, PRESS))
    band = d.send(at(1.5, 1.5, MOVE))
    assert band.box_px == pytest.approx((475, 425, 575, 525))
    d.send(at(1.5, 1.5, RELEASE))
    assert d.context.selection_nodes == {"node_1", "node_2"}
    d.send(at(-3.5, -0.5, PRESS))
    d.send(at(-2.5, 0.5, MOVE))
    d.send(at(-2.5, 0.5, RELEASE, shift=True))
    assert d.context.selection_nodes == {"node_1", "node_2", "node_3"}


def test_nodes_of_other_storeys_cannot_be_clicked_or_boxed(player):
    d = player(SelectTool(), (0, 0, 2.72), (1, 0, 0))
    d.click(0, 0)
    assert d.context.selection_nodes == set()
    d.send(at(-1, -1, PRESS))
    d.send(at(2, 1, MOVE))
    d.send(at(2, 1, RELEASE))
    assert d.context.selection_nodes == {"node_2"}
    d.context = replace(d.context, cut_z_m=4.2, selection_nodes=frozenset())
    d.click(1, 0)
    assert d.context.selection_nodes == set()
    d.click(0, 0)
    assert d.context.selection_nodes == {"node_1"}


def test_the_right_button_is_left_to_the_camera(player):
    d = player(SelectTool(), (0, 0, 0))
    d.send(at(0, 0, PRESS, button=RIGHT_BUTTON))
    d.send(at(0, 0, RELEASE, button=RIGHT_BUTTON))
    assert d.context.selection_nodes == set()


def test_hover_shows_a_ghost_on_the_floor_and_the_reason_on_a_table(player):
    d = player(SelectTool())
    ghost = d.send(at(1, 1))
    assert ghost.preview.markers[0].point == pytest.approx((1, 1, 0.03), abs=1e-5)
    assert ghost.message == "Double-click places a node here"
    table = d.send(at(-2, -2))
    assert not table.preview
    assert "not a floor" in table.message


def test_delete_takes_edges_along(player):
    d = player(SelectTool(), (0, 0, 0), (1, 0, 0))
    graph, _ = add_edge(d.context.graph, "node_1", "node_2")
    d.context = replace(d.context, graph=graph)
    assert delete_selection(d.context) is None
    d.select("node_1")
    edit = delete_selection(d.context)
    assert edit.text == "Delete Place 1"
    assert list(edit.graph.nodes) == ["node_2"]
    assert not edit.graph.edges


def test_selected_nodes_of_another_storey_stay_when_the_visible_ones_are_dragged(player):
    d = player(SelectTool(), (0, 0, 0), (0.5, 0, 2.72))
    d.select("node_1", "node_2")
    d.send(at(0, 0, PRESS))
    d.send(at(1, 0, MOVE))
    d.send(at(1, 0, RELEASE))
    assert d.context.graph.nodes["node_1"].position_m == pytest.approx((1, 0, 0), abs=1e-5)
    assert d.context.graph.nodes["node_2"].position_m == (0.5, 0, 2.72)
