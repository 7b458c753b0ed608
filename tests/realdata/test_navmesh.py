"""The geodesic of small_house that Recast's own JavaScript gives."""

import pytest

from waypost.geometry.navmesh.navmesh import make_navmesh
from waypost.geometry.navmesh.settings import NavmeshSettings
from waypost.io.scenes.open_scene import read_scene

pytestmark = pytest.mark.realdata


@pytest.mark.parametrize("file", ["small_house.glb", "usd/small_house.usda"])
def test_the_geodesic_of_small_house(shared_data, file):
    navmesh = make_navmesh(read_scene(shared_data / "scenes/small_house" / file), NavmeshSettings())
    assert navmesh.geodesics_m([(-8, -4, 0.05)], (8, 4, 0.05))[0] == 17.450043806409507
