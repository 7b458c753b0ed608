"""What the camera commands share: arguments, scene and graph, the camera, stopping in between."""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    add_correction_options,
    asset_options,
    given_scene,
    note_outside,
    refuse_corrections,
)
from waypost.app.commands.arguments.graph_frame import choose_frame
from waypost.app.commands.arguments.path_types import file_to_read, project_to_open
from waypost.app.commands.arguments.project_files import opened_project
from waypost.app.shell.display import check_display
from waypost.app.terminal.messages import note, say
from waypost.app.terminal.progress_line import progress_bar
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import FRAMES
from waypost.domain.record.camera_take import FovAxis, PictureSize
from waypost.domain.record.recording import EYE_HEIGHT_M
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Scene
from waypost.geometry.ray_index import RayIndex
from waypost.io.graphs.capnav_graph import project_to_floor
from waypost.io.graphs.graph_files import read_graph_file
from waypost.io.scenes.open_scene import read_scene
from waypost.services.appearance import DARK
from waypost.services.frame_fitting import floor_below
from waypost.viewers.scene.filming import Filming, Shot, film_with

if TYPE_CHECKING:
    from waypost.viewers.scene.picture_camera import PictureCamera

T = TypeVar("T")

_INTERRUPTED = 130
"""Exit code after Ctrl+C, as shells have it."""


def add_place_arguments(parser: ArgumentParser) -> None:
    """Add where scene and graph come from, and the height of the eyes."""
    parser.add_argument(
        "--project",
        type=project_to_open,
        metavar="P",
        help="project whose scene and graph are used",
    )
    parser.add_argument(
        "--scene", type=file_to_read, metavar="S", help="scene file, instead of a project"
    )
    add_correction_options(parser)
    add_asset_options(parser)
    parser.add_argument(
        "--graph",
        type=file_to_read,
        metavar="G",
        help="graph file of CapNav or Matterport3D over the scene",
    )
    parser.add_argument(
        "--frame", choices=list(FRAMES), help="of the graph file (default: the one that fits)"
    )
    parser.add_argument(
        "--eye-height", type=float, metavar="M", help=f"above the floor (default: {EYE_HEIGHT_M})"
    )


def add_lens_arguments(parser: ArgumentParser, fov_deg: float, size: str) -> None:
    """Add field of view and size."""
    parser.add_argument(
        "--fov",
        type=float,
        default=fov_deg,
        metavar="DEG",
        help=f"field of view (default: {fov_deg:g})",
    )
    parser.add_argument(
        "--fov-axis",
        choices=[axis.value for axis in FovAxis],
        default=FovAxis.HORIZONTAL.value,
        help="which angle --fov is (default: horizontal)",
    )
    parser.add_argument("--size", default=size, metavar="WxH", help=f"pixels (default: {size})")
    parser.add_argument(
        "--background",
        default=DARK.stage,
        metavar="#RRGGBB",
        help=f"behind everything (default: {DARK.stage}, that of the window)",
    )


def size_of(text: str, option: str = "--size") -> PictureSize:
    """The size that ``640x480`` means.

    Raises:
        InputError: If it is none.
    """
    match = re.fullmatch(r"(\d{1,5})[x×X](\d{1,5})", text.strip())
    if match is None:
        raise InputError(f"{option}: {text!r} is no size like 640x480")
    return PictureSize(int(match[1]), int(match[2]))


def radians_of(degrees: float, option: str) -> float:
    """An angle given in degrees.

    Raises:
        InputError: If it is not finite.
    """
    if not math.isfinite(degrees):
        raise InputError(f"{option}: {degrees} is no angle")
    return math.radians(degrees)


def scene_and_graph(options: Namespace, *, needs_graph: bool) -> tuple[Scene, NavigationGraph]:
    """Read what ``--project``, or ``--scene`` and ``--graph``, name, to take pictures of it.

    Raises:
        InputError: If they name neither or both, something cannot be read, the background is no
            colour, or there is no display.
    """
    if bool(options.project) == bool(options.scene):
        raise InputError("name either --project or --scene")
    if options.frame is not None and options.graph is None:
        raise InputError("--frame: belongs to --graph")
    if re.fullmatch("#[0-9a-fA-F]{6}", options.background) is None:
        raise InputError(f"--background: {options.background!r} is no colour like {DARK.stage}")
    graph = NavigationGraph()
    if options.project:
        refuse_corrections(options)
        with opened_project(options.project) as (store, project):
            if not project.scene_path:
                raise InputError(f"{options.project}: scene: the project has none")
            check_display("pictures need")
            graph = project.graph
            scene = note_outside(
                read_scene(
                    Path(os.path.normpath(store.root / project.scene_path)),
                    up_axis=project.scene_up_axis,
                    metres_per_unit=project.scene_metres_per_unit,
                    **asset_options(options),
                )
            )
    else:
        check_display("pictures need")
        scene = given_scene(options)
    for warning in scene.warnings:
        note(warning)
    if options.graph is not None:
        graph = _graph_of_file(options, scene)
    if needs_graph and not graph.nodes:
        raise InputError("there is no graph; name a --project that has one, or a --graph file")
    return scene, graph


@contextlib.contextmanager
def opened_camera(scene: Scene, background: str) -> Iterator[PictureCamera]:
    """A camera in a scene, on a display that is never drawn to.

    Raises:
        InputError: If the display has no OpenGL.
    """
    # Qt only where pictures are wanted.
    from waypost.app.window.startup import make_application  # noqa: PLC0415
    from waypost.viewers.scene.picture_camera import PictureCamera  # noqa: PLC0415

    make_application()
    with PictureCamera(scene, background=background) as camera:
        yield camera


def filmed(work: Filming[T], camera: PictureCamera, text: str, unit: str) -> T:
    """Film, with a progress bar where there is a terminal.

    Raises:
        KeyboardInterrupt: After Ctrl+C, when the picture at hand was taken; nothing is left then.
    """
    from waypost.app.shell.qt_application import collect_between  # noqa: PLC0415 - Qt only where needed

    with stoppable() as stopper, contextlib.ExitStack() as stack:
        bar = stack.enter_context(progress_bar(text, unit))

        def on_shot(shot: Shot) -> None:
            stopper.check()
            collect_between()
            bar.total = shot.total
            bar.update(shot.done - bar.n)

        return film_with(work, camera, on_shot)


class Stopper:
    """Whether Ctrl+C was pressed; made by ``stoppable``."""

    def __init__(self) -> None:
        self.is_asked = False

    def check(self) -> None:
        """Stop here if it was.

        Raises:
            KeyboardInterrupt: Then.
        """
        if self.is_asked:
            raise KeyboardInterrupt


@contextlib.contextmanager
def stoppable() -> Iterator[Stopper]:
    """Take note of Ctrl+C until the next ``check``.

    An exception within a callback of Qt would be lost.
    """
    stopper = Stopper()

    def ask(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature is given
        stopper.is_asked = True

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield stopper
    finally:
        signal.signal(signal.SIGINT, before)


def _graph_of_file(options: Namespace, scene: Scene) -> NavigationGraph:
    file = read_graph_file(options.graph)
    for warning in file.warnings:
        note(warning)
    rays = RayIndex.build(scene)
    frame, _ = choose_frame(file, options.frame, scene, rays)
    placed = project_to_floor(file.build(frame), floor_below(rays))
    for node_id in placed.without_floor:
        note(f"no floor under {node_id}; left where it is")
    return placed.graph


def unless_stopped(command: Callable[[Namespace], int], options: Namespace, what: str) -> int:
    """Run a command that Ctrl+C may stop before it has written anything.

    Args:
        command: Takes the pictures and writes them.
        options: Of the command.
        what: What is not written then, in one word.

    Returns:
        Of the command; 130 after Ctrl+C.
    """
    try:
        return command(options)
    except KeyboardInterrupt:
        say(f"stopped; no {what} was written")
        return _INTERRUPTED
