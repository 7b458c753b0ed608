"""Recordings, camera takes, pictures, and folders of panoramas and frames."""

from __future__ import annotations

import io
import json
import math
import random
from pathlib import Path

import numpy as np
from faults.fuzz.family import Family, Sample, samples_of
from faults.fuzz.invariants import check_poses, check_recording, require
from fixtures.picture_folders import GREEN, four_views, plain, put
from fixtures.recorded_takes import walk, write_walk
from fixtures.replay_examples import graph_replay
from PIL import Image

from waypost.domain.record.camera_take import (
    VIEW_HEADINGS_RAD,
    CameraPose,
    FieldOfView,
    PictureSize,
    TourPicture,
)
from waypost.domain.scene.graph import Node
from waypost.domain.scene.scene import Mesh, Scene
from waypost.io.camera_takes.manifest import MANIFEST, PanoramaPicture, write_manifest
from waypost.io.camera_takes.pose_files import read_poses, write_poses
from waypost.io.camera_takes.video import open_video
from waypost.io.picture_sources.decoding import decode_picture
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.io.recordings.parquet import write_parquet_recording
from waypost.io.recordings.read_recording import read_recording

_SIZE = PictureSize(64, 48)
_FOREIGN = "time;x;y;yaw\n0,0;1,0;2,0;0,1\n0,05;1,1;2,0;0,1\n# stop\n0,1;1,2;2,0;0,1\n"


def _recording_samples(folder: Path) -> list[Sample]:
    corners = [(0.0, 0.0), (0.4, 0.0)]
    write_walk(folder / "a" / "e_take001.csv", corners)
    parquet = folder / "b" / "e.parquet"
    parquet.parent.mkdir()
    write_parquet_recording(parquet, walk(corners))
    return [
        samples_of(folder / "a", "e_take001.csv"),
        samples_of(folder / "a", "e_take001.csv"),
        samples_of(folder / "b", "e.parquet"),
        Sample("foreign.csv", {"foreign.csv": _FOREIGN.encode()}),
    ]


def _read_recording(path: Path, rng: random.Random) -> None:
    check_recording(read_recording(path))


def _pose_samples(folder: Path) -> list[Sample]:
    poses = [CameraPose((0.1 * n, 0.2, 1.5), n * math.pi / 5) for n in range(5)]
    taken = [TourPicture(n, n * 10**8, pose) for n, pose in enumerate(poses)]
    path = folder / "tour.poses.csv"
    write_poses(path, taken, FieldOfView(math.radians(75)), _SIZE)
    return [samples_of(folder, path.name)]


def _read_poses(path: Path, rng: random.Random) -> None:
    pictures, fov = read_poses(path)
    check_poses(pictures)
    require(math.isfinite(fov.angle_rad), "field of view")


def _picture_samples(folder: Path) -> list[Sample]:
    pixels = (np.arange(16 * 24 * 3) % 251).astype(np.uint8).reshape(16, 24, 3)
    samples = []
    for kind, suffix in (("PNG", "png"), ("JPEG", "jpg"), ("WEBP", "webp"), ("BMP", "bmp")):
        data = io.BytesIO()
        Image.fromarray(pixels).save(data, kind)
        samples.append(Sample(f"a.{suffix}", {f"a.{suffix}": data.getvalue()}))
    return samples


def _read_picture(path: Path, rng: random.Random) -> None:
    pixels = decode_picture(path, rng.choice((0, 4, 8, 10_000)))
    require(pixels.ndim == 3 and pixels.shape[2] == 3 and pixels.size, "picture shape")


def _panoramas(folder: Path) -> None:
    views = []
    for heading in VIEW_HEADINGS_RAD:
        name = f"B_h{round(math.degrees(heading)):03d}.png"
        put(folder / name, plain(GREEN))
        pose = CameraPose((0.0, 0.0, 1.5), -heading)
        views.append(PanoramaPicture(name, "view", pose, _SIZE, FieldOfView(math.radians(80))))
    put(folder / "B_equirectangular.png", plain(GREEN, 64, 32))
    sphere = PanoramaPicture(
        "B_equirectangular.png", "equirectangular", CameraPose((0, 0, 1.5), 0.0), _SIZE, None
    )
    mesh = Mesh("m", np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int32), None, 0)
    scene = Scene("home", "home.glb", "glb", (mesh,), (), content_hash="0" * 64)
    write_manifest(folder / MANIFEST, scene, [(Node("B", "B", (0, 0, 0)), (*views, sphere))], 1.5)


def _film(folder: Path, *, with_poses: bool) -> None:
    folder.mkdir()
    path = folder / "tour.mp4"
    with open_video(path, _SIZE, 5.0) as video:
        for number in range(4):
            video.write(np.full((48, 64, 3), 40 * number + 20, np.uint8))
    if with_poses:
        _pose_samples(folder)


def _source_samples(folder: Path) -> list[Sample]:
    _panoramas(folder / "ours")
    four_views(folder / "views", "B_{}.png")
    (folder / "views" / "pictures.json").write_text(json.dumps({"horizontal_fov_deg": 80}))
    for number in range(3):
        put(folder / "frames" / f"{number:04d}.png", plain(GREEN))
    (folder / "array").mkdir()
    np.save(folder / "array" / "run.npy", np.zeros((3, 8, 8, 3), np.uint8))
    _film(folder / "film", with_poses=False)
    _film(folder / "tour", with_poses=True)
    return [
        samples_of(folder / "ours"),
        samples_of(folder / "views"),
        samples_of(folder / "frames"),
        samples_of(folder / "array", "run.npy"),
        samples_of(folder / "film", "tour.mp4"),
        samples_of(folder / "tour", "tour.mp4"),
    ]


def _read_source(path: Path, rng: random.Random) -> None:
    """Open a source and decode what it has for a step; a picture may be refused by itself."""
    source = open_picture_source(path)
    try:
        replay = graph_replay("ABC")
        step = rng.randrange(3)
        source.place(replay, step)
        found = source.pictures_at(replay, step)
        for picture in (*found.pictures, *((found.sphere,) if found.sphere else ())):
            pixels = picture.read(rng.choice((0, 16)))
            require(pixels.ndim == 3 and pixels.shape[2] == 3, "picture shape")
    finally:
        source.close()


_DECODERS = r"(?m)^(libpng|libjpeg) (error|warning): .*$|^(Corrupt|Premature|Invalid|Warning:) .*$"
"""What libpng and libjpeg say inside OpenCV, in words of their own."""

TAKES = (
    Family("recordings", "Recordings: CSV, records, Parquet", _recording_samples, _read_recording),
    Family("camera-poses", "Camera takes: poses (CSV)", _pose_samples, _read_poses),
    Family(
        "pictures",
        "Pictures: PNG, JPEG, WebP, BMP",
        _picture_samples,
        _read_picture,
        may_print=_DECODERS,
    ),
    Family(
        "picture-sources",
        "Panoramas, frames, films, arrays",
        _source_samples,
        _read_source,
        may_print=_DECODERS,
    ),
)
"""What people and cameras recorded."""
