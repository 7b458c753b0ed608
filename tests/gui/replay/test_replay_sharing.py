"""Sharing from the Replay workspace: pictures, films, reports and tables."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from gui.runs import add_run, asked, open_episode, write_line
from gui.user import User
from PIL import Image
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from waypost.app.replay.sharing import EPISODE_KINDS, FILM, GIF, STEP, WHOLE, named_file
from waypost.app.replay.workspace import ReplayWorkspace
from waypost.widgets.folder_dialog import FolderDialog

pytestmark = pytest.mark.gui


@pytest.fixture
def replay(user: User, house: Path, tmp_path: Path) -> ReplayWorkspace:
    """An episode in front, pictures of every viewpoint beside the results."""
    files = write_line(tmp_path / "line")
    user.open(house)
    user.press("Ctrl+5")
    add_run(user, asked(files, "gpt 4/o", files.results.parent / "pictures"))
    open_episode(user, "7_0")
    return user.window.replay


def answer_file(monkeypatch: pytest.MonkeyPatch, path: Path, kind: str = "") -> list[str]:
    """Choose a file in the dialog that asks for one; what it proposed."""
    proposed: list[str] = []

    def ask(_window: object, _title: str, name: str, _filters: str) -> tuple[str, str]:
        proposed.append(Path(name).name)
        return str(path), kind

    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(ask))
    return proposed


@pytest.mark.parametrize("kind", sorted(EPISODE_KINDS))
def test_an_episode_is_shared_as_asked(
    user: User,
    replay: ReplayWorkspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    title, ending = EPISODE_KINDS[kind]
    path = tmp_path / "shared"
    proposed = answer_file(monkeypatch, path, title)
    user.press("Right", "Ctrl+Shift+E")
    written = path.with_suffix(ending)
    user.wait(lambda: str(written) in user.message())
    assert proposed == ["gpt_4_o 7_0.png"]
    if ending == ".gif":
        with Image.open(written) as picture:
            assert picture.n_frames == 5
    elif ending == ".png":
        with Image.open(written) as picture:
            assert picture.width == 1280
            colours = picture.convert("RGB").getcolors(1 << 24)
        assert any(colour == (0, 200, 0) for _, colour in colours), "the strip stands above"
    else:
        assert b"ftyp" in written.read_bytes()[:32]


def test_the_table_is_written_as_it_is_filtered(
    user: User, replay: ReplayWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.csv"
    answer_file(monkeypatch, path)
    user.window.actions_set.trigger("replay.export_table")
    user.wait(lambda: "3 lines." in user.message())
    replay.table.set_filter_ids(("7_1",), "Chosen")
    user.window.actions_set.trigger("replay.export_table")
    user.wait(lambda: "1 of 3 lines." in user.message())
    with path.open(newline="", encoding="utf-8-sig") as file:
        lines = list(csv.DictReader(file))
    assert [(line["run"], line["episode_id"], line["success"]) for line in lines] == [
        ("gpt 4/o", "7_1", lines[0]["success"])
    ]
    answer_file(monkeypatch, tmp_path / "run.txt")
    user.window.actions_set.trigger("replay.export_table")
    user.wait(lambda: "a table is written as .csv or .parquet" in user.message())


def test_only_overwriting_a_report_is_confirmed(
    user: User, replay: ReplayWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "of last week" / "gpt"
    monkeypatch.setattr(FolderDialog, "ask", classmethod(lambda *_: folder))
    user.window.actions_set.trigger("replay.report")
    page = folder / "report.html"
    user.wait(lambda: "the report of gpt 4/o" in user.message())
    text = page.read_text(encoding="utf-8")
    assert "data:image/jpeg;base64," in text
    assert "7_2" in text
    page.write_text("mine", encoding="utf-8")
    asked_for: list[str] = []

    def say_no() -> None:
        box = QApplication.activeModalWidget()
        if not isinstance(box, QMessageBox):
            QTimer.singleShot(20, say_no)
            return
        asked_for.append(box.text())
        box.button(QMessageBox.StandardButton.No).click()

    QTimer.singleShot(0, say_no)
    user.window.actions_set.trigger("replay.report")
    assert str(page) in asked_for[0]
    assert page.read_text(encoding="utf-8") == "mine"


def test_a_folder_that_is_not_there_can_be_typed(user: User, tmp_path: Path) -> None:
    """Qt's own dialog says of such a name that the folder was not found."""
    proposed = tmp_path / "gpt report"
    for typed, expected in (("", proposed), ("later/of gpt", tmp_path / "later" / "of gpt")):
        dialog = FolderDialog(user.window, "Folder for the report", proposed)
        dialog.open()
        user.wait(dialog.isVisible)
        assert dialog.field is not None
        assert dialog.field.text() == "gpt report"
        if typed:
            dialog.field.setText(typed)
        QTest.keyClick(dialog.field, Qt.Key.Key_Return)
        user.wait(lambda dialog=dialog: not dialog.isVisible())
        assert dialog.folder == expected
        dialog.deleteLater()
    assert list(tmp_path.glob("*report*")) == []


def test_the_proposed_folder_is_chosen_by_its_button(user: User, tmp_path: Path) -> None:
    """Qt locks the button while no folder of that name is there."""
    proposed = tmp_path / "gpt report"
    dialog = FolderDialog(user.window, "Folder for the report", proposed)
    dialog.open()
    user.wait(dialog.isVisible)
    for typed in ("gpt", "gpt report"):
        dialog.field.setText(typed)
        user.settle()
        assert dialog.choose.isEnabled()
    user.click_widget(dialog.choose)
    user.wait(lambda: not dialog.isVisible())
    assert dialog.folder == proposed
    dialog.deleteLater()


def test_an_ending_that_is_added_overwrites_nothing_unasked(
    user: User, replay: ReplayWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "run.csv"
    kept.write_text("mine", encoding="utf-8")
    answer_file(monkeypatch, tmp_path / "run", "CSV (*.csv)")
    asked_for: list[str] = []

    def answer(_window: object, _title: str, text: str) -> QMessageBox.StandardButton:
        asked_for.append(text)
        return said

    monkeypatch.setattr(QMessageBox, "question", staticmethod(answer))
    said = QMessageBox.StandardButton.No
    user.window.actions_set.trigger("replay.export_table")
    assert str(kept) in asked_for[0]
    assert kept.read_text(encoding="utf-8") == "mine"
    said = QMessageBox.StandardButton.Yes
    user.window.actions_set.trigger("replay.export_table")
    user.wait(lambda: "3 lines." in user.message())
    assert len(asked_for) == 2
    assert kept.read_text(encoding="utf-8-sig").startswith("run,")


def test_a_folder_that_cannot_be_written_is_one_sentence(
    user: User, replay: ReplayWorkspace, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    user.window.replay.sharing.share_episode(blocked / "a.png")
    user.wait(lambda: str(blocked) in user.message())
    assert "\n" not in user.message()
    user.window.replay.sharing.share_episode(tmp_path / "a.webp")
    user.wait(lambda: "ends in .png, .gif, .mp4" in user.message())


@pytest.mark.parametrize(
    ("given", "kind", "file"),
    [
        ("run.png", WHOLE, "run.png"),
        ("run.png", GIF, "run.gif"),
        ("run.mp4", WHOLE, "run.mp4"),
        ("run.MP4", GIF, "run.MP4"),
        ("gpt-4.1", FILM, "gpt-4.1.mp4"),
        ("gpt-4.1 7_0.png", FILM, "gpt-4.1 7_0.mp4"),
        ("run", STEP, "run.png"),
        ("run.txt", STEP, "run.txt"),
    ],
)
def test_a_name_and_a_kind_are_one_file(given: str, kind: str, file: str) -> None:
    endings = dict(EPISODE_KINDS.values())
    assert named_file(Path("a.b") / given, ".png", EPISODE_KINDS[kind][0], endings).name == file


def test_a_version_in_a_name_is_no_ending_and_files_there_are_asked_about(
    user: User, replay: ReplayWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "gpt-4.1.png"
    there.write_bytes(b"kept")
    asked: list[str] = []

    def refuse(_window: object, _title: str, text: str) -> QMessageBox.StandardButton:
        asked.append(text)
        return QMessageBox.StandardButton.No

    monkeypatch.setattr(QMessageBox, "question", staticmethod(refuse))
    answer_file(monkeypatch, tmp_path / "gpt-4.1", EPISODE_KINDS[WHOLE][0])
    user.press("Ctrl+Shift+E")
    assert asked == [f"{there} is there already. Overwrite it?"]
    assert there.read_bytes() == b"kept"
