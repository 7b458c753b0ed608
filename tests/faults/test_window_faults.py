"""The window on a project that cannot be written: says so, keeps the edits, saves once it can."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from gui.conftest import house, no_leaks, qapp, user, window
from gui.user import User
from PySide6.QtWidgets import QMessageBox, QPushButton

from waypost.documents.save_state import SaveKind
from waypost.store.project_store import ProjectStore

__all__ = ["house", "no_leaks", "qapp", "user", "window"]

HERE = Path(__file__).parent

pytestmark = [pytest.mark.faults, pytest.mark.gui]


def names_on_disk(path: Path) -> list[str]:
    store = ProjectStore.open(path)
    names = [node.name for node in store.load().graph.nodes.values()]
    store.close()
    return names


def rename_kitchen(user: User, name: str) -> None:
    user.click((2.5, 0.0, 0.0))
    user.press("F2", "Ctrl+A")
    user.type(name)
    user.press("Return", "Esc")


def saved_text(user: User) -> str:
    return str(user.window.saved_text)


def test_a_locked_project_says_not_saved_and_saves_once_it_can(user: User, house: Path) -> None:
    user.open(house)
    user.look_from_above()
    lock = sqlite3.connect(house, isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    try:
        rename_kitchen(user, "Pantry kitchen")
        user.wait(lambda: user.document.save_state.kind is SaveKind.NOT_SAVED)
        assert "NOT SAVED" in saved_text(user)
        assert user.message().startswith("NOT SAVED")
        assert user.graph.nodes["node_3"].name == "Pantry kitchen"
    finally:
        lock.close()
    assert "Kitchen" in names_on_disk(house)
    user.click_widget(user.find(QPushButton, "Try again"))
    user.wait(lambda: user.document.save_state.kind is SaveKind.SAVED)
    assert "Pantry kitchen" in names_on_disk(house)
    assert "✓" in saved_text(user)
    assert not user.message().startswith("NOT SAVED")


def test_closing_with_unsaved_edits_asks_and_stays(
    user: User, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.open(house)
    user.look_from_above()
    asked: list[str] = []

    def answer(_parent: object, _title: str, text: str) -> QMessageBox.StandardButton:
        asked.append(text)
        return QMessageBox.StandardButton.No

    monkeypatch.setattr(QMessageBox, "question", answer)
    lock = sqlite3.connect(house, isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    try:
        rename_kitchen(user, "Galley")
        assert not user.window.close()
        assert len(asked) == 1
        assert user.window.isVisible()
        assert user.graph.nodes["node_3"].name == "Galley"
    finally:
        lock.close()
    user.document.save_now()
    assert "Galley" in names_on_disk(house)


@pytest.mark.parametrize(("fault", "before"), [("full", "✓ saved"), ("read_only", "⚠ read-only")])
def test_a_disk_that_refuses_is_said_and_the_edit_is_saved_once_it_takes_it(
    fault: str, before: str, tmp_path: Path
) -> None:
    command = ["unshare", "--user", "--map-root-user", "--mount"]
    probe = [*command, "true"]
    if shutil.which("unshare") is None or subprocess.run(probe, check=False).returncode != 0:
        pytest.skip("this machine gives no mount namespace")
    program = [sys.executable, str(HERE / "window_on_small_disk.py"), fault, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    result = subprocess.run(
        [*command, *program], capture_output=True, text=True, check=False, timeout=600,
        env=environment,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr[-2000:]
    said = result.stdout.splitlines()
    assert said[0].startswith(before), said
    assert said[1:] == ["✕ NOT SAVED", "NOT SAVED", "Galley", "✓", "None", "Galley"]
