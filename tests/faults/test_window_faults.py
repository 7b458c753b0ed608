"""The window on a project that cannot be written: says so, keeps the edits, saves once it can."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import psutil
import pytest
from faults.processes import wait_until
from gui.conftest import house, is_as_started, no_leaks, qapp, scenes, user, window
from gui.house import write_house
from gui.user import User
from import_path import IMPORT_PATH
from patience import PATIENCE_S
from PySide6.QtWidgets import QMessageBox, QPushButton

from waypost.app.shell.workbench import Workbench
from waypost.app.window import startup
from waypost.documents.save_state import SaveKind
from waypost.services.jobs import JobRunner
from waypost.services.settings import SettingsFile
from waypost.simulators.engines import REFERENCE_ENGINE
from waypost.store.project_store import ProjectStore

__all__ = ["house", "is_as_started", "no_leaks", "qapp", "scenes", "user", "window"]

PROGRAMS = Path(__file__).parent / "programs"

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


@pytest.fixture
def unsaved(user: User, house: Path) -> Iterator[sqlite3.Connection]:
    """A writer who keeps the last edit of the open house out of its file, and reads let be."""
    user.open(house)
    with closing(sqlite3.connect(house, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        user.document.edit("Rename project", replace(user.project, name="Flat"))
        assert user.document.save_state.kind is SaveKind.NOT_SAVED
        # It is tried again only where it is asked for.
        user.document._saving._retry.stop()
        yield writer


def test_no_other_project_is_opened_over_edits_that_are_not_saved(
    user: User, house: Path, unsaved: sqlite3.Connection, tmp_path: Path
) -> None:
    edited, other = user.document, write_house(tmp_path / "other")
    user.window.bench.open_path(other)
    user.wait(lambda: user.message().startswith("house.waypost is not opened, because"))
    assert "another program is using the file" in user.message()
    assert user.document is edited
    assert user.project.name == "Flat"
    unsaved.execute("ROLLBACK")
    user.open(other)
    store = ProjectStore.open(house)
    assert store.load().name == "Flat"
    store.close()


def test_the_same_project_is_opened_again_with_what_was_not_saved_before(
    user: User, house: Path, unsaved: sqlite3.Connection
) -> None:
    edited = user.document
    user.window.bench.open_path(house)
    user.wait(lambda: "is not opened, because" in user.message())
    assert user.document is edited
    unsaved.execute("ROLLBACK")
    edited._saving._retry.stop()
    user.window.bench.open_path(house)
    user.wait(lambda: user.document is not edited)
    assert user.project.name == "Flat"


@pytest.mark.parametrize(("fault", "before"), [("full", "✓ saved"), ("read_only", "⚠ read-only")])
def test_a_disk_that_refuses_is_said_and_the_edit_is_saved_once_it_takes_it(
    fault: str, before: str, tmp_path: Path
) -> None:
    command = ["unshare", "--user", "--map-root-user", "--mount"]
    probe = [*command, "true"]
    if shutil.which("unshare") is None or subprocess.run(probe, check=False).returncode != 0:
        pytest.skip("this machine gives no mount namespace")
    program = [sys.executable, str(PROGRAMS / "window_on_small_disk.py"), fault, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    result = subprocess.run(
        [*command, *program],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env=environment,
    )
    assert result.returncode == 0, result.stderr[-2000:]
    said = result.stdout.splitlines()
    assert said[0].startswith(before), said
    assert said[1:] == ["✕ NOT SAVED", "NOT SAVED", "Galley", "✓", "None", "Galley"]


def test_an_engine_that_still_starts_does_not_hold_up_the_end(qapp: object, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexec sleep 600\n")
    python.chmod(0o755)
    before = set(psutil.Process().children())
    jobs = JobRunner()
    bench = Workbench(SettingsFile(tmp_path / "settings.toml"), jobs, tmp_path / "data")
    pythons = MappingProxyType({REFERENCE_ENGINE: str(python)})
    bench.change_settings(replace(bench.settings, engine_pythons=pythons))
    engine = startup._made_engine(bench)
    engine.start_engine()
    wait_until(lambda: bool(set(psutil.Process().children()) - before))
    # Its time to start is longer.
    assert engine.shutdown(PATIENCE_S)
    assert set(psutil.Process().children()) <= before
    assert not jobs.shutdown()


def test_a_project_opens_where_no_settings_can_be_kept(
    qapp: object, house: Path, tmp_path: Path
) -> None:
    (tmp_path / "config").touch()
    jobs = JobRunner()
    bench = Workbench(SettingsFile(tmp_path / "config" / "settings.toml"), jobs, tmp_path / "data")
    told: list[str] = []
    opened: list[bool] = []
    bench.refused.connect(told.append)
    bench.document_replaced.connect(lambda: opened.append(True))
    assert bench.open_project(house).wait(PATIENCE_S)
    assert opened == [True]
    assert told[0].startswith("The settings are not kept: ")
    assert str(tmp_path / "config") in told[0]
    bench.close()
    assert not jobs.shutdown(PATIENCE_S)
