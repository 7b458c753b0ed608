"""Fixtures every test may use; settings and home never leave the temporary folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from class_births import BIRTHS, ClassBirths
from cycle_collecting import COLLECTING, CycleCollecting
from hypothesis import settings
from open_projects import close_stores, no_project_stays_open
from patient_bot import PatientBot

__all__ = ["close_stores", "no_project_stays_open"]

# How long an example takes says how busy the machine is, not whether the program is right.
settings.register_profile("patient", settings(deadline=None))
settings.register_profile("few", settings(deadline=None, max_examples=20))
settings.load_profile("patient")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Without a display, and without Xvfb to make one, Qt's event loop runs all the same."""
    is_only_handing_out = config.getoption("dist", "no") != "no" and not hasattr(
        config, "workerinput"
    )
    if is_only_handing_out:
        return  # its workers inherit what is set here, and have displays of their own
    has_display = bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
    if sys.platform.startswith("linux") and not has_display:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    config.stash[COLLECTING] = CycleCollecting()
    config.stash[BIRTHS] = ClassBirths()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take away what the session wrote."""
    if COLLECTING in config.stash:
        config.stash[COLLECTING].end()
        config.stash[BIRTHS].end()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Collect when a test and what it used are over."""
    outcome = yield
    has_window = item.get_closest_marker("gui") is not None
    item.config.stash[COLLECTING].collect_after(has_window=has_window)
    return outcome


@pytest.fixture(autouse=True)
def _no_object_dies_outside_its_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """It would crash at another place, or in another test."""
    yield
    deaths = request.config.stash[COLLECTING].take_deaths()
    assert not deaths, deaths


@pytest.fixture(autouse=True)
def _no_class_of_qt_is_made_outside_its_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """The window might read the table that it is added to."""
    yield
    births = request.config.stash[BIRTHS].take()
    assert not births, births


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real scenes and files; the test is skipped where it is absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"real data not found at {SHARED_DATA}")
    return SHARED_DATA


@pytest.fixture(autouse=True)
def _private_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch):
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))


@pytest.fixture(scope="session", autouse=True)
def _one_application(qapp: object) -> None:
    """The application of all tests is there first; a command that draws would make its own kind."""


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> PatientBot:
    """The bot of pytest-qt, with patience."""
    return PatientBot(request)
