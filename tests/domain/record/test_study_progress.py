from __future__ import annotations

from dataclasses import replace

from fixtures.study_examples import LATER, NOON, assigned, drive_next, study_of, take_of

from waypost.domain.record.study import (
    AssignmentState,
    Study,
    next_assignment,
    open_assignments,
    takes_of,
)
from waypost.domain.record.study_edits import (
    abandon_episode,
    add_take,
    adopt_takes,
    begin_episode,
    exclude_take,
    finish_episode,
    requeue_episode,
    take_break,
    withdraw_consent,
)
from waypost.domain.record.study_progress import (
    break_reason,
    counted_takes,
    excluded_assignments,
    expected_assignments,
    left_out_reason,
    participant_progress,
)
from waypost.domain.record.take_quality import DEFAULT_LIMITS, FlagKind

MINUTE_NS = 60_000_000_000


def counted_numbers(study: Study) -> list[tuple[str, int]]:
    return [(take.key.episode_id, take.key.number) for take in counted_takes(study)[0]]


def reasons(study: Study) -> list[str]:
    return [left.reason for left in counted_takes(study)[1]]


def test_progress_counts_every_state_and_training_apart():
    study = assigned(study_of([1] * 4, 1, count=4, training=1))
    for _ in range(3):
        study = drive_next(study, "P-0", path_length_m=0.0)
    following = next_assignment(study, "P-0")
    assert following is not None
    study = abandon_episode(begin_episode(study, following.key, NOON), following.key, "lost", LATER)
    progress = participant_progress(study, "P-0", DEFAULT_LIMITS)
    assert (progress.expected, progress.settled) == (4, 3)
    assert progress.states == {
        AssignmentState.PENDING: 1,
        AssignmentState.IN_PROGRESS: 0,
        AssignmentState.DONE: 2,
        AssignmentState.ABANDONED: 1,
        AssignmentState.REQUEUED: 0,
    }
    assert (progress.training_expected, progress.training_settled) == (1, 1)
    assert progress.active_ns == 3 * MINUTE_NS
    assert progress.flags == {FlagKind.NO_MOVEMENT: 2}
    assert progress.next is not None
    assert progress.next.state is AssignmentState.PENDING
    assert not progress.has_withdrawn


def test_the_newest_complete_take_of_a_settled_episode_counts():
    study = assigned(study_of([1], 1, count=1, training=1))
    study = drive_next(study, "P-0")
    assert counted_numbers(study) == []
    assert reasons(study) == ["training"]
    key = next_assignment(study, "P-0").key  # type: ignore[union-attr]
    study = begin_episode(study, key, NOON)
    study = add_take(study, take_of(study, key, is_complete=False, end_reason="the worker stopped"))
    study = drive_next(study, "P-0")
    assert counted_numbers(study) == [("0_0", 2)]
    assert reasons(study) == ["training", "incomplete: the worker stopped"]
    assert [left_out_reason(study, take) for take in takes_of(study, key)] == [
        "incomplete: the worker stopped",
        None,
    ]
    again = requeue_episode(study, key, "too dark", "ana", LATER)
    assert counted_numbers(again) == []
    assert "queued again: too dark" in reasons(again)
    begun = begin_episode(again, key, LATER)
    assert "queued again: too dark" in reasons(begun)
    redone = drive_next(again, "P-0")
    assert counted_numbers(redone) == [("0_0", 3)]
    assert "superseded by take 3" in reasons(redone)


def test_a_take_that_was_heard_of_late_does_not_count_before_those_after_it():
    """Driven on another computer, say, which was switched off until now."""
    study = drive_next(assigned(study_of([1], 1, count=1)), "P-0")
    (key,) = study.takes
    half_past = "2026-11-28T{:02}:30:00+00:00".format
    early = replace(take_of(study, key.assignment), started_utc=half_past(11), path="early.csv")
    study = adopt_takes(study, [early], LATER)
    assert counted_numbers(study) == [("0_0", 1)]
    assert reasons(study) == ["superseded by take 1"]
    late = replace(take_of(study, key.assignment), started_utc=half_past(14), path="late.csv")
    assert counted_numbers(adopt_takes(study, [late], LATER)) == [("0_0", 3)]
    # Nor does what was driven before the episode was queued again.
    again = begin_episode(
        requeue_episode(study, key.assignment, "too dark", "ana", LATER), key.assignment, LATER
    )
    anew = replace(take_of(again, key.assignment), started_utc=half_past(15), path="anew.csv")
    again = finish_episode(again, anew, half_past(16))
    between = replace(take_of(again, key.assignment), started_utc=half_past(12), path="between.csv")
    again = adopt_takes(again, [between], half_past(16))
    assert counted_numbers(again) == [("0_0", 3)]
    assert set(reasons(again)) == {"superseded by take 3"}
    assert [take.key.number for take in takes_of(again, key.assignment)] == [2, 1, 4, 3]


def test_excluded_and_withdrawn_takes_do_not_count():
    study = assigned(study_of([1, 1], 2, count=2))
    study = drive_next(drive_next(study, "P-0"), "P-1")
    assert len(counted_numbers(study)) == 2
    mine = next(key for key in study.takes if key.participant == "P-0")
    assert reasons(exclude_take(study, mine, "phone rang")) == ["excluded: phone rang"]
    left = withdraw_consent(study, "P-1", LATER)
    assert [take.key for take in counted_takes(left)[0]] == [mine]
    assert reasons(left) == ["consent was withdrawn"]
    progress = participant_progress(left, "P-1", DEFAULT_LIMITS)
    assert progress.has_withdrawn
    assert progress.flags == {}


def test_takes_are_listed_by_participant_then_order():
    study = assigned(study_of([1] * 3, 2, count=3))
    for code in ("P-1", "P-0", "P-1", "P-0"):
        study = drive_next(study, code)
    keys = [take.key for take in counted_takes(study)[0]]
    assert [key.participant for key in keys] == ["P-0", "P-0", "P-1", "P-1"]
    places = [study.assignments[key.assignment].place for key in keys]
    assert places == [0, 1, 0, 1]


def test_a_take_of_an_episode_in_progress_does_not_count_yet():
    study = assigned(study_of([1], 1, count=1))
    key = next_assignment(study, "P-0").key  # type: ignore[union-attr]
    study = add_take(begin_episode(study, key, NOON), take_of(study, key))
    assert reasons(study) == ["it is in_progress"]


def test_a_break_is_offered_after_so_many_episodes():
    study = assigned(study_of([1] * 5, 1, count=5))
    rules = replace(study.rules, break_after_episodes=2, break_after_min=None)
    study = drive_next(replace(study, rules=rules), "P-0")
    assert break_reason(study, "P-0") is None
    study = drive_next(study, "P-0")
    assert break_reason(study, "P-0") == "2 episodes since the last break"
    study = take_break(study, "P-0", LATER)
    assert break_reason(study, "P-0") is None


def test_a_break_is_offered_after_so_much_active_time():
    study = assigned(study_of([1] * 5, 1, count=5))
    rules = replace(study.rules, break_after_episodes=None, break_after_min=30.0)
    study = drive_next(replace(study, rules=rules), "P-0", active_ns=29 * MINUTE_NS)
    assert break_reason(study, "P-0") is None
    study = drive_next(study, "P-0", active_ns=MINUTE_NS)
    assert break_reason(study, "P-0") == "30 minutes of driving since the last break"
    never = replace(study, rules=replace(rules, break_after_min=None))
    assert break_reason(never, "P-0") is None
    assert break_reason(Study(participants=study.participants), "P-0") is None


def test_who_has_withdrawn_has_nothing_next() -> None:
    study = drive_next(assigned(study_of([1] * 4, 1, count=4)), "P-0")
    assert next_assignment(study, "P-0") is not None
    study = withdraw_consent(study, "P-0", LATER)
    assert next_assignment(study, "P-0") is None
    assert open_assignments(study, "P-0") == ()
    assert participant_progress(study, "P-0", DEFAULT_LIMITS).next is None


def test_an_episode_is_excluded_with_the_take_that_would_count() -> None:
    study = drive_next(assigned(study_of([1] * 4, 1, count=4)), "P-0")
    (key,) = study.takes
    assert excluded_assignments(study, "P-0") == frozenset()
    progress = participant_progress(study, "P-0", DEFAULT_LIMITS)
    assert (progress.settled, progress.expected, progress.excluded) == (1, 4, 0)
    assert len(expected_assignments(study)) == 4
    study = exclude_take(study, key, "somebody spoke")
    assert excluded_assignments(study, "P-0") == {key.assignment}
    progress = participant_progress(study, "P-0", DEFAULT_LIMITS)
    assert (progress.settled, progress.expected, progress.excluded) == (0, 3, 1)
    assert expected_assignments(study) == tuple(
        own for own in study.assignments if own != key.assignment
    )
    assert excluded_assignments(exclude_take(study, key, ""), "P-0") == frozenset()
    again = requeue_episode(study, key.assignment, "once more", "ana", LATER)
    assert excluded_assignments(again, "P-0") == frozenset()
