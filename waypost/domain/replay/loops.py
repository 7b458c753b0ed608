"""Where a run begins to go round in circles."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Loop:
    """The first loop of a run."""

    step: int
    """Where it begins: the step that arrives where the repetition starts."""

    reason: str
    """One sentence."""


def find_loop(moves: Sequence[tuple[int, int]], loop_visits: int) -> Loop | None:
    """The loop that begins first, if there is one.

    A run loops if it makes the same move twice, from one place to another in the same direction
    (A-B-A-B, or a round walked again), or if it comes to one place ``loop_visits`` separate
    times. Going back the way it came once is no loop. A repeated move begins where the agent
    stands before it makes the move again; repeated visits begin with the second of them.

    Args:
        moves: (place, step) of every arrival in order, turns in place left out.
        loop_visits: At least 2.
    """
    found = [loop for loop in (_repeated_move(moves), _visits(moves, loop_visits)) if loop]
    return min(found, key=lambda loop: loop.step, default=None)


def _repeated_move(moves: Sequence[tuple[int, int]]) -> Loop | None:
    seen: dict[tuple[int, int], int] = {}
    for index, ((here, step), (there, _)) in enumerate(itertools.pairwise(moves)):
        before = seen.setdefault((here, there), index)
        if before == index:
            continue
        if index - before == 2:
            return Loop(step, f"oscillates between two places from step {step} on")
        since = moves[before][1]
        return Loop(step, f"walks from step {step} on what it had walked from step {since} on")
    return None


def _visits(moves: Sequence[tuple[int, int]], loop_visits: int) -> Loop | None:
    arrivals: dict[int, list[int]] = {}
    for place, step in moves:
        steps = arrivals.setdefault(place, [])
        steps.append(step)
    loops = [
        Loop(steps[1], f"comes to one place {len(steps)} times, again first at step {steps[1]}")
        for steps in arrivals.values()
        if len(steps) >= loop_visits
    ]
    return min(loops, key=lambda loop: loop.step, default=None)
