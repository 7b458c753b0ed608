"""Camera takes as work that asks for picture after picture, so that any camera can serve it.

A ``Filming`` yields the ``Shot`` it needs next and is sent the picture. The command line takes each
at once (``film_with``); the window takes them between two of its own (``film_camera.py``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3, yaw_from_r2r_heading
from waypost.domain.record.camera_take import (
    VIEW_HEADINGS_RAD,
    CameraPose,
    FieldOfView,
    PictureSize,
    TourPicture,
    picture_stems,
    pose_towards,
)
from waypost.domain.scene.graph import Node
from waypost.domain.scene.scene import Scene
from waypost.io.camera_takes.manifest import MANIFEST, PanoramaPicture, write_manifest
from waypost.io.camera_takes.picture_files import open_folder, write_picture
from waypost.io.camera_takes.pose_files import poses_path, write_poses
from waypost.io.camera_takes.video import open_video
from waypost.viewers.scene.panorama_camera import PictureTaker, join_sphere, sphere_faces

T = TypeVar("T")

FOUR: Final = frozenset({"four", "both"})
SPHERE: Final = frozenset({"equirectangular", "both"})
REFERENCE: Final = "reference"
VIEWS: Final = ("four", "equirectangular", "both", REFERENCE)
"""What can be taken at a node."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture that is needed now."""

    pose: CameraPose
    fov: FieldOfView
    size: PictureSize
    done: int
    """How many of the steps of the work are done."""

    total: int
    title: str
    """What it is for, in words."""

    has_headlight: bool = True


Filming = Generator[Shot, NDArray[np.uint8], T]
"""Yields the shot it needs next, is sent its picture, and returns its result."""


@dataclass(frozen=True, slots=True)
class PanoramaWish:
    """What is taken at each node."""

    views: str
    """Of ``VIEWS``."""

    fov: FieldOfView
    size: PictureSize
    sphere_size: PictureSize
    centre_yaw_rad: float
    """Scene yaw of the middle of a sphere, and of a reference picture without ``look_at_m``."""

    eye_height_m: float
    look_at_m: Vec3 | None
    """What a reference picture has in its middle."""

    ending: str
    """Of ``PICTURE_FORMATS``."""


def film_with(work: Filming[T], camera: PictureTaker, told: Callable[[Shot], None]) -> T:
    """Take every picture at once.

    Args:
        work: What is filmed; closed if something is raised.
        camera: Takes the pictures.
        told: Called with every shot before it is taken; may raise to stop.
    """
    try:
        shot = next(work)
        while True:
            told(shot)
            picture = camera.take(shot.pose, shot.fov, shot.size, has_headlight=shot.has_headlight)
            shot = work.send(picture)
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        work.close()


def film_tour(
    path: Path, pictures: Sequence[TourPicture], fov: FieldOfView, size: PictureSize, fps: float
) -> Filming[int]:
    """Write a video and its poses; nothing of either stays if it is closed before.

    Returns:
        How many pictures it has.

    Raises:
        InputError: If the ending is not ``.mp4`` or a side is odd.
        WriteError: If it cannot be encoded or written.
    """
    with open_video(path, size, fps) as video:
        for done, picture in enumerate(pictures):
            title = f"{path.name}: picture {done + 1:,} of {len(pictures):,}"
            video.write((yield Shot(picture.pose, fov, size, done, len(pictures), title)))
        video.close()
        write_poses(poses_path(path), pictures, fov, size)
    return len(pictures)


def film_panoramas(
    folder: Path,
    scene: Scene,
    nodes: Sequence[Node],
    all_ids: Sequence[str],
    wish: PanoramaWish,
    *,
    replaces: bool = False,
) -> Filming[int]:
    """Write the pictures at every node and their manifest; all of them or none.

    Args:
        folder: New or empty, unless it ``replaces``.
        scene: What is taken.
        nodes: Where.
        all_ids: Ids of all nodes of the graph, which the names of files tell apart.
        wish: What is taken at each.
        replaces: Whether the folder may hold files already.

    Returns:
        How many pictures were written.

    Raises:
        InputError: If the folder is in use and may not be.
        WriteError: If it cannot be written to.
    """
    stems = picture_stems(all_ids)
    places: list[tuple[Node, tuple[PanoramaPicture, ...]]] = []
    with open_folder(folder, MANIFEST, replaces=replaces) as growing:
        for done, node in enumerate(nodes):
            title = f"Pictures at {node.name or node.node_id}, {done + 1:,} of {len(nodes):,}"
            step = _Step(done, len(nodes), title)
            taken = list(_views(node, stems[node.node_id], wish))
            for picture in taken:
                pixels = yield step.shot(picture.pose, wish.fov, wish.size)
                write_picture(growing / picture.file, pixels)
            if wish.views in SPHERE:
                sphere, pixels = yield from _sphere(node, stems[node.node_id], wish, step)
                write_picture(growing / sphere.file, pixels)
                taken.append(sphere)
            places.append((node, tuple(taken)))
        write_manifest(growing / MANIFEST, scene, places, wish.eye_height_m)
    return sum(len(taken) for _, taken in places)


@dataclass(frozen=True, slots=True)
class _Step:
    """How far the work is."""

    done: int
    total: int
    title: str

    def shot(
        self, pose: CameraPose, fov: FieldOfView, size: PictureSize, *, has_headlight: bool = True
    ) -> Shot:
        return Shot(pose, fov, size, self.done, self.total, self.title, has_headlight)


def _eye(node: Node, wish: PanoramaWish) -> Vec3:
    x, y, z = node.position_m
    return (x, y, z + wish.eye_height_m)


def _views(node: Node, stem: str, wish: PanoramaWish) -> Iterator[PanoramaPicture]:
    eye = _eye(node, wish)
    poses: Mapping[tuple[str, str], CameraPose] = {}
    if wish.views in FOUR:
        poses = {
            (f"{stem}_h{round(math.degrees(heading)):03d}", "view"): CameraPose(
                eye, yaw_from_r2r_heading(heading)
            )
            for heading in VIEW_HEADINGS_RAD
        }
    elif wish.views == REFERENCE:
        pose = CameraPose(eye, wish.centre_yaw_rad)
        if wish.look_at_m is not None:
            pose = pose_towards(eye, wish.look_at_m)
        poses = {(f"{stem}_reference", REFERENCE): pose}
    for (name, kind), pose in poses.items():
        yield PanoramaPicture(f"{name}.{wish.ending}", kind, pose, wish.size, wish.fov)


def _sphere(
    node: Node, stem: str, wish: PanoramaWish, step: _Step
) -> Filming[tuple[PanoramaPicture, NDArray[np.uint8]]]:
    eye, size = _eye(node, wish), wish.sphere_size
    faces = sphere_faces(eye, wish.centre_yaw_rad, size)
    taken = dict.fromkeys(faces, np.empty(0, np.uint8))
    for face in faces:
        taken[face] = yield step.shot(face.pose, face.fov, face.size, has_headlight=False)
    pose = CameraPose(eye, wish.centre_yaw_rad)
    name = f"{stem}_equirectangular.{wish.ending}"
    return PanoramaPicture(name, "equirectangular", pose, size, None), join_sphere(
        list(taken.values()), size
    )
