"""An agent that follows a script, so that there is something to replay without any model.

It knows the reference and behaves as it is told to: well, or wrong in one of the ways in which
models go wrong. Its thoughts are phrases with the names of places put in; the seed chooses among
them. Whatever it writes says that it is scripted.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import bearing_rad, wrap_to_pi
from waypost.domain.episode.episode import Episode
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

MODEL: Final = "scripted agent (no model)"
NOTE: Final = "Written by the scripted agent of Waypost, not by a model."
RADIUS_M: Final = 3.0
"""Success of the R2R family."""

_AHEAD_RAD: Final = math.radians(30)
_BEHIND_RAD: Final = math.radians(150)
_GOING: Final = (
    "“{clause}” – {place} lies {where}, {far:.1f} m away, and fits.",
    "I am at {here}. The next part is “{clause}”; {place} is {where}.",
    "{place}, {where}, comes next if I read “{clause}” right.",
)
_DOUBTING: Final = (
    "I am not sure that {here} was meant. I go back to {place} and look again.",
    "{here} does not look like “{clause}”. Back to {place}, {where}.",
)
_ASTRAY: Final = (
    "“{clause}” could mean {place}, {where}; I try it.",
    "I do not see the end yet; {place} is {where}, so I go on.",
)
_STOPPING: Final = (
    "{here} is where “{clause}” ends. I stop.",
    "I have reached {here}, which the instruction ends at. I stop.",
)
GARBLED: Final = "I would step through the mirror and follow the rabbit."
"""An answer that names no move."""

GARBLED_ANSWERS: Final = 2
"""So many of them in a row, then the run ends."""


class Behaviour(StrEnum):
    """What the script makes of the reference A-B-C-… that it knows."""

    PERFECT = "perfect"
    """Follows it to its end and stops."""

    LOOP = "loop"
    """A-B-A-B-C-…: goes back and forth once, then on to the end."""

    EARLY_STOP = "early_stop"
    """Stops at the last place that is 3 m or more from the goal."""

    WALKS_ON = "walks_on"
    """Reaches the goal and stops 3 m or more beyond it: an oracle success."""

    WRONG_WAY = "wrong_way"
    """Leaves the start in another direction and stops two places on."""

    GARBLED = "garbled"
    """Half way its answers name no move any more."""


@dataclass(frozen=True, slots=True)
class ScriptedStep:
    """One time the agent is asked."""

    at_id: str
    option_ids: tuple[str, ...]
    """Neighbours, in the order of the graph."""

    target_id: str
    """Where it goes; empty where it stays."""

    thought: str
    clause: str
    """The part of the instruction that it says it is at."""

    facing_rad: float
    """Scene yaw when it is asked."""

    is_garbled: bool = False
    is_return: bool = False
    """Whether it goes back to where it just came from."""

    @property
    def stops(self) -> bool:
        """Whether the answer is to stop."""
        return not self.target_id and not self.is_garbled


@dataclass(frozen=True, slots=True)
class ScriptedRun:
    """One attempt of the agent."""

    episode: Episode
    behaviour: Behaviour
    viewpoint_ids: tuple[str, ...]
    """Every pose, the start first."""

    steps: tuple[ScriptedStep, ...]
    """In order; each move leads to the next pose."""

    @property
    def called_stop(self) -> bool:
        """Whether the last answer was to stop."""
        return self.steps[-1].stops


def walk(
    episode: Episode,
    graph: ViewpointGraph,
    names: Mapping[str, str],
    behaviour: Behaviour,
    seed: int = 0,
) -> ScriptedRun:
    """Let the agent attempt an episode; the same seed gives the same words.

    Args:
        episode: With a reference on the graph.
        graph: Of its scan.
        names: Viewpoint id → name of the place.
        behaviour: What it does.
        seed: Chooses the words.

    Raises:
        InputError: If the reference is too short, or the graph too small, for the behaviour.
    """
    way = _way(episode.reference.viewpoint_ids, graph, behaviour)
    if way is None:
        raise InputError(f"episode {episode.episode_id}: {behaviour} is not possible there")
    words = _Words(episode, names, graph, random.Random(f"{seed} {episode.episode_id} {behaviour}"))
    return ScriptedRun(episode, behaviour, way, tuple(_steps(way, episode, behaviour, words)))


def _way(
    reference: tuple[str, ...], graph: ViewpointGraph, behaviour: Behaviour
) -> tuple[str, ...] | None:
    if len(reference) < 2:
        return None
    if behaviour is Behaviour.LOOP:
        return (*reference[:2], *reference)
    if behaviour in {Behaviour.EARLY_STOP, Behaviour.GARBLED}:
        goal = graph.index[reference[-1]]
        far = [name for name in reference if graph.geodesics_m[graph.index[name], goal] >= RADIUS_M]
        # An answer that names nothing is told apart from a choice by MapGPT from step 1 on only.
        fewest = 2 if behaviour is Behaviour.GARBLED else 1
        return tuple(far) if len(far) >= fewest else None
    if behaviour is Behaviour.WALKS_ON:
        beyond = _beyond(reference, graph)
        return None if beyond is None else (*reference, *beyond)
    if behaviour is Behaviour.WRONG_WAY:
        return _astray(reference, graph)
    return reference


def _beyond(reference: Sequence[str], graph: ViewpointGraph) -> tuple[str, ...] | None:
    """The shortest way from the goal to where it is no success any more, off the reference."""
    goal = graph.index[reference[-1]]
    ways = graph.geodesics_m[goal]
    for place in sorted(range(len(ways)), key=lambda index: (ways[index], index)):
        if not RADIUS_M <= ways[place] < math.inf:
            continue
        way = graph.path_between(reference[-1], graph.viewpoint_ids[place])
        if way[1] not in reference:
            return way[1:]
    return None


def _astray(reference: Sequence[str], graph: ViewpointGraph) -> tuple[str, ...] | None:
    """Two places, each the neighbour furthest from the goal, and not the goal's way."""
    goal = graph.index[reference[-1]]
    way = [reference[0]]
    for _ in range(2):
        near = graph.neighbours[graph.index[way[-1]]]
        names = [graph.viewpoint_ids[index] for index in sorted(near)]
        open_to = [name for name in names if name not in {*way, reference[1]}]
        if open_to:
            way.append(max(open_to, key=lambda name: graph.geodesics_m[graph.index[name], goal]))
    is_failure = graph.geodesics_m[graph.index[way[-1]], goal] >= RADIUS_M
    return tuple(way) if len(way) > 1 and is_failure else None


@dataclass(frozen=True, slots=True)
class _Words:
    """Puts places and parts of the instruction into phrases."""

    episode: Episode
    names: Mapping[str, str]
    graph: ViewpointGraph
    chance: random.Random

    def say(self, phrases: Sequence[str], here: str, place: str, where: str, clause: str) -> str:
        index, lengths = self.graph.index, self.graph.edge_lengths_m
        far = float(lengths[index[here], index[place]]) if place else 0.0
        return self.chance.choice(phrases).format(
            here=self.names[here],
            place=self.names.get(place, ""),
            where=where,
            far=far,
            clause=clause,
        )

    def clause(self, done: float) -> str:
        """The part of the instruction at a share of the way."""
        text = self.episode.instruction.text.replace(", then ", ". ").replace(" and then ", ". ")
        parts = [part.strip(" .") for part in text.split(". ") if part.strip(" .")]
        return parts[min(int(done * len(parts)), len(parts) - 1)] if parts else ""


def _steps(
    way: tuple[str, ...], episode: Episode, behaviour: Behaviour, words: _Words
) -> list[ScriptedStep]:
    reference = episode.reference.viewpoint_ids
    facing = episode.start_yaw_rad or 0.0
    steps: list[ScriptedStep] = []
    for pose, (here, there) in enumerate(itertools.pairwise(way)):
        turn = turn_rad(words.graph, here, there, facing)
        is_return = behaviour is Behaviour.LOOP and pose == 1
        on_way = here in reference and there in reference
        phrases = _DOUBTING if is_return else _GOING if on_way else _ASTRAY
        done = reference.index(here) / len(reference) if here in reference else 0.99
        clause = words.clause(done)
        thought = words.say(phrases, here, there, told_turn(turn), clause)
        options = option_ids(words.graph, here)
        steps.append(
            ScriptedStep(here, options, there, thought, clause, facing, is_return=is_return)
        )
        facing = wrap_to_pi(facing + turn)
    last = way[-1]
    options = option_ids(words.graph, last)
    if behaviour is Behaviour.GARBLED:
        step = ScriptedStep(last, options, "", GARBLED, "", facing, is_garbled=True)
        return [*steps, *(step for _ in range(GARBLED_ANSWERS))]
    clause = words.clause(0.99)
    thought = words.say(_STOPPING, last, "", "", clause)
    return [*steps, ScriptedStep(last, options, "", thought, clause, facing)]


def option_ids(graph: ViewpointGraph, viewpoint_id: str) -> tuple[str, ...]:
    """Where one can go from a viewpoint, in the order of the graph."""
    near = graph.neighbours[graph.index[viewpoint_id]]
    return tuple(graph.viewpoint_ids[index] for index in sorted(near))


def turn_rad(graph: ViewpointGraph, here: str, there: str, facing_rad: float) -> float:
    """The turn towards a neighbour, counter-clockwise, in [−π, π)."""
    start, end = (graph.positions_m[graph.index[name]].tolist() for name in (here, there))
    return wrap_to_pi(bearing_rad(start, end) - facing_rad)


def told_turn(turn: float) -> str:
    """A turn in words."""
    if abs(turn) <= _AHEAD_RAD:
        return "ahead"
    if abs(turn) >= _BEHIND_RAD:
        return "behind me"
    return "to the left" if turn > 0 else "to the right"
