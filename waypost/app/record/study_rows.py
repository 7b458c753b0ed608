"""A study as rows and facts for the coordinator's page."""

from __future__ import annotations

from waypost.app.record.rule_fields import FEEDBACK_WORDS
from waypost.domain.base.counted_words import counted
from waypost.domain.record.assignment import AssignmentReport, shortfall_words
from waypost.domain.record.study import (
    SETTLED,
    Assignment,
    AssignmentKey,
    AssignmentState,
    Study,
    Take,
    assignments_of,
    consent_in_force,
    has_consented,
    in_order,
)
from waypost.domain.record.study_progress import excluded_assignments, participant_progress
from waypost.domain.record.take_quality import DEFAULT_LIMITS, quality_flags
from waypost.domain.record.take_rules import TakeRules
from waypost.widgets.facts_table import Fact
from waypost.widgets.grouped_list import ListRow
from waypost.widgets.message_strip import Message, MessageLevel

_SIGNS = {
    AssignmentState.PENDING: "○",
    AssignmentState.IN_PROGRESS: "▶",
    AssignmentState.DONE: "✓",
    AssignmentState.ABANDONED: "✕",
    AssignmentState.REQUEUED: "↻",
}


LEFT_OUT_SIGN = "⊘"
"""Of who has withdrawn and of what is excluded."""


def participant_rows(study: Study) -> tuple[ListRow, ...]:
    """One row per participant: how far, and flags; those who have withdrawn come last."""
    rows, withdrawn = [], []
    for code in study.participants:
        progress = participant_progress(study, code, DEFAULT_LIMITS)
        flags = ", ".join(
            f"{kind.value.replace('_', ' ')} ×{count}" for kind, count in progress.flags.items()
        )
        tip = f"{counted(round(progress.active_ns / 60e9), 'minute')} of active time"
        if progress.has_withdrawn:
            text = f"{LEFT_OUT_SIGN} {code}"
            withdrawn.append(ListRow(code, text, "withdrawn", "Withdrawn", tip=tip))
            continue
        settled = f"{progress.settled} of {progress.expected}"
        rows.append(ListRow(code, code, settled, "Participants", warning=flags, tip=tip))
    return (*rows, *withdrawn)


def episode_rows(study: Study, code: str) -> tuple[ListRow, ...]:
    """One row per assignment of a participant, keyed by its place."""
    excluded = excluded_assignments(study, code)
    own = (take for key, take in study.takes.items() if key.participant == code)
    newest = {take.key.assignment: take for take in in_order(own)}
    return tuple(
        _episode_row(a, newest.get(a.key), is_excluded=a.key in excluded)
        for a in assignments_of(study, code)
    )


def _episode_row(assignment: Assignment, newest: Take | None, *, is_excluded: bool) -> ListRow:
    flags = () if newest is None else quality_flags(newest.summary, DEFAULT_LIMITS)
    state = "excluded" if is_excluded else assignment.state.value.replace("_", " ")
    sign = LEFT_OUT_SIGN if is_excluded else _SIGNS[assignment.state]
    return ListRow(
        str(assignment.place),
        f"{sign} {assignment.key.episode_id}",
        state,
        "Practice" if assignment.is_training else "Episodes",
        warning="; ".join(flag.message for flag in flags),
        tip=assignment.reason,
    )


def study_facts(study: Study) -> tuple[Fact, ...]:
    """What the study comes to."""
    if study.rules is None:
        return ()
    staying = [code for code, one in study.participants.items() if one.withdrawn_utc is None]
    excluded = frozenset[AssignmentKey]().union(*(excluded_assignments(study, c) for c in staying))
    assigned = [
        a
        for key, a in study.assignments.items()
        if not a.is_training and key.participant in staying and key not in excluded
    ]
    settled = sum(a.state in SETTLED for a in assigned)
    withdrawn = len(study.participants) - len(staying)
    practice = sum(episode.is_training for episode in study.episodes.values())
    text = consent_in_force(study)
    return (
        Fact("episodes", f"{len(study.episodes) - practice:,}", f"practice {practice}"),
        Fact("participants", f"{len(staying):,}", f"{withdrawn:,} withdrawn" if withdrawn else ""),
        Fact("assigned", f"{len(assigned):,}", f"{settled:,} settled"),
        Fact("takes", f"{sum(key.participant in staying for key in study.takes):,}"),
        Fact("consent", f"version {text.version}" if text else "none"),
        *_rule_facts(study.rules.of_takes),
    )


def _rule_facts(rules: TakeRules) -> tuple[Fact, ...]:
    """The rules that somebody who looks at the numbers must know."""
    limit_s = rules.time_limit_s
    shown = {
        "map": rules.shows_map,
        "compass": rules.shows_compass,
        "scale bar": rules.shows_scale_bar,
        "camera frames": rules.shows_frames,
    }
    aids = ", ".join(name for name, is_shown in shown.items() if is_shown)
    return (
        Fact("feedback", FEEDBACK_WORDS[rules.feedback]),
        *((Fact("time limit", f"{limit_s / 60:g} min"),) if limit_s is not None else ()),
        *((Fact("shown", aids),) if aids else ()),
        Fact("gaze", "up and down" if rules.can_look else "level"),
        Fact("questions", f"{len(rules.questions)}"),
    )


def shortfall_message(report: AssignmentReport) -> Message | None:
    """Who got fewer episodes than wanted, or has a path twice; ``None`` for nobody."""
    lines = [
        shortfall_words(short, report.paths)
        for short in report.shortfalls
        if short.assigned < short.wanted or short.repeated_paths
    ]
    if not lines:
        return None
    more = f" {len(lines) - 1:,} more." if lines[1:] else ""
    return Message(f"{lines[0]}.{more}", MessageLevel.WARNING, details="\n".join(lines[1:]))


def participant_facts(study: Study, code: str) -> tuple[Fact, ...]:
    """Where one participant stands."""
    progress = participant_progress(study, code, DEFAULT_LIMITS)
    following, excluded = progress.next, progress.excluded
    return (
        Fact("consent", _consent(study, code)),
        Fact("settled", f"{progress.settled} of {progress.expected}"),
        *((Fact("excluded", f"{excluded}"),) if excluded else ()),
        Fact("practice", f"{progress.training_settled} of {progress.training_expected}"),
        Fact("next", following.key.episode_id if following else "–"),
        *(Fact(kind.value.replace("_", " "), f"{n}") for kind, n in progress.flags.items()),
    )


def _consent(study: Study, code: str) -> str:
    if study.participants[code].withdrawn_utc is not None:
        return "withdrawn"
    return "given" if has_consented(study, code) else "asked first"
