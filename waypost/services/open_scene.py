"""Opens a scene and makes it ready for picking, as one job with progress and cancel."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from waypost.domain.base.progress import Progress
from waypost.domain.scene.scene import Scene
from waypost.geometry.ray_index import RayIndex
from waypost.geometry.storeys import find_storeys
from waypost.io.scenes.open_scene import open_scene

T = TypeVar("T")

Prepare = Callable[[Scene], Generator[Progress, None, Any]]
"""Makes of a scene what its views need, on the thread of the job."""

_READ_SHARE = 0.6
_STOREYS_SHARE = 0.65
_RAYS_SHARE = 0.85


@dataclass(frozen=True, eq=False, slots=True)
class OpenedScene:
    """A scene that is ready to be drawn on."""

    scene: Scene
    """With its storeys."""

    rays: RayIndex
    prepared: Any = None
    """What ``prepare`` made of it; services know no views."""


def open_scene_job(
    path: Path,
    *,
    up_axis: str | None = None,
    metres_per_unit: float | None = None,
    allow_outside: bool = False,
    asset_folders: Sequence[Path] = (),
    prepare: Prepare | None = None,
) -> Generator[Progress, None, OpenedScene]:
    """Read a scene, find its storeys, index its triangles and prepare it for its views.

    Nothing that is open changes before the result is taken over by the caller.

    Args:
        path: The scene file.
        up_axis: ``Y`` or ``Z`` instead of what the file says.
        metres_per_unit: Instead of what the file says.
        allow_outside: Whether files are read that the scene names outside its own folder.
        asset_folders: Folders that count as inside; USD also searches them.
        prepare: Makes ``OpenedScene.prepared``, in short steps.

    Yields:
        Progress from 0 to 1.

    Returns:
        The scene, its ray index and what was prepared.

    Raises:
        ReadError: If the file cannot be used.
        InputError: If a correction is out of range.
    """
    yield Progress(0.0, 1.0, f"Opening {path.name}")
    reading = open_scene(
        path,
        up_axis=up_axis,
        metres_per_unit=metres_per_unit,
        allow_outside=allow_outside,
        asset_folders=asset_folders,
    )
    scene = yield from _within(reading, 0.0, _READ_SHARE)
    if not scene.storeys:
        yield Progress(_READ_SHARE, 1.0, "Looking for storeys")
        scene = replace(scene, storeys=find_storeys(scene))
    rays = yield from _within(RayIndex.build_steps(scene), _STOREYS_SHARE, _RAYS_SHARE)
    prepared = None
    if prepare is not None:
        prepared = yield from _within(prepare(scene), _RAYS_SHARE, 1.0)
    yield Progress(1.0, 1.0, f"{scene.name} is open")
    return OpenedScene(scene, rays, prepared)


def _within(
    work: Generator[Progress, None, T], begin: float, end: float
) -> Generator[Progress, None, T]:
    """Run one part of the job, its progress squeezed into a share of the whole.

    Readers go through a file several times; what was done stays done.
    """
    done = begin
    try:
        while True:
            try:
                progress = next(work)
            except StopIteration as stop:
                result: T = stop.value
                return result
            done = max(done, begin + (progress.fraction or 0.0) * (end - begin))
            yield Progress(done, 1.0, progress.message)
    finally:
        work.close()
