"""What every program on the graphics card needs to know about the picture at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.cut import hidden_from_m
from waypost.viewers.scene.drawing import Color
from waypost.viewers.scene.lens import ViewLens

NEVER_CUT_M = 1e9


@dataclass(frozen=True, eq=False, slots=True)
class FrameState:
    """One picture: lens, cut and tone, relative to the scene's origin."""

    clip_from_local: NDArray[np.float32]
    """(4, 4) laid out for row vectors, as GLSL reads it."""

    eye: NDArray[np.float32]
    forward: NDArray[np.float32]
    is_parallel: bool
    width: int
    """Framebuffer pixels."""

    height: int
    px: float
    """Framebuffer pixels per device-independent pixel."""

    cut_z: float
    """Height relative to the origin above which nothing is drawn; see ``hidden_from_m``."""

    is_cut: bool
    section: Color
    """Inside of walls that the cut opens."""

    background: Color
    dim: float
    """0 shows the scene as it is, 1 pushes it back behind the overlays."""

    floors: tuple[float, float, float, float]
    """Floor heights relative to the origin; what rises from them is darker at its foot."""


def frame_state(
    lens: ViewLens,
    origin_m: Vec3,
    *,
    size: tuple[int, int],
    cut_z: float | None,
    colors: tuple[Color, Color],
    dim: float,
    floors_m: Sequence[float],
) -> FrameState:
    """Move a lens into the frame of the vertices.

    Args:
        lens: In the scene frame.
        origin_m: ``Scene.origin_m``.
        size: Framebuffer width and height.
        cut_z: Metres, scene frame, or ``None``.
        colors: Inside of cut walls, and behind everything.
        dim: 0 to 1.
        floors_m: Heights in the scene frame; the first four are used.
    """
    origin = np.asarray(origin_m, dtype=np.float64)
    floors = [height - float(origin[2]) for height in floors_m[:4]]
    floors += [NEVER_CUT_M] * (4 - len(floors))
    return FrameState(
        clip_from_local=np.ascontiguousarray(lens.clip_from_local(origin_m).T, dtype=np.float32),
        eye=(lens.eye_m - origin).astype(np.float32),
        forward=lens.forward.astype(np.float32),
        is_parallel=lens.is_orthographic,
        width=size[0],
        height=size[1],
        px=size[1] / lens.height_px,
        cut_z=NEVER_CUT_M if cut_z is None else hidden_from_m(cut_z) - float(origin[2]),
        is_cut=cut_z is not None,
        section=colors[0],
        background=colors[1],
        dim=dim,
        floors=(floors[0], floors[1], floors[2], floors[3]),
    )
