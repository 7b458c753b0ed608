"""habitat-sim on a fake of its modules, and on the real one where it is there."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from simulators.engines import start_engine
from simulators.rooms import HUMAN, box, floor, scene

from waypost.domain.base.errors import InputError, WorkerDiedError
from waypost.domain.scene.scene import Material, Scene
from waypost.geometry.navmesh.navmesh import Navmesh, make_navmesh
from waypost.geometry.navmesh.settings import NavmeshSettings
from waypost.io.scenes.open_scene import read_scene
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.backends.engine import SceneMesh
from waypost.simulators.backends.habitat_stage import write_stage
from waypost.simulators.camera_feed import CameraPlace
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engine_search import find_engine
from waypost.simulators.engines import ENGINE_KINDS
from waypost.simulators.looks import mean_colours

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
    fake_habitat.load_scene(scene(floor()))
    with pytest.raises(InputError, match="habitat-sim drives nobody"):
        fake_habitat.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    with pytest.raises(InputError, match="moves nobody over navmeshes; habitat-sim does"):
        fake.open_navmesh(square)


def coloured_room() -> Scene:
    """Before somebody at the origin who looks along +X: a green wall, a red post to the left."""
    materials = tuple(Material(name, (*rgb, 1.0)) for name, rgb in COLOURS.items())
    shapes = {
        "grey": floor(5.0, 5.0),
        "green": box("wall", (2.0, -5.0, 0.0), (2.1, 5.0, 3.0)),
        "red": box("post", (1.0, 0.4, 0.0), (1.2, 0.6, 3.0)),
    }
    meshes = tuple(
        replace(mesh, material_index=list(COLOURS).index(name), is_collider=name != "red")
        for name, mesh in shapes.items()
    )
    return replace(scene(*meshes), materials=materials, origin_m=(100.0, 50.0, 3.0))


COLOURS = {"grey": (0.4, 0.4, 0.4), "green": (0.0, 1.0, 0.0), "red": (1.0, 0.0, 0.0)}
FEET_M, ORIGIN_M = (100.0, 50.0, 3.0), (0.0, 0.0, 0.0)


def test_a_camera_sees_the_scene_in_its_colours_and_at_its_distance(habitat):
    habitat.load_scene(coloured_room())
    with habitat.open_camera(CameraSettings(40, 20, math.radians(90), height_m=1.2)) as camera:
        frame = camera.frame_from(CameraPlace(0, FEET_M, 0.0))
        assert (frame.position_m, frame.yaw_rad, frame.time_ns) == (FEET_M, 0.0, 0)
        # The wall is 2 m ahead in every column: depth is that of the plane of the lens.
        assert frame.depth_m[9, 20:] == pytest.approx(2.0, abs=1e-3)
        # 1 m ahead half a width of 20 pixels is 1 m; the post is there, 0.4 to 0.6 m to the left.
        assert frame.depth_m[9, 8:12] == pytest.approx(1.0, abs=1e-3)
        assert [frame.rgb[9, column].argmax() for column in (25, 10)] == [1, 0]
        habitat.load_scene(scene(floor(5.0, 5.0)))
        empty = camera.frame_from(CameraPlace(0, ORIGIN_M, 1.5))
    assert np.isinf(empty.depth_m[0]).all()
    assert empty.yaw_rad == 1.5


def test_a_tilted_camera_sees_the_floor_below(habitat):
    habitat.load_scene(scene(floor(9.0, 9.0)))
    down = CameraSettings(20, 20, math.radians(60), 1.5, tilt_rad=-math.radians(45), rgb=False)
    with habitat.open_camera(down) as camera:
        frame = camera.frame_from(CameraPlace(0, ORIGIN_M, math.pi / 2))
    assert frame.rgb is None
    rises = math.tan(math.radians(30)) * (1 - (np.arange(20) + 0.5) / 10)
    # A gaze of 45° down that rises by so much per metre sinks (1 - rise) / √2 per metre of depth.
    assert frame.depth_m[:, 3] == pytest.approx(1.5 * math.sqrt(2) / (1 - rises), abs=2e-3)


def test_without_scene_or_place_there_is_nothing_to_see():
    with start_engine("habitat") as client, client.open_camera(CameraSettings(4, 4)) as camera:
        with pytest.raises(InputError, match="no agent has been spawned"):
            camera.frame()
        with pytest.raises(InputError, match="no scene is loaded"):
            camera.frame_from(CameraPlace(0, ORIGIN_M, 0.0))
        with pytest.raises(InputError, match="holds no triangles that habitat-sim could load"):
            client.load_scene(scene())


def test_why_its_renderer_ends_the_process_stands_in_the_sentence(monkeypatch):
    monkeypatch.setenv("FAKE_HABITAT_FAULT", "no EGL")
    with start_engine("habitat") as client:
        client.load_scene(scene(floor()))
        with pytest.raises(WorkerDiedError) as told:
            client.open_camera(CameraSettings(4, 4))
    assert str(told.value) == (
        "the physics engine stopped (exit code 1), it last said: Platform::WindowlessEglApplication"
        "::tryCreateContext(): unable to find CUDA device 0 among 0 EGL devices in total · "
        "WindowlessContext: Unable to create windowless context; it can be restarted"
    )
    short = "the physics engine stopped (exit code 1); it can be restarted"
    assert told.value.own_words == short


def test_the_stage_that_is_given_is_a_scene_like_any_other(tmp_path):
    """Read by our own reader of glTF: the same triangles, colours and names."""
    room = coloured_room()
    colours = mean_colours(room, room.meshes)
    meshes = [
        SceneMesh(mesh.name, mesh.vertices, mesh.faces, colour)
        for mesh, colour in zip(room.meshes, colours, strict=True)
    ]
    config = json.loads(write_stage(tmp_path, meshes).read_text(encoding="utf-8"))
    assert (config["up"], config["front"]) == ([0, 1, 0], [0, 0, -1])
    read = read_scene(tmp_path / config["render_asset"])
    assert [mesh.name for mesh in read.meshes] == [mesh.name for mesh in room.meshes]
    for ours, theirs in zip(read.meshes, meshes, strict=True):
        corners = ours.vertices[ours.faces] + np.asarray(read.origin_m)
        assert corners == pytest.approx(theirs.vertices[theirs.faces])
        assert read.materials[ours.material_index].base_color[:3] == pytest.approx(theirs.colour)


def test_a_way_before_a_navmesh_is_refused():
    with start_engine("habitat") as client, pytest.raises(InputError, match="no navmesh is loaded"):
        client._worker.ask("walk_way", {"start_m": [0, 0, 0], "end_m": [1, 0, 0]})
