"""The window of a project on a server that is slow, silent or gone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fixtures.server_lines import ServerLine, server_line
from fixtures.server_schemas import needs_server, server_schema
from gui.house import graph
from gui.user import User
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from waypost.app.shell import workbench
from waypost.app.shell.project_address import project_place
from waypost.app.shell.project_opening import Opened
from waypost.documents.save_state import SaveKind
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import describe_node
from waypost.store.project_store import ProjectStore

pytestmark = [pytest.mark.gui, needs_server]


@pytest.fixture
def place() -> Iterator[str]:
    """The address of a project in a schema of its own."""
    with server_schema() as place:
        ProjectStore.create(place, Project("shared", graph=graph()), "ana").close()
        yield place


@pytest.fixture
def line(place: str) -> Iterator[ServerLine]:
    with server_line(place) as line:
        yield line


@pytest.fixture
def at_server(user: User, line: ServerLine) -> User:
    user.window.bench.open_path(project_place(line.address))
    user.wait(lambda: user.window.bench.document)
    return user


def rename(user: User, name: str) -> None:
    renamed = describe_node(user.graph, "node_1", name=name)
    user.document.edit("Rename node", set_graph(user.project, renamed))


def name_on_server(place: str) -> str:
    with closing(ProjectStore.open(place)) as store:
        return store.load().graph.nodes["node_1"].name


def when_asked(then: Callable[[QMessageBox], object]) -> QTimer:
    """Do something once a question is open."""

    def look() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            timer.stop()
            then(box)

    timer = QTimer(interval=10)
    timer.timeout.connect(look)
    timer.start()
    return timer


def test_the_window_says_that_it_is_saving_and_then_that_it_is_saved(
    at_server: User, line: ServerLine, place: str
) -> None:
    line.hold()
    rename(at_server, "Pantry")
    assert at_server.window.saved_text == "◐ saving"
    assert at_server.graph.nodes["node_1"].name == "Pantry"
    line.release()
    at_server.wait(lambda: "✓ saved" in at_server.window.saved_text)
    assert name_on_server(place) == "Pantry"


def test_closing_beside_a_silent_server_asks_and_the_question_goes_once_it_answers(
    at_server: User, line: ServerLine, place: str
) -> None:
    line.hold()
    rename(at_server, "Pantry")
    asked = when_asked(lambda box: box.button(QMessageBox.StandardButton.No).click())
    assert not at_server.window.close()
    assert not asked.isActive()
    assert at_server.window.isVisible()
    asked = when_asked(lambda box: line.release())
    assert at_server.window.close()
    assert not asked.isActive()
    assert name_on_server(place) == "Pantry"


def test_another_project_is_opened_once_the_server_has_the_last_edit(
    at_server: User, line: ServerLine, place: str, house: Path
) -> None:
    line.hold()
    rename(at_server, "Pantry")
    before = at_server.document
    at_server.window.bench.open_path(house)
    line.release()
    at_server.wait(lambda: at_server.document is not before)
    assert name_on_server(place) == "Pantry"


def test_no_other_project_is_opened_over_edits_that_a_server_did_not_get(
    at_server: User, line: ServerLine, place: str, house: Path
) -> None:
    told = list[str]()
    at_server.window.bench.refused.connect(told.append)
    line.cut()
    rename(at_server, "Pantry")
    at_server.wait(lambda: at_server.document.save_state.kind is SaveKind.NOT_SAVED)
    before = at_server.document
    at_server.window.bench.open_path(house)
    at_server.wait(lambda: any("would be lost" in sentence for sentence in told))
    assert at_server.document is before
    line.mend()
    at_server.wait(lambda: at_server.document.save_state.kind is SaveKind.SAVED)
    assert name_on_server(place) == "Pantry"


def test_a_reload_beside_a_save_under_way_has_it(
    at_server: User, line: ServerLine, place: str
) -> None:
    line.delay_s = 0.01
    rename(at_server, "Pantry")
    store = at_server.document.store
    assert at_server.document.is_saving
    at_server.window.bench.reload()
    at_server.wait(lambda: at_server.document.store is not store)
    assert at_server.graph.nodes["node_1"].name == "Pantry"
    rename(at_server, "Cellar")
    at_server.wait(lambda: at_server.document.save_state.kind is SaveKind.SAVED)
    assert name_on_server(place) == "Cellar"


def test_a_reload_that_was_read_before_another_attempt_succeeded_has_what_that_saved(
    at_server: User, line: ServerLine, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, go_on, real = threading.Event(), threading.Event(), workbench.project_work

    def slow(*args: Any, **named: Any) -> Work[Opened]:
        opened = yield from real(*args, **named)
        read.set()
        while not go_on.wait(0.01):
            yield Progress(1.0, 2.0, "Making values")
        return opened

    monkeypatch.setattr(workbench, "project_work", slow)
    document = at_server.document
    line.cut()
    rename(at_server, "Pantry")
    at_server.wait(lambda: document.save_state.kind is SaveKind.NOT_SAVED)
    at_server.wait(lambda: not document.is_saving)
    store = document.store
    line.mend()
    at_server.window.bench.reload()
    at_server.wait(read.is_set)
    document.save_soon()
    at_server.wait(lambda: document.save_state.kind is SaveKind.SAVED)
    go_on.set()
    at_server.wait(lambda: document.store is not store)
    assert at_server.graph.nodes["node_1"].name == name_on_server(place) == "Pantry"
