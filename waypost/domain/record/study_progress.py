"""How far a study is: counts per participant, when a break is due, which takes count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from waypost.domain.base.counted_words import counted
from waypost.domain.record.study import (
    SETTLED,
    Assignment,
    AssignmentKey,
    AssignmentState,
    Study,
    Take,
    TakeKey,
    assignments_of,
    began,
    in_order,
    moment,
    next_assignment,
    takes_of,
)
from waypost.domain.record.take_quality import FlagKind, QualityLimits, quality_flags


@dataclass(frozen=True, slots=True)
class ParticipantProgress:
    """Where one participant stands; training and excluded episodes are counted apart."""

    code: str
    expected: int
    """Episodes assigned, without those that are excluded."""

    states: Mapping[AssignmentState, int]
    """Every state → episodes; they add up to ``expected``."""

    excluded: int
    """Episodes whose take a coordinator excluded."""

    training_expected: int
    training_settled: int
    active_ns: int
    """Active time of all takes, training and superseded ones included."""

    flags: Mapping[FlagKind, int]
    """Flag → takes that have it, of those that count."""

    has_withdrawn: bool
    next: Assignment | None
    """Where this participant goes on."""

    @property
    def settled(self) -> int:
        """Episodes with nothing left to do."""
        return sum(self.states[state] for state in SETTLED)


class LeftOut(NamedTuple):
    """A take that does not count."""

    key: TakeKey
    reason: str
    """One phrase."""

    @property
    def kind(self) -> str:
        """The reason without what is special about this take."""
        return self.reason.partition(":")[0].partition(" by take ")[0]


def participant_progress(study: Study, code: str, limits: QualityLimits) -> ParticipantProgress:
    """Count one participant's episodes by state."""
    own, excluded = assignments_of(study, code), excluded_assignments(study, code)
    driven = [a for a in own if not a.is_training]
    counted = [a for a in driven if a.key not in excluded]
    training = [a for a in own if a.is_training]
    takes = [take for key, take in study.takes.items() if key.participant == code]
    newest = _newest(takes)
    found = Counter(a.state for a in counted)
    flags = Counter(
        flag.kind
        for take in takes
        if _reason(study, take, newest) is None
        for flag in quality_flags(take.summary, limits)
    )
    return ParticipantProgress(
        code=code,
        expected=len(counted),
        states=MappingProxyType({state: found[state] for state in AssignmentState}),
        excluded=len(driven) - len(counted),
        training_expected=len(training),
        training_settled=sum(a.state in SETTLED for a in training),
        active_ns=sum(take.summary.active_ns for take in takes),
        flags=MappingProxyType({kind: flags[kind] for kind in FlagKind if flags[kind]}),
        has_withdrawn=study.participants[code].withdrawn_utc is not None,
        next=next_assignment(study, code),
    )


def excluded_assignments(study: Study, code: str) -> frozenset[AssignmentKey]:
    """The settled episodes of a participant whose newest complete take a coordinator excluded."""
    takes = [take for key, take in study.takes.items() if key.participant == code]
    newest = _newest(takes)
    return frozenset(
        take.key.assignment
        for take in takes
        if take.excluded_reason
        and newest.get(take.key.assignment) == take.key.number
        and study.assignments[take.key.assignment].state in SETTLED
    )


def left_out_reason(study: Study, take: Take) -> str | None:
    """Why a take does not count; ``None`` if it does.

    The newest complete take of a settled assignment counts, unless it is training, its
    participant withdrew consent, a coordinator excluded it, or it was given up in a study that
    does not count such.
    """
    return _reason(study, take, _newest(takes_of(study, take.key.assignment)))


def _newest(takes: Iterable[Take]) -> dict[AssignmentKey, int]:
    """The number of the newest complete take of each assignment.

    Newest is what began last: one that a project heard of late has a higher number than takes
    after it.
    """
    whole = in_order(take for take in takes if take.summary.is_complete)
    return {take.key.assignment: take.key.number for take in whole}


def _reason(study: Study, take: Take, newest: Mapping[AssignmentKey, int]) -> str | None:
    assignment = study.assignments[take.key.assignment]
    reason = None
    if study.participants[take.key.participant].withdrawn_utc is not None:
        reason = "consent was withdrawn"
    elif assignment.is_training:
        reason = "training"
    elif take.excluded_reason:
        reason = f"excluded: {take.excluded_reason}"
    elif not take.summary.is_complete:
        reason = f"incomplete: {take.summary.end_reason or 'no reason is known'}"
    elif assignment.state not in SETTLED:
        again = assignment.requeues
        reason = f"queued again: {again[-1].reason}" if again else f"it is {assignment.state}"
    elif take.key.number != newest[assignment.key]:
        reason = f"superseded by take {newest[assignment.key]}"
    elif assignment.state is AssignmentState.ABANDONED and not _counts_abandoned(study):
        reason = f"given up: {assignment.reason}"
    return reason


def _counts_abandoned(study: Study) -> bool:
    return study.rules is None or study.rules.counts_abandoned


def left_out_line(left_out: Iterable[LeftOut]) -> str:
    """How many takes are left out for which reason, in one line; empty where none is."""
    reasons = Counter(entry.kind for entry in left_out)
    told = ", ".join(f"{count:,} {reason}" for reason, count in reasons.items())
    return f"{counted(reasons.total(), 'take')} left out: {told}" if told else ""


def counts_any(study: Study) -> bool:
    """Whether any take counts."""
    newest = _newest(study.takes.values())
    return any(_reason(study, take, newest) is None for take in study.takes.values())


def counted_takes(study: Study) -> tuple[tuple[Take, ...], tuple[LeftOut, ...]]:
    """The takes that exports and averages are made of, and why each other one is not."""
    people = {code: index for index, code in enumerate(study.participants)}

    def order(take: Take) -> tuple[int, int, int]:
        place = study.assignments[take.key.assignment].place
        return people[take.key.participant], place, take.key.number

    newest = _newest(study.takes.values())
    counted, left_out = [], []
    for take in sorted(study.takes.values(), key=order):
        reason = _reason(study, take, newest)
        if reason is None:
            counted.append(take)
        else:
            left_out.append(LeftOut(take.key, reason))
    return tuple(counted), tuple(left_out)


def expected_assignments(study: Study) -> tuple[AssignmentKey, ...]:
    """What a take that counts is still, or was, to come from.

    Not practice, nor what belongs to people who have withdrawn, nor a settled episode whose takes
    are left out.
    """
    counted, left_out = counted_takes(study)
    settled = {e.key.assignment for e in left_out if _is_settled(study, e.key.assignment)}
    dropped = settled - {take.key.assignment for take in counted}
    return tuple(
        key
        for key, assignment in study.assignments.items()
        if not assignment.is_training
        and key not in dropped
        and study.participants[key.participant].withdrawn_utc is None
    )


def _is_settled(study: Study, key: AssignmentKey) -> bool:
    return study.assignments[key].state in SETTLED


def break_reason(study: Study, code: str) -> str | None:
    """Why a participant should be offered a break now; ``None`` if none is due.

    Counts the takes begun after the last break: a break is due once as many episodes as the rules
    says were ended, or as much active time went by.
    """
    rules = study.rules
    if rules is None:
        return None
    since = max(map(moment, study.participants[code].breaks_utc), default=None)
    takes = [
        take
        for key, take in study.takes.items()
        if key.participant == code and (since is None or began(take) > since)
    ]
    ended = sum(take.summary.is_complete for take in takes)
    if rules.break_after_episodes is not None and ended >= rules.break_after_episodes:
        return f"{counted(ended, 'episode')} since the last break"
    minutes = sum(take.summary.active_ns for take in takes) / 60e9
    if rules.break_after_min is not None and minutes >= rules.break_after_min:
        return f"{counted(round(minutes), 'minute')} of driving since the last break"
    return None
