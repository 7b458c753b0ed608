from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.study_examples import LATER, NOON, assigned, drive_next, study_of

from waypost.documents.project_document import ProjectDocument
from waypost.domain.project import Project
from waypost.domain.record.study import next_assignment
from waypost.domain.record.study_edits import begin_episode, requeue_episode, withdraw_consent
from waypost.store.project_store import ProjectStore


@pytest.fixture
def document(qapp, tmp_path: Path):
    file = tmp_path / "study.waypost"
    project = Project("House", study=assigned(study_of([1, 1, 1], 2)))
    document = ProjectDocument(ProjectStore.create(file, project, "ana"), "ana")
    yield document
    document.close()


def test_every_change_of_a_study_is_saved_and_undone(document: ProjectDocument, tmp_path: Path):
    seen = [document.project]

    def edit(text: str, study) -> None:
        document.edit(text, replace(document.project, study=study))
        seen.append(document.project)

    edit("Drive", drive_next(document.project.study, "P-0"))
    (take,) = document.project.study.takes
    edit("Queue again", requeue_episode(seen[-1].study, take.assignment, "dark", "ana", LATER))
    key = next_assignment(seen[-1].study, "P-0").key
    edit("Begin", begin_episode(seen[-1].study, key, NOON))
    edit("Withdraw", withdraw_consent(seen[-1].study, "P-1", LATER))
    saved = ProjectStore.open(tmp_path / "study.waypost")
    assert saved.load() == seen[-1]
    for before in reversed(seen[:-1]):
        document.undo()
        assert document.project is before
        assert saved.load() == before
    for _ in seen[1:]:
        document.redo()
    assert saved.load() == document.project == seen[-1]
    saved.close()
