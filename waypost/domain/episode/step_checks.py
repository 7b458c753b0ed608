"""Whether the poses of a run lie as near to each other as its actions can carry an agent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.episode.run import EpisodeRun

FORWARD_STEP_M: Final = 0.25
"""What one forward action of VLN-CE carries an agent in plan
(jacobkrantz/VLN-CE:habitat_extensions/config/vlnce_task.yaml)."""

TELEPORT_M: Final = 0.75
"""From here on VLN-CE's server refuses a step between two positions: it asserts that they are less
than 0.75 m apart (traceback in MrZihan/g3D-LF, issue 1)."""

_ROUNDING_M: Final = 0.01


@dataclass(frozen=True, slots=True)
class Teleport:
    """Two poses in a row that no action joins."""

    step: int
    """Index of the second pose."""

    distance_m: float


def teleports(run: EpisodeRun) -> list[Teleport]:
    """The moves of a run that are ``TELEPORT_M`` or longer, where every action has a pose.

    Runs whose form does not say how far an action carries (``forward_step_m``) have none: their
    poses may be the ends of whole decisions.
    """
    if run.forward_step_m is None:
        return []
    gaps = _gaps_m(run, 3)
    return [Teleport(int(at) + 1, float(gaps[at])) for at in np.flatnonzero(gaps >= TELEPORT_M)]


def check_steps(run: EpisodeRun) -> Iterator[ImportFinding]:
    """Every teleport, and the longest of the moves that are merely longer than a forward step."""
    if run.forward_step_m is None or run.route.positions_m is None:
        return
    name = run.episode_id
    for jump in teleports(run):
        yield ImportFinding(
            ImportKind.TELEPORT,
            name,
            jump.step,
            f"{jump.distance_m:.2f} m",
            f"step {jump.step} is {jump.distance_m:.2f} m long; a forward step is"
            f" {run.forward_step_m:.2f} m",
        )
    is_long = (_gaps_m(run, 2) > run.forward_step_m + _ROUNDING_M) & (_gaps_m(run, 3) < TELEPORT_M)
    if is_long.any():
        lengths = np.where(is_long, _gaps_m(run, 2), 0.0)
        step = int(np.argmax(lengths)) + 1
        yield ImportFinding(
            ImportKind.LONG_STEP,
            name,
            step,
            f"{lengths[step - 1]:.2f} m",
            f"{int(is_long.sum())} of {len(is_long)} steps are longer than a forward step of"
            f" {run.forward_step_m:.2f} m; the longest, step {step}, is {lengths[step - 1]:.2f} m",
        )


def _gaps_m(run: EpisodeRun, dimensions: int) -> np.ndarray:
    positions = run.route.positions_m
    if positions is None or len(positions) < 2:
        return np.empty(0)
    gaps: np.ndarray = np.linalg.norm(np.diff(positions[:, :dimensions], axis=0), axis=1)
    return gaps
