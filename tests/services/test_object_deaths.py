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
from PySide6.QtGui import QStandardItemModel

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
    assert str(deaths[0]).startswith("QTimer died outside its thread: made at ")


@pytest.mark.parametrize("kind", [QObject, QTimer, QStandardItemModel, Owner, QThread])
@pytest.mark.parametrize("way", ["dropped", "collected"])
def test_it_hears_of_every_kind_once(
    deaths: list[ObjectDeath], kind: type[QObject], way: str
) -> None:
    gc.collect()
    held: list[object] = [kind()]
    if way == "collected":
        held.append(held)
        del held
        elsewhere(gc.collect)
    else:
        elsewhere(held.clear)
    assert [death.kind for death in deaths] == [kind.__name__]


def test_it_says_where_the_last_reference_was_dropped(deaths: list[ObjectDeath]) -> None:
    held = [Owner()]

    def drop() -> None:
        held.clear()

    elsewhere(drop)
    assert "last_reference_was_dropped)" in deaths[0].made_at
    assert "drop)" in deaths[0].died_at


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


def test_what_is_gone_already_may_be_forgotten_anywhere(deaths: list[ObjectDeath]) -> None:
    """What Python knows of a closed window lives longer than the window."""
    held = [Owner()]
    shiboken6.delete(held[0])
    elsewhere(held.clear)
    assert deaths == []


def test_what_qt_owns_may_be_forgotten_anywhere(deaths: list[ObjectDeath]) -> None:
    parent = QObject()
    held = [QTimer(parent)]
    elsewhere(held.clear)
    assert deaths == []
    assert len(parent.children()) == 1


def test_there_is_one_watch() -> None:
    with pytest.raises(RuntimeError, match="watched already"):
        ObjectDeathWatch(print).start()
    before = the_watch()
    watch_deaths_if_asked()
    assert the_watch() is before


def test_after_the_watch_classes_are_as_before() -> None:
    subprocess.run([sys.executable, "-c", STOPPED], check=True)


STOPPED = """
from PySide6.QtCore import QObject
from waypost.services.object_deaths import ObjectDeathWatch
watch = ObjectDeathWatch(print)
watch.start()
QObject()
watch.stop()
assert "__call__" not in vars(type(QObject)) and not hasattr(QObject, "__del__")
QObject()
"""


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
