"""What was measured, as proposals: which still hold, which are uncertain, what is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from waypost.domain.traverse.measure import PassageMeasure, measure_holds
from waypost.domain.traverse.traversability import (
    REASON_TITLES,
    Circumstances,
    Passage,
    PassageState,
    Verdict,
)

Measures = Mapping[Passage, PassageMeasure]
"""What was measured, one measure per passage."""

NO_MEASURES: Measures = MappingProxyType({})
OPEN_STATES = frozenset({PassageState.UNDECIDED, PassageState.STALE})
"""A passage in one of these is to be answered."""


def measure_of(measures: Measures, passage: Passage, now: Circumstances) -> PassageMeasure | None:
    """The measure of a passage, if nothing that it was measured on has changed since."""
    measure = measures.get(passage)
    return measure if measure is not None and measure_holds(measure, now) else None


def uncertain_first(passages: Iterable[Passage], measures: Measures) -> tuple[Passage, ...]:
    """Passages by how uncertain their measures are; those without one stay in order at the end.

    First what was measured as uncertain, then what is certain by the smaller margin.
    """

    def doubt(passage: Passage) -> tuple[int, float]:
        measure = measures.get(passage)
        if measure is None:
            return 2, 0.0
        margin_m = abs(measure.margin_m) if measure.margin_m is not None else float("inf")
        return (0 if measure.answer is Verdict.UNCERTAIN else 1), margin_m

    return tuple(sorted(passages, key=doubt))


def margin_words(measure: PassageMeasure) -> str:
    """The margin, as ``+4.1 cm``; empty where there is none."""
    return "" if measure.margin_m is None else f"{measure.margin_m * 100:+.1f} cm"


def proposal_note(measure: PassageMeasure) -> str:
    """Why not, and by what margin, in a few letters."""
    why = REASON_TITLES[measure.reason] if measure.reason is not None else ""
    return " ".join(part for part in (why, margin_words(measure)) if part)
