"""Deleting says what went with it."""

from __future__ import annotations

import pytest
from fixtures.measured_passages import measure_by
from gui.user import User

from waypost.domain.traverse.traversability import Verdict

pytestmark = pytest.mark.gui


def test_deleting_a_node_says_what_went_with_it(at_house: User) -> None:
    at_house.press("Ctrl+2")
    measure_by(at_house.window.bench, lambda *_: (Verdict.TRAVELS, 0.1))
    at_house.press("Y", "Ctrl+1")
    at_house.window.bench.selection.set(["node_1"])
    at_house.press("Del")
    assert at_house.message() == ("Delete Hall: 2 edges, 1 label and 20 measures went with it.")
    at_house.press("Ctrl+Z")
    assert len(at_house.project.measures) == 40


def test_nothing_is_said_where_nothing_went_with_it(at_house: User) -> None:
    at_house.press("Ctrl+1")
    at_house.window.bench.selection.set((), ["edge_3"])
    at_house.press("Del")
    assert "edge_3" not in at_house.graph.edges
