"""What an open file hears of another window on it: scores, quickly, and nothing of another file."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest
from fixtures.score_examples import NOON, book_of, scored

from waypost.domain.base.errors import ConflictError
from waypost.domain.project import Project
from waypost.domain.score.decision_words import decision_words
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import SheetState
from waypost.domain.score.sheet_edits import return_sheet, write_reason
from waypost.store.database import BUSY_TIMEOUT_S
from waypost.store.project_database import ProjectDatabase
from waypost.store.project_store import ProjectStore
from waypost.store.row_reading import newest_change
from waypost.store.score_news import ScoreNewsReader


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Ana has submitted her sheet on the first item."""
    file = tmp_path / "batch.waypost"
    book = scored(book_of(), "i0", "ana", 4, 4)
    ProjectStore.create(file, Project("batch", scoring=book), "ana").close()
    return file


@pytest.fixture
def ana(file: Path) -> Iterator[ProjectStore]:
    with closing(ProjectStore.open(file, viewer="ana")) as store:
        store.load()
        yield store


@pytest.fixture
def news(ana: ProjectStore) -> Iterator[ScoreNewsReader]:
    """What the window of ana asks."""
    with closing(ScoreNewsReader(ana.location, ana.loaded_change)) as reader:
        yield reader


def write(file: Path, book: ScoreBook, author: str) -> None:
    """What another window on the file does."""
    with closing(ProjectStore.open(file)) as other:
        before = other.load()
        other.save(before, replace(before, scoring=book), author)


def returned(book: ScoreBook) -> ScoreBook:
    return return_sheet(book, book.sheet("demo", "i0", "ana"), "lea", "look again", NOON)


def test_a_file_tells_what_another_window_returned(
    file: Path, ana: ProjectStore, news: ScoreNewsReader
) -> None:
    project = ana.load()
    assert news.read() is None, "what it has it has"
    write(file, returned(project.scoring), "lea")
    told = news.read()
    assert told is not None
    now = ana.with_score_news(project, told)
    assert [own.state for own in now.scoring.rounds("demo", "i0", "ana")] == [
        SheetState.RETURNED,
        SheetState.OPEN,
    ]
    assert decision_words(project.scoring, now.scoring, "ana") == (
        "lea returned your sheet on “Go to the kitchen.” in demo: “look again”"
    )
    assert news.read() is None
    # Her next save knows the rows as they are now.
    ana.save(now, replace(now, scoring=scored(now.scoring, "i0", "ana", 3, 3)), "ana")
    assert news.read() is not None


def test_a_reason_half_written_elsewhere_goes_with_the_sheet_that_is_submitted(file: Path) -> None:
    """A file shows it to the program of everybody: it must not stay where it is gone."""
    with closing(ProjectStore.open(file, viewer="ana")) as hers:
        project = hers.load()
        book = write_reason(
            project.scoring, project.scoring.sheet("demo", "i2", "ana"), "no pict", NOON
        )
        begun = replace(project, scoring=book)
        hers.save(project, begun, "ana")
        with (
            closing(ProjectStore.open(file, viewer="lea")) as leads,
            closing(ScoreNewsReader(file, None)) as news,
        ):
            before = leads.load()
            assert before.scoring.sheet("demo", "i2", "ana").skip_reason == "no pict"
            done = replace(begun, scoring=scored(begun.scoring, "i2", "ana", 4, 4))
            hers.save(begun, done, "ana")
            told = news.read()
            assert told is not None
            now = leads.with_score_news(before, told)
            assert now.scoring == done.scoring
            given = now.scoring.sheet("demo", "i2", "ana")
            after = replace(now, scoring=return_sheet(now.scoring, given, "lea", "again", NOON))
            leads.save(now, after, "lea")


def test_a_reason_that_is_typed_elsewhere_keeps_no_lead_from_returning_its_sheet(
    file: Path, ana: ProjectStore
) -> None:
    def typed(before: Project, reason: str) -> Project:
        sheet = before.scoring.sheet("demo", "i0", "ana")
        after = replace(before, scoring=write_reason(before.scoring, sheet, reason, NOON))
        ana.save(before, after, "ana")
        return after

    begun = typed(ana.load(), "no pict")
    with closing(ProjectStore.open(file, viewer="lea")) as leads:
        before = leads.load()
        with closing(ScoreNewsReader(file, leads.loaded_change)) as news:
            for reason in ("no pictures", ""):
                begun = typed(begun, reason)
                told = news.read()
                assert told is not None
                before = leads.with_score_news(before, told)
                assert before.scoring.sheet("demo", "i0", "ana").skip_reason == reason
        leads.save(before, replace(before, scoring=returned(before.scoring)), "lea")


def test_what_is_cleared_here_comes_back_with_no_older_news(
    file: Path, ana: ProjectStore, news: ScoreNewsReader
) -> None:
    project = ana.load()
    sheet = project.scoring.sheet("demo", "i0", "ana")
    begun = replace(project, scoring=write_reason(project.scoring, sheet, "no pict", NOON))
    ana.save(project, begun, "ana")
    told = news.read()
    ana.save(begun, project, "ana")
    assert told is not None
    assert ana.with_score_news(project, told) is project


def test_who_has_looked_keeps_nobody_from_writing(
    file: Path, ana: ProjectStore, news: ScoreNewsReader
) -> None:
    write(file, returned(ana.load().scoring), "lea")
    assert news.read() is not None
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("ROLLBACK")


def test_a_save_waits_for_a_look_of_the_same_program(file: Path, ana: ProjectStore) -> None:
    """To SQLite the two are strangers: one that is slow made the window say NOT SAVED."""
    project, looks = ana.load(), Event()

    def look() -> None:
        with closing(ProjectDatabase(file)) as other, other.looking() as connection:
            newest_change(connection)
            looks.set()
            time.sleep(4 * BUSY_TIMEOUT_S)

    thread = Thread(target=look)
    thread.start()
    assert looks.wait(10)
    ana.save(project, replace(project, scoring=returned(project.scoring)), "lea")
    thread.join()


def test_another_file_in_its_place_is_no_news(
    file: Path, ana: ProjectStore, news: ScoreNewsReader, tmp_path: Path
) -> None:
    news.read()
    late = ScoreNewsReader(ana.location, ana.loaded_change)
    other = tmp_path / "other.waypost"
    ProjectStore.create(other, Project("other", scoring=book_of()), "ben").close()
    write(other, returned(scored(book_of(), "i0", "ana", 4, 4)), "lea")
    shutil.move(other, file)
    with pytest.raises(ConflictError, match="another file took its place"):
        news.read()
    with pytest.raises(ConflictError):
        news.read()
    with closing(late), pytest.raises(ConflictError, match="another file took its place"):
        late.read()
