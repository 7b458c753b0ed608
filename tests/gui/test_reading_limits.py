"""A scene that its reader does not survive leaves the window as it was; its limits are settings."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest
from faults.failing_children import let_children_fail
from faults.processes import lives
from gui.user import User
from PySide6.QtWidgets import QPushButton
from worlds.scene_files import cube_glb

from waypost.app.window.settings.reading_limits_dialog import ReadingLimitsDialog
from waypost.io.confined.limits import chosen_limits, limits_in_force

pytestmark = pytest.mark.gui


@pytest.fixture
def own_limits(monkeypatch):
    """Limits of which nothing stays."""
    for name in ("MEMORY_GB", "MINUTES"):
        monkeypatch.setenv(f"WAYPOST_READ_{name}", "")
        monkeypatch.delenv(f"WAYPOST_READ_{name}")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return cube_glb().write(tmp_path / "hostile.glb")


def children() -> list[psutil.Process]:
    """The ones that read."""
    all_of_them = psutil.Process(os.getpid()).children()
    return [child for child in all_of_them if "waypost.io.confined" in child.cmdline()]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("segmentation_fault", "its reader failed (SIGSEGV)"),
        ("allocate", "needs more than 0.5 GB of memory to be read"),
    ],
)
def test_a_reader_that_dies_leaves_everything_as_it_was(
    fault: str, words: str, at_house: User, hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, scene = at_house.document, at_house.window.bench.scene
    let_children_fail(fault, hostile.parent / "ahead", monkeypatch)
    at_house.window.bench.open_scene_file(hostile)
    at_house.wait(at_house.message)
    assert str(hostile) in at_house.message()
    assert words in at_house.message()
    assert at_house.document is document
    assert at_house.window.bench.scene is scene
    assert not children()
    assert not hostile.with_suffix(".waypost").exists()


def test_cancelling_ends_a_reader_in_the_midst_of_one_long_call(
    at_house: User, hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, scene = at_house.document, at_house.window.bench.scene
    let_children_fail("loop", hostile.parent / "ahead", monkeypatch)
    at_house.window.bench.open_scene_file(hostile)
    at_house.wait(children)
    (child,) = children()
    at_house.wait(at_house.window.notices.progress.isVisible)
    at_house.click_widget(at_house.find(QPushButton, "Cancel"))
    at_house.wait(lambda: not lives(child))
    at_house.wait(lambda: not at_house.window.notices.progress.isVisible())
    assert at_house.document is document
    assert at_house.window.bench.scene is scene


def test_limits_are_settings_that_every_job_uses(user: User, own_limits: None) -> None:
    assert limits_in_force() == chosen_limits(None, None)
    user.window.preferences.ask_reading_limits()
    dialog = user.window.findChildren(ReadingLimitsDialog)[-1]
    assert (dialog.memory_box.text(), dialog.minutes_box.value()) == ("By the size of the file", 10)
    dialog.memory_box.setValue(24)
    dialog.minutes_box.setValue(45)
    user.click_widget(dialog.primary)
    settings = user.window.bench.settings
    assert (settings.read_memory_gb, settings.read_minutes) == (24, 45)
    assert limits_in_force() == chosen_limits(24, 45)
