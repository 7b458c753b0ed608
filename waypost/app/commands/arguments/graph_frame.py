"""Settle the frame of a graph file: as told, or the only one that fits the scene, or refuse."""

from __future__ import annotations

from typing import Any

from waypost.app.terminal.messages import note
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import CAPNAV, FRAMES, Frame
from waypost.domain.scene.scene import Scene
from waypost.geometry.ray_index import RayIndex
from waypost.io.datasets.frame_proposals import FrameProposal, clear_winner
from waypost.io.graphs.graph_files import GraphFile
from waypost.services.frame_fitting import fitting_frames

_DOUBT_BELOW = 0.9
"""A frame that leaves more than a tenth of the nodes outside or without floor is doubtful."""


def choose_frame(
    file: GraphFile, given: str | None, scene: Scene | None, rays: RayIndex | None
) -> tuple[Frame, tuple[FrameProposal, ...]]:
    """Return the frame to read a graph in, and what was tried to find it.

    Raises:
        InputError: If no frame was given and the scene does not settle it; every candidate
            and how well it fits has then been listed on standard error. Or if one was given and
            the file has another.
    """
    if file.frame is not None:
        if given not in {None, file.frame.key}:
            raise InputError(f"--frame: positions of {file.name} are always in {file.frame.title}")
        return file.frame, _doubted(file, file.frame, scene, rays)
    if given is not None:
        return FRAMES[given], _doubted(file, FRAMES[given], scene, rays)
    if len(file.positions) == 0:
        return CAPNAV, ()
    wanted = f"say which with --frame ({', '.join(FRAMES)})"
    if scene is None or rays is None:
        raise InputError(
            f"{file.name}: positions: the file does not say its frame and there is no scene"
            f" to try it on; {wanted}"
        )
    proposals = fitting_frames(file, scene, rays)
    best = clear_winner(proposals)
    if best is None:
        for proposal in proposals:
            note(f"--frame {proposal.frame.key} fits {proposal.score:.0%}: {proposal.explanation}")
        raise InputError(f"{file.name}: positions: the scene does not settle their frame; {wanted}")
    note(f"read as --frame {best.frame.key}: {best.explanation}")
    return best.frame, proposals


def _doubted(
    file: GraphFile, given: Frame, scene: Scene | None, rays: RayIndex | None
) -> tuple[FrameProposal, ...]:
    """Say so where the frame that was asked for puts nodes outside the scene or off its floors."""
    if scene is None or rays is None or len(file.positions) == 0:
        return ()
    proposals = fitting_frames(file, scene, rays)
    mine = next((proposal for proposal in proposals if proposal.frame is given), None)
    if mine is not None and min(mine.share_inside, mine.share_above_floor) < _DOUBT_BELOW:
        note(f"{_asked(file, given)} hardly fits this scene: {mine.explanation}")
        best = proposals[0]
        if best.frame is not given and file.frame is None:
            note(f"--frame {best.frame.key} fits better: {best.explanation}")
    return proposals


def _asked(file: GraphFile, frame: Frame) -> str:
    return f"--frame {frame.key}" if file.frame is None else f"the frame of {file.name}"


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
