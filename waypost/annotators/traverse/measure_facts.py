"""What was measured of a passage, as facts beside the question, one line each."""

from __future__ import annotations

from waypost.domain.base.counted_words import counted
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Verdict
from waypost.widgets.facts_table import Fact

_STEP_TOLERANCE_M = 0.002
_STRAIGHT_DETOUR_M = 0.01
_LEAST_SLOPE_DEG = 0.5

_SOURCES = {"geometry": "geometry", "sweep": "sweep"}
"""Whoever else says something has driven."""

_WAYS = {"_straight": "straight", "_path": "by path", "": "by path"}
_ANSWER_MARKS = {Verdict.TRAVELS: "✓", Verdict.DOES_NOT: "✕", Verdict.UNCERTAIN: "?"}


def measure_facts(measure: PassageMeasure, profile: AgentProfile) -> tuple[Fact, ...]:
    """What a measure stands on; what was not met, such as a step of nothing, has no line.

    Args:
        measure: What was measured.
        profile: Whom it was measured for.
    """
    return (
        *_ways(measure, profile),
        *_ground(measure, profile),
        *_room(measure, profile),
        *_who_says_so(measure),
    )


def _ways(measure: PassageMeasure, profile: AgentProfile) -> list[Fact]:
    facts = []
    width_m = measure.clear_width_m
    if width_m is not None:
        facts.append(Fact("clear width", f"{width_m:.2f} m", f"body {profile.width_m:.2f} m"))
        length_m = measure.clear_width_length_m
        if length_m is not None:
            facts.append(Fact("narrow for", f"{length_m:.2f} m"))
    if measure.detour_m is not None and measure.detour_m > _STRAIGHT_DETOUR_M:
        straight = _ANSWER_MARKS[measure.straight]
        facts.append(Fact("detour", f"{measure.detour_m:.2f} m", f"straight {straight}"))
    return facts


def _ground(measure: PassageMeasure, profile: AgentProfile) -> list[Fact]:
    facts = []
    limit_m = profile.step_limit_m
    for name, step_m in (("step up", measure.step_up_m), ("step down", measure.step_down_m)):
        if step_m > _STEP_TOLERANCE_M:
            needed = f"limit {limit_m * 100:.1f} cm"
            is_enough = step_m <= limit_m + _STEP_TOLERANCE_M
            facts.append(Fact(name, f"{step_m * 100:.1f} cm", needed, is_enough))
    if measure.flights:
        enough = profile.climbs_stairs
        able = "climbs stairs" if enough else "climbs none"
        facts.append(Fact("flights of stairs", str(measure.flights), able, enough))
    if measure.slope_deg > _LEAST_SLOPE_DEG:
        facts.append(Fact("slope", f"{measure.slope_deg:.1f}°"))
    if measure.hole_m:
        facts.append(Fact("hole", f"{measure.hole_m * 100:.1f} cm"))
    return facts


def _room(measure: PassageMeasure, profile: AgentProfile) -> list[Fact]:
    facts = []
    needs_m, has_m = measure.turn_needs_m, measure.turn_has_m
    if needs_m is not None and has_m is not None:
        facts.append(Fact("turning", f"{has_m:.2f} m", f"needs {needs_m:.2f} m", has_m >= needs_m))
    if measure.reversals:
        facts.append(Fact("manoeuvres", counted(measure.reversals, "reversal", "reversals")))
    head_m = measure.head_room_m
    if head_m is not None:
        height_m = profile.height_m
        facts.append(
            Fact("head-room", f"{head_m:.2f} m", f"needs {height_m:.2f} m", head_m >= height_m)
        )
    return facts


def _who_says_so(measure: PassageMeasure) -> list[Fact]:
    facts = []
    if measure.contacts:
        facts.append(Fact("touches", ", ".join(measure.contacts)))
    by_way: dict[str, dict[str, Verdict]] = {}
    for opinion in measure.opinions:
        source, way = _source_and_way(opinion.by)
        by_way.setdefault(way, {})[source] = opinion.answer
    everyone = [pair for said in by_way.values() for pair in said.items()]
    if len(set(everyone)) == len(dict(everyone)):
        by_way = {"opinions": dict(everyone)} if everyone else {}
    return [*facts, *(Fact(way, _opinion_words(said)) for way, said in by_way.items())]


def _opinion_words(said: dict[str, Verdict]) -> str:
    """Who says what, answer by answer, short enough for a line."""
    by_answer: dict[Verdict, list[str]] = {}
    for source, answer in said.items():
        by_answer.setdefault(answer, []).append(source)
    return "  ".join(f"{_ANSWER_MARKS[a]} {', '.join(names)}" for a, names in by_answer.items())


def _source_and_way(by: str) -> tuple[str, str]:
    """Plain words for who holds an opinion, such as ``sweep_straight``, and along which way."""
    for ending, way in _WAYS.items():
        if by.endswith(ending):
            key = by.removesuffix(ending)
            return _SOURCES.get(key, "driving"), way
    raise AssertionError("every text ends with the empty one")
