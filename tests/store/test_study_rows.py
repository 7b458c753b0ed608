from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.study_examples import LATER, NOON, assigned, drive_next, study_of, with_people
from stored_rows import SET, change_rows, stored_rows

from waypost.domain.base.errors import ConflictError, ReadError
from waypost.domain.project import Project
from waypost.domain.record.study import next_assignment
from waypost.domain.record.study_edits import (
    abandon_episode,
    begin_episode,
    exclude_take,
    requeue_episode,
    take_break,
    withdraw_consent,
)
from waypost.store.project_store import ProjectStore

PROJECT = Project("House", study=assigned(study_of([1, 1, 1], 2, training=1)))


def with_study(edit) -> Project:
    return replace(PROJECT, study=edit(PROJECT.study))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "house.waypost"
    ProjectStore.create(file, PROJECT, "ana").close()
    return file


def test_a_whole_study_survives_reopening(file: Path) -> None:
    study = drive_next(drive_next(PROJECT.study, "P-0"), "P-0")
    first = next(iter(study.takes))
    study = requeue_episode(study, first.assignment, "door was stuck", "ben", LATER)
    study = exclude_take(study, list(study.takes)[1], "wrong scene")
    study = withdraw_consent(take_break(study, "P-1", LATER), "P-1", LATER)
    store = ProjectStore.open(file)
    before = store.load()
    store.save(before, replace(before, study=study), "ana")
    store.close()
    assert ProjectStore.open(file).load().study == study


def test_one_change_of_state_writes_one_row(file: Path) -> None:
    store = ProjectStore.open(file)
    project = store.load()
    following = next_assignment(project.study, "P-0")
    assert following is not None
    study = begin_episode(project.study, following.key, NOON)
    store.save(project, replace(project, study=study), "P-0", "Begin episode")
    store.close()
    assert stored_rows(file, "SELECT kind, action FROM history WHERE change_id > 1") == [
        ("assignment", "changed")
    ]
    assert stored_rows(
        file,
        "SELECT json_extract(payload, '$.changed_by'), changed_by FROM assignments"
        " WHERE row_version > 1",
    ) == [("P-0", "P-0")]


def test_two_windows_may_drive_at_once_but_not_the_same_episode(file: Path) -> None:
    one, two = ProjectStore.open(file), ProjectStore.open(file)
    first, second = one.load(), two.load()
    driven = drive_next(first.study, "P-0")
    one.save(first, replace(first, study=driven), "P-0")
    other = drive_next(second.study, "P-1")
    two.save(second, replace(second, study=other), "P-1")
    key = next_assignment(second.study, "P-0").key  # type: ignore[union-attr]
    begun = begin_episode(other, key, NOON)
    lost = abandon_episode(begun, key, "I am lost", LATER)
    with pytest.raises(ConflictError, match=f"episode {key.episode_id} of t for P-0 was changed"):
        two.save(replace(second, study=other), replace(second, study=lost), "P-0")
    one.close()
    two.close()
    study = ProjectStore.open(file).load().study
    assert sorted(take.key.participant for take in study.takes.values()) == ["P-0", "P-1"]


def test_an_undo_cannot_take_away_what_another_window_builds_on(file: Path) -> None:
    one, two = ProjectStore.open(file), ProjectStore.open(file)
    before = one.load()
    joined = with_study(lambda study: with_people(study, 1))
    one.save(before, joined, "ana")
    other = two.load()
    given = replace(other, study=assigned(other.study))
    two.save(other, given, "ben")
    with pytest.raises(ConflictError):
        one.save(joined, before, "ana", "Undo add participant")
    one.close()
    two.close()
    assert ProjectStore.open(file).load() == given


def test_undoing_the_whole_study_leaves_no_row(file: Path) -> None:
    store = ProjectStore.open(file)
    project = store.load()
    store.save(project, Project("House"), "ana", "Undo create study")
    assert store.load() == Project("House")
    store.close()
    for table in ("study_settings", "participants", "assignments", "study_episodes"):
        assert stored_rows(file, f"SELECT * FROM {table}") == []  # noqa: S608


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        ("DELETE FROM participants WHERE code = 'P-0'", "study", "assigned to P-0"),
        ("DELETE FROM study_episodes WHERE scene_id = 's1'", "study", "which is not there"),
        ("UPDATE takes SET episode_id = 'x'", "study", "a take is of episode x"),
        (SET.format("consent_texts", "text", "'I sell my soul.'"), "consent_texts", "its hash"),
        (SET.format("assignments", "state", "'lazy'"), "assignments", "lazy"),
        ("DELETE FROM study_settings WHERE setting = 'seed'", "study", "seed"),
        (SET.format("participants", "consents", "json('[{}]')"), "participants", "version"),
    ],
)
def test_a_study_that_does_not_fit_together_is_refused(
    file: Path, change: str, place: str, reason: str
) -> None:
    driven = ProjectStore.open(file)
    before = driven.load()
    driven.save(before, replace(before, study=drive_next(before.study, "P-0")), "P-0")
    driven.close()
    change_rows(file, change)
    store = ProjectStore.open(file)
    with pytest.raises(ReadError) as caught:
        store.load()
    assert place in caught.value.place
    assert reason in caught.value.reason


def test_no_column_and_no_field_could_hold_a_name(file: Path) -> None:
    found = [row[1] for row in stored_rows(file, "PRAGMA table_info(participants)")]
    stamps = ["ordinal", "row_version", "changed_by", "changed_utc"]
    assert found == ["code", "payload", *stamps]
    own = {"joined_utc", "order_seed", "consents", "withdrawn_utc", "breaks_utc"}
    for (payload,) in stored_rows(file, "SELECT payload FROM participants"):
        assert set(json.loads(str(payload))) == own
