"""VLN-CE's distances over the floor: a goal behind a wall is near and not reached."""

import math
from dataclasses import replace

import pytest
import trimesh
from fixtures.recorded_takes import walk
from worlds.box_scenes import box, plate, scene
from worlds.vln_worlds import space_episode, space_run

from waypost.domain.base.errors import InputError
from waypost.domain.episode.route import route
from waypost.domain.episode.run import RunEnd
from waypost.domain.episode.run_source import RunSource
from waypost.geometry.navmesh.navmesh import make_navmesh
from waypost.io.navmesh_files import write_navmesh
from waypost.metrics.registry import find_profile
from waypost.services.evaluation.evaluate import described, score_in_memory
from waypost.services.navmesh_distances import HABITAT_AGENT, check_navmeshes
from waypost.services.study.take_scoring import score_recording
from waypost.services.study.takes import scenery_of_files

REFERENCE_M = [(1, -2, 0), (4.4, -2, 0)]
RUN_M = [(1, -2, 0), (4, 1.5, 0), (6, 1.5, 0), (5.6, -2, 0)]
"""Ends 1.2 m from the goal, on the other side of a wall that ends at y = 1."""

BY_HAND_M = math.dist((5.6, -2), (5.2, 1.1)) + 0.4 + math.dist((4.8, 1.1), (4.4, -2))
LENGTH_M = math.dist((1, -2), (4, 1.5)) + 2 + math.dist((6, 1.5), (5.6, -2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("navmeshes")
    floor = plate("floor", (0, -3), (10, 3), 0)
    wall = box("wall", (4.9, -3, 0), (5.1, 1, 2.5))
    (place / "mp3d" / "room").mkdir(parents=True)
    navmesh = make_navmesh(scene(floor, wall), HABITAT_AGENT)
    write_navmesh(place / "mp3d" / "room" / "room.navmesh", navmesh)
    return place


def scored(profile_key, points_m, navmeshes, *, scene_id="room", goal_distance="navmesh"):
    episode = space_episode(
        REFERENCE_M,
        dense_reference_m=route(positions_m=REFERENCE_M),
    )
    episode = replace(episode, scene_id=scene_id)
    run = space_run(points_m, end=RunEnd(called_stop=True, action_count=4, collision_count=0))
    source = RunSource(profile_key=profile_key, navmeshes=navmeshes)
    (found,) = score_in_memory(source, goal_distance, [episode], [[run]])
    keys = [metric.key for metric in find_profile(profile_key).metrics]
    values = dict(zip(keys, (column[0] for column in found.columns), strict=True))
    reasons = dict(zip(keys, (list(one.values()) for one in found.reasons), strict=True))
    return values, reasons


@pytest.mark.parametrize("profile", ["vlnce", "open-nav"])
def test_the_wall_counts(folder, profile):
    values, _ = scored(profile, RUN_M, folder)
    assert values["NE"] == pytest.approx(BY_HAND_M, abs=0.1)
    assert (values["SR"], values["SPL"]) == (0, 0)
    assert values["TL"] == pytest.approx(LENGTH_M)
    straight, _ = scored(profile, RUN_M, None, goal_distance="straight-line")
    assert straight["NE"] == pytest.approx(1.2)
    assert straight["SR"] == 1


def test_spl_rests_on_the_way_of_the_navmesh_where_the_file_states_none(folder):
    values, _ = scored("vlnce", [(1, -2, 0), (1, 0, 0), (4.4, -2, 0)], folder)
    assert (values["NE"], values["SR"], values["OSR"]) == (pytest.approx(0, abs=1e-5), 1, 1)
    walked = 2 + math.dist((1, 0), (4.4, -2))
    assert values["SPL"] == pytest.approx(3.4 / walked, abs=1e-5)


def test_a_scene_without_a_navmesh_stays_undefined(folder):
    values, reasons = scored("vlnce", RUN_M, folder, scene_id="elsewhere")
    assert math.isnan(values["NE"])
    assert reasons["NE"] == ["the navmesh of the scene was not given"]


def test_the_definitions_say_which_navmesh(folder):
    _, told = described(find_profile("vlnce"), "navmesh", navmeshes=folder)
    assert f"over the navmesh (.navmesh files of {folder.name})" in told["NE"]


def test_a_scene_file_serves_as_well(folder, tmp_path):
    floor = trimesh.creation.box(bounds=[(0, -0.1, -3), (10, 0, 3)])
    wall = trimesh.creation.box(bounds=[(4.9, 0, -1), (5.1, 2.5, 3)])  # glTF: y up, z = −y
    trimesh.Scene([floor, wall]).export(tmp_path / "room.glb")
    values, _ = scored("vlnce", RUN_M, tmp_path)
    from_file, _ = scored("vlnce", RUN_M, folder)
    assert values["NE"] == pytest.approx(from_file["NE"], abs=0.1)
    _, told = described(find_profile("vlnce"), "navmesh", navmeshes=tmp_path)
    assert "radius 0.1 m, height 1.5 m, climb 0.2 m" in told["NE"]


def test_a_folder_without_either_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"neither a \.navmesh file nor a scene"):
        check_navmeshes(tmp_path)
    with pytest.raises(InputError):
        check_navmeshes(tmp_path / "none")


def test_a_take_is_scored_over_the_floor(folder):
    episode = replace(
        space_episode(REFERENCE_M, dense_reference_m=route(positions_m=REFERENCE_M)),
        dataset="vlnce-r2r",
        scene_id="room",
    )
    recording = walk([point[:2] for point in RUN_M])
    over_floor = score_recording(recording, episode, scenery_of_files(None, folder)("room"))
    without = score_recording(recording, episode, scenery_of_files(None, None)("room"))
    assert over_floor.values["vlnce.NE"] == pytest.approx(BY_HAND_M, abs=0.1)
    assert over_floor.values["vlnce.SR"] == 0
    assert without.values["vlnce.NE"] is None


def test_a_folder_that_changes_while_the_program_runs_is_looked_at_again(tmp_path):
    """A notebook and the window live for days; a navmesh made anew must not score as the old."""
    place = tmp_path / "mp3d" / "room" / "room.navmesh"
    place.parent.mkdir(parents=True)
    floor = plate("floor", (0, -3), (10, 3), 0)
    wall = box("wall", (4.9, -3, 0), (5.1, 1, 2.5))
    (tmp_path / "other.navmesh").write_bytes(b"")
    without, reasons = scored("vlnce", RUN_M, tmp_path)
    assert math.isnan(without["NE"])
    assert reasons["NE"] == ["the navmesh of the scene was not given"]
    write_navmesh(place, make_navmesh(scene(floor, wall), HABITAT_AGENT))
    walled, _ = scored("vlnce", RUN_M, tmp_path)
    assert walled["NE"] == pytest.approx(BY_HAND_M, abs=0.1)
    write_navmesh(place, make_navmesh(scene(floor), HABITAT_AGENT))
    bare, _ = scored("vlnce", RUN_M, tmp_path)
    assert bare["NE"] == pytest.approx(1.2, abs=0.01)
