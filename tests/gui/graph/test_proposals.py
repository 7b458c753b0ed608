"""Proposed nodes and edges in the real window: looked for, accepted, rejected, taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gui.user import User
from PySide6.QtWidgets import QPushButton, QTableView
from shown_parts import shown_keys

from waypost.domain.project import set_graph
from waypost.domain.scene.graph import NavigationGraph
from waypost.viewers.scene.camera import TopCamera
from waypost.viewers.scene.drawing import NOTHING, Drawing

pytestmark = pytest.mark.gui


def drawn(user: User) -> Drawing:
    return user.view._layers.get("proposal", NOTHING)


@pytest.fixture
def proposed(at_house: User) -> User:
    """The house without a graph, with what its free space speaks for."""
    project = set_graph(replace(at_house.project, labels={}), NavigationGraph())
    at_house.document.edit("Clear", project)
    at_house.settle()
    at_house.press("P")
    at_house.wait(lambda: at_house.window.graph.proposals.pending)
    at_house.settle()
    return at_house


def keys(user: User) -> tuple[str, ...]:
    return user.window.graph.proposals.pending


def test_rooms_and_doorway_are_proposed_and_drawn(proposed: User) -> None:
    assert proposed.graph.nodes == {}
    shown = [label.text for label in drawn(proposed).labels]
    assert any("Doorway" in text for text in shown)
    rows = shown_keys(proposed.window.graph.proposals.list)
    assert rows == keys(proposed)
    assert proposed.window.graph.proposals.list.selected == {rows[0]}


def test_a_accepts_the_one_at_hand_and_goes_on(proposed: User) -> None:
    first, second, third, *_ = keys(proposed)
    proposed.press("A", "A")
    proposed.wait(lambda: proposed.window.graph.findings)
    # What they are not joined to yet leaves the proposals most of the room.
    table = proposed.window.graph.proposals.list.findChild(QTableView)
    assert table.viewport().height() > 6 * table.rowHeight(1)
    assert proposed.window.graph.proposals.list.selected == {third}
    proposed.press("Ctrl+Z")
    assert len(proposed.graph.nodes) == 1
    assert first not in keys(proposed)
    assert second in keys(proposed)
    proposed.press("Ctrl+Z")
    assert first in keys(proposed)
    assert proposed.graph.nodes == {}
    # What comes to hand out of sight is gone to.
    proposed.view.set_camera(TopCamera((40.0, 0.0, 0.0), 4.0), "top")
    proposed.window.graph.proposals.list.set_selected({first})
    proposed.press("A")
    node = proposed.window.graph.proposals._proposal.node(second)
    assert node is not None
    assert proposed.pixel(node.position_m)


def test_x_rejects_for_good_and_offers_again(proposed: User) -> None:
    first, *_ = keys(proposed)
    proposed.press("X")
    assert first not in keys(proposed)
    assert not any(first in key.split("|") for key in keys(proposed)), "its edges go with it"
    assert proposed.graph.nodes == {}
    proposed.press("Ctrl+Z")
    assert first in keys(proposed)
    proposed.press("Ctrl+Shift+Z")
    proposed.press("P")
    proposed.settle()
    assert first not in keys(proposed), "what was rejected stays so"
    proposed.window.graph.proposals.list.set_selected({first})
    proposed.press("X")
    assert first in keys(proposed)


def test_all_that_is_left_is_accepted_in_one_step(proposed: User) -> None:
    proposed.press("X")
    proposed.press("Shift+A")
    assert keys(proposed) == ()
    assert proposed.graph.edges
    assert not drawn(proposed)
    proposed.press("Ctrl+Z", "Ctrl+Z")
    assert proposed.graph.nodes == {}
    assert len(drawn(proposed).markers) >= 3


def test_a_wanted_edge_brings_its_ends(proposed: User) -> None:
    edge = next(key for key in keys(proposed) if "|" in key)
    proposed.window.graph.proposals.list.set_selected({edge})
    proposed.press("A")
    assert len(proposed.graph.nodes) == 2
    assert len(proposed.graph.edges) == 1


def test_another_workspace_shows_none_of_it(proposed: User) -> None:
    proposed.press("Ctrl+2")
    assert not drawn(proposed)
    proposed.press("Ctrl+1")
    assert drawn(proposed)


def test_without_a_scene_it_is_said_what_is_missing(user: User) -> None:
    said: list[str] = []
    user.window.bench.refused.connect(said.append)
    user.window.graph.proposals.look()
    assert user.window.stage.empty._title.text() == "Open a scene to draw a graph"
    assert said == ["Open a scene first: rooms are looked for in its triangles."]


def test_buttons_carry_the_keys_in_force(proposed: User) -> None:
    def words() -> list[str]:
        panel = proposed.window.graph.proposals.panel
        return [made.text() for made in panel.findChildren(QPushButton)]

    assert words() == ["Accept  A", "Reject  X", "Accept all  Shift+A"]
    window = proposed.window
    changed = window.actions_set.shortcuts.assign("graph.accept", "J")
    window.preferences._change_keys(changed.assign("graph.reject", ""))
    assert words() == ["Accept  J", "Reject", "Accept all  Shift+A"]
