from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from annotators.small_house import wheelchair

from waypost.annotators.traverse.agent_drawing import (
    FLASH_S,
    ContactFlashes,
    DrivenPath,
    agent_drawing,
    corridor_drawing,
    path_drawing,
)
from waypost.annotators.traverse.evidence import (
    DriveRecord,
    drive_facts,
    hud_values,
    kept_drive,
)
from waypost.annotators.traverse.hud import HudValues
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.passage_drive import DrivenBy
from waypost.domain.traverse.traversability import Passage
from waypost.simulators.protocol import Contact, DriveOutcome, Telemetry
from waypost.widgets.facts_table import Fact

DOOR = Contact((1.0, 0.4, 0.9), (-1.0, 0.0, 0.0), "door frame")
SOFA = Contact((2.0, 0.0, 0.4), (0.0, 1.0, 0.0), "sofa")


def sweeper(shape=BodyShape.CYLINDER, height=0.15):
    return AgentProfile("sweeper", "Sweeper", shape, 0.4, 0.4, height, 0.02, False, False, False)


def extent(mesh):
    return mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)


def test_a_box_is_true_to_size_and_heading():
    body = agent_drawing(wheelchair(), (2.0, 1.0, 0.5), 0.0).meshes[0]
    low, high = extent(body)
    assert np.allclose(low, (1.5, 0.65, 0.5))
    assert np.allclose(high, (2.5, 1.35, 1.7))
    turned = agent_drawing(wheelchair(), (2.0, 1.0, 0.5), math.pi / 2).meshes[0]
    low, high = extent(turned)
    assert np.allclose(high - low, (0.7, 1.0, 1.2))


@pytest.mark.parametrize(
    ("shape", "height"), [(BodyShape.CYLINDER, 0.15), (BodyShape.CAPSULE, 0.6)]
)
def test_round_bodies_are_true_to_size(shape, height):
    body = agent_drawing(sweeper(shape, height), (0.0, 0.0, 0.0), 0.3).meshes[0]
    low, high = extent(body)
    assert np.allclose(high - low, (0.4, 0.4, height), atol=2e-3)
    assert low[2] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("profile", [sweeper(), wheelchair()], ids=["sweeper", "wheelchair"])
def test_the_turning_circle_lies_at_the_agents_own_height_above_its_floor(profile):
    drawing = agent_drawing(profile, (0.0, 0.0, 2.72), 0.0)
    ring = np.array(drawing.lines[0].points)
    assert np.allclose(ring[:, 2], 2.72 + profile.height_m)
    assert np.allclose(np.linalg.norm(ring[:, :2], axis=1), profile.turning_circle_radius_m)


def test_the_heading_arrow_reaches_beyond_the_front():
    arrow = agent_drawing(wheelchair(), (0.0, 0.0, 0.0), math.pi).lines[-1]
    assert arrow.has_arrow
    assert arrow.points[1][0] == pytest.approx(-0.75)


def test_the_corridor_is_as_wide_as_the_agent():
    (band,) = corridor_drawing((0, 0, 0), (3, 0, 0), wheelchair()).meshes
    low, high = extent(band)
    assert high[1] - low[1] == pytest.approx(0.7)
    assert not corridor_drawing((0, 0, 0), (0, 0, 3), wheelchair())


def test_the_path_grows_only_with_motion():
    path = DrivenPath().with_point((0.0, 0.0, 0.0))
    assert not path_drawing(path.points_m)
    assert path.with_point((0.01, 0.0, 0.0)) is path
    path = path.with_point((0.5, 0.0, 0.0))
    assert path_drawing(path.points_m).lines[0].points == ((0, 0, 0.03), (0.5, 0, 0.03))


def test_touches_flash_and_fade():
    flashes = ContactFlashes().with_contacts((DOOR,), 10.0)
    fresh = flashes.drawing(10.0)
    assert fresh.markers[0].point == DOOR.point_m
    assert fresh.lines[0].points[1] == pytest.approx((0.75, 0.4, 0.9))
    half = flashes.drawing(10.0 + FLASH_S / 2)
    assert half.markers[0].color[3] == pytest.approx(0.5)
    assert not flashes.drawing(10.0 + FLASH_S + 0.01)


def test_a_lasting_touch_flashes_once_and_faded_ones_are_dropped():
    flashes = ContactFlashes()
    for i in range(100):
        flashes = flashes.with_contacts((DOOR,), i / 60)
    assert len(flashes.flashes) == 1
    flashes = flashes.with_contacts((SOFA,), 9.0)
    assert [c.object for _, c in flashes.flashes] == ["sofa"]


WAY = Passage("a", "b", "wheelchair")


def telemetry(**values):
    base = Telemetry(1_000_000_000, (1.0, 0.0, 0.0), 0.0, 0.5, 0.0)
    return replace(base, **values)


def test_the_record_keeps_the_extremes():
    record = DriveRecord()
    target = (4.0, 0.0, 0.0)
    for clearance, x in ((0.30, 1.0), (0.02, 2.0), (0.50, 3.0)):
        seen = telemetry(
            clearance_m=clearance, position_m=(x, 0.0, 0.0), highest_step_m=0.012, contacts=(DOOR,)
        )
        record = record.with_telemetry(seen, target)
    assert (record.narrowest_m, record.narrowest_at_m) == (0.02, (2.0, 0.0, 0.0))
    assert record.nearest_target_m == pytest.approx(1.0)
    assert record.touched == ("door frame",)
    facts = {fact.name: fact for fact in drive_facts(kept_drive(WAY, record), wheelchair())}
    assert facts["reached"] == Fact("reached", "1.00 m short", "≤ 0.30 m", False)
    assert facts["clearance"].found == "0.02 m"
    assert facts["highest step"] == (Fact("highest step", "1.2 cm", "≤ 1.3 cm", True))
    assert facts["touched"].found == "door frame"


def test_on_reaching_the_target_the_record_stays_as_it_is():
    target = (4.0, 0.0, 0.0)
    near = telemetry(position_m=(3.71, 0.0, 0.0), pushed_m=0.02, clearance_m=0.4)
    reached = DriveRecord().with_telemetry(near, target)
    assert (reached.has_reached, reached.pushed_m) == (True, 0.02)
    # Driven on into a wall behind the target.
    beyond = telemetry(
        position_m=(5.0, 0.0, 0.0), pushed_m=3.0, clearance_m=0.0, blocked_by="obstacle",
        highest_step_m=0.4, contacts=(DOOR,),
    )  # fmt: skip
    assert reached.with_telemetry(beyond, target) is reached
    facts = {fact.name: fact for fact in drive_facts(kept_drive(WAY, reached), wheelchair())}
    assert facts["reached"].found == "yes"
    assert facts["pushed off"].is_enough
    assert "stopped by" not in facts
    short = DriveRecord().with_telemetry(telemetry(position_m=(3.69, 0.0, 0.0)), target)
    assert not short.has_reached


def test_the_strict_rule_is_a_tenth_of_a_metre():
    record = DriveRecord().with_telemetry(telemetry(displacement_m=5.0, pushed_m=0.0999))
    assert drive_facts(kept_drive(WAY, record), wheelchair())[-1].is_enough
    record = record.with_telemetry(telemetry(pushed_m=0.1))
    fact = drive_facts(kept_drive(WAY, record), wheelchair())[-1]
    assert fact == Fact("pushed off", "0.100 m", "< 0.10 m", False)


def test_an_outcome_in_facts():
    outcome = DriveOutcome(
        False, (1.2, 0.0, -0.001), 1.2, 0.02, False, (DOOR, DOOR), 0.0, 3.25, "step", ()
    )
    facts = {
        fact.name: fact.found
        for fact in drive_facts(kept_drive(WAY, DriveRecord(), outcome), wheelchair())
    }
    assert facts["reached"] == "no, stopped at 1.20, 0.00, 0.00"
    assert not {"highest step", "clearance"} & facts.keys()
    assert facts["stopped by"] == "a step"
    assert facts["touched"] == "door frame"
    assert facts["simulated time"] == "3.2 s"


def test_a_drive_by_itself_that_was_called_off_is_nobody_elses():
    record = DriveRecord().with_telemetry(telemetry(position_m=(0.5, 0.0, 0.0)))
    drive = kept_drive(WAY, record, driven_by=DrivenBy.ITSELF)
    assert drive.driven_by is DrivenBy.ITSELF
    facts = {fact.name: fact.found for fact in drive_facts(drive, wheelchair())}
    assert facts["reached"] == "no, stopped at 0.50, 0.00, 0.00"
    assert facts["stopped by"] == "the driver"


def test_the_hud_gets_limits_and_words():
    seen = telemetry(step_met_m=0.02, displacement_m=3.0, pushed_m=0.12, blocked_by="step")
    assert hud_values(seen, wheelchair()) == (
        HudValues(0.5, 0.02, 0.013, 0.12, None, "a step", False)
    )
    assert hud_values(telemetry(is_falling=True), wheelchair()).is_falling
