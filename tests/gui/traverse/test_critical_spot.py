"""The critical spot of the passage at hand in the real window: shown, kept, gone to."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from typing import Any

import pytest
from gui.user import User
from PySide6.QtWidgets import QPushButton

from waypost.annotators.traverse import critical_spot
from waypost.annotators.traverse.spot_card import SpotCard
from waypost.app.traverse import critical_spots
from waypost.domain.base.errors import InputError
from waypost.domain.project import set_graph, set_measures
from waypost.domain.scene.graph import move_nodes
from waypost.domain.traverse.measure import MEASURING_VERSION, PassageMeasure
from waypost.domain.traverse.traversability import Passage, Verdict, judged_on
from waypost.services.judging import circumstances
from waypost.viewers.map.spot_plan import SpotPlan

pytestmark = pytest.mark.gui

DOOR = Passage("node_2", "node_3", "wheelchair")
AT_M = (1.05, 0.0, 0.0)


@pytest.fixture
def judging(at_house: User) -> User:
    """Before a passage through the door of 0.90 m, as it is measured."""
    bench = at_house.window.bench
    at_house.press("Ctrl+2")
    bench.choose_agent("wheelchair")
    now = circumstances(at_house.project, bench.scene_hash)
    measure = PassageMeasure(
        DOOR, Verdict.TRAVELS, Verdict.TRAVELS, None, "Free along the edge, 10 cm beside it.",
        at_m=AT_M, margin_m=0.2, clear_width_m=0.9, clear_width_at_m=AT_M,
        provenance=judged_on(DOOR, now), measuring_version=MEASURING_VERSION,
    )  # fmt: skip
    at_house.document.note("Measure", set_measures(at_house.project, [measure]))
    at_house.window.traverse.go_to_passage(DOOR)
    at_house.settle()
    return at_house


def test_the_spot_is_shown_kept_and_gone_to(judging: User) -> None:
    spots = judging.window.traverse.spots
    card = judging.find(SpotCard)
    judging.wait(lambda: card.view.spot is not None)
    shown = card.view.spot
    assert shown.gap == ((1.05, 0.0), 0.9)
    assert shown.width_m == 0.7
    assert "the way 0.90 m" in card.view.accessibleDescription()
    (link,) = card.findChildren(QPushButton)
    assert link.text() == "Show it  V"

    judging.press("V")
    assert math.dist(judging.view.camera.focus_m[:2], AT_M[:2]) < 0.5
    here, a_metre_on = judging.view.project([AT_M, (1.05, 1.0, 0.0)])
    assert math.dist(here, a_metre_on) > 100

    judging.press(".")
    judging.wait(card.isHidden)
    assert not spots.has_spot()
    judging.press(",")
    # It was kept: there is no moment without it.
    assert card.view.spot is shown


def test_nothing_is_shown_of_a_measure_that_no_longer_holds(judging: User) -> None:
    card = judging.find(SpotCard)
    judging.wait(lambda: card.view.spot is not None)
    moved = move_nodes(judging.graph, {"node_3": (2.5, 0.4, 0.0)})
    judging.document.edit("Move", set_graph(judging.project, moved))
    judging.settle()
    assert judging.window.traverse.current == DOOR
    assert card.isHidden()
    judging.press("Ctrl+Z")
    judging.wait(lambda: card.isVisible() and card.view.spot is not None)


def test_a_picture_that_fails_keeps_no_other_away(
    judging: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = judging.find(SpotCard)
    judging.wait(lambda: card.view.spot is not None)
    has_gone_on = threading.Event()

    def failing_first(*made_of: Any) -> SpotPlan | None:
        if not has_gone_on.is_set():
            assert has_gone_on.wait(10.0)
            raise InputError("no picture")
        return critical_spot.spot_plan(*made_of)

    monkeypatch.setattr(critical_spots, "spot_plan", failing_first)
    now = circumstances(judging.project, judging.window.bench.scene_hash)
    back = DOOR.reverse
    known = judging.project.measures[DOOR]
    new = replace(known, passage=back, provenance=judged_on(back, now))
    again = replace(known, margin_m=0.1)
    judging.document.note("Measure", set_measures(judging.project, [new, again]))
    judging.settle()
    assert card.view.spot is None
    judging.window.traverse.go_to_passage(back)
    has_gone_on.set()
    judging.wait(lambda: card.view.spot is not None)
