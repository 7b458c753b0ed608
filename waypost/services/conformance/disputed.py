"""Passages on which two engines disagree: what is measured of them, and if that is in doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from waypost.domain.base.errors import WaypostError
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.services.conformance.agreement import (
    DifferentDrive,
    DisputedPassage,
    DriveEnd,
    EngineAgreement,
)
from waypost.services.conformance.examination import Course
from waypost.services.measuring.engine_drives import STRICT_M
from waypost.services.measuring.measure_passages import measure_passages
from waypost.services.measuring.site import SiteSettings

_MOST_MEASURED: Final = 20
"""An engine that differs in more is not one of two that agree."""


def with_passages(
    agreement: EngineAgreement, course: Course, on_passage: Callable[[], object] = lambda: None
) -> EngineAgreement:
    """Measure the passages of drives that end differently; the reference engine is one opinion.

    Args:
        agreement: Of the drives of this course.
        course: Whose gaps nobody minds.
        on_passage: Called after each passage.
    """
    asked = disputed_passages(agreement)
    settings = SiteSettings(allows_gaps=True)
    measures: dict[Passage, PassageMeasure] = {}
    problem = f"not measured: only the first {_MOST_MEASURED} are"
    try:
        # Here and not in processes: they are few.
        for measure in measure_passages(
            course.scene, course.graph, course.agents, asked, workers=0, settings=settings
        ):
            measures[measure.passage] = measure
            on_passage()
    except WaypostError as error:
        problem = f"not measured: {error}"
    different = (
        replace(drive, measured=_disputed(drive, measures.get(drive.asked.passage), problem))
        for drive in agreement.different
    )
    return replace(agreement, different=tuple(different))


def disputed_passages(agreement: EngineAgreement) -> tuple[Passage, ...]:
    """The passages that are measured, each once."""
    asked = dict.fromkeys(drive.asked.passage for drive in agreement.different)
    return tuple(asked)[:_MOST_MEASURED]


def _disputed(
    drive: DifferentDrive, measure: PassageMeasure | None, problem: str
) -> DisputedPassage:
    if measure is None:
        return DisputedPassage(None, None, problem)
    ends = (("reference", drive.reference), ("engine", drive.other))
    contradicted = tuple(name for name, end in ends if _contradicts(measure.straight, end))
    return DisputedPassage(measure.answer, measure.straight, measure.words, contradicted)


def _contradicts(straight: Verdict, end: DriveEnd) -> bool:
    """Whether this drive would have made a certain measure of the straight way uncertain.

    One that arrives because what it met pushed it aside has not gone the straight way.
    """
    is_free = end.reached and end.displacement_m < STRICT_M
    if straight is Verdict.TRAVELS:
        return not is_free
    return straight is Verdict.DOES_NOT and is_free
