"""Small studies with known content for the tests of everything that handles studies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from waypost.domain.record.assignment import assign
from waypost.domain.record.study import (
    AssignmentKey,
    ConsentText,
    EpisodeKey,
    Study,
    StudyEpisode,
    StudyRules,
    Take,
    next_assignment,
    next_take_key,
)
from waypost.domain.record.study_edits import (
    add_participant,
    begin_episode,
    create_study,
    finish_episode,
    give_consent,
)
from waypost.domain.record.take_quality import TakeSummary

NOON = "2026-11-28T12:00:00+00:00"
LATER = "2026-11-28T13:00:00+00:00"
GOOD = TakeSummary(
    rows=1201,
    duration_ns=60_000_000_000,
    wall_duration_ns=60_000_000_000,
    pause_ns=0,
    path_length_m=12.5,
    turned_rad=3.0,
    collision_count=0,
    strict_collision_count=0,
    focus_lost_ns=0,
    active_ns=60_000_000_000,
    has_stopped=True,
    is_complete=True,
)


def episodes(sizes: Sequence[int], training: int = 0) -> list[StudyEpisode]:
    """Scenes ``s0``, ``s1``, … with so many episodes each, after training in scene ``t``."""
    found = [
        StudyEpisode(EpisodeKey("r2r", "t", f"t{i}"), "val", is_training=True)
        for i in range(training)
    ]
    found += [
        StudyEpisode(EpisodeKey("r2r", f"s{scene}", f"{scene}_{i}"), "val")
        for scene, size in enumerate(sizes)
        for i in range(size)
    ]
    return found


def study_of(
    sizes: Sequence[int],
    people: int = 0,
    *,
    count: int = 2,
    overlap: int | None = None,
    training: int = 0,
    seed: int = 7,
) -> Study:
    """A study with participants ``P-0``, ``P-1``, … who agreed and have no episodes yet."""
    rules = StudyRules("walk", seed, episodes_per_participant=count, overlap=overlap)
    study = create_study(rules, episodes(sizes, training), ConsentText(1, "I agree.", NOON))
    return with_people(study, people)


def with_people(study: Study, people: int) -> Study:
    """The study with so many more participants who agreed."""
    first = len(study.participants)
    for number in range(first, first + people):
        study = add_participant(study, f"P-{number}", NOON)
        study = give_consent(study, f"P-{number}", 1, NOON)
    return study


def assigned(study: Study) -> Study:
    """The study with episodes for everyone."""
    return assign(study)[0]


def take_of(study: Study, key: AssignmentKey, **changes: object) -> Take:
    """The next take of an assignment; further arguments change its summary."""
    own = next_take_key(study, key)
    path = f"recordings/{own.participant}/{own.scene_id}-{own.episode_id}-{own.number}.csv"
    return Take(own, path, "ab" * 32, NOON, replace(GOOD, **changes))  # type: ignore[arg-type]


def drive_next(study: Study, code: str, **changes: object) -> Study:
    """The study after a participant drove the next episode to its end."""
    following = next_assignment(study, code)
    assert following is not None
    study = begin_episode(study, following.key, NOON)
    return finish_episode(study, take_of(study, following.key, **changes), LATER)
