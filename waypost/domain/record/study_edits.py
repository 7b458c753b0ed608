"""Every change to a study, as a pure function from one study to the next.

Callers give the time (UTC, ISO 8601) and who acts; the rules here know no clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeVar

from waypost.domain.base.errors import EditError
from waypost.domain.record.assignment import path_count
from waypost.domain.record.study import (
    SETTLED,
    Assignment,
    AssignmentKey,
    AssignmentState,
    ConsentGiven,
    ConsentText,
    EpisodeKey,
    Participant,
    Requeue,
    Study,
    StudyEpisode,
    StudyRules,
    Take,
    TakeKey,
    assignments_of,
    consent_in_force,
    has_consented,
    moment,
    takes_of,
)
from waypost.domain.record.take_rules import QUESTION_WORDS, Question, TakeAnswers

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

ORDER_SEED_BYTES: Final = 6
"""Of the digest that a participant's seed is made of; every database holds such a number."""


def create_study(
    rules: StudyRules, episodes: Iterable[StudyEpisode], consent: ConsentText
) -> Study:
    """A new study without participants.

    Raises:
        EditError: If an episode is listed twice, none can be assigned because all are practice or
            along its paths, or a number is below 1.
    """
    _check_rules(rules)
    listed: dict[EpisodeKey, StudyEpisode] = {}
    for episode in episodes:
        if episode.key in listed:
            raise EditError(f"{_title(episode.key)} is listed twice; ids must tell episodes apart")
        listed[episode.key] = episode
    if all(episode.is_training for episode in listed.values()):
        raise EditError("a study needs at least one episode beside training")
    study = Study(rules=rules, episodes=MappingProxyType(listed))
    if not path_count(study):
        raise EditError("a study needs an episode along another path than its practice")
    return publish_consent(study, consent.text, consent.published_utc)


def _check_rules(rules: StudyRules) -> None:
    if not rules.name.strip():
        raise EditError("a study needs a name")
    for value, title in (
        (rules.episodes_per_participant, "episodes per participant"),
        (rules.overlap, "participants per episode"),
        (rules.break_after_episodes, "episodes until a break"),
    ):
        if value is not None and value < 1:
            raise EditError(f"{title} must be at least 1, not {value}")
    if rules.break_after_min is not None and not rules.break_after_min > 0:
        raise EditError(f"minutes until a break must be above 0, not {rules.break_after_min:g}")


def know_paths(study: Study, ids: Mapping[EpisodeKey, str]) -> Study:
    """Keep which episodes lead along the same path, where the study does not know it.

    Args:
        study: From before paths were compared, or whose file was not at hand.
        ids: From ``same_paths.path_ids``.
    """
    episodes = {
        key: replace(one, path_id=ids[key]) if not one.path_id and key in ids else one
        for key, one in study.episodes.items()
    }
    return replace(study, episodes=MappingProxyType(episodes))


def change_rules(study: Study, rules: StudyRules) -> Study:
    """Put other rules in place; what is assigned stays assigned.

    Raises:
        EditError: If a number is below 1, or the seed changes once somebody takes part.
    """
    _check_rules(rules)
    if study.rules is not None and study.participants and rules.seed != study.rules.seed:
        raise EditError("the seed cannot change once participants have joined")
    return replace(study, rules=rules)


def publish_consent(study: Study, text: str, time_utc: str) -> Study:
    """Put a consent text in force; the same text again is no new version.

    Participants who agreed to an older text are asked again before their next episode; takes
    recorded before stay valid under the text of their time.

    Raises:
        EditError: If the text is empty.
    """
    if not text.strip():
        raise EditError("the consent text is empty")
    now = consent_in_force(study)
    if now is not None and now.text == text:
        return study
    version = 1 if now is None else now.version + 1
    entry = ConsentText(version, text, time_utc)
    return replace(study, consent_texts=_put(study.consent_texts, version, entry))


def add_participant(study: Study, code: str, time_utc: str) -> Study:
    """Let somebody join; the seed of their order follows from the study's seed and who came before.

    Raises:
        EditError: If there is no study or the code is taken.
    """
    if study.rules is None:
        raise EditError("the project has no study")
    if not code.strip():
        raise EditError("a participant needs a code")
    if code in study.participants:
        raise EditError(f"the code {code} is taken")
    number = len(study.participants) + 1
    digest = hashlib.sha256(f"{study.rules.seed}/{number}".encode()).digest()
    seed = int.from_bytes(digest[:ORDER_SEED_BYTES], "big")
    participant = Participant(code, time_utc, seed)
    return replace(study, participants=_put(study.participants, code, participant))


def give_consent(study: Study, code: str, version: int, time_utc: str) -> Study:
    """Record that a participant agreed to the text in force.

    Raises:
        EditError: If there is no such participant, consent was withdrawn, or the version shown
            is no longer in force.
    """
    participant, text = _participant(study, code), consent_in_force(study)
    if participant.withdrawn_utc is not None:
        raise EditError(f"{code} has withdrawn; a new consent needs a new participant")
    if text is None or version != text.version:
        raise EditError(f"version {version} of the consent text is not in force")
    given = ConsentGiven(version, text.text_hash, time_utc)
    return _put_participant(study, replace(participant, consents=(*participant.consents, given)))


def withdraw_consent(study: Study, code: str, time_utc: str) -> Study:
    """Record a withdrawal: nothing of this participant is exported from now on.

    Raises:
        EditError: If there is no such participant.
    """
    participant = _participant(study, code)
    if participant.withdrawn_utc is not None:
        return study
    return _put_participant(study, replace(participant, withdrawn_utc=time_utc))


def take_break(study: Study, code: str, time_utc: str) -> Study:
    """Record that a participant had a break.

    Raises:
        EditError: If there is no such participant.
    """
    participant = _participant(study, code)
    return _put_participant(
        study, replace(participant, breaks_utc=(*participant.breaks_utc, time_utc))
    )


def begin_episode(study: Study, key: AssignmentKey, time_utc: str) -> Study:
    """Mark an assignment as in progress; one that is already is left as it is.

    Raises:
        EditError: If it is not assigned or settled, the participant has not agreed to the text
            in force, or is in the middle of another episode.
    """
    assignment = _assignment(study, key)
    if not has_consented(study, key.participant):
        raise EditError(f"{key.participant} has not agreed to the consent text in force")
    if assignment.state is AssignmentState.IN_PROGRESS:
        return study
    if assignment.state in SETTLED:
        raise EditError(f"{_title(key)} is {assignment.state}; queue it again first")
    for other in assignments_of(study, key.participant):
        if other.state is AssignmentState.IN_PROGRESS:
            raise EditError(f"{key.participant} is in the middle of {_title(other.key)}")
    return _to_state(study, assignment, AssignmentState.IN_PROGRESS, key.participant, time_utc)


def finish_episode(study: Study, take: Take, time_utc: str) -> Study:
    """Add a complete take and mark its assignment as done.

    Raises:
        EditError: If the assignment is not in progress or the take is incomplete or there already.
    """
    assignment = _in_progress(study, take.key.assignment)
    if not take.summary.is_complete:
        raise EditError(f"{_title(take.key)} cannot be done with an incomplete take")
    return _to_state(
        add_take(study, take), assignment, AssignmentState.DONE, take.key.participant, time_utc
    )


def abandon_episode(
    study: Study, key: AssignmentKey, reason: str, time_utc: str, take: Take | None = None
) -> Study:
    """Mark an assignment as abandoned by its participant, with the take up to there if any.

    Raises:
        EditError: If it is not in progress, there is no reason, or the take is of another episode.
    """
    assignment = _in_progress(study, key)
    if not reason.strip():
        raise EditError("abandoning an episode needs a reason")
    if take is not None:
        if take.key.assignment != key:
            raise EditError(f"the take is of {_title(take.key)}, not of {_title(key)}")
        study = add_take(study, take)
    return _to_state(
        study, assignment, AssignmentState.ABANDONED, key.participant, time_utc, reason.strip()
    )


def add_take(study: Study, take: Take) -> Study:
    """Add a take and change no state, for example one that a crash cut short.

    One that was listed before it had ended, by somebody who looked for recordings meanwhile, is
    brought up to date under its own number. A file of a deleted take may have its name again.

    Raises:
        EditError: If its episode is not assigned, its number is used, or its file is listed.
    """
    _assignment(study, take.key.assignment)
    known = same_recording(study, take)
    if known is not None and has_grown(known, take):
        return replace(study, takes=_put(study.takes, known.key, _brought_up(known, take)))
    if take.key in study.takes:
        raise EditError(f"take {take.key.number} of {_title(take.key)} exists already")
    if known is not None:
        raise EditError(f"{take.path} is the file of another take")
    return replace(study, takes=_put(study.takes, take.key, take))


def same_recording(study: Study, take: Take) -> Take | None:
    """The listed take that the same file was read as, now or earlier; ``None`` if there is none."""
    return next(
        (
            other
            for other in takes_of(study, take.key.assignment)
            if (other.path, other.started_utc) == (take.path, take.started_utc)
        ),
        None,
    )


def has_grown(known: Take, take: Take) -> bool:
    """Whether a listed take was cut off where the recording goes on by now."""
    before, now = known.summary, take.summary
    is_longer = now.rows > before.rows or (now.rows == before.rows and now.is_complete)
    return not before.is_complete and is_longer


def _is_moved(known: Take, take: Take) -> bool:
    """Whether a listed take is the same recording at another place."""
    same = (known.started_utc, known.content_hash, known.summary)
    return same == (take.started_utc, take.content_hash, take.summary)


def _brought_up(known: Take, take: Take) -> Take:
    """A take as its file is now, with what people have said of it."""
    return replace(
        take, key=known.key, answers=known.answers, excluded_reason=known.excluded_reason
    )


def adopt_takes(study: Study, found: Iterable[Take], time_utc: str) -> Study:
    """Catch up with recordings that a crash kept the project from hearing of.

    Takes whose file is listed are skipped, unless it has grown since; one that is listed at another
    place is found there from now on. The others are added, with a new number where theirs is used.
    A complete one settles its assignment, as done if it ends with a stop or at the time
    limit, else as abandoned for the reason it gives; not if it began before the episode was
    queued again, or if its participant gave no consent or withdrew it.

    Raises:
        EditError: If a take is of an episode that is not assigned to its participant.
    """
    for take in found:
        own = take.key.assignment
        listed = takes_of(study, own)
        known = same_recording(study, take)
        if known is not None and not has_grown(known, take):
            continue
        moved = next((other for other in listed if _is_moved(other, take)), None)
        if known is None and moved is not None:
            now = replace(moved, path=take.path)
            study = replace(study, takes=_put(study.takes, moved.key, now))
            continue
        used = {other.key.number for other in listed}
        number = take.key.number if take.key.number not in used else max(used) + 1
        study = add_take(study, replace(take, key=TakeKey(*own, number)))
        if not _settles(study, take):
            continue
        is_done = take.summary.has_stopped or take.summary.has_timed_out
        reason = "" if is_done else take.summary.end_reason or "no reason is known"
        state = AssignmentState.DONE if is_done else AssignmentState.ABANDONED
        study = _to_state(study, study.assignments[own], state, own.participant, time_utc, reason)
    return study


def _settles(study: Study, take: Take) -> bool:
    assignment = study.assignments[take.key.assignment]
    participant = study.participants[take.key.participant]
    has_agreed = bool(participant.consents) and participant.withdrawn_utc is None
    is_later = not assignment.requeues or moment(take.started_utc) > moment(
        assignment.requeues[-1].time_utc
    )
    is_open = assignment.state not in SETTLED
    return take.summary.is_complete and is_open and has_agreed and is_later


def requeue_episode(study: Study, key: AssignmentKey, reason: str, by: str, time_utc: str) -> Study:
    """Have a settled episode driven once more; earlier takes stay and no longer count.

    Raises:
        EditError: If it is not settled, there is no reason, or the participant has withdrawn.
    """
    assignment = _assignment(study, key)
    if not reason.strip():
        raise EditError("queueing an episode again needs a reason")
    if assignment.state not in SETTLED:
        raise EditError(f"{_title(key)} is {assignment.state}; it is queued as it is")
    if _participant(study, key.participant).withdrawn_utc is not None:
        raise EditError(f"{key.participant} has withdrawn")
    requeue = Requeue(reason.strip(), by, time_utc)
    again = replace(assignment, requeues=(*assignment.requeues, requeue))
    return _to_state(study, again, AssignmentState.REQUEUED, by, time_utc, requeue.reason)


def answer_questions(study: Study, key: TakeKey, answers: TakeAnswers) -> Study:
    """Keep what a participant answered after a take; later answers replace earlier ones.

    Raises:
        EditError: If there is no such take, or something is answered that its rules do not ask.
    """
    if key not in study.takes:
        raise EditError(f"there is no take {key.number} of {_title(key)}")
    take = study.takes[key]
    given = {
        Question.REACHED: answers.reached is not None,
        Question.SURENESS: answers.sureness is not None,
        Question.UNCLEAR: bool(answers.unclear),
    }
    for question, is_given in given.items():
        if is_given and question not in take.rules.questions:
            raise EditError(f"“{QUESTION_WORDS[question]}” is not asked after {_title(key)}")
    return replace(study, takes=_put(study.takes, key, replace(take, answers=answers)))


def put_scores(study: Study, scored: Mapping[TakeKey, Take]) -> Study:
    """Give takes the scores that were computed anew; whatever else of them changed stays.

    Args:
        study: Takes that it does not have any more are left out.
        scored: The takes with their scores.
    """
    takes = dict(study.takes)
    for key, take in scored.items():
        now = takes.get(key)
        if now is not None and now.content_hash == take.content_hash:
            takes[key] = replace(
                now,
                profile=take.profile,
                scores=take.scores,
                score_notes=take.score_notes,
                scoring_version=take.scoring_version,
            )
    return replace(study, takes=MappingProxyType(takes))


def exclude_take(study: Study, key: TakeKey, reason: str) -> Study:
    """Keep a take out of exports with a reason; an empty reason takes it back in.

    Raises:
        EditError: If there is no such take.
    """
    if key not in study.takes:
        raise EditError(f"there is no take {key.number} of {_title(key)}")
    take = replace(study.takes[key], excluded_reason=reason.strip())
    return replace(study, takes=_put(study.takes, key, take))


def _put(mapping: Mapping[_Key, _Value], key: _Key, value: _Value) -> Mapping[_Key, _Value]:
    return MappingProxyType({**mapping, key: value})


def _put_participant(study: Study, participant: Participant) -> Study:
    return replace(study, participants=_put(study.participants, participant.code, participant))


def _participant(study: Study, code: str) -> Participant:
    if code not in study.participants:
        raise EditError(f"there is no participant {code}")
    return study.participants[code]


def _assignment(study: Study, key: AssignmentKey) -> Assignment:
    _participant(study, key.participant)
    if key not in study.assignments:
        raise EditError(f"{_title(key)} is not assigned to {key.participant}")
    return study.assignments[key]


def _in_progress(study: Study, key: AssignmentKey) -> Assignment:
    assignment = _assignment(study, key)
    if assignment.state is not AssignmentState.IN_PROGRESS:
        raise EditError(f"{_title(key)} of {key.participant} is {assignment.state}, not begun")
    return assignment


def _to_state(
    study: Study,
    assignment: Assignment,
    state: AssignmentState,
    by: str,
    time_utc: str,
    reason: str = "",
) -> Study:
    changed = replace(assignment, state=state, reason=reason, changed_by=by, changed_utc=time_utc)
    return replace(study, assignments=_put(study.assignments, assignment.key, changed))


def _title(key: EpisodeKey | AssignmentKey | TakeKey) -> str:
    return f"episode {key.episode_id} of {key.scene_id} ({key.dataset})"
