"""A study as rows and facts for the coordinator's page."""

from __future__ import annotations

from waypost.domain.base.counted_words import counted
from waypost.domain.record.study import (
    SETTLED,
    Assignment,
    AssignmentState,
    Study,
    assignments_of,
    consent_in_force,
    has_consented,
    takes_of,
)
from waypost.domain.record.study_progress import participant_progress
from waypost.domain.record.take_quality import DEFAULT_LIMITS, quality_flags
from waypost.widgets.facts_table import Fact
from waypost.widgets.grouped_list import ListRow

_SIGNS = {
    AssignmentState.PENDING: "○",
    AssignmentState.IN_PROGRESS: "▶",
    AssignmentState.DONE: "✓",
    AssignmentState.ABANDONED: "✕",
    AssignmentState.REQUEUED: "↻",
}


def participant_rows(study: Study) -> tuple[ListRow, ...]:
    """One row per participant: how far, and flags."""
    rows = []
    for code in study.participants:
        progress = participant_progress(study, code, DEFAULT_LIMITS)
        flags = ", ".join(
            f"{kind.value.replace('_', ' ')} ×{count}" for kind, count in progress.flags.items()
        )
        rows.append(
            ListRow(
                code,
                code,
                f"{progress.settled} of {progress.expected}",
                "Participants",
                warning="withdrawn" if progress.has_withdrawn else flags,
                tip=f"{counted(round(progress.active_ns / 60e9), 'minute')} of active time",
            )
        )
    return tuple(rows)


def episode_rows(study: Study, code: str) -> tuple[ListRow, ...]:
    """One row per assignment of a participant, keyed by its place."""
    return tuple(_episode_row(study, a) for a in assignments_of(study, code))


def _episode_row(study: Study, assignment: Assignment) -> ListRow:
    takes = takes_of(study, assignment.key)
    flags = quality_flags(takes[-1].summary, DEFAULT_LIMITS) if takes else ()
    state = assignment.state.value.replace("_", " ")
    return ListRow(
        str(assignment.place),
        f"{_SIGNS[assignment.state]} {assignment.key.episode_id}",
        state,
        "Practice" if assignment.is_training else "Episodes",
        warning="; ".join(flag.message for flag in flags),
        tip=assignment.reason,
    )


def study_facts(study: Study) -> tuple[Fact, ...]:
    """What the study comes to."""
    if study.rules is None:
        return ()
    counted = [a for a in study.assignments.values() if not a.is_training]
    settled = sum(a.state in SETTLED for a in counted)
    practice = sum(episode.is_training for episode in study.episodes.values())
    text = consent_in_force(study)
    return (
        Fact("episodes", f"{len(study.episodes) - practice:,}", f"practice {practice}"),
        Fact("people", f"{len(study.participants):,}"),
        Fact("assigned", f"{len(counted):,}", f"{settled:,} settled"),
        Fact("takes", f"{len(study.takes):,}"),
        Fact("consent", f"version {text.version}" if text else "none"),
        Fact("gaze", "up and down" if study.rules.can_look else "level"),
    )


def participant_facts(study: Study, code: str) -> tuple[Fact, ...]:
    """Where one participant stands."""
    progress = participant_progress(study, code, DEFAULT_LIMITS)
    following = progress.next
    return (
        Fact("consent", _consent(study, code)),
        Fact("settled", f"{progress.settled} of {progress.expected}"),
        Fact("practice", f"{progress.training_settled} of {progress.training_expected}"),
        Fact("next", following.key.episode_id if following else "–"),
        *(Fact(kind.value.replace("_", " "), f"{n}") for kind, n in progress.flags.items()),
    )


def _consent(study: Study, code: str) -> str:
    if study.participants[code].withdrawn_utc is not None:
        return "withdrawn"
    return "given" if has_consented(study, code) else "asked first"
