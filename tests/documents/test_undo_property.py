from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from fixtures.project_strategies import projects
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from waypost.documents.project_document import ProjectDocument
from waypost.domain.project import Project
from waypost.store.project_store import ProjectStore

pytestmark = [pytest.mark.heavy, pytest.mark.no_cover]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    initial=projects(),
    edits=st.lists(st.tuples(projects(), st.sampled_from([None, "drag"])), max_size=6),
    steps=st.lists(st.integers(-3, 3), max_size=4),
)
def test_undoing_everything_gives_the_initial_object_and_redoing_the_last(
    qapp,
    initial: Project,
    edits: list[tuple[Project, str | None]],
    steps: list[int],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "p.waypost"
        ProjectStore.create(file, initial, "ana").close()
        document = ProjectDocument(ProjectStore.open(file), "ana")
        first = document.project
        for project, merge_key in edits:
            document.edit("Edit", project, merge_key)
        last = document.project
        for step in steps:
            for _ in range(abs(step)):
                (document.undo if step < 0 else document.redo)()
        while document.undo_stack.canUndo():
            document.undo()
        assert document.project is first
        while document.undo_stack.canRedo():
            document.redo()
        assert document.project is last
        assert document.close()
        store = ProjectStore.open(file)
        assert store.load() == last
        store.close()
