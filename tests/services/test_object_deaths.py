"""The watch on QObjects: what it must speak of, and what it must not."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QThread, QTimer

from waypost.services import object_deaths
from waypost.services.object_deaths import (
    SWITCH,
    ObjectDeath,
    ObjectDeathWatch,
    the_watch,
    watch_deaths_if_asked,
)


@pytest.fixture
def deaths(qapp: QCoreApplication) -> Iterator[list[ObjectDeath]]:
    """What a watch of the test's own hears, in place of the one of all tests."""
    heard: list[ObjectDeath] = []
    general = the_watch()
    assert general is not None
    tell, general._tell = general._tell, heard.append
    yield heard
    general._tell = tell


class Owner(QObject):
    """Has a child of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.timer = QTimer(self)


def elsewhere(work: object) -> None:
    """Do it in another thread."""
    thread = threading.Thread(target=work, name="elsewhere")
    thread.start()
    thread.join()


def test_it_hears_of_a_timer_in_a_cycle_collected_on_another_thread(
    deaths: list[ObjectDeath],
) -> None:
    gc.collect()
    held: list[object] = [QTimer()]
    held.append(held)
    del held
    elsewhere(gc.collect)
    assert len(deaths) == 1
    assert deaths[0].thread == "elsewhere"
    assert "test_it_hears_of_a_timer_in_a_cycle" in deaths[0].made_at
    assert str(deaths[0]).startswith("a QObject died outside its thread: made at ")


def test_it_hears_of_a_last_reference_dropped_on_another_thread(deaths: list[ObjectDeath]) -> None:
    held = [Owner()]

    def drop() -> None:
        held.clear()

    elsewhere(drop)
    # The child goes with it.
    assert len(deaths) == 2
    assert all("(Owner.__init__)" in death.made_at for death in deaths)
    assert all("drop" in death.died_at for death in deaths)


def test_it_hears_of_an_object_destroyed_by_name(deaths: list[ObjectDeath]) -> None:
    owner = Owner()
    elsewhere(lambda: shiboken6.delete(owner))
    assert len(deaths) == 2


def test_it_is_silent_where_objects_die_at_home(deaths: list[ObjectDeath]) -> None:
    class Working(QThread):
        def run(self) -> None:
            self.is_home = QObject().thread() is QThread.currentThread()
            Owner()

    held: list[object] = [Owner()]
    held.append(held)
    del held
    gc.collect()
    thread = Working()
    thread.start()
    thread.wait()
    assert thread.is_home
    del thread
    elsewhere(Owner)
    assert deaths == []


def test_an_object_of_a_thread_that_has_ended_may_die_anywhere(deaths: list[ObjectDeath]) -> None:
    class Making(QThread):
        def run(self) -> None:
            self.made = Owner()

    thread = Making()
    thread.start()
    thread.wait()
    del thread.made
    assert deaths == []


def test_it_knows_what_lives_and_where_it_was_made(qapp: QCoreApplication) -> None:
    watch = the_watch()
    assert watch is not None
    owner = Owner()
    addresses = [shiboken6.getCppPointer(one)[0] for one in (owner, owner.timer)]
    assert all("(Owner.__init__)" in watch.made_alive[address] for address in addresses)
    del owner
    assert not watch.made_alive.keys() & set(addresses)


def test_there_is_one_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OSError, match="watched by something else"):
        ObjectDeathWatch(print).start()
    before = the_watch()
    watch_deaths_if_asked()
    assert the_watch() is before


def test_a_qt_that_cannot_be_watched_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(object_deaths, "_WATCHES", [])
    monkeypatch.setattr(object_deaths, "_KNOWN_VERSION", 99)
    watch_deaths_if_asked()
    assert capsys.readouterr().err == f"{SWITCH}: this Qt cannot be watched: hooks of version 3\n"
    assert the_watch() is None


SILENT = """
from PySide6.QtCore import QCoreApplication, QObject
from waypost.services.cycle_collector import collect_in_qt_thread
from waypost.services.object_deaths import the_watch
application = QCoreApplication([])
collect_in_qt_thread(application)
assert the_watch() is None
"""


@pytest.mark.parametrize("value", ["", "0"])
def test_without_the_switch_nothing_is_watched(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, value)
    subprocess.run([sys.executable, "-c", SILENT], check=True)
