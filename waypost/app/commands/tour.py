"""``waypost tour``: a video of a walk along a graph, or of a recorded drive, with its poses."""

from __future__ import annotations

import math
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from waypost.app.commands.arguments.camera_input import (
    add_lens_arguments,
    add_place_arguments,
    filmed,
    opened_camera,
    radians_of,
    scene_and_graph,
    size_of,
    unless_stopped,
)
from waypost.app.commands.arguments.path_types import check_ending, file_to_read, file_to_write
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.record.camera_take import (
    TOUR_FOV_RAD,
    TOUR_FPS,
    FieldOfView,
    FovAxis,
    PictureSize,
    TourPicture,
    TourSettings,
    find_node,
    follow,
    names_of,
    route_through,
    walk,
)
from waypost.domain.record.recording import EYE_HEIGHT_M, Recording
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Scene
from waypost.io.camera_takes.encoders import codec_of
from waypost.io.camera_takes.pose_files import poses_path
from waypost.io.recordings.read_recording import read_recording
from waypost.viewers.scene.filming import film_tour


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_place_arguments(parser)
    parser.add_argument(
        "--nodes", metavar="A,B,…", help="names or ids to walk through, joined by shortest ways"
    )
    parser.add_argument(
        "--recording", type=file_to_read, metavar="TAKE", help="follow a recorded drive instead"
    )
    parser.add_argument(
        "--out", type=file_to_write, required=True, metavar="X.mp4", help="the video"
    )
    parser.add_argument(
        "--fps", type=float, default=TOUR_FPS, help=f"pictures per second (default: {TOUR_FPS:g})"
    )
    parser.add_argument("--speed", type=float, metavar="M/S", help="of the walk (default: 1)")
    parser.add_argument(
        "--pitch", type=float, default=0.0, metavar="DEG", help="of the gaze (default: 0)"
    )
    parser.add_argument("--turn-time", type=float, metavar="S", help="for a corner (default: 1)")
    add_lens_arguments(parser, math.degrees(TOUR_FOV_RAD), "640x480")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Walk, take and write.

    Returns:
        0 done, 130 after Ctrl+C; problems of the input are raised.
    """
    return unless_stopped(_run, options, "video")


def _run(options: Namespace) -> int:
    if bool(options.nodes) == bool(options.recording):
        raise InputError("name either --nodes or a --recording")
    check_ending(options.out, ".mp4")
    for name in ("speed", "turn_time"):
        if options.recording and getattr(options, name) is not None:
            raise InputError(f"--{name.replace('_', '-')}: is of a walk along --nodes")
    size = size_of(options.size)
    fov = FieldOfView(radians_of(options.fov, "--fov"), FovAxis(options.fov_axis))
    recording = read_recording(options.recording) if options.recording else None
    settings = _settings(options, recording)
    scene, graph = scene_and_graph(options, needs_graph=recording is None)
    way: tuple[str, ...] = ()
    if recording is None:
        way = _way(options.nodes, graph)
        pictures = walk([graph.nodes[node_id].position_m for node_id in way], settings)
    else:
        _warn_of_scene(recording, scene)
        pictures = follow(recording, settings)
    rate = _film(options, scene, pictures, fov, size)
    document = _report(options.out, pictures, fov, size, settings)
    document["nodes"] = list(way)
    document["pictures_per_second"] = round(rate, 2)
    if told := codec_of(options.out).note:
        note(told)
    if options.json:
        write_json(document)
    else:
        what = f"{counted(len(pictures), 'picture')} of {size}, {document['duration_s']:g} s"
        rate_text = f"{settings.fps:g} per second"
        write_line(f"{options.out}: {what} at {rate_text}; poses in {document['poses']}")
    return 0


def _settings(options: Namespace, recording: Recording | None) -> TourSettings:
    height = options.eye_height
    if height is None:
        header = {} if recording is None else recording.header
        stated = header.get("eye_height_m")
        height = float(stated) if isinstance(stated, int | float) else EYE_HEIGHT_M
        if recording is not None and any("those of the camera" in n for n in recording.notes):
            note("the recording's heights are those of the camera; --eye-height 0 is used")
            height = 0.0
    return TourSettings(
        fps=options.fps,
        speed_mps=1.0 if options.speed is None else options.speed,
        eye_height_m=height,
        pitch_rad=radians_of(options.pitch, "--pitch"),
        turn_time_s=1.0 if options.turn_time is None else options.turn_time,
    )


def _way(text: str, graph: NavigationGraph) -> tuple[str, ...]:
    return route_through(graph, [find_node(graph, name) for name in names_of(text)])


def _warn_of_scene(recording: Recording, scene: Scene) -> None:
    for sentence in recording.notes:
        note(sentence)
    driven = recording.header.get("scene_hash")
    if driven and driven != scene.content_hash:
        note("the recording was driven in another scene, or in another state of this one")


def _film(
    options: Namespace,
    scene: Scene,
    pictures: Sequence[TourPicture],
    fov: FieldOfView,
    size: PictureSize,
) -> float:
    """Take every picture; how many came per second."""
    work = film_tour(options.out, pictures, fov, size, options.fps)
    with opened_camera(scene, options.background) as camera:
        # The first picture brings the scene to the graphics card.
        camera.take(pictures[0].pose, fov, size)
        begin = time.perf_counter()
        filmed(work, camera, options.out.name, "picture")
        return len(pictures) / (time.perf_counter() - begin)


def _report(
    path: Path,
    pictures: Sequence[TourPicture],
    fov: FieldOfView,
    size: PictureSize,
    settings: TourSettings,
) -> dict[str, Any]:
    return {
        "file": str(path),
        "poses": str(poses_path(path)),
        "codec": codec_of(path).name,
        "pictures": len(pictures),
        "fps": settings.fps,
        "duration_s": len(pictures) / settings.fps,
        "width_px": size.width_px,
        "height_px": size.height_px,
        "horizontal_fov_deg": round(math.degrees(fov.horizontal_rad(size)), 6),
        "vertical_fov_deg": round(math.degrees(fov.vertical_rad(size)), 6),
        "eye_height_m": settings.eye_height_m,
    }
