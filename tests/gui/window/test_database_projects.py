"""A project in PostgreSQL, given by its address, in the real window."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from fixtures.score_examples import NOON, book_of, scored
from fixtures.server_schemas import URL, needs_server, server_schema
from gui.house import graph
from gui.user import User
from sqlalchemy.engine import make_url

from waypost.app.score.workspace import ScoreWorkspace
from waypost.app.shell.project_address import project_place
from waypost.domain.project import Project
from waypost.domain.score.sheet import SheetState
from waypost.domain.score.sheet_edits import accept_sheet, return_sheet
from waypost.services import score_news
from waypost.store.presence import Presence
from waypost.store.project_store import ProjectStore

pytestmark = [pytest.mark.gui, needs_server]


@pytest.fixture
def address() -> Iterator[str]:
    """A project in a schema of its own."""
    book = scored(scored(book_of(), "i0", "ana", 4, 4), "i2", "ana", 3, 3)
    with server_schema() as place:
        ProjectStore.create(place, Project("shared", graph=graph(), scoring=book), "ana").close()
        yield place


def others_at(address: str) -> tuple[str, ...]:
    """Who has the project open."""
    later = Presence.at(address, "later")
    assert later is not None
    later.close()
    return later.others


def test_it_opens_by_its_address_and_again_from_the_start_page(user: User, address: str) -> None:
    window = user.window
    elsewhere, told = Presence.at(address, "elsewhere"), list[str]()
    assert elsewhere is not None
    window.bench.refused.connect(told.append)
    window.bench.open_path(project_place(address))
    user.wait(lambda: window.bench.document)
    who = make_url(URL).username
    said = f"is open in another window of Waypost or a command of {who} as well."
    user.wait(lambda: any(said in sentence for sentence in told))
    elsewhere.close()
    told.clear()
    assert user.project.name == "shared"
    assert len(user.graph.nodes) == 5
    (kept,) = window.bench.settings.recent_projects
    window.show_welcome()
    name = make_url(URL).database
    assert window._welcome.first_button.text().startswith(f"Continue: {name}")
    before = user.document
    window._welcome.recent_chosen.emit(kept)
    user.wait(lambda: user.document is not before)
    assert user.project.name == "shared"
    # Opened again here it is open in no other window; closed it is open in none.
    assert told == []
    assert others_at(address) == (who,)
    window.bench.close()
    # The server notices a moment later that a connection has ended.
    user.wait(lambda: others_at(address) == ())


def test_a_rater_is_told_what_a_lead_decides_meanwhile(
    user: User, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score_news, "EVERY_S", 0.1)
    bench = user.window.bench
    bench.change_settings(replace(bench.settings, annotator="ana"))
    bench.open_path(project_place(address))
    user.wait(lambda: bench.document)
    user.press("Ctrl+4")
    user.wait(lambda: user.window.workspaces.shown.scope == "score")
    scoring = user.window.workspaces.current
    assert isinstance(scoring, ScoreWorkspace)
    scoring.go_to_item("i3")
    scoring.panel.comment.setPlainText("half a com")
    with closing(ProjectStore.open(address)) as store:
        before = store.load()
        book = before.scoring
        given, good = (book.sheet("demo", item, "ana") for item in ("i0", "i2"))
        book = return_sheet(book, given, "lea", "look again", NOON)
        store.save(before, replace(before, scoring=accept_sheet(book, good, "lea", NOON)), "lea")
    user.wait(lambda: "look again" in user.message())
    assert "lea accepted your sheet on" in user.message()
    assert [own.state for own in user.project.scoring.rounds("demo", "i0", "ana")] == [
        SheetState.RETURNED,
        SheetState.OPEN,
    ]
    assert (scoring.item, scoring.panel.comment.toPlainText()) == ("i3", "half a com")
    assert "returned to you" in scoring.desk.listing.words
    user.wait(lambda: user.project.scoring.sheet("demo", "i3", "ana").comments)
    assert not user.document.save_state.is_conflict
