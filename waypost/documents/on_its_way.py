"""Answers that a server has not got yet: until it has, nobody knows whether they may be changed."""

from __future__ import annotations

from waypost.domain.base.mapping_changes import mapping_changes
from waypost.domain.project import Project
from waypost.domain.score.fairness import newly_in
from waypost.domain.traverse.traversability import Passage

WORDS = "the server has not got your last answer yet; change it once that is saved"

_Places = frozenset[tuple[str, str]]


def has_answers(known: Project, now: Project, who: str) -> bool:
    """Whether somebody's labels of passages that two label, or submitted scores, are on their way.

    Once both are in, nobody changes a label, and what others may have seen stays submitted.

    Args:
        known: What the server had when it last said what others say.
        now: The state that it is to have.
        who: At the window.
    """
    return bool(_labelled(known, now, who) or _submitted(known, now, who))


def changes_answers(known: Project, now: Project, wanted: Project, who: str) -> bool:
    """Whether a new state changes some of those.

    Args:
        known: As above.
        now: As above.
        wanted: The new one.
        who: As above.
    """
    # Who takes a passage away takes its labels with it, where that is allowed.
    changed = _labelled(now, wanted, who) if wanted.graph is now.graph else frozenset()
    if changed and not changed.isdisjoint(_labelled(known, now, who)):
        return True
    scored = _scored(now, wanted, who)
    return bool(scored) and not scored.isdisjoint(_submitted(known, now, who))


def _labelled(before: Project, after: Project, who: str) -> frozenset[Passage]:
    keys = mapping_changes(before.team.labels, after.team.labels).touched
    return frozenset(key.passage for key in keys if key.author == who)


def _scored(before: Project, after: Project, who: str) -> _Places:
    sheets = mapping_changes(before.scoring.sheets, after.scoring.sheets).touched
    said = mapping_changes(before.scoring.comparisons, after.scoring.comparisons).touched
    items = {(key.batch, key.item) for key in sheets if key.rater == who}
    return frozenset(items | {(key.batch, key.pair) for key in said if key.rater == who})


def _submitted(before: Project, after: Project, who: str) -> _Places:
    return newly_in(before.scoring, after.scoring) & _scored(before, after, who)
