"""Files dragged onto the window: the card says what dropping opens, and that is what opens."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cut_text import cut_texts
from fixtures.replay_files import RunFiles
from gui.runs import add_run, asked, shown_ids, wait_for_rows, write_line
from gui.user import User
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit

from waypost.app.window.startup import make_application
from waypost.documents.save_state import SaveKind, SaveState
from waypost.widgets.theme import apply_theme

pytestmark = pytest.mark.gui

COPY, LEFT = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def line(tmp_path: Path) -> RunFiles:
    return write_line(tmp_path / "line")


class Drag:
    """Somebody drags files from another program over the middle of the window.

    Args:
        user: At the window.
        paths: The files.
        actions: What the other program offers to do with them.
    """

    def __init__(
        self, user: User, paths: Sequence[Path | str], actions: Qt.DropAction = COPY
    ) -> None:
        self._user, self._actions = user, actions
        self._data = QMimeData()
        self._data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        self._place = user.window.rect().center()
        self.is_accepted = self._send(QDragEnterEvent)

    @property
    def told(self) -> str:
        """Title and text of the card."""
        card = self._user.window.drops.card
        return card.accessibleName().replace("\u200b", "") if card._title.text() else ""

    def wait_for(self, words: str) -> None:
        self._user.wait(lambda: words in self.told)

    def move_to(self, place: QPoint) -> bool:
        self._place = place
        return self._send(QDragMoveEvent)

    def leave(self) -> None:
        QApplication.sendEvent(self._user.window.windowHandle(), QDragLeaveEvent())

    def drop(self) -> None:
        place = QPointF(self._place)
        event = QDropEvent(place, self._actions, self._data, LEFT, NO_KEY)
        QApplication.sendEvent(self._user.window.windowHandle(), event)

    def _send(self, kind: type[QDragMoveEvent]) -> bool:
        event = kind(self._place, self._actions, self._data, LEFT, NO_KEY)
        event.ignore()
        QApplication.sendEvent(self._user.window.windowHandle(), event)
        assert not event.isAccepted() or event.dropAction() is COPY
        return event.isAccepted()


def has_nothing_open(user: User) -> bool:
    return user.window.bench.document is None and user.window.bench.opening is None


def test_a_project_opens_as_the_card_says(user: User, house: Path) -> None:
    drag = Drag(user, [house])
    assert drag.is_accepted
    drag.wait_for("Open the project")
    assert drag.told == f"Open the project “{house.name}”. Let go to do so."
    assert has_nothing_open(user)
    drag.drop()
    user.wait(lambda: user.window.bench.document and user.window.bench.scene)
    assert user.document.store.location == house
    assert not drag.told


def test_a_drop_before_all_is_looked_at_is_remembered(user: User, house: Path) -> None:
    Drag(user, [house]).drop()
    user.wait(lambda: user.window.bench.document and user.window.bench.scene)
    assert user.document.store.location == house


def test_results_open_as_a_run_with_what_is_dropped_with_them(
    user: User, house: Path, line: RunFiles
) -> None:
    user.open(house)
    drag = Drag(user, [line.connectivity, line.results])
    drag.wait_for("as a run in Replay, with “connectivity”")
    drag.drop()
    replay = user.window.replay
    user.wait(lambda: "model" in replay.desk.names)
    wait_for_rows(user, replay, "model")
    assert shown_ids(replay) == ["7_0", "7_1", "7_2"]
    source = replay.desk.book.sources["model"]
    assert source.connectivity == line.connectivity
    assert user.document.store.location == house
    user.window.bench.undo()
    assert replay.desk.names == ()


def test_a_scene_opens_with_the_project_beside_it(user: User, house: Path) -> None:
    (scene,) = house.parent.glob("*.glb")
    drag = Drag(user, [scene])
    drag.wait_for(f"Open the scene “{scene.name}”")
    drag.drop()
    user.wait(lambda: user.window.bench.document and user.window.bench.scene)
    assert user.document.store.location == scene.with_suffix(".waypost")


def test_a_folder_of_several_runs_is_looked_through(user: User, line: RunFiles) -> None:
    folder = line.results.parent
    drag = Drag(user, [folder])
    drag.wait_for("Look for runs in “line”")
    drag.drop()
    replay = user.window.replay
    user.wait(_form_is_open)
    assert replay.desk.names == ()


def _form_is_open() -> bool:
    dialog = QApplication.activeModalWidget()
    return dialog is not None and dialog.windowTitle() == "Replay a run"


def test_graphs_alone_go_to_the_run_that_is_looked_at(
    user: User, house: Path, line: RunFiles
) -> None:
    user.open(house)
    user.press("Ctrl+5")
    replay = user.window.replay
    files = asked(line, "gpt")
    add_run(user, dataclasses.replace(files, connectivity=None))
    assert replay.desk.book.sources["gpt"].connectivity is None
    drag = Drag(user, [line.connectivity])
    drag.wait_for("Use “connectivity” as the graphs of the run gpt")
    drag.drop()
    user.wait(lambda: replay.desk.book.sources["gpt"].connectivity)
    wait_for_rows(user, replay, "gpt")
    source = replay.desk.book.sources["gpt"]
    assert source.connectivity == line.connectivity
    assert source.annotations == (line.annotations,)
    drag = _moved_to_graph(user, line)
    drag.wait_for("this belongs to a run; drop its results together with it")
    drag.leave()


def _moved_to_graph(user: User, line: RunFiles) -> Drag:
    """In the Graph workspace nobody sees which run would be changed."""
    user.press("Ctrl+1")
    return Drag(user, [line.connectivity])


def test_what_nobody_can_open_is_refused_and_everything_stays(
    user: User, house: Path, line: RunFiles, tmp_path: Path
) -> None:
    user.open(house)
    before = user.document
    notes = tmp_path / "notes.txt"
    notes.write_text("hello")
    drag = Drag(user, [line.results, notes])
    drag.wait_for("This cannot be opened")
    assert "neither a project nor a scene nor results" in drag.told
    drag.drop()
    user.wait(lambda: "neither a project nor a scene nor results" in user.message())
    assert str(notes) in user.message()
    assert not drag.told
    assert user.window.bench.document is before
    assert user.window.replay.desk.names == ()


def test_a_damaged_project_takes_no_run_and_the_open_one_stays(
    user: User, house: Path, line: RunFiles, tmp_path: Path
) -> None:
    user.open(house)
    before = user.document
    damaged = tmp_path / "damaged.waypost"
    with closing(sqlite3.connect(damaged)) as connection:
        connection.execute("CREATE TABLE things (x)")
    drag = Drag(user, [damaged, line.results])
    drag.wait_for("as a run in “damaged.waypost”")
    drag.drop()
    user.wait(user.message)
    user.wait(lambda: user.window.bench.opening is None)
    user.settle()
    assert user.window.bench.document is before
    assert user.window.replay.desk.names == ()


def test_leaving_the_window_ends_it(user: User, house: Path) -> None:
    drag = Drag(user, [house])
    drag.wait_for("Open the project")
    drag.leave()
    user.settle()
    assert not drag.told
    assert has_nothing_open(user)


def test_a_file_over_a_search_field_is_no_text_and_never_moved(
    user: User, house: Path, line: RunFiles
) -> None:
    user.open(house)
    user.press("Ctrl+5")
    field = user.window.replay.table.findChild(QLineEdit)
    drag = Drag(user, [line.results], COPY | Qt.DropAction.MoveAction)
    assert drag.move_to(field.mapTo(user.window, field.rect().center()))
    drag.wait_for("as a run in Replay")
    drag.drop()
    user.wait(lambda: "model" in user.window.replay.desk.names)
    wait_for_rows(user, user.window.replay, "model")
    assert field.text() == ""


def test_words_can_still_be_dropped_into_a_field(user: User, house: Path) -> None:
    user.open(house)
    data = QMimeData()
    data.setText("sofa")
    place = user.window.rect().center()
    event = QDragEnterEvent(place, COPY, data, LEFT, NO_KEY)
    assert not user.window.drops.eventFilter(user.window.windowHandle(), event)
    assert not user.window.drops.card._title.text()


def test_nothing_is_taken_while_actions_rest_or_a_dialog_is_open(
    user: User, house: Path, line: RunFiles
) -> None:
    user.open(house)
    user.window.actions_set.start_driving(())
    drag = Drag(user, [line.results])
    assert (drag.is_accepted, drag.told) == (False, "")
    user.window.actions_set.end_driving()
    user.window.replay.files.propose(line.results)
    user.wait(_form_is_open)
    drag = Drag(user, [line.results])
    assert (drag.is_accepted, drag.told) == (False, "")


def test_edits_that_cannot_be_saved_are_kept_and_so_is_their_project_without_the_run(
    user: User, house: Path, line: RunFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.open(house)
    before = user.document
    unsaved = SaveState(SaveKind.NOT_SAVED, datetime.now(UTC), "the disk is full")
    other = tmp_path / "other.waypost"
    other.write_bytes(house.read_bytes())
    with monkeypatch.context() as saving:
        saving.setattr(before, "save_soon", lambda *_: False)
        saving.setattr(type(before), "save_state", property(lambda _: unsaved))
        drag = Drag(user, [other, line.results])
        drag.wait_for("as a run in “other.waypost”")
        drag.drop()
        user.wait(lambda: "other.waypost is not opened" in user.message())
        user.settle()
    assert user.window.bench.document is before
    assert user.window.bench.opening is None
    assert user.window.replay.desk.names == ()


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("percent", [100, 200])
def test_long_names_are_shown_whole(user: User, theme: str, percent: int, tmp_path: Path) -> None:
    apply_theme(make_application(), theme, percent)
    results = write_line(tmp_path / "line").results
    long = results.rename(results.with_name("a_long_name_of_results_" * 4 + ".json"))
    drag = Drag(user, [long])
    drag.wait_for("as a run in Replay")
    user.settle()
    assert cut_texts(user.window.drops.card) == []
    drag.leave()
