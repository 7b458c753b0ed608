from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import cycle

import pytest
from fixtures.study_examples import (
    GOOD,
    LATER,
    NOON,
    assigned,
    drive_next,
    episodes,
    study_of,
    take_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.domain.base.errors import EditError
from waypost.domain.record.study import (
    SETTLED,
    AssignmentKey,
    AssignmentState,
    ConsentText,
    EpisodeKey,
    Study,
    StudyRules,
    TakeKey,
    assignments_of,
    consent_in_force,
    has_consented,
    moment,
    new_code,
    next_assignment,
    next_take_key,
    open_assignments,
    takes_of,
)
from waypost.domain.record.study_edits import (
    abandon_episode,
    add_participant,
    add_take,
    adopt_takes,
    answer_questions,
    begin_episode,
    change_rules,
    create_study,
    exclude_take,
    finish_episode,
    give_consent,
    publish_consent,
    requeue_episode,
    take_break,
    withdraw_consent,
)
from waypost.domain.record.take_rules import TakeAnswers

CONSENT = ConsentText(1, "I agree.", NOON)


def first_key(study: Study, code: str = "P-0") -> AssignmentKey:
    following = next_assignment(study, code)
    assert following is not None
    return following.key


def states(study: Study, code: str = "P-0") -> list[str]:
    return [a.state.value for a in assignments_of(study, code)]


def without_consent(study: Study) -> Study:
    people = {c: replace(p, consents=()) for c, p in study.participants.items()}
    return replace(study, participants=people)


def test_codes_are_pronounced_letter_by_letter_and_never_given_twice():
    letters = cycle("7K3D7K3D9XQ2")
    assert new_code({"P-7K3D"}, lambda _: next(letters)) == "P-9XQ2"
    # When every draw hits a taken code, codes grow.
    assert new_code({"P-AAAA"}, lambda _: "A") == "P-AAAAA"


def test_a_study_starts_with_its_episodes_and_consent():
    study = create_study(StudyRules("walk", 7), episodes([2, 1], training=1), CONSENT)
    assert [key.episode_id for key in study.episodes] == ["t0", "0_0", "0_1", "1_0"]
    text = consent_in_force(study)
    assert text == CONSENT
    assert text.text_hash == hashlib.sha256(b"I agree.").hexdigest()


@pytest.mark.parametrize(
    ("rules", "sizes", "message"),
    [
        ({"name": " "}, [1], "needs a name"),
        ({"episodes_per_participant": 0}, [1], "episodes per participant must be at least 1"),
        ({"overlap": 0}, [1], "participants per episode must be at least 1"),
        ({"break_after_episodes": 0}, [1], "episodes until a break must be at least 1"),
        ({"break_after_min": 0.0}, [1], "minutes until a break must be above 0"),
        ({}, [], "at least one episode beside training"),
    ],
)
def test_a_plan_that_cannot_work_is_refused(rules, sizes, message):
    rules = replace(StudyRules("walk", 7), **rules)
    with pytest.raises(EditError, match=message):
        create_study(rules, episodes(sizes, training=1), CONSENT)


def test_an_episode_listed_twice_is_refused():
    with pytest.raises(EditError, match=r"episode 0_0 of s0 .* is listed twice"):
        create_study(StudyRules("walk", 7), [*episodes([1]), *episodes([1])], CONSENT)


def test_seeds_of_participants_follow_from_the_study_not_from_their_codes():
    study = study_of([1], 2, seed=7)
    seeds = [p.order_seed for p in study.participants.values()]
    other = add_participant(study_of([1], 0, seed=7), "P-ZZZZ", NOON)
    assert other.participants["P-ZZZZ"].order_seed == seeds[0]
    assert seeds[0] == int(hashlib.sha256(b"7/1").hexdigest()[:12], 16)
    assert seeds[0] != seeds[1]
    with pytest.raises(EditError, match="the code P-0 is taken"):
        add_participant(study, "P-0", NOON)
    with pytest.raises(EditError, match="needs a code"):
        add_participant(study, "", NOON)
    with pytest.raises(EditError, match="has no study"):
        add_participant(Study(), "P-0", NOON)
    with pytest.raises(EditError, match="seed cannot change"):
        change_rules(study, replace(study.rules, seed=8))


def test_a_new_consent_text_asks_everyone_again():
    study = study_of([1], 1)
    assert has_consented(study, "P-0")
    assert publish_consent(study, "I agree.", LATER) is study
    study = publish_consent(study, "I agree to more.", LATER)
    assert sorted(study.consent_texts) == [1, 2]
    assert not has_consented(study, "P-0")
    with pytest.raises(EditError, match="version 1 of the consent text is not in force"):
        give_consent(study, "P-0", 1, LATER)
    with pytest.raises(EditError, match="not agreed to the consent text in force"):
        begin_episode(assigned(study), first_key(assigned(study)), LATER)
    study = give_consent(study, "P-0", 2, LATER)
    assert has_consented(study, "P-0")
    assert [c.version for c in study.participants["P-0"].consents] == [1, 2]
    with pytest.raises(EditError, match="the consent text is empty"):
        publish_consent(study, " ", LATER)


def test_withdrawn_consent_ends_taking_part():
    study = withdraw_consent(assigned(study_of([1], 1)), "P-0", LATER)
    assert not has_consented(study, "P-0")
    assert withdraw_consent(study, "P-0", "later still") is study
    with pytest.raises(EditError, match="a new consent needs a new participant"):
        give_consent(study, "P-0", 1, LATER)
    with pytest.raises(EditError, match="there is no participant P-9"):
        withdraw_consent(study, "P-9", LATER)


def test_an_episode_goes_from_pending_to_done():
    study = assigned(study_of([1, 1], 1))
    key = first_key(study)
    study = begin_episode(study, key, NOON)
    assert states(study) == ["in_progress", "pending"]
    assert begin_episode(study, key, LATER) is study
    study = finish_episode(study, take_of(study, key), LATER)
    assert states(study) == ["done", "pending"]
    done = study.assignments[key]
    assert (done.changed_by, done.changed_utc) == ("P-0", LATER)
    assert [take.key.number for take in takes_of(study, key)] == [1]
    with pytest.raises(EditError, match="is done; queue it again first"):
        begin_episode(study, key, LATER)


def test_only_one_episode_at_a_time():
    study = assigned(study_of([1, 1], 1))
    first, second = (a.key for a in assignments_of(study, "P-0"))
    study = begin_episode(study, first, NOON)
    with pytest.raises(EditError, match=f"is in the middle of episode {first.episode_id}"):
        begin_episode(study, second, NOON)
    with pytest.raises(EditError, match="is pending, not begun"):
        finish_episode(study, take_of(study, second), NOON)


def test_after_a_crash_the_same_episode_is_next_with_a_new_take():
    study = drive_next(assigned(study_of([1] * 4, 1, count=4)), "P-0")
    key = first_key(study)
    study = begin_episode(study, key, NOON)
    cut = take_of(study, key, is_complete=False, has_stopped=False, end_reason="killed")
    with pytest.raises(EditError, match="cannot be done with an incomplete take"):
        finish_episode(study, cut, LATER)
    study = add_take(study, cut)
    assert first_key(study) == key
    assert next_take_key(study, key).number == 2
    expected = {a.key for a in assignments_of(study, "P-0")}
    done = {a.key for a in assignments_of(study, "P-0") if a.state is AssignmentState.DONE}
    assert {a.key for a in open_assignments(study, "P-0")} == expected - done
    assert len(expected - done) == 3
    study = finish_episode(study, take_of(study, key), LATER)
    assert [take.summary.is_complete for take in takes_of(study, key)] == [False, True]
    assert first_key(study) != key


def test_abandoning_needs_a_reason_and_settles():
    study = assigned(study_of([1, 1], 1))
    key = first_key(study)
    study = begin_episode(study, key, NOON)
    with pytest.raises(EditError, match="needs a reason"):
        abandon_episode(study, key, " ", LATER)
    other = assignments_of(study, "P-0")[1].key
    with pytest.raises(EditError, match="the take is of episode"):
        abandon_episode(study, key, "lost", LATER, take_of(study, other))
    study = abandon_episode(study, key, " I am lost ", LATER, take_of(study, key))
    assert states(study) == ["abandoned", "pending"]
    assert study.assignments[key].reason == "I am lost"
    assert len(open_assignments(study, "P-0")) == 1


def test_queueing_one_again_leaves_its_neighbours_untouched():
    study = assigned(study_of([1] * 3, 1, count=3))
    for _ in range(3):
        study = drive_next(study, "P-0")
    assert next_assignment(study, "P-0") is None
    middle = assignments_of(study, "P-0")[1].key
    after = requeue_episode(study, middle, "the door was stuck", "ana", LATER)
    assert states(after) == ["done", "requeued", "done"]
    assert all(
        after.assignments[key] is assignment
        for key, assignment in study.assignments.items()
        if key != middle
    )
    again = after.assignments[middle]
    assert (again.reason, again.changed_by) == ("the door was stuck", "ana")
    assert first_key(after) == middle
    redone = drive_next(after, "P-0")
    assert states(redone) == ["done", "done", "done"]
    assert [r.reason for r in redone.assignments[middle].requeues] == ["the door was stuck"]
    assert redone.assignments[middle].reason == ""
    assert [take.key.number for take in takes_of(redone, middle)] == [1, 2]


def test_queueing_again_is_refused_where_it_makes_no_sense():
    study = assigned(study_of([1], 1, count=1))
    key = first_key(study)
    with pytest.raises(EditError, match="is pending; it is queued as it is"):
        requeue_episode(study, key, "why", "ana", LATER)
    study = drive_next(study, "P-0")
    with pytest.raises(EditError, match="needs a reason"):
        requeue_episode(study, key, "", "ana", LATER)
    with pytest.raises(EditError, match="is not assigned to P-0"):
        requeue_episode(study, key._replace(episode_id="x"), "why", "ana", LATER)
    with pytest.raises(EditError, match="P-0 has withdrawn"):
        requeue_episode(withdraw_consent(study, "P-0", LATER), key, "why", "ana", LATER)


def test_a_take_is_added_once():
    study = assigned(study_of([1], 1))
    key = first_key(study)
    take = take_of(study, key)
    study = add_take(study, take)
    with pytest.raises(EditError, match=r"take 1 of episode 0_0 .* exists already"):
        add_take(study, take)
    second = replace(take, key=take.key._replace(number=2))
    with pytest.raises(EditError, match="is the file of another take"):
        add_take(study, second)


def test_a_take_that_was_listed_before_it_had_ended_is_brought_up_to_date():
    """Somebody looked for recordings while one was under way."""
    study = assigned(study_of([1], 1))
    key = first_key(study)
    study = begin_episode(study, key, NOON)
    whole = take_of(study, key)
    cut = replace(whole, content_hash="cd" * 32, summary=replace(GOOD, rows=30, is_complete=False))
    early = adopt_takes(study, [cut], LATER)
    assert states(early)[0] == "in_progress"
    early = exclude_take(early, cut.key, "phone rang")
    second = replace(whole, key=next_take_key(early, key))
    for ended in (
        finish_episode(early, second, LATER),
        adopt_takes(early, [second], LATER),
        adopt_takes(adopt_takes(early, [second], LATER), [second, cut], LATER),
    ):
        assert states(ended)[0] == "done"
        assert takes_of(ended, key) == (replace(whole, excluded_reason="phone rang"),)
    # What was whole and is another now was changed by somebody.
    done = finish_episode(study, whole, LATER)
    changed = replace(second, content_hash="ef" * 32, summary=replace(GOOD, rows=1300))
    assert adopt_takes(done, [changed], LATER) is done
    with pytest.raises(EditError, match="is the file of another take"):
        add_take(done, changed)


def test_a_recording_may_have_the_name_of_one_that_was_deleted():
    study = assigned(study_of([1], 1))
    key = first_key(study)
    study = begin_episode(study, key, NOON)
    first = take_of(study, key, is_complete=False)
    study = add_take(study, first)
    again = replace(take_of(study, key), path=first.path, started_utc=LATER)
    for ended in (finish_episode(study, again, LATER), adopt_takes(study, [again], LATER)):
        assert states(ended)[0] == "done"
        assert [take.key.number for take in takes_of(ended, key)] == [1, 2]


def test_a_recording_that_was_moved_is_the_same_take():
    study = drive_next(assigned(study_of([1], 1, count=1)), "P-0")
    (key,) = study.takes
    study = answer_questions(study, key, TakeAnswers(reached=True))
    study = exclude_take(study, key, "phone rang")
    moved = replace(take_of(study, key.assignment), path="archive/one.csv")
    assert moved.key.number == 2
    after = adopt_takes(study, [moved], LATER)
    assert after.takes == {key: replace(study.takes[key], path="archive/one.csv")}
    assert after.assignments == study.assignments


def test_recordings_that_the_project_did_not_hear_of_are_adopted():
    study = assigned(study_of([1] * 3, 1, count=3))
    study = begin_episode(study, first_key(study), NOON)
    key = first_key(study)
    cut = replace(take_of(study, key, is_complete=False), path="cut.csv")
    whole = replace(take_of(study, key), path="whole.csv")
    adopted = adopt_takes(study, [cut, whole], LATER)
    assert states(adopted) == ["done", "pending", "pending"]
    assert [(t.path, t.key.number) for t in takes_of(adopted, key)] == [
        ("cut.csv", 1),
        ("whole.csv", 2),
    ]
    assert adopt_takes(adopted, [cut, whole], LATER) is adopted
    lost = take_of(study, key, has_stopped=False, end_reason="I am lost")
    given_up = adopt_takes(study, [lost], LATER)
    assert given_up.assignments[key].state is AssignmentState.ABANDONED
    assert given_up.assignments[key].reason == "I am lost"
    late = take_of(study, key, has_stopped=False, has_timed_out=True, end_reason="90 s were over")
    assert states(adopt_takes(study, [late], LATER)) == ["done", "pending", "pending"]
    early = replace(take_of(study, key), started_utc=NOON, path="early.csv")
    again = requeue_episode(adopted, key, "too dark", "ana", LATER)
    assert states(adopt_takes(again, [early], LATER)) == ["requeued", "pending", "pending"]
    late = replace(early, started_utc="2026-11-28T13:00:01+00:00")
    assert states(adopt_takes(again, [late], LATER)) == ["done", "pending", "pending"]
    for unheard in (withdraw_consent(study, "P-0", LATER), without_consent(study)):
        assert states(adopt_takes(unheard, [whole], LATER))[0] == "in_progress"
    foreign = take_of(study, AssignmentKey("r2r", "s9", "9", "P-0"))
    with pytest.raises(EditError, match="is not assigned to P-0"):
        adopt_takes(study, [foreign], LATER)


def test_a_take_can_be_excluded_and_taken_back_in():
    study = drive_next(assigned(study_of([1], 1)), "P-0")
    (key,) = study.takes
    excluded = exclude_take(study, key, " phone rang ")
    assert excluded.takes[key].excluded_reason == "phone rang"
    assert exclude_take(excluded, key, "").takes[key] == study.takes[key]
    with pytest.raises(EditError, match="there is no take 5"):
        exclude_take(study, key._replace(number=5), "why")


def test_breaks_are_recorded():
    study = take_break(take_break(study_of([1], 1), "P-0", NOON), "P-0", LATER)
    assert study.participants["P-0"].breaks_utc == (NOON, LATER)


ACTIONS = st.lists(st.sampled_from(["begin", "finish", "abandon", "requeue", "crash"]), max_size=40)


@given(ACTIONS, st.integers(1, 5))
@settings(deadline=None)
def test_whatever_happens_open_is_expected_minus_settled(actions, count):
    study = assigned(study_of([1] * 5, 1, count=count, training=1))
    expected = [a.key for a in assignments_of(study, "P-0")]
    settled: set[AssignmentKey] = set()
    for action in actions:
        following = next_assignment(study, "P-0")
        key = expected[len(actions) % len(expected)] if following is None else following.key
        try:
            if action == "begin":
                study = begin_episode(study, key, NOON)
            elif action == "finish":
                study = finish_episode(study, take_of(study, key), NOON)
                settled.add(key)
            elif action == "abandon":
                study = abandon_episode(study, key, "lost", NOON)
                settled.add(key)
            elif action == "crash":
                study = add_take(study, take_of(study, key, is_complete=False))
            else:
                key = next(k for k in expected if k in settled or k == expected[-1])
                study = requeue_episode(study, key, "again", "ana", NOON)
                settled.discard(key)
        except EditError:
            continue
    left = [a.key for a in open_assignments(study, "P-0")]
    assert left == [key for key in expected if key not in settled]
    assert [a.key for a in assignments_of(study, "P-0")] == expected
    begun = [a for a in study.assignments.values() if a.state is AssignmentState.IN_PROGRESS]
    assert len(begun) <= 1
    assert (next_assignment(study, "P-0") is None) == (not left)
    if begun:
        assert next_assignment(study, "P-0") == begun[0]
    assert all(a.state in SETTLED for a in study.assignments.values() if a.key in settled)


def test_stored_times_are_compared_as_points_in_time():
    assert moment("2026-11-28T13:00:00+01:00") == moment("2026-11-28T12:00:00Z")
    assert moment("2026-11-28T12:00:00") == moment(NOON)


def test_keys_name_their_parts():
    take = TakeKey("r2r", "s0", "7", "P-0", 3)
    assert take.assignment == AssignmentKey("r2r", "s0", "7", "P-0")
    assert take.assignment.episode == EpisodeKey("r2r", "s0", "7")
    assert GOOD.achieved_rate_hz == 20.0
