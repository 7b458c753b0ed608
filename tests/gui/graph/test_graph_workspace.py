"""Drawing a graph in the real window with mouse and keys."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path

import pytest
from gui.house import FREE_FLOOR_M
from gui.user import User
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTabWidget
from shown_parts import shown_keys

from waypost.app.graph.storey_lists import EdgeList, NodeList
from waypost.domain.scene.graph import EdgeKind
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui

HALL, DOOR, KITCHEN, PANTRY = (
    (-2.5, 0.0, 0.0), (0.0, 0.0, 0.0), (2.5, 0.0, 0.0), (2.5, -2.0, 0.0),
)  # fmt: skip
HALF_A_PIXEL_M = 0.02


def selected(user: User) -> frozenset[str]:
    selection = user.window.bench.selection
    return selection.node_ids | selection.edge_ids


def test_a_project_opens_with_its_scene_and_lists(at_house: User) -> None:
    window = at_house.window
    assert window.bench.scene is not None
    assert window.bench.scene.triangle_count == 12 * 12
    assert window.windowTitle() == "House — Waypost"
    shown = shown_keys(at_house.find(NodeList))
    assert set(shown) == {"node_1", "node_2", "node_3", "node_4", "node_5"}
    assert window.graph.findings == ()


def test_a_double_click_places_a_node_on_the_floor_under_the_pointer(at_house: User) -> None:
    at_house.double_click(FREE_FLOOR_M)
    (new,) = at_house.graph.nodes.keys() - {f"node_{n}" for n in range(1, 6)}
    assert math.dist(at_house.graph.nodes[new].position_m, FREE_FLOOR_M) < HALF_A_PIXEL_M
    assert selected(at_house) == {new}
    at_house.press("Ctrl+Z")
    assert new not in at_house.graph.nodes


def test_a_click_selects_and_alt_with_it_joins(at_house: User) -> None:
    before = at_house.graph
    at_house.click(HALL)
    assert selected(at_house) == {"node_1"}
    at_house.click(KITCHEN)
    assert selected(at_house) == {"node_3"}
    at_house.click(HALL)
    assert at_house.graph is before
    at_house.click(KITCHEN, Qt.KeyboardModifier.AltModifier)
    (edge,) = [e for e in at_house.graph.edges.values() if e.joins("node_1", "node_3")]
    assert edge.kind is EdgeKind.WALK
    at_house.press("Esc")
    assert selected(at_house) == frozenset()


def test_a_drag_moves_a_node_as_one_step(at_house: User) -> None:
    before = at_house.project
    at_house.drag(PANTRY, (3.0, -1.0, 0.0))
    moved = at_house.graph.nodes["node_4"].position_m
    assert math.dist(moved, (3.0, -1.0, 0.0)) < 2 * HALF_A_PIXEL_M
    assert at_house.document.undo_stack.index() == 1
    at_house.press("Ctrl+Z")
    assert at_house.project is before


def test_210_steps_are_taken_back_and_repeated(at_house: User) -> None:
    before = at_house.project
    at_house.click(PANTRY)
    # Painting every step in software would take half a minute and show nothing new.
    at_house.window.setUpdatesEnabled(False)
    for number in range(210):
        at_house.window.graph.go_to_item("node_4")
        at_house.press("F2")
        QTest.keyClicks(QApplication.focusWidget(), str(number))
        at_house.press("Return")
    after = at_house.project
    assert after.graph.nodes["node_4"].name == "209"
    assert at_house.document.undo_stack.index() == 210
    at_house.press_at_once(*["Ctrl+Z"] * 210)
    assert at_house.project is before
    at_house.press_at_once(*["Ctrl+Shift+Z"] * 210)
    assert at_house.project is after


def test_a_box_selects_what_is_inside(at_house: User) -> None:
    at_house.drag((1.6, 1.2, 0.0), (3.4, -2.6, 0.0))
    assert selected(at_house) == {"node_3", "node_4"}
    at_house.press("Del")
    assert set(at_house.graph.nodes) == {"node_1", "node_2", "node_5"}
    assert set(at_house.graph.edges) == {"edge_1", "edge_4"}
    at_house.press("Ctrl+Z")
    assert "node_4" in at_house.graph.nodes


def test_a_node_is_renamed_in_its_form(at_house: User) -> None:
    at_house.click(PANTRY)
    at_house.press("F2", "Ctrl+A")
    at_house.type("Larder")
    at_house.press("Return")
    assert at_house.graph.nodes["node_4"].name == "Larder"
    at_house.press("Ctrl+Z")
    assert at_house.graph.nodes["node_4"].name == "Pantry"


def test_a_digit_says_what_an_edge_is(at_house: User) -> None:
    at_house.click((-1.25, 0.0, 0.0))
    assert selected(at_house) == {"edge_1"}
    for digit, kind in (("2", EdgeKind.DOOR), ("3", EdgeKind.STAIRS), ("4", EdgeKind.ELEVATOR)):
        at_house.press(digit)
        assert at_house.graph.edges["edge_1"].kind is kind
        at_house.press("1")
        assert at_house.graph.edges["edge_1"].kind is EdgeKind.WALK


def test_lists_and_view_select_together(at_house: User) -> None:
    nodes = at_house.find(NodeList)
    at_house.click(KITCHEN)
    assert nodes.selected == {"node_3"}
    at_house.click_widget(nodes._table.viewport(), row_center(nodes, "node_1"))
    assert selected(at_house) == {"node_1"}
    at_house.press("Del")
    assert "node_1" not in at_house.graph.nodes


def row_center(nodes: NodeList, key: str) -> QPoint:
    (row,) = nodes._model.rows_of([key])
    return nodes._table.visualRect(nodes._model.index(row, 0)).center()


def test_the_lists_are_searched(at_house: User) -> None:
    at_house.press("Ctrl+F")
    at_house.type("kit")
    nodes = at_house.find(NodeList)
    assert shown_keys(nodes) == ("node_3",)
    at_house.press("Esc")
    assert len(shown_keys(nodes)) == 5


def test_go_to_finds_a_node_by_name(at_house: User) -> None:
    at_house.press("Ctrl+K")
    at_house.type("pantr")
    at_house.press("Return")
    assert selected(at_house) == {"node_4"}
    assert at_house.pixel(PANTRY)
    at_house.press("Del")
    assert "node_4" not in at_house.graph.nodes


def test_the_edges_are_listed(at_house: User) -> None:
    tabs = at_house.find(QTabWidget, "Nodes and edges of the graph")
    at_house.click_widget(tabs.tabBar(), tabs.tabBar().tabRect(1).center())
    edges = at_house.find(EdgeList)
    assert set(shown_keys(edges)) == {"edge_1", "edge_2", "edge_3", "edge_4"}


def test_a_key_works_before_anything_was_clicked(user: User, house: object) -> None:
    user.open(house)
    user.press("T")
    assert str(user.view.camera_mode) == "top"


def test_typing_a_name_runs_no_command(at_house: User) -> None:
    at_house.click(PANTRY)
    at_house.press("F2", "Ctrl+A")
    at_house.type("Tog")
    assert at_house.find(QLineEdit, "Name of the node").text() == "Tog"
    assert str(at_house.view.camera_mode) == "top"


@pytest.mark.parametrize("leave", ["Ctrl+2", "close"])
@pytest.mark.parametrize("field", ["Name of the node", "Description of the node"])
def test_what_was_typed_is_kept_when_the_workspace_is_left(
    at_house: User, house: Path, field: str, leave: str
) -> None:
    at_house.click(PANTRY)
    at_house.press("F2", "Ctrl+A")
    if field.startswith("Description"):
        at_house.click_widget(at_house.find(QPlainTextEdit, field))
    at_house.type("Tog")
    if leave == "close":
        at_house.window.close()
    else:
        at_house.press(leave)
    with contextlib.closing(ProjectStore.open(house)) as store:
        node = store.load().graph.nodes["node_4"]
    assert "Tog" in (node.name, node.description)


def test_a_graph_is_drawn_by_the_cut_with_which_its_scene_opens(at_house: User) -> None:
    """Names of the storey that the cut hides are not shown over the one in view."""
    assert at_house.view.cut_z is not None
    names = {label.text for label in at_house.view._layers["graph"].labels}
    assert names == {"Hall", "Door", "Kitchen", "Pantry"}


@pytest.mark.parametrize("key", ["Tab", "Return"])
def test_tab_or_enter_goes_on_to_name_the_next_node(at_house: User, key: str) -> None:
    at_house.click(HALL)
    at_house.press("F2")
    for name in ("Corridor", "Threshold"):
        at_house.type(name)
        at_house.press(key)
    names = [node.name for node in at_house.graph.nodes.values()]
    assert names[:3] == ["Corridor", "Threshold", "Kitchen"]
    assert selected(at_house) == {"node_3"}
    at_house.press("Shift+Tab")
    assert selected(at_house) == {"node_2"}
    at_house.press("Esc")
    assert QApplication.focusWidget() is at_house.view


def test_after_the_last_name_the_keys_are_the_stage_s(at_house: User) -> None:
    at_house.window.graph.go_to_item("node_5")
    at_house.press("F2")
    at_house.type("Loft")
    at_house.press("Return")
    assert at_house.graph.nodes["node_5"].name == "Loft"
    assert QApplication.focusWidget() is at_house.view
