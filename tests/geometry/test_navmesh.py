"""Navmeshes and the ways over them, in rooms whose ways are known by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from worlds.box_scenes import box, plate, scene

from waypost.domain.base.errors import InputError
from waypost.geometry.navmesh.navmesh import Navmesh, make_navmesh
from waypost.geometry.navmesh.settings import NavmeshSettings
from waypost.io.agent_files import shipped_agents

FLOOR = plate("floor", (0, -3), (10, 3), 0)
WALL = box("wall", (4.9, -3, 0), (5.1, 1, 2.5))
"""Leaves a gap of 2 m."""

FINE = NavmeshSettings(cell_height_m=0.05)


@pytest.fixture(scope="module")
def room() -> Navmesh:
    return make_navmesh(scene(FLOOR, WALL), FINE)


def test_the_way_in_sight_is_the_straight_line(room):
    assert room.geodesics_m([(1, -2, 0)], (4, 2, 0)) == pytest.approx([5.0], abs=1e-6)


def test_the_way_round_a_wall_keeps_the_agent_off_its_corners(room):
    corners = [(4.8, 1.1), (5.2, 1.1)]
    by_hand = math.dist((4, -2), corners[0]) + 0.4 + math.dist(corners[1], (6, -2))
    (found,) = room.geodesics_m([(4, -2, 0)], (6, -2, 0))
    assert found == pytest.approx(by_hand, abs=0.1)  # two cells
    assert found > 6.2


def test_ways_are_the_same_in_both_directions_and_obey_the_triangle_inequality(room):
    rng = np.random.default_rng(5)
    places = np.stack([rng.uniform(0.5, 9.5, 12), rng.uniform(-2.5, 2.5, 12), np.zeros(12)], axis=1)
    places = room.snapped_m(places)
    ways = np.stack([room.geodesics_m(places, goal) for goal in places], axis=1)
    straight = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert np.isfinite(ways).all()
    assert ways == pytest.approx(ways.T, abs=1e-4)
    assert (ways >= straight - 1e-5).all()


def test_no_way_is_infinite():
    shut = box("wall", (4.9, -3, 0), (5.1, 3, 2.5))
    cut = make_navmesh(scene(FLOOR, shut), FINE)
    assert cut.geodesics_m([(1, 0, 0), (8, 0, 0)], (9, 0, 0)) == pytest.approx([math.inf, 1])
    assert cut.geodesics_m([(1, 0, 50), (math.nan, 0, 0)], (9, 0, 0)).tolist() == [math.inf] * 2
    assert cut.geodesics_m(np.zeros((0, 3)), (9, 0, 0)).shape == (0,)
    assert np.isnan(cut.snapped_m([(1, 0, 50)])).all()


def test_the_area_is_that_of_the_floor_less_the_agents_radius(room):
    # At the rim of the floor Recast takes one cell more, since a ledge is none to stand on.
    free = (10 - 0.3) * (6 - 0.3) - (0.2 + 0.2) * (4 + 0.1 - 0.15)
    assert room.polygons.area_m2 == pytest.approx(free, rel=0.01)
    corners = room.polygons.triangles_m.reshape(-1, 3)
    assert corners.min(axis=0) == pytest.approx((0.15, -2.85, 0), abs=0.1)
    assert corners.max(axis=0) == pytest.approx((9.85, 2.85, 0), abs=0.1)


@pytest.mark.parametrize(("rise_m", "is_climbed"), [(0.15, True), (0.25, False)])
def test_a_step_is_climbed_up_to_the_limit(rise_m, is_climbed):
    stage = box("stage", (5, -3, 0), (10, 3, rise_m))
    step = make_navmesh(scene(plate("floor", (0, -3), (5, 3), 0), stage), FINE)
    (way,) = step.geodesics_m([(1, 0, 0)], (9, 0, rise_m))
    assert math.isfinite(way) == is_climbed


def test_an_agent_gives_its_size_to_the_navmesh():
    wheelchair = NavmeshSettings.of_agent(shipped_agents()["wheelchair"])
    assert (wheelchair.radius_m, wheelchair.height_m, wheelchair.climb_m) == (0.35, 1.2, 0.013)
    assert wheelchair.config["walkableClimb"] == 2  # of 5 mm: 13 mm is told apart from 15 mm
    for profile in shipped_agents().values():
        config = NavmeshSettings.of_agent(profile).config
        assert 1 <= config["walkableHeight"] <= 255  # Recast counts in a byte


def test_what_does_not_stop_an_agent_is_no_wall():
    curtain = replace(box("curtain", (4.9, -3, 0), (5.1, 3, 2.5)), is_collider=False)
    hung = make_navmesh(scene(FLOOR, curtain), FINE)
    assert hung.geodesics_m([(1, 0, 0)], (9, 0, 0)) == pytest.approx([8.0], abs=1e-5)


def test_what_cannot_be_made_is_said():
    with pytest.raises(InputError, match="no triangles that stop"):
        make_navmesh(scene(), FINE)
    with pytest.raises(InputError, match="nothing in the scene can be stood on"):
        make_navmesh(scene(plate("crumb", (0, 0), (0.1, 0.1), 0)), FINE)
    huge = scene(plate("field", (0, 0), (9_000, 9_000), 0))
    with pytest.raises(InputError, match="million cells"):
        make_navmesh(huge, FINE)
    with pytest.raises(InputError, match="cell_size_m: 0 is outside"):
        NavmeshSettings(cell_size_m=0)


def test_navmeshes_come_and_go():
    key = make_navmesh(scene(FLOOR), FINE).key
    again = make_navmesh(scene(FLOOR), FINE)
    assert again.key > key
    assert again.geodesics_m([(1, 0, 0)], (9, 0, 0)) == pytest.approx([8.0], abs=1e-5)


def test_a_navmesh_may_be_let_go_in_the_midst_of_a_question(room, monkeypatch):
    """As the collector does; it goes with the next one that is made."""
    others = [make_navmesh(scene(FLOOR), FINE)]
    key, ask = others[0].key, room.recast._ask

    def let_go(call):
        others.clear()
        return ask(call)

    monkeypatch.setattr(room.recast, "_ask", let_go)
    assert room.geodesics_m([(1, -2, 0)], (4, 2, 0)) == pytest.approx([5.0], abs=1e-6)
    assert list(room.recast._gone) == [key]
    make_navmesh(scene(FLOOR), FINE)
    assert not room.recast._gone
