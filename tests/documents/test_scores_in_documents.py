"""Several people in documents of their own: what undo opens again, and what comes in meanwhile."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from fixtures.score_examples import NOON, book_of, scored

from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.project import Project
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import SheetKey
from waypost.domain.score.sheet_edits import return_sheet, set_score, write_decision
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


def test_a_sheet_that_its_rater_has_changed_first_gets_no_next_round(
    qapp: object, tmp_path: Path
) -> None:
    """That would hide the change behind what was said before; the lead keeps what she wrote."""
    file = tmp_path / "p.waypost"
    book = scored(book_of(), "i0", "ana", 4, 5)
    ProjectStore.create(file, Project("p", scoring=book), "lea").close()
    key = SheetKey("demo", "i0", "ana", 1)
    with (
        closing(ProjectDocument(ProjectStore.open(file, viewer="ana"), "ana")) as ana,
        closing(ProjectDocument(ProjectStore.open(file, viewer="lea"), "lea")) as lea,
    ):
        begun = write_decision(lea.project.scoring, book.sheets[key], "Look again")
        lea.edit("Comment", replace(lea.project, scoring=begun))
        changed = set_score(ana.project.scoring, book.sheets[key], "clarity", 1, NOON)
        ana.edit("Score", replace(ana.project, scoring=changed))
        back = return_sheet(begun, begun.sheets[key], "lea", "Look again", NOON)
        lea.edit("Return", replace(lea.project, scoring=back, name="hers"))
        assert "ana's sheet on i0" in lea.save_state.reason
        assert lea.save_state.reason.endswith("2 more changes wait with it; all else is saved")
        with closing(ProjectStore.open(file)) as store:
            found = store.load()
        assert found.name == "hers"
        assert found.scoring.sheets.keys() == {key}
        assert found.scoring.sheets[key].scores["clarity"] == 1
        assert found.scoring.sheets[key].decision_comment == "Look again"
        lea.undo()
        assert lea.save_state.kind is SaveKind.SAVED


def test_nobody_repeats_or_takes_back_half_of_a_return(qapp: object, tmp_path: Path) -> None:
    file = tmp_path / "p.waypost"
    book = scored(book_of(), "i0", "ana", 4, 5)
    ProjectStore.create(file, Project("p", scoring=book), "lea").close()
    key = SheetKey("demo", "i0", "ana", 1)
    refused: list[str] = []
    with closing(ProjectDocument(ProjectStore.open(file, viewer="lea"), "lea")) as lea:
        lea.step_refused.connect(refused.append)

        def heard(book: ScoreBook) -> ScoreBook:
            lea.note("News", replace(lea.project, scoring=book))
            return book

        back = return_sheet(book, book.sheets[key], "lea", "again", NOON)
        lea.edit("Return", replace(lea.project, scoring=back))
        begun = heard(set_score(back, back.sheet("demo", "i0", "ana"), "clarity", 2, NOON))
        lea.undo()
        assert lea.project.scoring == begun, "she is filling in the next round"
        assert len(refused) == 1
        # The other way round: she changes it after that was taken back, and it is repeated.
        heard(book)
        lea.edit("Return", replace(lea.project, scoring=back))
        lea.undo()
        changed = heard(set_score(book, book.sheets[key], "clarity", 1, NOON))
        lea.redo()
        assert lea.project.scoring == changed
