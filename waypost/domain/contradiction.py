"""Labels that say otherwise than what was measured or driven; a person decides, and is asked."""

from __future__ import annotations

from collections.abc import Mapping

from waypost.domain.project import Project
from waypost.domain.traverse.measure import PassageMeasure, measure_holds
from waypost.domain.traverse.passage_drive import DrivenBy, PassageDrive
from waypost.domain.traverse.traversability import Circumstances, Passage, Verdict, is_stale


def contradictions(
    verdict: Verdict, measure: PassageMeasure | None, drive: PassageDrive | None
) -> tuple[str, ...]:
    """What speaks against an answer, a clause each; doubt contradicts nothing and nobody.

    Args:
        verdict: The answer.
        measure: What was measured, if that still holds.
        drive: What the last drive showed, if that still holds.
    """
    found = []
    if measure is not None and {verdict, measure.answer} == {Verdict.TRAVELS, Verdict.DOES_NOT}:
        found.append(f"measured: {measure.words.removesuffix('.')}")
    if drive is None:
        return tuple(found)
    if verdict is Verdict.TRAVELS and drive.is_strict_collision:
        found.append(f"driven, obstacles pushed it off its line by {drive.pushed_m:.2f} m")
    elif verdict is Verdict.DOES_NOT and drive.has_reached and not drive.is_strict_collision:
        who = "it reached the target by itself"
        if drive.driven_by is DrivenBy.HAND:
            who = "it was driven to the target"
        found.append(f"{who} without being pushed")
    return tuple(found)


def contradictions_of(
    project: Project, passage: Passage, verdict: Verdict, now: Circumstances
) -> tuple[str, ...]:
    """What the evidence of a passage says against an answer; stale evidence says nothing.

    Args:
        project: Has the evidence.
        passage: What is answered.
        verdict: The answer.
        now: Tells what is stale.
    """
    measure, drive = project.measures.get(passage), project.drives.get(passage)
    if measure is not None and not measure_holds(measure, now):
        measure = None
    if drive is not None and is_stale(drive.provenance, passage, now):
        drive = None
    return contradictions(verdict, measure, drive)


def contradicting_labels(project: Project, now: Circumstances) -> Mapping[Passage, tuple[str, ...]]:
    """Every label that holds and contradicts its evidence, and what speaks against it."""
    found: dict[Passage, tuple[str, ...]] = {}
    for passage in project.measures.keys() | project.drives.keys():
        label = project.labels.get(passage)
        if label is None or label.is_stale(now):
            continue
        said = contradictions_of(project, passage, label.verdict, now)
        if said:
            found[passage] = said
    return found
