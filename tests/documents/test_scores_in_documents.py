"""Two score the same instruction in documents of their own: what undo opens again."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from fixtures.score_examples import book_of, scored

from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.project import Project
from waypost.store.project_store import ProjectStore


def test_undo_opens_no_sheet_whose_rater_may_have_seen_the_others(
    qapp: object, tmp_path: Path
) -> None:
    file = tmp_path / "p.waypost"
    ProjectStore.create(file, Project("p", scoring=book_of()), "lea").close()
    with closing(ProjectDocument(ProjectStore.open(file, viewer="ben"), "ben")) as ben:
        ben.edit(
            "Submit", replace(ben.project, scoring=scored(ben.project.scoring, "i0", "ben", 1, 1))
        )
    refused: list[str] = []
    with closing(ProjectDocument(ProjectStore.open(file, viewer="ana"), "ana")) as ana:
        ana.step_refused.connect(refused.append)
        for item in ("i0", "i2"):
            book = scored(ana.project.scoring, item, "ana", 4, 5)
            ana.edit("Submit", replace(ana.project, scoring=book))
        both = ana.project
        # Nobody else has scored the last one.
        ana.undo()
        assert not ana.project.scoring.is_settled("demo", "i2", "ana")
        ana.redo()
        ana.undo()
        before = ana.project
        ana.undo()
        assert ana.project is before
        assert len(refused) == 1
        assert "ana's sheet on i0" in refused[0]
        # What is scored again is a round of its own, which can be undone.
        book = scored(ana.project.scoring, "i0", "ana", 1, 1)
        ana.edit("Submit", replace(ana.project, scoring=book))
        assert [s.is_seeing for s in ana.project.scoring.rounds("demo", "i0", "ana")] == [
            False,
            True,
        ]
        ana.undo()
        assert ana.project.scoring.sheet("demo", "i0", "ana") == both.scoring.sheet(
            "demo", "i0", "ana"
        )
        assert ana.save_state.kind is SaveKind.SAVED
