"""The real window on a small house, and on the sample."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from gui.house import write_house
from gui.scenes_once import ScenesOnce
from gui.user import User
from leaks import no_leaks
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from waypost.app.window.startup import make_application, opened_window
from waypost.app.window.window import MainWindow
from waypost.app.window.workspaces import Workspaces
from waypost.sample.sample_project import write_sample
from waypost.widgets import message_strip
from waypost.widgets.theme import apply_theme

__all__ = ["no_leaks"]


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The application as the program makes it, dressed for panels without a window too."""
    application = make_application()
    apply_theme(application, "dark")
    return application


@pytest.fixture(scope="session")
def sample_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample project, written once; copy it before writing to it."""
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


@pytest.fixture
def sample(sample_folder: Path, tmp_path: Path) -> Path:
    """A copy of the sample project of one's own."""
    shutil.copytree(sample_folder, tmp_path / "sample")
    return tmp_path / "sample" / "home.waypost"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A project with a small house and five nodes."""
    return write_house(tmp_path / "house")


@pytest.fixture(scope="session")
def scenes() -> ScenesOnce:
    """What was read for earlier windows."""
    return ScenesOnce()


@pytest.fixture
def is_as_started() -> bool:
    """Whether the window is as the program starts it.

    Otherwise it makes no workspace that nobody shows, and reads no scene that was read before:
    each takes longer than most tests.
    """
    return False


@pytest.fixture
def window(
    tmp_path: Path,
    qtbot: QtBot,
    no_leaks: None,
    monkeypatch: pytest.MonkeyPatch,
    scenes: ScenesOnce,
    is_as_started: bool,
) -> Iterator[MainWindow]:
    """The window at 1280 × 720, with the keyboard."""
    if not is_as_started:
        monkeypatch.setattr(Workspaces, "start_loading", lambda _: None)
        monkeypatch.setattr("waypost.services.open_scene.open_scene", scenes.open_scene)
    # A slow machine looks later at a notice than anybody needs to read it.
    monkeypatch.setattr(message_strip, "reading_ms", lambda _: None)
    with opened_window(tmp_path / "config", tmp_path / "data") as made:
        made.resize(1280, 720)
        with qtbot.waitActive(made):
            made.show()
            made.activateWindow()
        yield made
    apply_theme(make_application(), "dark")


@pytest.fixture
def user(window: MainWindow, qtbot: QtBot) -> User:
    """Somebody at an empty window."""
    return User(window, qtbot)


@pytest.fixture
def at_house(user: User, house: Path) -> User:
    """Somebody at the small house, seen from above."""
    user.open(house)
    user.look_from_above()
    return user
