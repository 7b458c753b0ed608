"""Where a body gets to that nothing pushes, against what a solver in float32 makes of it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from waypost.simulators.backends.engine import Pose

_ROUNDING = 2.0**-24
"""Largest share by which a float32 number is rounded."""


def free_pose(before: Pose, velocity: Sequence[float], time_s: float) -> Pose:
    """Where a body is after some time at a velocity.

    Args:
        before: Where it was.
        velocity: x, y, z in m/s, and its turn in rad/s.
        time_s: How long.
    """
    x, y, z, yaw = (now + rate * time_s for now, rate in zip(before, velocity))
    return Pose(x, y, z, math.remainder(yaw, math.tau))


def is_rounded(free: Pose, met: Pose, additions: int) -> bool:
    """Whether two poses differ by no more than so many float32 additions may round by.

    A solver that moves a body a little in each of its iterations rounds its position as often, and
    at one speed always the same way: 20 m from the origin, 60 iterations make an agent at 0.8 m/s
    4 mm/s too slow.

    Args:
        free: Where the body should be if nothing pushed it.
        met: Where the solver has it.
        additions: Iterations of all solves between.
    """
    for wanted, seen in zip(free[:3], met[:3]):
        if abs(wanted - seen) > (additions + 1) * max(abs(wanted), 1.0) * _ROUNDING:
            return False
    turned_rad = abs(math.remainder(free.yaw_rad - met.yaw_rad, math.tau))
    # An angle is twice the one in its quaternion.
    return turned_rad <= 2 * (additions + 1) * _ROUNDING
