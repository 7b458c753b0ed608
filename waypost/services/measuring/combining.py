"""One answer made of several opinions: who may say yes, who may say no, and what is said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Final

from waypost.domain.base.frames import Vec3
from waypost.domain.base.sentences import capitalised
from waypost.domain.traverse.measure import (
    MEASURING_VERSION,
    AbsentOpinion,
    Opinion,
    PassageFacts,
    PassageMeasure,
)
from waypost.domain.traverse.passage_rule import AnswerBy, PassageRule
from waypost.domain.traverse.traversability import Provenance, Reason, Verdict
from waypost.geometry.measuring.geometric_measure import GeometricAnswer, GeometricMeasure
from waypost.services.measuring.body_sweep import SweepFinding
from waypost.services.measuring.engine_drives import DriveFinding
from waypost.simulators.engines import REFERENCE_ENGINE

_DETOUR_SAID_M: Final = 0.01
_UNSEEN_BY_SWEEP: Final = frozenset(
    {Reason.FLOOR_HOLE, Reason.STAIRS, Reason.STEP_OR_SILL, Reason.NO_ROOM_TO_TURN, Reason.DOOR}
)
"""Reasons that a body swept above its step limit knows nothing of."""


@dataclass(frozen=True, slots=True)
class WayFindings:
    """What was found along one of the two ways."""

    geometry: GeometricAnswer
    sweep: SweepFinding | None = None
    drive: DriveFinding | None = None
    underfoot: tuple[str, ...] = ()
    """Furniture that the way goes over."""


@dataclass(frozen=True, slots=True)
class WayAnswer:
    """The answer along one way."""

    verdict: Verdict
    words: str
    reason: Reason | None = None
    at_m: Vec3 | None = None
    margin_m: float | None = None


def way_answer(way: WayFindings, hole_m: float | None, rule: PassageRule) -> WayAnswer:
    """Weigh the opinions along one way.

    Geometry proposes. A sweep or a drive that does not arrive makes its “travels” uncertain, so
    does furniture underfoot unless the project allows it; one that arrives untouched makes its
    “does not” uncertain. No drive proves anything alone.
    """
    own = way.geometry
    answer = WayAnswer(own.verdict, own.words, own.reason, own.at_m, own.margin_m)
    if own.verdict is Verdict.TRAVELS:
        if way.underfoot and not rule.allows_furniture:
            words = f"goes over {', '.join(way.underfoot)}"
            return replace(answer, verdict=Verdict.UNCERTAIN, words=words)
        return _contradicted(answer, way)
    if own.verdict is Verdict.DOES_NOT:
        return _doubted(answer, way, hole_m)
    return answer


def _contradicted(answer: WayAnswer, way: WayFindings) -> WayAnswer:
    """A geometric “travels” that another opinion does not share."""
    if way.sweep is not None and not way.sweep.passes:
        words = f"geometry finds it free, but a swept body {_sweep_words(way.sweep)}"
        return replace(answer, verdict=Verdict.UNCERTAIN, words=words, at_m=way.sweep.at_m)
    drive = way.drive
    if drive is not None:
        opinion = drive.opinion("", None)
        if opinion.answer is Verdict.DOES_NOT or drive.is_pushed:
            words = f"geometry finds it free, but the engine's agent {opinion.words}"
            at_m = drive.outcome.stopped_at_m if drive.outcome else answer.at_m
            return replace(answer, verdict=Verdict.UNCERTAIN, words=words, at_m=at_m)
    return answer


def _doubted(answer: WayAnswer, way: WayFindings, hole_m: float | None) -> WayAnswer:
    """A geometric “does not” that another opinion contradicts."""
    drive = way.drive
    if drive is not None and drive.opinion("", hole_m).answer is Verdict.TRAVELS:
        words = f"{answer.words}; but the engine's agent arrives"
        return replace(answer, verdict=Verdict.UNCERTAIN, words=words)
    is_seen = answer.reason not in _UNSEEN_BY_SWEEP and not way.underfoot
    if way.sweep is not None and way.sweep.passes and is_seen:
        words = f"{answer.words}; but a swept body passes"
        return replace(answer, verdict=Verdict.UNCERTAIN, words=words)
    return answer


@dataclass(frozen=True, slots=True)
class PassageFindings:
    """Everything found about one passage."""

    geometry: GeometricMeasure
    straight: WayFindings
    path: WayFindings
    is_path_straight: bool
    """Whether both ways are the same, so that each opinion was asked once."""

    absent: tuple[AbsentOpinion, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)


def combined(findings: PassageFindings, rule: PassageRule) -> PassageMeasure:
    """The measure of a passage by the rule of the project."""
    geometry = findings.geometry
    straight = way_answer(findings.straight, geometry.hole_m, rule)
    path = way_answer(findings.path, geometry.hole_m, rule)
    if straight.verdict is Verdict.TRAVELS and path.verdict is not Verdict.TRAVELS:
        # The straight way is one of the paths.
        path = straight
    by_rule = straight if rule.answer_by is AnswerBy.STRAIGHT else path
    reason = by_rule.reason or Reason.OTHER if by_rule.verdict is Verdict.DOES_NOT else None
    return PassageMeasure(
        passage=geometry.passage,
        answer=by_rule.verdict,
        straight=straight.verdict,
        reason=reason,
        words=_sentence(by_rule, straight, geometry, rule),
        at_m=by_rule.at_m or geometry.clear_width_at_m,
        margin_m=by_rule.margin_m,
        contacts=_contacts(findings),
        path_m=tuple((x, y, z) for x, y, z, _ in geometry.path),
        headings_rad=tuple(heading for *_, heading in geometry.path),
        opinions=tuple(_opinions(findings)),
        absent_opinions=findings.absent,
        provenance=findings.provenance,
        rule=rule,
        measuring_version=MEASURING_VERSION,
        sim_time_s=sum(d.outcome.sim_time_s for d in _drives(findings) if d.outcome is not None),
        **{f.name: getattr(geometry, f.name) for f in fields(PassageFacts)},
    )


def _sentence(
    answer: WayAnswer, straight: WayAnswer, geometry: GeometricMeasure, rule: PassageRule
) -> str:
    words = answer.words
    detour_m = geometry.detour_m or 0.0
    is_round = rule.answer_by is AnswerBy.ANY_PATH and straight.verdict is not Verdict.TRAVELS
    if answer.verdict is Verdict.TRAVELS and is_round and detour_m >= _DETOUR_SAID_M:
        words = f"{words}; {detour_m:.2f} m longer than the straight edge, where {straight.words}"
    needs_m, has_m = geometry.turn_needs_m, geometry.turn_has_m
    if answer.verdict is Verdict.TRAVELS and needs_m and has_m is not None and has_m < needs_m:
        words = f"{words}; cannot turn round there: needs {needs_m:.2f} m, has {has_m:.2f} m"
    return f"{capitalised(words)}."


def _drives(findings: PassageFindings) -> Iterable[DriveFinding]:
    ways = (findings.straight,) if findings.is_path_straight else (findings.straight, findings.path)
    return (way.drive for way in ways if way.drive is not None)


def _contacts(findings: PassageFindings) -> tuple[str, ...]:
    """Names of what was touched or underfoot, each once, along the straight way first."""
    names: dict[str, None] = {}
    for way in (findings.straight, findings.path):
        names.update(dict.fromkeys((*way.geometry.contacts, *way.underfoot)))
        if way.sweep is not None and not way.sweep.passes and way.sweep.object:
            names[way.sweep.object] = None
        if way.drive is not None and way.drive.outcome is not None:
            names.update(dict.fromkeys(contact.object for contact in way.drive.outcome.contacts))
    return tuple(names)


def _opinions(findings: PassageFindings) -> Iterable[Opinion]:
    geometry = findings.geometry
    engine = findings.provenance.engine or REFERENCE_ENGINE
    ways = [(findings.straight, "geometry_straight", "sweep_straight", f"{engine}_straight")]
    ways.append((findings.path, "geometry", "sweep", f"{engine}_path"))
    for place, (way, by_geometry, by_sweep, by_drive) in enumerate(ways):
        yield Opinion(by_geometry, way.geometry.verdict, way.geometry.words)
        if place == 1 and findings.is_path_straight:
            continue
        if way.sweep is not None:
            verdict = Verdict.TRAVELS if way.sweep.passes else Verdict.DOES_NOT
            yield Opinion(by_sweep, verdict, _sweep_words(way.sweep))
        if way.drive is not None:
            yield way.drive.opinion(by_drive, geometry.hole_m)


def _sweep_words(sweep: SweepFinding) -> str:
    if sweep.passes:
        return f"passes, nearest to {sweep.object}" if sweep.object else "passes"
    if sweep.stopped_by == "touch":
        return f"touches {sweep.object or 'something'}"
    return "meets a drop" if sweep.stopped_by == "drop" else "has no floor"
