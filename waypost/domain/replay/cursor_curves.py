"""The values of a replay at its cursor as curves over the steps, with their definitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from waypost.domain.replay.columns import Floats
from waypost.domain.replay.replay import Replay


@dataclass(frozen=True, eq=False, slots=True)
class CursorCurve:
    """One value at every step."""

    key: str
    """``to_goal``, ``oracle``, ``progress``, ``travelled`` or ``ndtw``."""

    title: str
    unit: str
    """``m`` or ``fraction``."""

    values: Floats
    """(T,) NaN where undefined. Read-only."""

    definition: str
    """What exactly is computed, in one or two sentences."""

    @property
    def is_known(self) -> bool:
        """Whether any step has a value."""
        return bool(np.isfinite(self.values).any())

    def at(self, step: int) -> float | None:
        """The value at a step; ``None`` where undefined."""
        value = float(self.values[step])
        return value if np.isfinite(value) else None


_ALONG: Final = "along the graph to the nearest goal"
_STRAIGHT: Final = "in a straight line to the nearest goal, heights relative to the start"


def cursor_curves(replay: Replay) -> tuple[CursorCurve, ...]:
    """All curves of a run, those without any value included."""
    graph = replay.graph if replay.viewpoint_ids else None
    on_graph = graph is not None
    has_goal = graph is not None and any(n in graph.index for n in replay.goal_viewpoint_ids)
    way = _ALONG if has_goal else _STRAIGHT
    placing = replay.episode.placing
    placed = f" Here {placing.note}." if placing is not None and placing.is_placed else ""
    has_poses = bool(len(replay)) and bool(replay.poses[0] >= 0)
    return (
        CursorCurve(
            "to_goal", "Distance to goal", "m", replay.to_goal_m, f"Metres from here {way}.{placed}"
        ),
        CursorCurve(
            "oracle", "Oracle distance", "m", replay.oracle_m, "The least distance to goal so far."
        ),
        CursorCurve(
            "progress",
            "Progress",
            "fraction",
            replay.progress,
            "(distance at the start − distance) / distance at the start; negative further away.",
        ),
        CursorCurve(
            "travelled",
            "Travelled",
            "m",
            replay.travelled_m if has_poses else np.full(len(replay), np.nan),
            "Length walked so far, " + ("along the graph." if on_graph else "pose to pose."),
        ),
        CursorCurve(
            "ndtw",
            "nDTW so far",
            "fraction",
            replay.ndtw_so_far,
            "exp(−DTW / (3 m · reference poses)) of the run up to here; turns in place leave it"
            f" as it is.{placed}",
        ),
    )
