"""A study with people as values: who takes part, who drives which episode, what came of it.

Nobody's name has a place here; participants are known by codes (``new_code``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, NamedTuple

from waypost.domain.base.no_entries import no_entries
from waypost.domain.record.take_quality import TakeSummary
from waypost.domain.record.take_rules import NEW_TAKE_RULES, TakeAnswers, TakeRules

CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What codes are made of: no 0, O, 1, I or L, which people confuse."""

CODE_LENGTH: Final = 4
"""Letters after ``P-``; 31⁴ = 923,521 codes."""


class EpisodeKey(NamedTuple):
    """What makes an episode one episode; ids alone repeat between scenes and data sets."""

    dataset: str
    scene_id: str
    episode_id: str


class AssignmentKey(NamedTuple):
    """One episode for one participant."""

    dataset: str
    scene_id: str
    episode_id: str
    participant: str
    """Code."""

    @property
    def episode(self) -> EpisodeKey:
        """The episode alone."""
        return EpisodeKey(self.dataset, self.scene_id, self.episode_id)


class TakeKey(NamedTuple):
    """One attempt of one participant at one episode."""

    dataset: str
    scene_id: str
    episode_id: str
    participant: str
    number: int
    """From 1, in the order of the attempts."""

    @property
    def assignment(self) -> AssignmentKey:
        """Whose attempt at what."""
        return AssignmentKey(self.dataset, self.scene_id, self.episode_id, self.participant)


class AssignmentState(StrEnum):
    """How far an assigned episode is."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    """Begun and not ended; after a crash the participant goes on here."""

    DONE = "done"
    ABANDONED = "abandoned"
    """The participant ended it without an answer and said why."""

    REQUEUED = "requeued"
    """To be driven once more; somebody said why."""


SETTLED: Final = frozenset({AssignmentState.DONE, AssignmentState.ABANDONED})
"""States in which nothing is left to do."""


@dataclass(frozen=True, slots=True)
class StudyRules:
    """The rules of a study, fixed when it is made."""

    name: str
    seed: int
    """Of the choice and order of episodes."""

    episodes_per_participant: int = 50
    """Without training."""

    overlap: int | None = None
    """How many participants drive one episode at most; ``None``: as many as it takes."""

    break_after_episodes: int | None = 10
    """A break is offered after so many episodes; ``None``: never for this reason."""

    break_after_min: float | None = 30.0
    """A break is offered after so many minutes of active time; ``None``: never for this reason."""

    agent_key: str = ""
    """Agent profile that participants drive; empty: the default of the recorder."""

    episodes_path: str = ""
    """POSIX path of the episode file relative to the project's folder."""

    episodes_hash: str = ""
    """SHA-256 of that file, hexadecimal."""

    connectivity_path: str = ""
    """POSIX path of the folder of viewpoint graphs relative to the project's folder; episodes that
    name viewpoints only begin and lead where these say. Empty: there is none."""

    navmeshes_path: str = ""
    """POSIX path of the folder of navmeshes, or of scenes, relative to the project's folder, for
    distances over the floor. Empty: scores that need them are undefined."""

    scenes_path: str = ""
    """POSIX path of the folder of scenes, or of a JSON file scene id → scene file, relative to the
    project's folder; empty: every episode is in the project's own scene."""

    of_takes: TakeRules = NEW_TAKE_RULES
    """Under which participants drive from now on; each take keeps its own."""

    counts_abandoned: bool = True
    """Whether an episode that its participant gave up counts, with the way it went."""


@dataclass(frozen=True, slots=True)
class ConsentText:
    """What participants agree to."""

    version: int
    """From 1; the highest is in force."""

    text: str
    published_utc: str

    @property
    def text_hash(self) -> str:
        """SHA-256 of the text in UTF-8, hexadecimal."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class ConsentGiven:
    """That a participant agreed, to exactly which text, and when."""

    version: int
    text_hash: str
    """SHA-256 of the text that was shown, hexadecimal."""

    time_utc: str


@dataclass(frozen=True, slots=True)
class Participant:
    """A person, known by a code only."""

    code: str
    joined_utc: str
    order_seed: int
    """Decides this person's episodes and their order; stored, so that anyone can repeat it."""

    consents: tuple[ConsentGiven, ...] = ()
    """In the order given."""

    withdrawn_utc: str | None = None
    """When consent was withdrawn; all takes of this person then stay out of exports."""

    breaks_utc: tuple[str, ...] = ()
    """When breaks were taken."""


@dataclass(frozen=True, slots=True)
class StudyEpisode:
    """An episode that can be assigned."""

    key: EpisodeKey
    split: str = ""
    is_training: bool = False
    """Everyone drives it first and it never counts."""

    path_id: str = ""
    """Id of the first episode of its scene that leads along the same path, either way; empty
    where that is not known yet, see ``study_edits.know_paths``."""

    @property
    def path(self) -> EpisodeKey:
        """What two episodes along the same path have in common."""
        return self.key._replace(episode_id=self.path_id or self.key.episode_id)


@dataclass(frozen=True, slots=True)
class Requeue:
    """That an episode was to be driven once more."""

    reason: str
    by: str
    """Who decided it."""

    time_utc: str


@dataclass(frozen=True, slots=True)
class Assignment:
    """One episode that one participant is to drive."""

    key: AssignmentKey
    place: int
    """In the participant's order: training from −n to −1, the others from 0."""

    is_training: bool = False
    state: AssignmentState = AssignmentState.PENDING
    reason: str = ""
    """Why it is abandoned or queued again; otherwise empty."""

    changed_by: str = ""
    """Who brought about the state."""

    changed_utc: str = ""
    requeues: tuple[Requeue, ...] = ()
    """Every time it was queued again, kept after it is done."""


@dataclass(frozen=True, slots=True)
class Take:
    """One recorded attempt; the samples are in a file of their own."""

    key: TakeKey
    path: str
    """POSIX path of the file relative to the project's folder."""

    content_hash: str
    """SHA-256 of the file, hexadecimal."""

    started_utc: str
    summary: TakeSummary
    rules: TakeRules
    """Under which it was made."""

    scores: Mapping[str, float | None] = field(default_factory=no_entries)
    """``PROFILE.METRIC`` → value, in the profile of its data set alone; ``None`` where it is
    undefined."""

    score_notes: Mapping[str, str] = field(default_factory=no_entries)
    """Name → why that score is undefined."""

    excluded_reason: str = ""
    """Why a coordinator keeps it out of exports; empty: it is not excluded."""

    profile: str = ""
    """Key of the metric profile of its data set, by which it is scored; empty: it is not scored."""

    answers: TakeAnswers | None = None
    """What the participant answered after it; ``None``: nothing was asked or answered."""

    scoring_version: int = 0
    """How its scores were computed; 0: before versions were kept, or it is not scored."""


@dataclass(frozen=True, slots=True)
class Study:
    """Everything about a study; a project without one has ``rules=None`` and nothing else."""

    rules: StudyRules | None = None
    consent_texts: Mapping[int, ConsentText] = field(default_factory=no_entries)
    """By version."""

    episodes: Mapping[EpisodeKey, StudyEpisode] = field(default_factory=no_entries)
    """Everything that can be assigned, in the order of the file."""

    participants: Mapping[str, Participant] = field(default_factory=no_entries)
    """By code, in the order of joining."""

    assignments: Mapping[AssignmentKey, Assignment] = field(default_factory=no_entries)
    takes: Mapping[TakeKey, Take] = field(default_factory=no_entries)


NO_STUDY: Final = Study()
"""The study of a project that has none."""


def new_code(taken: Container[str], choice: Callable[[Sequence[str]], str]) -> str:
    """A code that nobody has, such as ``P-7K3D``.

    Args:
        taken: Codes in use.
        choice: Picks one of several letters, for example ``secrets.choice``; a code must not
            follow from who joined when.
    """
    length = CODE_LENGTH
    while True:
        # Draws that hit a taken code 50 times say that the short codes are used up.
        for _ in range(50):
            code = "P-" + "".join(choice(CODE_LETTERS) for _ in range(length))
            if code not in taken:
                return code
        length += 1


def consent_in_force(study: Study) -> ConsentText | None:
    """The text to show now; ``None`` if none was published."""
    return study.consent_texts[max(study.consent_texts)] if study.consent_texts else None


def has_consented(study: Study, code: str) -> bool:
    """Whether a participant agreed to exactly the text in force and did not withdraw."""
    participant, text = study.participants[code], consent_in_force(study)
    if participant.withdrawn_utc is not None or text is None:
        return False
    return any(
        given.version == text.version and given.text_hash == text.text_hash
        for given in participant.consents
    )


def assignments_of(study: Study, code: str) -> tuple[Assignment, ...]:
    """The episodes of one participant in the order of driving, training first."""
    own = (a for key, a in study.assignments.items() if key.participant == code)
    return tuple(sorted(own, key=lambda assignment: assignment.place))


def open_assignments(study: Study, code: str) -> tuple[Assignment, ...]:
    """What is left for a participant: everything assigned that is neither done nor abandoned.

    Nothing is left for who has withdrawn.
    """
    if study.participants[code].withdrawn_utc is not None:
        return ()
    return tuple(a for a in assignments_of(study, code) if a.state not in SETTLED)


def next_assignment(study: Study, code: str) -> Assignment | None:
    """Where a participant goes on; ``None`` when nothing is left.

    An episode that was begun comes first, so that a crash changes nothing; then the first open
    one in the participant's order.
    """
    left = open_assignments(study, code)
    begun = (a for a in left if a.state is AssignmentState.IN_PROGRESS)
    return next(begun, left[0] if left else None)


def takes_of(study: Study, key: AssignmentKey) -> tuple[Take, ...]:
    """The attempts at one assignment, first to last."""
    return in_order(take for take_key, take in study.takes.items() if take_key.assignment == key)


def in_order(takes: Iterable[Take]) -> tuple[Take, ...]:
    """Takes as they began; one that the project heard of late has a higher number than later ones.

    Those that began at once stand by their numbers.
    """
    return tuple(sorted(takes, key=lambda take: (began(take), take.key.number)))


def take_to_ask_about(study: Study, code: str) -> Take | None:
    """The last complete take of a participant if its questions are not answered yet.

    A crash between the end of an episode and the answers loses no question.
    """
    own = [
        take
        for key, take in study.takes.items()
        if key.participant == code and take.summary.is_complete
    ]
    last = max(own, key=began, default=None)
    is_open = last is not None and bool(last.rules.questions) and last.answers is None
    return last if is_open else None


def next_take_key(study: Study, key: AssignmentKey) -> TakeKey:
    """The key of the next attempt; numbers are never given twice."""
    return TakeKey(*key, max((take.key.number for take in takes_of(study, key)), default=0) + 1)


def began(take: Take) -> datetime:
    """When a take began; before all others where that is not known."""
    try:
        return moment(take.started_utc)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def moment(time_utc: str) -> datetime:
    """A stored time as a point in time; one without a zone is UTC.

    Raises:
        ValueError: If it is no ISO 8601 time.
    """
    found = datetime.fromisoformat(time_utc)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
