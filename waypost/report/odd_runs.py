"""The runs that a report counts and cannot show, by name: a bounded list of each kind."""

from __future__ import annotations

from dataclasses import dataclass

from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.services.replay.loading import MOST_NAMED, ReplayedRun


@dataclass(frozen=True, slots=True)
class OddRuns:
    """One kind of runs that cannot be shown."""

    kind: str
    """As in ``ReplayedRun.coverage``."""

    names: tuple[str, ...]
    """The first ids; of unreadable items the sentence with place and reason."""

    more: int
    """How many are counted and not named."""


def odd_runs(run: ReplayedRun) -> list[OddRuns]:
    """What a run has of missing, doubled, foreign and unreadable, the first of each by name."""
    named = {**run.odd_ids, "unreadable": tuple(one.message for one in unreadable_items(run))}
    return [
        OddRuns(kind, names, run.coverage[kind] - len(names))
        for kind, names in named.items()
        if run.coverage[kind]
    ]


def unreadable_items(run: ReplayedRun) -> list[ImportFinding]:
    """What is known of the first unreadable items."""
    found = [finding for finding in run.findings if finding.kind is ImportKind.UNREADABLE]
    return found[:MOST_NAMED]
