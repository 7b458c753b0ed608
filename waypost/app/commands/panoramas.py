"""``waypost panoramas``: pictures at every node of a graph, with their headings stated."""

from __future__ import annotations

import math
import time
from argparse import ArgumentParser, Namespace

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
from waypost.app.commands.arguments.path_types import folder_to_write
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Vec3, yaw_from_r2r_heading
from waypost.domain.record.camera_take import (
    FieldOfView,
    FovAxis,
    find_node,
    names_of,
)
from waypost.domain.record.recording import EYE_HEIGHT_M
from waypost.domain.scene.graph import NavigationGraph, Node
from waypost.domain.scene.scene import Scene
from waypost.io.camera_takes.manifest import MANIFEST
from waypost.io.camera_takes.picture_files import PICTURE_FORMATS, check_new_folder
from waypost.viewers.scene.filming import REFERENCE, VIEWS, PanoramaWish, film_panoramas


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_place_arguments(parser)
    parser.add_argument(
        "--out", type=folder_to_write, required=True, metavar="DIR", help="for the pictures"
    )
    parser.add_argument(
        "--views",
        choices=VIEWS,
        default="both",
        help="which pictures (default: both, four views and the whole sphere)",
    )
    parser.add_argument("--nodes", metavar="A,B,…", help="names or ids (default: all)")
    parser.add_argument(
        "--heading",
        type=float,
        metavar="DEG",
        help="R2R heading of the sphere's middle (default: 0), or of a reference picture",
    )
    parser.add_argument(
        "--look-at", metavar="X,Y,Z", help="point in the middle of a reference picture, scene frame"
    )
    add_lens_arguments(parser, 90.0, "512x512")
    parser.add_argument(
        "--equirectangular-size",
        default="2048x1024",
        metavar="WxH",
        help="of the whole sphere (default: 2048x1024)",
    )
    parser.add_argument(
        "--format",
        choices=PICTURE_FORMATS,
        default=PICTURE_FORMATS[0],
        help="of the pictures (default: png)",
    )
    parser.add_argument("--force", action="store_true", help="write into a folder in use")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Take and write.

    Returns:
        0 done, 130 after Ctrl+C; problems of the input are raised.
    """
    return unless_stopped(_run, options, "picture")


def _run(options: Namespace) -> int:
    wish = _wish(options)
    check_new_folder(options.out, replaces=options.force)
    scene, graph = scene_and_graph(options, needs_graph=True)
    nodes = _nodes(options.nodes, graph)
    begin = time.perf_counter()
    count = _take_all(options, scene, graph, nodes, wish)
    seconds = time.perf_counter() - begin
    if options.json:
        write_json(
            {
                "folder": str(options.out),
                "manifest": str(options.out / MANIFEST),
                "nodes": len(nodes),
                "pictures": count,
                "views": wish.views,
                "pictures_per_second": round(count / seconds, 2),
            }
        )
    else:
        what = f"{counted(count, 'picture')} at {counted(len(nodes), 'node')}"
        write_line(f"{options.out / MANIFEST}: {what}")
    return 0


def _wish(options: Namespace) -> PanoramaWish:
    is_reference = options.views == REFERENCE
    if is_reference and (options.heading is None) == (options.look_at is None):
        raise InputError("a reference picture needs either --heading or --look-at")
    if is_reference and not options.nodes:
        raise InputError("a reference picture needs --nodes: the goal")
    if options.look_at is not None and not is_reference:
        raise InputError("--look-at belongs to --views reference")
    if options.heading is not None and options.views == "four":
        raise InputError("--heading: four views have headings of their own")
    sphere_size = size_of(options.equirectangular_size, "--equirectangular-size")
    if sphere_size.width_px != 2 * sphere_size.height_px:
        raise InputError(f"--equirectangular-size: {sphere_size} is not twice as wide as high")
    height = EYE_HEIGHT_M if options.eye_height is None else options.eye_height
    if not -100.0 <= height <= 100.0:
        raise InputError(f"--eye-height: {height:g} is not between -100 and 100")
    return PanoramaWish(
        views=options.views,
        fov=FieldOfView(radians_of(options.fov, "--fov"), FovAxis(options.fov_axis)),
        size=size_of(options.size),
        sphere_size=sphere_size,
        centre_yaw_rad=yaw_from_r2r_heading(radians_of(options.heading or 0.0, "--heading")),
        eye_height_m=height,
        look_at_m=None if options.look_at is None else _point(options.look_at),
        ending=options.format,
    )


def _point(text: str) -> Vec3:
    try:
        x, y, z = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--look-at: {text!r} is no point like 1.5,2,0.8") from None
    if not all(map(math.isfinite, (x, y, z))):
        raise InputError(f"--look-at: {text!r} is not finite")
    return (x, y, z)


def _nodes(text: str | None, graph: NavigationGraph) -> tuple[Node, ...]:
    if text is None:
        return tuple(graph.nodes.values())
    ids = dict.fromkeys(find_node(graph, name) for name in names_of(text))
    if not ids:
        raise InputError("--nodes: names none")
    return tuple(graph.nodes[node_id] for node_id in ids)


def _take_all(
    options: Namespace,
    scene: Scene,
    graph: NavigationGraph,
    nodes: tuple[Node, ...],
    wish: PanoramaWish,
) -> int:
    work = film_panoramas(
        options.out, scene, nodes, tuple(graph.nodes), wish, replaces=options.force
    )
    with opened_camera(scene, options.background) as camera:
        return filmed(work, camera, "Panoramas", "node")
