"""A passage driven with a game controller in the real window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gui.user import User
from virtual_pad import VirtualPad, virtual_pad

from waypost.app.traverse.driver import Driver
from waypost.domain.traverse.traversability import Passage

pytestmark = [pytest.mark.gui, pytest.mark.conformance]


@pytest.fixture
def driving(at_house: User) -> Iterator[User]:
    """A wheelchair stands in the hall, ready to be driven."""
    at_house.press("Ctrl+2")
    at_house.window.bench.choose_agent("wheelchair")
    at_house.window.traverse.go_to_passage(Passage("node_1", "node_2", "wheelchair"))
    at_house.wait_for_engine()
    at_house.press("D")
    at_house.wait(lambda: driver(at_house).pose is not None)
    yield at_house
    driver(at_house).stop()


@pytest.fixture
def pad(driving: User) -> Iterator[VirtualPad]:
    with virtual_pad(driving.wait) as pad:
        pad.plug()
        driving.wait(lambda: driver(driving)._gamepad.is_plugged)
        yield pad


def driver(user: User) -> Driver:
    return user.window.traverse.driver


def driven_m(user: User) -> float:
    """How far ahead of the start it is: what it has passed stays passed, however late one looks."""
    pose = driver(user).pose
    assert pose is not None
    return pose[0][0] + 2.5


def test_sticks_drive_and_the_stop_button_ends_it(driving: User, pad: VirtualPad) -> None:
    pad.tilt(left_y=1.0)
    driving.wait(lambda: driven_m(driving) > 0.4)
    pad.tilt(left_y=0.0, left_x=-1.0)
    # A wheelchair cannot step aside: the left stick turns it, and round again.
    driving.wait(lambda: any(yaw_rad > 0.3 for _, yaw_rad in driver(driving)._poses))
    pad.tilt(left_x=0.0)
    pad.press("B")
    driving.wait(lambda: not driver(driving).is_driving)
    assert driver(driving)._gamepad.is_plugged is False


def test_an_unplugged_controller_stops_the_agent_and_keys_go_on(
    driving: User, pad: VirtualPad
) -> None:
    pad.tilt(left_y=1.0)
    driving.wait(lambda: driven_m(driving) > 0.2)
    pad.unplug()
    driving.wait(lambda: "unplugged" in driver(driving).hud.notice)
    driving.wait(lambda: driver(driving)._hud_values.speed_mps < 0.01)
    stood_m = driven_m(driving)
    driving.hold("S")
    driving.wait(lambda: driven_m(driving) < stood_m - 0.1)
    assert driver(driving).hud.notice == ""
    driving.release("S")
