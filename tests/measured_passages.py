"""Passages of a project that are measured already."""

from __future__ import annotations

from collections.abc import Callable

from waypost.app.shell.workbench import Workbench
from waypost.domain.project import set_measures
from waypost.domain.traverse.measure import MEASURING_VERSION, PassageMeasure
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    Reason,
    Verdict,
    passages,
)


def measure_by(
    bench: Workbench,
    answer_of: Callable[[int, Passage], tuple[Verdict, float | None]],
    reason_of: Callable[[Passage], Reason | None] = lambda _: Reason.TOO_NARROW,
) -> None:
    """Put a measure of every passage of every agent into the open project.

    Args:
        bench: Where the project is open.
        answer_of: Gives answer and margin from the place in the queue and the passage.
        reason_of: Gives the reason of a “does not”.
    """
    document = bench.document
    assert document is not None
    found = []
    for agent in document.project.agents.values():
        provenance = Provenance(bench.scene_hash, agent.profile_hash)
        for number, passage in enumerate(passages(document.project.graph, agent.key)):
            answer, margin_m = answer_of(number, passage)
            found.append(
                PassageMeasure(
                    passage,
                    answer,
                    answer,
                    reason_of(passage) if answer is Verdict.DOES_NOT else None,
                    "As wide as the door.",
                    margin_m=margin_m,
                    provenance=provenance,
                    measuring_version=MEASURING_VERSION,
                )
            )
    document.edit("Measure", set_measures(document.project, found))
