"""habitat-sim over a navmesh of ours: on a fake of it, and on the real one where it is there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from simulators.engines import start_engine
from simulators.rooms import HUMAN, box, floor, scene

from waypost.domain.base.errors import InputError
from waypost.geometry.navmesh.navmesh import Navmesh, make_navmesh
from waypost.geometry.navmesh.settings import NavmeshSettings
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engine_search import find_engine
from waypost.simulators.engines import ENGINE_KINDS

SETTINGS = NavmeshSettings()
CELL_M = SETTINGS.cell_size_m


@pytest.fixture(scope="module")
def fake_habitat() -> Iterator[SimulatorClient]:
    with start_engine("habitat") as client:
        yield client


@pytest.fixture(scope="module")
def real_habitat() -> Iterator[SimulatorClient]:
    found = find_engine(ENGINE_KINDS["habitat"])
    if not found.is_there:
        pytest.skip(found.reason)
    with SimulatorClient.start("habitat", found.python) as client:
        yield client


@pytest.fixture(params=["fake_habitat", "real_habitat"])
def habitat(request: pytest.FixtureRequest) -> SimulatorClient:
    return request.getfixturevalue(request.param)


def navmesh_file(folder: Path, *meshes) -> tuple[Navmesh, Path]:
    navmesh = make_navmesh(scene(*meshes), SETTINGS)
    path = folder / "room.navmesh"
    path.write_bytes(navmesh.file)
    return navmesh, path


@pytest.fixture(scope="module")
def square(tmp_path_factory) -> Path:
    """A floor from (-4, -4) to (4, 4), without the radius of 0.1 m at its edge."""
    return navmesh_file(tmp_path_factory.mktemp("square"), floor(4.0, 4.0))[1]


def test_a_way_over_free_floor_is_straight(habitat, square):
    walk = habitat.open_navmesh(square)
    way = walk.shortest_way((-3.0, -2.0, 0.0), (1.0, 1.0, 0.0))
    # 3-4-5; both ends are snapped to the navmesh, which lies up to a cell above the floor.
    assert way.length_m == pytest.approx(5.0, abs=1e-4)
    assert way.points_m[0] == pytest.approx((-3.0, -2.0, 0.0), abs=0.21)
    assert way.points_m[-1] == pytest.approx((1.0, 1.0, 0.0), abs=0.21)
    assert walk.shortest_way((-3.0, -2.0, 0.0), (40.0, 0.0, 0.0)) is None


def test_a_step_beyond_the_edge_slides_along_it_or_stops_at_it(habitat, square):
    walk = habitat.open_navmesh(square)
    edge_m = 4.0 - SETTINGS.radius_m
    slid = walk.try_step((3.0, 0.0, 0.1), (5.0, 2.0, 0.1), slides=True)
    assert slid[:2] == pytest.approx((edge_m, 2.0), abs=2 * CELL_M)
    stopped = walk.try_step((3.0, 0.0, 0.1), (5.0, 2.0, 0.1), slides=False)
    assert stopped[:2] == pytest.approx((edge_m, edge_m - 3.0), abs=2 * CELL_M)
    inside = walk.try_step((0.0, 0.0, 0.1), (0.25, 0.1, 0.1))
    assert inside[:2] == pytest.approx((0.25, 0.1), abs=1e-4)


def test_habitat_and_our_own_geodesics_agree_around_a_wall(real_habitat, tmp_path):
    wall = box("wall", (-0.1, -4.0, 0.0), (0.1, 2.0, 2.5))
    navmesh, path = navmesh_file(tmp_path, floor(4.0, 4.0), wall)
    ends = ((-2.0, -2.0, 0.0), (2.0, -2.0, 0.0))
    way = real_habitat.open_navmesh(path).shortest_way(*ends)
    (own_m,) = navmesh.geodesics_m([ends[0]], ends[1])
    assert way.length_m == pytest.approx(own_m, abs=1e-5)
    assert way.length_m > 2 * math.hypot(2.0, 4.0) - 0.5


def test_what_is_no_navmesh_is_refused(fake_habitat, tmp_path):
    damaged = tmp_path / "damaged.navmesh"
    damaged.write_bytes(b"TESM" + bytes(30))
    for path in (damaged, tmp_path / "none.navmesh"):
        with pytest.raises(InputError, match="habitat-sim cannot read this navmesh"):
            fake_habitat.open_navmesh(path)
    assert fake_habitat.is_alive


def test_habitat_drives_nobody_and_others_walk_over_no_navmesh(fake_habitat, fake, square):
    with pytest.raises(InputError, match="habitat-sim drives nobody"):
        fake_habitat.load_scene(scene(floor()))
    with pytest.raises(InputError, match="no scene is loaded"):
        fake_habitat.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    with pytest.raises(InputError, match="moves nobody over navmeshes; habitat-sim does"):
        fake.open_navmesh(square)


def test_a_way_before_a_navmesh_is_refused():
    with start_engine("habitat") as client, pytest.raises(InputError, match="no navmesh is loaded"):
        client._worker.ask("walk_way", {"start_m": [0, 0, 0], "end_m": [1, 0, 0]})
