"""Build the decisions of a run from what logs say: moves, back-tracks, text without a move."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from waypost.domain.episode.run import Decision, Event, EventKind


def with_event(decision: Decision, kind: EventKind, message: str) -> Decision:
    """The decision with one more event."""
    return dataclasses.replace(decision, events=(*decision.events, Event(kind, message)))


def mark_backtracks(
    viewpoint_ids: Sequence[str], decisions: Iterable[Decision]
) -> tuple[Decision, ...]:
    """The decisions, those that led back to a place where the agent had been marked as such."""
    marked = []
    for decision in decisions:
        moved = decision.end_pose > decision.first_pose
        target = viewpoint_ids[decision.end_pose - 1] if moved else ""
        is_known = any(event.kind is EventKind.BACKTRACK for event in decision.events)
        if moved and not is_known and target in viewpoint_ids[: decision.first_pose - 1]:
            first = viewpoint_ids.index(target)
            message = f"went back to {target}, where it had been at pose {first}"
            decision = with_event(decision, EventKind.BACKTRACK, message)  # noqa: PLW2901
        marked.append(decision)
    return tuple(marked)
