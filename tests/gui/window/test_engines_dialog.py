"""The form of the engines: what was found of each, its Python, a trial that can be called off."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

import psutil
import pytest
from gui.user import User
from patience import PATIENCE_MS
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from waypost.app.window.settings.engines_dialog import EnginesDialog
from waypost.services.jobs import JobRunner
from waypost.services.settings import Settings
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engines import ENGINE_KINDS, EngineChoice

Wait = Callable[[Callable[[], object]], None]


@pytest.fixture(autouse=True)
def nothing_else_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine but the reference one, whatever this machine has."""
    for name, kind in ENGINE_KINDS.items():
        monkeypatch.delenv(kind.python_variable, raising=False)
        if name != "physx":
            away = replace(kind, modules=(f"no_{name}",), usual_places=())
            monkeypatch.setitem(ENGINE_KINDS, name, away)


@pytest.fixture
def wait(qtbot: QtBot) -> Wait:
    return lambda until: qtbot.waitUntil(lambda: bool(until()), timeout=PATIENCE_MS)


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[JobRunner]:
    runner = JobRunner()
    yield runner
    assert not runner.shutdown()


def said(words: QLabel) -> str:
    """Without the places where a long word may be broken."""
    return words.text().replace("\u200b", "")


@pytest.fixture
def dialog(jobs: JobRunner, qtbot: QtBot, wait: Wait) -> EnginesDialog:
    made = EnginesDialog(Settings(engine="isaac"), jobs)
    qtbot.addWidget(made)
    made.show()
    wait(lambda: "Looking" not in made.rows["habitat"].state.text())
    return made


def test_each_engine_is_there_or_its_absence_is_explained(dialog: EnginesDialog) -> None:
    rows = dialog.rows
    assert list(rows) == list(ENGINE_KINDS)
    found = said(rows["physx"].state)
    assert found.startswith(f"Found {version('sapien')} · Python {sys.version.split()[0]}, ")
    assert not rows["physx"].python.isVisible()
    for name in ("ovphysx", "isaac", "habitat"):
        assert ENGINE_KINDS[name].install in said(rows[name].state)
        assert rows[name].python.isVisible()
    assert rows["isaac"].choice.isChecked()
    assert not rows["habitat"].choice.isEnabled()
    assert "it drives nobody" in rows["habitat"].state.text()


def test_a_python_that_is_named_is_looked_into_and_kept(
    dialog: EnginesDialog, tmp_path: Path, wait: Wait
) -> None:
    missing = str(tmp_path / "none")
    row = dialog.rows["isaac"]
    row.python.line.setText(missing)
    row.python.line.editingFinished.emit()
    reason = f"{missing} cannot be started: No such file or directory."
    wait(lambda: said(row.state).startswith(reason))
    dialog.rows["physx"].choice.click()
    assert dialog.changed_of(Settings()) == Settings(
        engine="physx", engine_pythons={"isaac": missing}
    )


def test_camera_robot_and_window_are_fields_whose_values_are_checked(
    dialog: EnginesDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extras = dialog.extras
    assert not extras.fov.isVisible()
    extras.shows.setCurrentIndex(extras.shows.findData("depth"))
    assert extras.fov.isVisible()
    extras.columns.setValue(320)
    extras.fov.setValue(60.0)
    extras.lens.setValue(0.4)
    extras.tilt.setValue(-15.0)
    extras.kept_mb.setValue(30)
    extras.window_box.setChecked(True)
    robot = tmp_path / "spot.usda"
    (tmp_path / "folder.usd").mkdir()
    for path, sentence in (
        (tmp_path / "spot.urdf", "is no USD file"),
        (robot, "is not there"),
        (tmp_path, "has no USD file"),
    ):
        extras.robot.line.setText(str(path))
        assert sentence in extras.robot.problem
        assert not dialog.primary.isEnabled()
    robot.write_text("#usda 1.0\n")
    extras.robot.line.setText("")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(robot), ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    extras.robot.choose_folder.click()
    assert (extras.robot.path, dialog.primary.isEnabled()) == (str(tmp_path), True)
    extras.robot.choose.click()
    assert dialog.primary.isEnabled()
    # The Python is a file or the folder that has it.
    python = dialog.rows["isaac"].python
    for choose, path in ((python.choose, str(robot)), (python.choose_folder, str(tmp_path))):
        choose.click()
        assert python.path == path
    assert dialog.changed_of(Settings(annotator="ana")) == Settings(
        annotator="ana",
        engine="isaac",
        engine_pythons={"isaac": str(tmp_path)},
        engine_window=True,
        robot_usd=str(robot),
        camera_shows="depth",
        camera_width_px=320,
        camera_field_of_view_deg=60.0,
        camera_lens_m=0.4,
        camera_tilt_deg=-15.0,
        frames_kept_mb=30,
    )


def test_a_robot_that_is_gone_is_said_as_the_form_opens(
    jobs: JobRunner, qtbot: QtBot, wait: Wait, tmp_path: Path
) -> None:
    dialog = EnginesDialog(Settings(robot_usd=str(tmp_path / "gone.usd")), jobs)
    qtbot.addWidget(dialog)
    wait(lambda: "Looking" not in dialog.rows["habitat"].state.text())
    assert "is not there" in dialog._failure.text()
    assert not dialog.primary.isEnabled()


def test_the_python_of_older_settings_is_shown_for_the_reference_engine_and_can_be_taken_out(
    jobs: JobRunner, qtbot: QtBot, wait: Wait
) -> None:
    dialog = EnginesDialog(Settings(simulator_python="/opt/python"), jobs)
    qtbot.addWidget(dialog)
    wait(lambda: "Looking" not in dialog.rows["habitat"].state.text())
    assert {name: row.python.path for name, row in dialog.rows.items() if row.python.path} == {
        "physx": "/opt/python"
    }
    assert dialog.changed_of(Settings()).engine_choice == EngineChoice("physx", "/opt/python")
    dialog.rows["physx"].python.line.setText("")
    assert dialog.changed_of(Settings()) == Settings()


def test_a_trial_starts_the_engine_and_says_what_came_of_it(
    dialog: EnginesDialog, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, words in (("physx", "one ray and one step are right"), ("isaac", "was not found")):
        row = dialog.rows[name]
        row.check.click()
        assert (row.check.text(), row.bar.isVisible()) == ("Stop", True)
        wait(lambda row=row: row.check.text() == "Check")
        assert words in row.result.text()
        assert not row.bar.isVisible()
    # What was said is about the Python that was named then.
    row.python.line.setText("/" + 30 * "a_long_name_")
    row.python.line.editingFinished.emit()
    assert (row.state.text(), row.result.isVisible()) == ("Looking for it …", False)
    wait(lambda: "Looking" not in row.state.text())
    row.check.click()
    wait(lambda: row.result.text().startswith("The engine 'isaac' cannot run: /a"))
    room_px = dialog.content.parentWidget().width()
    assert dialog.content.minimumSizeHint().width() <= room_px, "buttons and words are cut off"

    def start(*_: object, **__: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(SimulatorClient, "start", start)
    row.check.click()
    wait(lambda: said(row.result) == "Unexpected AssertionError()")


def test_a_start_or_a_search_without_end_is_called_off_and_leaves_nothing(
    dialog: EnginesDialog, jobs: JobRunner, tmp_path: Path, wait: Wait
) -> None:
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nsleep 600\n")
    script.chmod(0o755)
    before = set(psutil.Process().children(recursive=True))
    row = dialog.rows["ovphysx"]
    row.python.line.setText(str(script))
    row.check.click()
    wait(lambda: len(set(psutil.Process().children(recursive=True)) - before) >= 2)
    row.check.click()
    wait(lambda: row.result.text() == "Called off")
    assert row.result.property("role") == "muted", "what a person wanted is no error"
    assert set(psutil.Process().children(recursive=True)) <= before
    row.check.click()
    row.python.line.setText(str(tmp_path))
    row.python.line.editingFinished.emit()
    assert (row.check.text(), row.bar.isVisible()) == ("Check", False)
    wait(lambda: "is a folder without a Python in it" in row.state.text())
    wait(lambda: set(psutil.Process().children(recursive=True)) <= before)
    assert not row.result.isVisible()
    # Nor does looking for an engine, or trying it out, keep a window that closes.
    row.python.line.setText(str(script))
    row.python.line.editingFinished.emit()
    row.check.click()
    wait(lambda: len(set(psutil.Process().children(recursive=True)) - before) >= 4)
    dialog.reject()
    assert not jobs.shutdown()
    assert row.result.text().startswith("Starting "), "a form that is gone says nothing more"
    assert set(psutil.Process().children(recursive=True)) <= before


def test_the_window_keeps_what_was_chosen(user: User, tmp_path: Path) -> None:
    window = user.window
    window.preferences.ask_engines()
    (dialog,) = window.findChildren(EnginesDialog)
    user.wait(lambda: "Looking" not in dialog.rows["habitat"].state.text())
    dialog.rows["ovphysx"].choice.click()
    dialog.rows["ovphysx"].python.line.setText(str(tmp_path))
    user.click_widget(dialog.primary)
    settings = window.bench.settings
    assert (settings.engine, dict(settings.engine_pythons)) == (
        "ovphysx",
        {"ovphysx": str(tmp_path)},
    )
    assert settings.engine_choice.python == str(tmp_path)
