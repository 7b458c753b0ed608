"""Pictures of viewpoints are found by name and shown at their heading."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fixtures.picture_folders import (
    BLUE,
    GREEN,
    RED,
    WHITE,
    colour_of,
    four_views,
    plain,
    put,
    walk,
)
from fixtures.replay_examples import graph_episode, pose_rotation, space_replay

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.replay.picture_lenses import FaceLens, PerspectiveLens, SphereLens
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.views import angles_of_direction
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.io.picture_sources.source import StepPictures

SIDES = ("front", "right", "back", "left")


def shown(found: StepPictures) -> dict[int, tuple[int, int, int]]:
    """Heading in degrees → colour."""
    seen = {}
    for picture in found.pictures:
        assert isinstance(picture.lens, PerspectiveLens)
        seen[round(math.degrees(picture.lens.heading_rad))] = colour_of(picture.read(0))
    return seen


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("line/B/{}.jpg", ("0", "90", "180", "270")),
        ("B/{}.png", ("000", "090", "180", "270")),
        ("line/B_{}.png", ("h000", "h090", "h180", "h270")),
        ("B_{}.jpg", ("0", "90", "180", "270")),
        ("line_B_{}.png", SIDES),
        ("line/B_{}.png", ("0", "1", "2", "3")),
        ("line/B/{}.png", SIDES),
    ],
)
def test_four_views_in_every_layout(tmp_path: Path, name: str, tokens: tuple[str, ...]) -> None:
    four_views(tmp_path, name, tokens)
    source = open_picture_source(tmp_path)
    found = source.pictures_at(walk(), 1)
    assert shown(found) == {0: RED, 90: GREEN, 180: BLUE, 270: WHITE}
    assert [
        round(p.lens.view(64, 48).focal_px, 9)
        for p in found.pictures
        if isinstance(p.lens, PerspectiveLens)
    ] == [32] * 4
    assert "90° horizontal, which no file states" in source.conventions
    assert source.pictures_at(walk(), 2).reason == f"{tmp_path} has no picture of viewpoint C"
    assert source.place(walk(), 1) == source.place(walk(), 3) == "line/B"
    source.close()


def test_a_view_that_is_missing_is_left_out(tmp_path: Path) -> None:
    four_views(tmp_path, "line/B/{}.jpg")
    source = open_picture_source(tmp_path)
    (tmp_path / "line" / "B" / "90.jpg").unlink()
    assert list(shown(source.pictures_at(walk(), 1))) == [0, 180, 270]


def test_36_views_are_those_of_mattersim(tmp_path: Path) -> None:
    for number in range(36):
        put(tmp_path / "line" / "B" / f"{number}.jpg", plain((number * 5, 0, 0), 64, 48))
    found = open_picture_source(tmp_path).pictures_at(walk(), 1)
    lenses = [picture.lens for picture in found.pictures]
    assert lenses == [
        PerspectiveLens(math.radians(heading), math.radians(up), math.radians(60), is_vertical=True)
        for up in (-30, 0, 30)
        for heading in range(0, 360, 30)
    ]
    assert math.degrees(lenses[15].view(640, 480).vertical_fov_rad) == pytest.approx(60)
    assert lenses[15].view(640, 480).focal_px == pytest.approx(415.692, abs=1e-3)


def test_stated_lenses_count(tmp_path: Path) -> None:
    four_views(tmp_path, "B_{}.png")
    (tmp_path / "pictures.json").write_text('{"vertical_fov_deg": 60}')
    source = open_picture_source(tmp_path)
    lens = source.pictures_at(walk(), 1).pictures[0].lens
    assert math.degrees(lens.view(640, 480).vertical_fov_rad) == pytest.approx(60)
    assert "vertical field of view 60° as stated" in source.conventions


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"fov": 60}', "unknown key 'fov'"),
        ('{"vertical_fov_deg": 60, "horizontal_fov_deg": 90}', "two fields of view"),
        ('{"vertical_fov_deg": 0}', "outside 1° to 175°"),
        ('{"centre_heading_deg": "north"}', "is text, not a number"),
        ("[]", "not an object"),
    ],
)
def test_lenses_stated_wrongly_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    four_views(tmp_path, "B_{}.png")
    (tmp_path / "pictures.json").write_text(text)
    with pytest.raises(ReadError, match=reason):
        open_picture_source(tmp_path)


@pytest.mark.parametrize("name", ["line/B_equirectangular.png", "B.png", "line/B.png"])
def test_whole_spheres_with_their_middle(tmp_path: Path, name: str) -> None:
    put(tmp_path / "0b22fa63d0f54a529c525afbf2e8bb25.png", plain(RED, 64, 32))
    put(tmp_path / name, plain(GREEN, 64, 32))
    (tmp_path / "pictures.json").write_text(json.dumps({"centre_heading_deg": 90}))
    source = open_picture_source(tmp_path)
    found = source.pictures_at(walk(), 1)
    assert found.pictures == (found.sphere,)
    assert found.pictures[0].lens == SphereLens(math.pi / 2)
    assert colour_of(found.pictures[0].read(0)) == GREEN
    assert source.conventions == "middle column at R2R heading 90°, as stated"


def posed_walk(heading_deg: float) -> Replay:
    """One viewpoint whose camera looks along a heading."""
    pose = np.eye(4)
    pose[:3, :3] = pose_rotation(math.radians(heading_deg))
    records = ({"image_id": "B", "pose": pose.ravel().tolist()},)
    graph = build_viewpoint_graph(
        "line", ("B",), np.zeros((1, 3)), np.zeros((1, 1), bool), records=records
    )
    return build_replay(graph_episode("B"), EpisodeRun("7_0", route(("B",))), graph)


def headings(found: StepPictures) -> list[int]:
    """Where the four level faces look, degrees."""
    return [
        round(math.degrees(angles_of_direction(p.lens.view(8, 8).direction_of((4.0, 4.0)))[0]))
        for p in found.pictures[1:5]
    ]


@pytest.mark.parametrize(
    "home", ["line/matterport_skybox_images", "v1/scans/line/matterport_skybox_images", "."]
)
def test_skybox_faces_turn_with_the_pose(tmp_path: Path, home: str) -> None:
    for face in range(6):
        put(tmp_path / home / f"B_skybox{face}_sami.jpg", plain((face * 40, 0, 0), 32, 32))
    source = open_picture_source(tmp_path)
    found = source.pictures_at(posed_walk(30), 0)
    assert [p.lens.face for p in found.pictures if isinstance(p.lens, FaceLens)] == list(range(6))
    assert headings(found) == [210, 300, 30, 120]
    assert colour_of(found.pictures[3].read(0)) == (120, 0, 0)
    assert "connectivity" in source.pictures_at(walk(), 1).reason


def test_a_strip_of_faces_is_cut_into_six(tmp_path: Path) -> None:
    strip = np.concatenate([plain((face * 40, 0, 0), 32, 32) for face in range(6)], axis=1)
    put(tmp_path / "line" / "matterport_skybox_images" / "B_skybox_small.jpg", strip)
    found = open_picture_source(tmp_path).pictures_at(posed_walk(0), 0)
    assert [colour_of(picture.read(0))[0] for picture in found.pictures] == [
        0,
        40,
        80,
        120,
        160,
        200,
    ]
    assert found.pictures[2].read(0).shape == (32, 32, 3)


@pytest.mark.parametrize("pose", [None, [1.0] * 15, [2.0] * 16])
def test_poses_that_are_none_are_said(tmp_path: Path, pose: object) -> None:
    put(tmp_path / "B_skybox0_sami.jpg", plain(RED, 32, 32))
    graph = build_viewpoint_graph(
        "line",
        ("B",),
        np.zeros((1, 3)),
        np.zeros((1, 1), bool),
        records=({"image_id": "B", "pose": pose},),
    )
    replay = build_replay(graph_episode("B"), EpisodeRun("7_0", route(("B",))), graph)
    assert "need the pose" in open_picture_source(tmp_path).pictures_at(replay, 0).reason


def test_a_scan_without_name_is_looked_for_in_the_folder(tmp_path: Path) -> None:
    put(tmp_path / "B_skybox_small.jpg", plain(RED, 4, 4))
    replay = posed_walk(0)
    replay = replace(replay, episode=replace(replay.episode, scene_id=""))
    found = open_picture_source(tmp_path).pictures_at(replay, 0)
    with pytest.raises(ReadError, match="no row of six faces"):
        found.pictures[0].read(0)


@pytest.mark.parametrize("name", ["..", "a/b", "/etc", "", "..\\x"])
def test_names_of_runs_never_leave_the_folder(tmp_path: Path, name: str) -> None:
    four_views(tmp_path / "inside", "line/B/{}.jpg")
    four_views(tmp_path, "{}.jpg")
    run = EpisodeRun("7_0", route((name,)))
    replay = build_replay(replace(graph_episode("B"), scene_id=".."), run)
    assert open_picture_source(tmp_path / "inside").pictures_at(replay, 0).pictures == ()


def test_runs_without_viewpoints_have_none(tmp_path: Path) -> None:
    four_views(tmp_path, "B_{}.png")
    source = open_picture_source(tmp_path)
    replay = space_replay([[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [1, 0, 0]])
    assert source.place(replay, 0) == ""
    assert "no viewpoints" in source.pictures_at(replay, 0).reason
