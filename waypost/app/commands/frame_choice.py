"""Settle the frame of a graph file: as told, or the only one that fits the scene, or refuse."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from waypost.app.commands.messages import note
from waypost.domain.errors import InputError
from waypost.domain.frames import CAPNAV, FRAMES, Frame, Vec3
from waypost.domain.scene import Scene
from waypost.geometry.ray_index import RayIndex
from waypost.io.datasets.capnav_graph import CapnavGraphFile
from waypost.io.datasets.frame_proposals import (
    MAX_HEIGHT_M,
    FrameProposal,
    clear_winner,
    propose_frame,
)

_LIFT_M = 0.1
"""Floors are searched from this far above a point."""

_DOUBT_BELOW = 0.9
"""A frame that leaves more than a tenth of the nodes outside or without floor is doubtful."""


def choose_frame(
    file: CapnavGraphFile, given: str | None, scene: Scene | None, rays: RayIndex | None
) -> tuple[Frame, tuple[FrameProposal, ...]]:
    """Return the frame to read a graph in, and what was tried to find it.

    Raises:
        InputError: If no frame was given and the scene does not settle it; every candidate
            and how well it fits has then been listed on standard error.
    """
    if given is not None:
        return FRAMES[given], _doubted(file, FRAMES[given], scene, rays)
    if len(file.positions) == 0:
        return CAPNAV, ()
    name = file.document.root.file
    wanted = f"say which with --frame ({', '.join(FRAMES)})"
    if scene is None or rays is None:
        raise InputError(
            f"{name}: positions: the file does not say its frame and there is no scene"
            f" to try it on; {wanted}"
        )
    proposals = fitting_frames(file, scene, rays)
    best = clear_winner(proposals)
    if best is None:
        for proposal in proposals:
            note(f"--frame {proposal.frame.key} fits {proposal.score:.0%}: {proposal.explanation}")
        raise InputError(f"{name}: positions: the scene does not settle their frame; {wanted}")
    note(f"read as --frame {best.frame.key}: {best.explanation}")
    return best.frame, proposals


def _doubted(
    file: CapnavGraphFile, given: Frame, scene: Scene | None, rays: RayIndex | None
) -> tuple[FrameProposal, ...]:
    """Say so where the frame that was asked for puts nodes outside the scene or off its floors."""
    if scene is None or rays is None or len(file.positions) == 0:
        return ()
    proposals = fitting_frames(file, scene, rays)
    mine = next((proposal for proposal in proposals if proposal.frame is given), None)
    if mine is not None and min(mine.share_inside, mine.share_above_floor) < _DOUBT_BELOW:
        note(f"--frame {given.key} hardly fits this scene: {mine.explanation}")
        best = proposals[0]
        if best.frame is not given:
            note(f"--frame {best.frame.key} fits better: {best.explanation}")
    return proposals


def fitting_frames(
    file: CapnavGraphFile, scene: Scene, rays: RayIndex
) -> tuple[FrameProposal, ...]:
    """Every frame the file may be in, the one that fits the scene best first.

    Raises:
        ValueError: If the file has no nodes.
    """
    return propose_frame(
        file.positions,
        scene.bounds_m,
        lambda point: _height_above_floor(rays, point),
        edge_ends=file.edge_ends,
        clear_probe=lambda start, end: _is_clear(rays, start, end),
    )


def floor_below(rays: RayIndex) -> Callable[[Vec3], float | None]:
    """Ask a scene for the height of the floor under a point."""

    def ask(point: Vec3) -> float | None:
        x, y, z = point
        hit = rays.floor_below((x, y, z + _LIFT_M), MAX_HEIGHT_M + _LIFT_M)
        return None if hit is None else hit.point_m[2]

    return ask


def proposals_json(proposals: tuple[FrameProposal, ...]) -> list[dict[str, Any]]:
    """Proposals for a report."""
    return [
        {
            "frame": proposal.frame.key,
            "score": proposal.score,
            "share_inside": proposal.share_inside,
            "share_above_floor": proposal.share_above_floor,
            "share_clear": proposal.share_clear,
        }
        for proposal in proposals
    ]


def _height_above_floor(rays: RayIndex, point: Vec3) -> float | None:
    floor_z = floor_below(rays)(point)
    return None if floor_z is None else point[2] - floor_z


def _is_clear(rays: RayIndex, start: Vec3, end: Vec3) -> bool:
    heading = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    return rays.first_hit(start, heading, max_distance_m=math.dist(start, end)) is None
