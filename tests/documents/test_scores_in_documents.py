"""Several people in documents of their own: what undo opens again, and what comes in meanwhile."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from fixtures.score_examples import NOON, book_of, scored

from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.project import Project
from waypost.domain.score.sheet_edits import return_sheet
from waypost.store.project_store import ProjectStore
from waypost.store.score_news import ScoreNewsReader


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


def test_what_is_decided_elsewhere_comes_in_beside_an_edit_that_cannot_be_saved(
    qapp: object, tmp_path: Path
) -> None:
    file = tmp_path / "p.waypost"
    book = scored(book_of(), "i0", "ana", 4, 5)
    ProjectStore.create(file, Project("p", scoring=book), "lea").close()
    with (
        closing(ProjectDocument(ProjectStore.open(file, viewer="ana"), "ana")) as ana,
        closing(ScoreNewsReader(file, ana.store.loaded_change)) as news,
        closing(ProjectStore.open(file, viewer="lea")) as lea,
    ):
        before = lea.load()
        given = before.scoring.sheet("demo", "i0", "ana")
        back = return_sheet(before.scoring, given, "lea", "look again", NOON)
        lea.save(before, replace(before, name="hers", scoring=back), "lea")
        ana.edit("Rename", replace(ana.project, name="mine"))
        assert ana.save_state.kind is SaveKind.NOT_SAVED
        told = news.read()
        assert told is not None
        assert ana.take_news(told)
        assert (ana.project.name, ana.project.scoring) == ("mine", back)
        assert ana.save_state.kind is SaveKind.NOT_SAVED
        # What she answers now is an answer to it, and is saved without the name.
        again = scored(ana.project.scoring, "i0", "ana", 3, 3)
        ana.edit("Submit", replace(ana.project, scoring=again))
        found = lea.load()
        assert (found.name, found.scoring) == ("hers", again)
