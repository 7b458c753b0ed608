"""What is wrong with a graph is said on the spot, and a click goes there."""

from __future__ import annotations

import pytest
from gui.house import FREE_FLOOR_M
from gui.user import User
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QPushButton

from waypost.app.graph.findings_list import _ROW_ROLE, FindingsList
from waypost.domain.project import set_graph
from waypost.domain.scene.findings import FindingKind
from waypost.domain.scene.graph import add_node, move_nodes

pytestmark = pytest.mark.gui

ALT = Qt.KeyboardModifier.AltModifier


def kinds(user: User) -> set[FindingKind]:
    return {finding.kind for finding in user.window.graph.findings}


def problems(user: User) -> QListWidget:
    found = user.find(FindingsList).findChild(QListWidget)
    assert isinstance(found, QListWidget)
    return found


def click_first(user: User) -> None:
    listed = problems(user)
    for row in range(listed.count()):
        item = listed.item(row)
        if item.data(_ROW_ROLE) is not None:
            user.click_widget(listed.viewport(), listed.visualItemRect(item).center())
            return
    raise AssertionError("no problem is listed")


def test_a_node_of_its_own_is_isolated_until_it_is_joined(at_house: User) -> None:
    at_house.double_click(FREE_FLOOR_M)
    assert kinds(at_house) == {FindingKind.ISOLATED_PART}
    (new,) = at_house.window.bench.selection.node_ids
    at_house.press("Esc")
    click_first(at_house)
    assert at_house.window.bench.selection.node_ids == {new}
    at_house.click((-2.5, 0.0, 0.0), ALT)
    assert kinds(at_house) == set()


def test_a_name_given_twice_is_flagged_at_once(at_house: User) -> None:
    at_house.click((2.5, -2.0, 0.0))
    at_house.press("F2", "Ctrl+A")
    at_house.type("Kitchen")
    at_house.press("Return")
    assert kinds(at_house) == {FindingKind.DUPLICATE_NAME}
    click_first(at_house)
    assert at_house.window.bench.selection.node_ids == {"node_3", "node_4"}
    at_house.press("Ctrl+Z")
    assert kinds(at_house) == set()


def test_an_edge_through_the_wall_is_flagged(at_house: User) -> None:
    at_house.click((-2.5, 0.0, 0.0))
    at_house.click((2.5, -2.0, 0.0), ALT)
    assert kinds(at_house) == {FindingKind.THROUGH_WALL}
    (new,) = at_house.window.bench.selection.edge_ids or {
        e.edge_id for e in at_house.graph.edges.values() if e.joins("node_1", "node_4")
    }
    at_house.press("Esc")
    click_first(at_house)
    assert at_house.window.bench.selection.edge_ids == {new}
    at_house.press("2")
    assert kinds(at_house) == set()


def test_a_node_without_floor_is_flagged_and_shown(at_house: User) -> None:
    graph = move_nodes(at_house.graph, {"node_4": (9.0, 9.0, 0.0)})
    at_house.document.edit("Move", set_graph(at_house.project, graph))
    at_house.settle()
    assert kinds(at_house) >= {FindingKind.NO_FLOOR}
    click_first(at_house)
    assert at_house.window.bench.selection.node_ids == {"node_4"}
    assert at_house.pixel((9.0, 9.0, 0.0))


def test_a_problem_upstairs_is_shown_on_its_storey(at_house: User) -> None:
    graph, _ = add_node(at_house.graph, (2.0, 1.0, 2.8), name="Loft")
    at_house.document.edit("Add", set_graph(at_house.project, graph))
    at_house.settle()
    assert at_house.view.cut_z is not None
    assert at_house.view.cut_z < 2.8
    click_first(at_house)
    assert at_house.view.cut_z is None or at_house.view.cut_z > 2.8


def test_nodes_above_the_floor_are_put_down_in_one_step(at_house: User) -> None:
    before = at_house.graph
    above = {"node_1": (-2.5, 0.0, 0.25), "node_3": (2.5, 0.0, 1.5)}
    at_house.document.edit("Move", set_graph(at_house.project, move_nodes(before, above)))
    at_house.settle()
    assert kinds(at_house) == {FindingKind.ABOVE_FLOOR, FindingKind.NO_FLOOR}
    at_house.click_widget(at_house.find(QPushButton, "Put 2 nodes down on the floor"))
    at_house.settle()
    assert kinds(at_house) == set()
    for node_id in above:
        expected = pytest.approx(before.nodes[node_id].position_m, abs=1e-5)
        assert at_house.graph.nodes[node_id].position_m == expected
    at_house.press("Ctrl+Z")
    at_house.settle()
    assert {key: at_house.graph.nodes[key].position_m for key in above} == above
