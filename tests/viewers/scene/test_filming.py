"""Filming asks for picture after picture; here a camera that paints numbers answers."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from worlds.box_scenes import box, scene

from waypost.domain.base.errors import InputError
from waypost.domain.record.camera_take import (
    CameraPose,
    FieldOfView,
    PictureSize,
    TourPicture,
    seen_at,
)
from waypost.domain.scene.graph import Node
from waypost.io.camera_takes.video import count_pictures
from waypost.viewers.scene.filming import PanoramaWish, Shot, film_panoramas, film_tour, film_with

ROOM = scene(box("floor", (0.0, 0.0, -0.1), (4.0, 4.0, 0.0)))
NODES = (Node("a", "A", (1.0, 1.0, 0.0)), Node("b", "B", (3.0, 1.0, 0.0)))
FOV = FieldOfView(math.radians(90))
SMALL = PictureSize(32, 32)


class Painter:
    """A camera whose picture is as bright as it has taken pictures."""

    def __init__(self) -> None:
        self.taken: list[tuple[CameraPose, PictureSize, bool]] = []

    def take(
        self, pose: CameraPose, fov: FieldOfView, size: PictureSize, *, has_headlight: bool = True
    ) -> NDArray[np.uint8]:
        self.taken.append((pose, size, has_headlight))
        return np.full((size.height_px, size.width_px, 3), len(self.taken), np.uint8)


def wish(views: str) -> PanoramaWish:
    return PanoramaWish(views, FOV, SMALL, PictureSize(64, 32), 0.0, 1.5, None, "png")


def tour(count: int) -> list[TourPicture]:
    return [
        TourPicture(i, i * 500_000_000, CameraPose((float(i), 0, 1.5), 0.0)) for i in range(count)
    ]


def test_a_tour_takes_every_picture_once_and_tells_how_far_it_is(tmp_path: Path) -> None:
    camera, told = Painter(), list[Shot]()
    path = tmp_path / "tour.mp4"
    assert film_with(film_tour(path, tour(5), FOV, SMALL, 2.0), camera, told.append) == 5
    assert [pose.position_m[0] for pose, _, _ in camera.taken] == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert [(shot.done, shot.total) for shot in told] == [(i, 5) for i in range(5)]
    assert count_pictures(path) == 5
    assert (tmp_path / "tour.poses.csv").is_file()


def test_four_views_and_the_sphere_of_every_node(tmp_path: Path) -> None:
    camera = Painter()
    work = film_panoramas(tmp_path / "out", ROOM, NODES, ("a", "b"), wish("both"))
    assert film_with(work, camera, lambda _: None) == 10
    # Four views with the headlight, six faces of 24 pixels without.
    sizes = [(size.width_px, lit) for _, size, lit in camera.taken[:10]]
    assert sizes == [(32, True)] * 4 + [(24, False)] * 6
    assert camera.taken[0][0].yaw_rad == pytest.approx(math.pi / 2)
    manifest = json.loads((tmp_path / "out" / "panoramas.json").read_text())
    assert [node["node_id"] for node in manifest["nodes"]] == ["a", "b"]
    assert (tmp_path / "out" / "b_equirectangular.png").is_file()


@pytest.mark.parametrize("pictures_before", [0, 3])
def test_work_that_is_closed_leaves_nothing(tmp_path: Path, pictures_before: int) -> None:
    for work in (
        film_tour(tmp_path / "tour.mp4", tour(9), FOV, SMALL, 2.0),
        film_panoramas(tmp_path / "out", ROOM, NODES, ("a", "b"), wish("four")),
    ):
        next(work)
        for _ in range(pictures_before):
            work.send(np.zeros((32, 32, 3), np.uint8))
        work.close()
    assert list(tmp_path.iterdir()) == []


def test_poses_seen_at_any_time_become_pictures_at_even_ones() -> None:
    poses = [(t * 1_000_000, CameraPose((float(t), 0.0, 1.5), 0.0)) for t in (100, 340, 610, 1_150)]
    pictures = seen_at(poses, 2.0)
    assert [picture.time_ns for picture in pictures] == [
        0,
        500_000_000,
        1_000_000_000,
        1_500_000_000,
    ]
    # At 0.5 s the pose of 0.24 s is the latest, at 1 s that of 0.51 s, at the end the last.
    assert [picture.pose.position_m[0] for picture in pictures] == [100.0, 340.0, 610.0, 1150.0]
    with pytest.raises(InputError, match="no pose"):
        seen_at([], 2.0)
