"""The kinds of items a study consists of, as table rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.project import Project
from waypost.domain.record.study import (
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
    StudyPlan,
    Take,
    TakeKey,
)
from waypost.domain.record.take_quality import TakeSummary
from waypost.store import schema
from waypost.store.item_kind import ItemKind, RowValues, from_json, single, to_json
from waypost.store.row_types import check_types


def study_of(items: Mapping[ItemKind, Mapping[Any, Any]]) -> Study:
    """Put the items of a study together.

    Raises:
        ValueError: If an item belongs to one that is not there.
        TypeError: If a rule of the plan is missing, unknown or of a wrong type.
    """
    settings = items[STUDY_SETTING]
    study = Study(
        plan=StudyPlan(**settings) if settings else None,
        consent_texts=MappingProxyType(items[CONSENT_TEXT]),
        episodes=MappingProxyType(items[STUDY_EPISODE]),
        participants=MappingProxyType(items[PARTICIPANT]),
        assignments=MappingProxyType(items[ASSIGNMENT]),
        takes=MappingProxyType(items[TAKE]),
    )
    check_types(study.plan)
    for key in study.assignments:
        if key.participant not in study.participants:
            raise ValueError(f"an episode is assigned to {key.participant}, who is not there")
        if key.episode not in study.episodes:
            raise ValueError(f"episode {key.episode_id} is assigned, which is not there")
    for take_key in study.takes:
        if take_key.assignment not in study.assignments:
            raise ValueError(f"a take is of episode {take_key.episode_id}, which is not assigned")
    return study


def _settings(project: Project) -> Mapping[str, Any]:
    plan = project.study.plan
    return {} if plan is None else {f.name: getattr(plan, f.name) for f in fields(plan)}


def _consent_text_row(text: ConsentText) -> dict[str, Any]:
    return {
        "text": text.text,
        "text_hash": text.text_hash,
        "published_utc": text.published_utc,
    }


def _consent_text(row: RowValues) -> ConsentText:
    text = ConsentText(row["version"], row["text"], row["published_utc"])
    if text.text_hash != row["text_hash"]:
        raise ValueError(f"the text of version {text.version} does not match its hash")
    return text


def _study_episode(row: RowValues) -> StudyEpisode:
    key = EpisodeKey(row["dataset"], row["scene_id"], row["episode_id"])
    return StudyEpisode(key, row["split"], bool(row["is_training"]))


def _participant_row(participant: Participant) -> dict[str, Any]:
    return {
        "joined_utc": participant.joined_utc,
        "order_seed": participant.order_seed,
        "consents": to_json([asdict(given) for given in participant.consents]),
        "withdrawn_utc": participant.withdrawn_utc,
        "breaks_utc": to_json(list(participant.breaks_utc)),
    }


def _participant(row: RowValues) -> Participant:
    return Participant(
        row["code"],
        row["joined_utc"],
        int(row["order_seed"]),
        tuple(ConsentGiven(**given) for given in from_json(row["consents"])),
        row["withdrawn_utc"],
        tuple(from_json(row["breaks_utc"])),
    )


def _assignment_row(assignment: Assignment) -> dict[str, Any]:
    return {
        "place": assignment.place,
        "is_training": assignment.is_training,
        "state": assignment.state.value,
        "reason": assignment.reason,
        "state_by": assignment.changed_by,
        "state_utc": assignment.changed_utc,
        "requeues": to_json([asdict(requeue) for requeue in assignment.requeues]),
    }


def _assignment(row: RowValues) -> Assignment:
    return Assignment(
        ASSIGNMENT.key_of(row),
        row["place"],
        bool(row["is_training"]),
        AssignmentState(row["state"]),
        row["reason"],
        row["state_by"],
        row["state_utc"],
        tuple(Requeue(**requeue) for requeue in from_json(row["requeues"])),
    )


def _take_row(take: Take) -> dict[str, Any]:
    return {
        "path": take.path,
        "content_hash": take.content_hash,
        "started_utc": take.started_utc,
        "summary": to_json(asdict(take.summary)),
        "scores": to_json(take.scores),
        "score_notes": to_json(take.score_notes),
        "excluded_reason": take.excluded_reason,
    }


def _take(row: RowValues) -> Take:
    return Take(
        TAKE.key_of(row),
        row["path"],
        row["content_hash"],
        row["started_utc"],
        TakeSummary(**from_json(row["summary"])),
        MappingProxyType(from_json(row["scores"])),
        MappingProxyType(from_json(row["score_notes"])),
        row["excluded_reason"],
    )


def _episode_title(key: EpisodeKey | AssignmentKey | TakeKey, _: Any) -> str:
    return f"episode {key.episode_id} of {key.scene_id}"


STUDY_SETTING: Final = ItemKind(
    "study setting",
    schema.STUDY_SETTINGS,
    ("setting",),
    _settings,
    single,
    lambda value: {"value": to_json(value)},
    lambda row: from_json(row["value"]),
    lambda key, _: f"the study's {key.replace('_', ' ')}",
)
CONSENT_TEXT: Final = ItemKind(
    "consent text",
    schema.CONSENT_TEXTS,
    ("version",),
    lambda project: project.study.consent_texts,
    single,
    _consent_text_row,
    _consent_text,
    lambda key, _: f"version {key} of the consent text",
)
STUDY_EPISODE: Final = ItemKind(
    "study episode",
    schema.STUDY_EPISODES,
    ("dataset", "scene_id", "episode_id"),
    lambda project: project.study.episodes,
    lambda parts: EpisodeKey(*parts),
    lambda episode: {"split": episode.split, "is_training": episode.is_training},
    _study_episode,
    _episode_title,
)
PARTICIPANT: Final = ItemKind(
    "participant",
    schema.PARTICIPANTS,
    ("code",),
    lambda project: project.study.participants,
    single,
    _participant_row,
    _participant,
    lambda key, _: f"participant {key}",
)
ASSIGNMENT: Final = ItemKind(
    "assignment",
    schema.ASSIGNMENTS,
    ("dataset", "scene_id", "episode_id", "participant"),
    lambda project: project.study.assignments,
    lambda parts: AssignmentKey(*parts),
    _assignment_row,
    _assignment,
    lambda key, _: f"{_episode_title(key, _)} for {key.participant}",
)
TAKE: Final = ItemKind(
    "take",
    schema.TAKES,
    ("dataset", "scene_id", "episode_id", "participant", "number"),
    lambda project: project.study.takes,
    lambda parts: TakeKey(*parts),
    _take_row,
    _take,
    lambda key, _: f"take {key.number} of {_episode_title(key, _)} by {key.participant}",
)

STUDY_KINDS: Final = (STUDY_SETTING, CONSENT_TEXT, STUDY_EPISODE, PARTICIPANT, ASSIGNMENT, TAKE)
