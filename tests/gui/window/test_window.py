"""Opening, refusing, cancelling and telling the truth about it."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from gui.house import write_house
from gui.user import User
from patience import PATIENCE_S
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from waypost.app.shell.workbench import Workbench
from waypost.app.window.notices import Notices
from waypost.app.window.settings.key_list import KeyList
from waypost.app.window.settings.shortcut_editor import ShortcutEditor
from waypost.app.window.start.welcome import WelcomePage
from waypost.app.window.startup import opened_window
from waypost.app.window.status_strip import EngineLevel, StatusStrip
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project
from waypost.services import open_scene
from waypost.services.input.shortcuts import ShortcutMap
from waypost.services.jobs import JobRunner, JobState
from waypost.widgets.empty_state import EmptyState

pytestmark = pytest.mark.gui


def status(user: User) -> str:
    strip = user.find(StatusStrip)
    cells = [b.text() for b in strip.findChildren(QPushButton)]
    return " | ".join([*cells, strip._scene.toolTip() or strip._scene.text(), strip._agent.text()])


def test_the_first_start_offers_the_sample_at_one_key(user: User) -> None:
    assert user.find(WelcomePage).sample_button.hasFocus()
    user.press("Space")
    user.wait(lambda: user.window.bench.scene is not None)
    assert user.project.name == "Sample home"
    assert len(user.graph.nodes) > 15
    assert user.view.hasFocus()


def test_the_status_tells_what_is_true(at_house: User) -> None:
    told = status(at_house)
    assert "saved" in told
    assert "annotator" in told
    assert "engine · off" in told
    assert "agent Human" in told
    at_house.press("Ctrl+2")
    at_house.wait_for_engine()
    at_house.wait(lambda: "ready" in status(at_house))
    # The cell is widened for its longer text a moment later.
    at_house.wait(lambda: at_house.window.engine.info.title in status(at_house))
    at_house.press("Alt+Down")
    assert "agent Wheelchair 0.70" in status(at_house)


def test_no_action_waits_for_a_key_that_another_one_takes(user: User) -> None:
    shipped = ShortcutMap(user.window.actions_set.shortcuts.entries)
    assert shipped.keys() == {entry.action_id: entry.default_key for entry in shipped.entries}


def test_an_empty_graph_says_what_comes_first(user: User, tmp_path: Path) -> None:
    user.open(write_house(tmp_path / "empty", has_graph=False))
    assert user.find(EmptyState)._title.text() == "Double-click the floor to place the first node"
    user.press("Ctrl+2")
    assert user.find(EmptyState)._title.text() == "Draw the graph first"
    user.click_widget(user.find(QPushButton, "Go to the Graph workspace"))
    user.look_from_above()
    user.double_click((-2.5, 1.0, 0.0))
    assert len(user.graph.nodes) == 1
    assert not user.window.stage.empty.isVisible()


def bad_files(folder: Path) -> list[Path]:
    folder.mkdir()
    (folder / "empty.glb").write_bytes(b"")
    (folder / "text.glb").write_text("not a scene")
    (folder / "truncated.usda").write_text('#usda 1.0\ndef Mesh "a" {')
    (folder / "broken.waypost").write_bytes(b"SQLite format 3\0" + bytes(100))
    (folder / "empty.waypost").write_bytes(b"")
    return [*sorted(folder.iterdir()), folder / "missing.glb", folder / "missing.waypost"]


def test_what_cannot_be_opened_leaves_everything_as_it_was(at_house: User, tmp_path: Path) -> None:
    document, scene = at_house.document, at_house.window.bench.scene
    at_house.click((2.5, 0.0, 0.0))
    for path in bad_files(tmp_path / "bad"):
        at_house.window.notices.messages.clear()
        at_house.window.bench.open_path(path)
        at_house.wait(at_house.message)
        assert path.name in at_house.message()
        assert "\n" not in at_house.message()
        assert at_house.document is document
        assert at_house.window.bench.scene is scene
        assert at_house.window.bench.selection.node_ids == {"node_3"}
    at_house.click((2.5, -2.0, 0.0))
    assert len(at_house.project.graph.edges) == 4


def test_cancelling_keeps_what_is_open(
    at_house: User, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endlessly(*_: object, **__: object) -> Work[None]:
        while True:
            time.sleep(0.01)
            yield Progress(1, 2, "Reading on")

    monkeypatch.setattr(open_scene, "open_scene_job", endlessly)
    document, scene = at_house.document, at_house.window.bench.scene
    at_house.window.bench.open_scene_file(sample.parent / "scenes" / "home.glb")
    at_house.wait(at_house.window.notices.progress.isVisible)
    at_house.click_widget(at_house.find(QPushButton, "Cancel"))
    at_house.wait(lambda: not at_house.window.notices.progress.isVisible())
    assert at_house.document is document
    assert at_house.window.bench.scene is scene
    assert not (sample.parent / "scenes" / "home.waypost").exists()


def test_labelling_works_without_an_engine(user: User, house: Path) -> None:
    bench: Workbench = user.window.bench
    bench.change_settings(replace(bench.settings, simulator_python="/nowhere/python"))
    user.open(house)
    user.press("Ctrl+2")
    user.wait(lambda: user.window.traverse.driver.hud.failure)
    user.wait(lambda: "stopped" in status(user))
    before: Project = user.project
    user.press("D")
    assert not user.window.traverse.driver.is_driving
    assert user.project is before
    user.click_widget(user.find(QPushButton, "Close the message", user.view))
    assert user.window.traverse.driver.hud.failure == ""
    user.press("Y")
    assert len(user.project.labels) == 1
    bench.change_settings(replace(bench.settings, simulator_python=""))
    user.click_widget(user.window._status._engine)
    user.wait_for_engine()


def test_text_and_theme_survive_a_project(at_house: User) -> None:
    at_house.window.preferences.switch_theme()
    assert at_house.window.bench.settings.theme == "light"
    at_house.window.preferences.switch_theme()
    assert at_house.window.bench.settings.theme == "dark"


def test_of_several_jobs_the_newest_is_shown_and_nothing_stays(user: User) -> None:
    jobs = JobRunner()
    notices = Notices(user.window.bench, jobs, user.window.driving)
    strip = notices.progress
    gates = [threading.Event(), threading.Event()]

    def work(gate: threading.Event, name: str) -> Work[None]:
        yield Progress(0, 2, name)
        assert gate.wait(PATIENCE_S)
        yield Progress(1, 2, f"{name} goes on")

    older, newer = (jobs.start("a job", work(g, n)) for g, n in zip(gates, "ab", strict=True))
    user.wait(lambda: not strip.isHidden())
    gates[1].set()
    user.wait(lambda: newer.state is JobState.SUCCESS)
    assert strip.isHidden()
    gates[0].set()
    user.wait(lambda: older.state is JobState.SUCCESS)
    user.settle()
    assert strip.isHidden()
    assert jobs.shutdown() == ()


@pytest.mark.parametrize(("key", "kind"), [("F1", KeyList), ("Ctrl+,", ShortcutEditor)])
def test_escape_closes_a_window_of_keys(at_house: User, key: str, kind: type[QWidget]) -> None:
    """It has the keyboard: with it open no key of the window does anything."""
    at_house.press(key)
    shown = at_house.window.findChild(kind)
    assert shown is not None
    at_house.wait(lambda: shown.isVisible() and QApplication.activeWindow() is shown)
    at_house.press("Escape")
    assert not shown.isVisible()


def test_a_closed_window_is_gone_with_everything_in_it(tmp_path: Path, qapp: QApplication) -> None:
    with opened_window(tmp_path / "config", tmp_path / "data") as window:
        window.show()
        parts = (window, window.stage, window.bench, window.graph, window.record, window.replay)
        left = [weakref.ref(part) for part in parts]
    assert not shiboken6.isValid(window)
    del window, parts
    gc.unfreeze()
    gc.collect()
    assert [part() for part in left if part() is not None] == []


def test_the_status_shortens_the_scene_before_agent_and_engine(qtbot: QtBot) -> None:
    strip = StatusStrip()
    qtbot.addWidget(strip)
    strip.set_annotator("ada")
    strip.set_scene("home", 33_852, "/a/long/way/to/the/folder/of/somebody/home.waypost")
    strip.set_agent("Wheelchair 0.70 × 1.00 × 1.20 m")
    strip.set_engine(EngineLevel.READY, "SAPIEN 3.0.3 (PhysX) · ready")
    strip.resize(1000, strip.sizeHint().height())
    strip.show()
    qtbot.waitUntil(lambda: "…" in strip._scene.text())
    assert strip._agent.text() == strip._agent.full_text
    assert "…" not in strip._engine.text()
    strip.resize(2400, strip.height())
    qtbot.waitUntil(lambda: strip._scene.text() == strip._scene.full_text)
