"""What an agent did at a step as a turn and a distance, as far as geometry or the log tells."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from waypost.domain.base.frames import wrap_to_pi
from waypost.domain.episode.run import EventKind
from waypost.domain.replay.replay import Replay

_STILL_M: Final = 1e-6
_LEVEL_RAD: Final = math.radians(0.5)


@dataclass(frozen=True, slots=True)
class StepAction:
    """A decision as a movement."""

    stated: str
    """The action as the log has it; empty where it has poses only."""

    turn_rad: float | None
    """To the left positive, in (−π, π]; ``None`` where heading or target are unknown."""

    distance_m: float | None
    """Length of the way that followed; ``None`` where positions are unknown."""

    is_stop: bool
    is_logged: bool = False
    """Whether turn and distance are the log's own numbers."""

    @property
    def words(self) -> str:
        """E.g. ``turns 45° left, 2.30 m``, ``stops``, ``stays``; empty where nothing tells."""
        parts = []
        if self.turn_rad is not None:
            parts.append(turn_words(self.turn_rad))
        if self.distance_m is not None and (self.distance_m > _STILL_M or not parts):
            parts.append(f"{self.distance_m:.2f} m" if self.distance_m > _STILL_M else "stays")
        text = ", ".join(parts)
        if self.is_stop:
            text = f"stops; {text}" if text and text != "stays" else "stops"
        return f"{text} (as logged)" if text and self.is_logged else text


def turn_words(turn_rad: float) -> str:
    """``turns 45° left``, ``turns around``, or ``straight ahead`` within half a degree."""
    if abs(turn_rad) < _LEVEL_RAD:
        return "straight ahead"
    if abs(turn_rad) > math.pi - _LEVEL_RAD:
        return "turns around"
    side = "left" if turn_rad > 0 else "right"
    return f"turns {math.degrees(abs(turn_rad)):.0f}° {side}"


def step_action(replay: Replay, index: int) -> StepAction | None:
    """The movement that a step's decision led to; ``None`` where nothing was decided.

    On viewpoints the turn is from the heading at the step to the first other place of the way.
    In space and in place it is the change of the logged heading to the next pose; without logged
    headings the agent is taken to face the way it came.
    """
    step = replay.step(index)
    decision = step.decision
    if decision is None and (replay.run.decisions or index + 1 >= len(replay)):
        return None
    stated = decision.action if decision else ""
    is_stop = decision is not None and any(e.kind is EventKind.STOP for e in decision.events)
    logged = _logged(decision.extra) if decision else None
    if logged is not None:
        return StepAction(stated, logged[0], logged[1], is_stop, is_logged=True)
    if step.pose is None:
        return StepAction(stated, None, None, is_stop)
    end = decision.end_pose if decision else step.pose + 2
    last = _step_of_pose(replay, min(end, len(replay.run.route)) - 1, index)
    return StepAction(stated, _turn(replay, index, last), _distance(replay, index, last), is_stop)


def _logged(extra: Mapping[str, Any]) -> tuple[float | None, float | None] | None:
    """Open-Nav's own angle, counter-clockwise, and distance."""
    angle, distance = extra.get("angle_rad"), extra.get("distance_m")
    turn = wrap_to_pi(angle) if isinstance(angle, float) and math.isfinite(angle) else None
    length = distance if isinstance(distance, float) and math.isfinite(distance) else None
    return None if turn is None and length is None else (turn, length)


def _step_of_pose(replay: Replay, pose: int, start: int) -> int:
    found = int(np.searchsorted(replay.poses, pose))
    return min(max(found, start), len(replay) - 1)


def _turn(replay: Replay, index: int, last: int) -> float | None:
    facing, here = replay.facing_rad[index], replay.positions_m[index]
    start, end = replay.yaws_rad[index], replay.yaws_rad[last]
    is_by_way = bool(replay.viewpoint_ids) or not np.isfinite(start)
    if is_by_way and np.isfinite(facing):
        for there in replay.positions_m[index + 1 : last + 1]:
            gap = there[:2] - here[:2]
            if np.isfinite(gap).all() and np.hypot(*gap) > _STILL_M:
                return wrap_to_pi(math.atan2(gap[1], gap[0]) - float(facing))
    if last > index and np.isfinite(start) and np.isfinite(end):
        return wrap_to_pi(float(end - start))
    return None


def _distance(replay: Replay, index: int, last: int) -> float | None:
    length = float(replay.travelled_m[last] - replay.travelled_m[index])
    return length if math.isfinite(length) else None
