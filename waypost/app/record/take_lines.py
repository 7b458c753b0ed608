"""The attempts at an episode for a coordinator: how far, how long, and whether they count."""

from __future__ import annotations

from waypost.app.record.study_rows import LEFT_OUT_SIGN
from waypost.app.record.take_list import TakeLine
from waypost.domain.record.study import AssignmentKey, Study, Take, takes_of
from waypost.domain.record.study_progress import left_out_reason


def take_lines(study: Study, key: AssignmentKey) -> tuple[TakeLine, ...]:
    """One line per attempt, the newest first."""
    return tuple(_line(study, take) for take in reversed(takes_of(study, key)))


def _line(study: Study, take: Take) -> TakeLine:
    summary = take.summary
    reason = left_out_reason(study, take)
    has_withdrawn = study.participants[take.key.participant].withdrawn_utc is not None
    seconds = summary.duration_ns / 1e9
    return TakeLine(
        take.key.number,
        f"Take {take.key.number}: {summary.path_length_m:.1f} m in {seconds:.0f} s",
        "counts" if reason is None else f"does not count: {reason}",
        reason is None,
        LEFT_OUT_SIGN if take.excluded_reason or has_withdrawn else "✕",
        take.excluded_reason,
    )
