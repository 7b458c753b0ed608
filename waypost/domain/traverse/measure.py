"""What a machine found about one passage: its answer, its margin, and what it stands on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Final, NamedTuple

from waypost.domain.base.frames import Vec3
from waypost.domain.base.value_codec import PACKED
from waypost.domain.traverse.passage_rule import DEFAULT_PASSAGE_RULE, PassageRule
from waypost.domain.traverse.traversability import (
    Circumstances,
    Passage,
    Provenance,
    Reason,
    Verdict,
    what_changed,
)

MEASURING_VERSION: Final = 7
"""Of the way passages are measured. It rises with every change that may change an answer or a
number of a measure, so that what was measured before is measured again."""


class Opinion(NamedTuple):
    """One independent answer about a passage."""

    by: str
    """Who says so: ``geometry_straight``, ``geometry``, ``sweep_straight``, ``sweep``,
    ``physx_straight``, ``physx_path`` (or with the name of another engine that drove). Where the
    path is straight, a straight one counts for both.
    """

    answer: Verdict
    words: str
    """Why, in one clause."""


class AbsentOpinion(NamedTuple):
    """An opinion that could not be asked for."""

    by: str
    """``sweep``, or the name of an engine."""

    why: str
    """In one clause, such as ``coal is not installed``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageFacts:
    """What an answer about a passage stands on.

    Lengths in metres, places in the scene frame; ``None`` is "not measured" or "there is none".
    """

    detour_m: float | None = None
    """Length of the found path beyond the straight edge; 0 along it."""

    clear_width_m: float | None = None
    """Diameter of the widest disc that moves between the nodes in the agent's band of heights."""

    clear_width_at_m: Vec3 | None = None
    """Where that disc is tightest, on the ground."""

    clear_width_length_m: float | None = None
    """Over what length the way is within 1 cm of that width."""

    step_up_m: float = 0.0
    step_up_at_m: Vec3 | None = None
    step_down_m: float = 0.0
    step_down_at_m: Vec3 | None = None
    flights: int = 0
    """Flights of stairs on the way."""

    slope_deg: float = 0.0
    head_room_m: float | None = None
    """Least free height above the ground of the path; ``None`` under open sky."""

    hole_m: float | None = None
    """The widest hole in the ground under the path."""

    turn_needs_m: float | None = None
    """Diameter of the free disc that the agent needs to turn where it must."""

    turn_has_m: float | None = None
    """Diameter of the free disc that is there."""

    reversals: int | None = None
    """How often the drive changes between forward and backward on the way; ``None`` where there is
    no way, or none that was found can be followed."""


@dataclass(frozen=True, slots=True)
class PassageMeasure(PassageFacts):
    """What was measured of one passage; a proposal for a person, never a label."""

    passage: Passage
    answer: Verdict
    """By the project's rule: by default along any path within the detour."""

    straight: Verdict
    """Strictly along the straight edge: nothing touched, nothing pushed."""

    reason: Reason | None
    """Set if and only if the answer is ``does_not``."""

    words: str
    """The answer explained in one sentence for a person."""

    at_m: Vec3 | None = None
    """The critical place."""

    margin_m: float | None = None
    """How far the deciding quantity is from its limit; negative where it does not pass."""

    contacts: tuple[str, ...] = ()
    """Names of the objects touched, or underfoot, in order."""

    path_m: Annotated[tuple[Vec3, ...], PACKED] = ()
    """The path found, on the ground."""

    picture: str = ""
    """Digest of the attachment that shows the critical place as a PNG; empty if there is none."""

    opinions: tuple[Opinion, ...] = ()
    absent_opinions: tuple[AbsentOpinion, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)
    sim_time_s: float = 0.0
    headings_rad: tuple[float, ...] = ()
    """Of the body at each place of the path; empty where they were not kept."""

    rule: PassageRule = DEFAULT_PASSAGE_RULE
    """By which the answer is given."""

    measuring_version: int = 0
    """``MEASURING_VERSION`` when it was measured; 0 where that was not kept."""

    is_of_elevator: bool = False
    """Whether the edge was an elevator: then it says what the agent can do, and nothing of the
    ground between the nodes."""


def what_changed_since(measure: PassageMeasure, now: Circumstances) -> Iterator[str]:
    """Why a measure says nothing any more, in words; nothing where it still holds.

    Yields:
        A clause for each difference: ``the rule for passages has changed``.
    """
    yield from what_changed(measure.provenance, measure.passage, now)
    if now.passage_rule is not None and measure.rule != now.passage_rule:
        yield "the rule for passages has changed"
    is_elevator = frozenset(measure.passage[:2]) in now.elevators
    if now.graph.edges and is_elevator is not measure.is_of_elevator:
        yield f"the edge {'was' if measure.is_of_elevator else 'is'} an elevator"
    if measure.measuring_version != MEASURING_VERSION:
        yield "it was measured in an older way"


def measure_holds(measure: PassageMeasure, now: Circumstances) -> bool:
    """Whether nothing that a measure rests on has changed; see ``what_changed_since``."""
    return next(what_changed_since(measure, now), None) is None
