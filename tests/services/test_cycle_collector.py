"""The collector: where, how often and how long it looks."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QThread, QTimer
from pytestqt.qtbot import QtBot

from waypost.services import cycle_collector
from waypost.services.cycle_collector import (
    Collection,
    CollectionKind,
    CycleCollector,
    collect_in_qt_thread,
    collector_of,
)


class Node:
    """Holds itself, and what it is given."""

    def __init__(self, held: object = None) -> None:
        self.held = held
        self.itself = self


class Clock:
    """Goes on when it is told to."""

    def __init__(self) -> None:
        self.time_s = 1000.0

    def __call__(self) -> float:
        return self.time_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def made(qapp: QCoreApplication) -> Iterator[list[CycleCollector]]:
    """Collectors whose turns come only when they are told to."""
    gc.collect()
    collectors: list[CycleCollector] = []
    yield collectors
    for collector in collectors:
        collector.deleteLater()
    gc.unfreeze()


def collector_with(made: list[CycleCollector], clock: Clock, budget_s: float) -> CycleCollector:
    collector = CycleCollector(clock_s=clock, budget_s=budget_s)
    collector._timer.stop()
    made.append(collector)
    return collector


def heard(collector: CycleCollector) -> list[Collection]:
    collections: list[Collection] = []
    collector.collected.connect(collections.append)
    return collections


def kinds(collections: list[Collection]) -> list[CollectionKind]:
    return [one.kind for one in collections]


def litter(count: int) -> weakref.ref[Node]:
    """Garbage that only a collector finds; one of it."""
    return [weakref.ref(Node()) for _ in range(count)][-1]


NOTHING_FITS, ALL_FITS = 0.0, 1e9


def test_the_automatic_collector_is_off_and_stays_off(
    made: list[CycleCollector], clock: Clock
) -> None:
    gc.enable()
    collector = collector_with(made, clock, ALL_FITS)
    assert not gc.isenabled()
    gc.enable()
    collector.take_turn()
    assert not gc.isenabled()


def test_an_application_has_one_collector(qapp: QCoreApplication) -> None:
    first = collect_in_qt_thread(qapp)
    assert collect_in_qt_thread(qapp) is first
    assert collector_of(qapp) is first
    assert first.thread() is qapp.thread()
    first.setParent(None)
    first.deleteLater()


def test_young_garbage_goes_while_a_person_works(made: list[CycleCollector], clock: Clock) -> None:
    collector = collector_with(made, clock, ALL_FITS)
    garbage = litter(1000)
    collector.note_input()
    collector.take_turn()
    assert garbage() is None


def test_other_threads_make_tuples_meanwhile(made: list[CycleCollector], clock: Clock) -> None:
    """Python does not lengthen a tuple that somebody else holds, as a list of all objects would."""
    collector = collector_with(made, clock, ALL_FITS)
    before_s = sys.getswitchinterval()
    lengths: list[int] = []
    thread = threading.Thread(
        target=lambda: lengths.extend(len(tuple([n] for n in range(40))) for _ in range(3000))
    )
    sys.setswitchinterval(1e-6)
    try:
        thread.start()
        while thread.is_alive():
            collector.take_turn()
    finally:
        sys.setswitchinterval(before_s)
        thread.join()
    assert lengths == [40] * 3000


def test_little_is_not_worth_a_collection(made: list[CycleCollector], clock: Clock) -> None:
    collector = collector_with(made, clock, ALL_FITS)
    collections = heard(collector)
    gc.collect()
    collector.take_turn()
    assert collections == []


def test_what_lives_longer_is_looked_at_less_often(
    made: list[CycleCollector], clock: Clock
) -> None:
    collector = collector_with(made, clock, ALL_FITS)
    collections = heard(collector)
    kept = []
    for _ in range(80):
        kept.append([[] for _ in range(2000)])
        clock.time_s += 100.0
        collector.note_input()
        collector.take_turn()
    found = kinds(collections)
    counts = [found.count(kind) for kind in CollectionKind]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 3 * counts[1] > 9 * counts[2] > counts[3] == 0


def test_what_would_take_too_long_is_set_aside_until_it_is_calm(
    made: list[CycleCollector], clock: Clock
) -> None:
    collector = collector_with(made, clock, NOTHING_FITS)
    collections = heard(collector)
    before = gc.get_freeze_count()
    garbage = litter(5000)
    for _ in range(50):
        clock.time_s += 1.0
        collector.note_input()
        collector.take_turn()
    assert collections == []
    assert garbage() is not None
    assert gc.get_freeze_count() >= before + 5000
    clock.time_s += 60.0
    collector.take_turn()
    assert kinds(collections) == [CollectionKind.EVERYTHING]
    assert collections[0].is_calm
    assert garbage() is None


def test_a_short_calm_is_enough_for_what_is_quick(made: list[CycleCollector], clock: Clock) -> None:
    collector = collector_with(made, clock, ALL_FITS)
    collections = heard(collector)
    garbage = litter(3000)
    clock.time_s += 2.0
    collector.take_turn()
    assert kinds(collections) == [CollectionKind.OLD]
    assert garbage() is None


def test_nothing_long_happens_while_something_moves(
    made: list[CycleCollector], clock: Clock
) -> None:
    collector = collector_with(made, clock, NOTHING_FITS)
    collections = heard(collector)
    is_moving = True

    def moves() -> bool:
        return is_moving

    collector.add_movement(moves)
    garbage = litter(5000)
    for _ in range(20):
        clock.time_s += 60.0
        collector.take_turn()
    assert collections == []
    is_moving = False
    clock.time_s += 60.0
    collector.take_turn()
    assert kinds(collections) == [CollectionKind.EVERYTHING]
    assert garbage() is None
    collector.remove_movement(moves)


@pytest.mark.parametrize("moves", [False, True])
def test_memory_is_bounded_though_a_person_is_never_calm(
    made: list[CycleCollector], clock: Clock, monkeypatch: pytest.MonkeyPatch, moves: bool
) -> None:
    """What moves has twice the room before it is interrupted."""
    bound = 20_000
    monkeypatch.setattr(cycle_collector, "OVERDUE", bound)
    collector = collector_with(made, clock, NOTHING_FITS)
    collector.add_movement(lambda: moves)
    collections = heard(collector)
    came = 0
    while not collections and came < 10 * bound:
        litter(1000)
        came += 1000
        collector.note_input()
        clock.time_s += 0.01
        collector.take_turn()
    assert kinds(collections) == [CollectionKind.EVERYTHING]
    assert not collections[0].is_calm
    # Each of them is an object and what holds its attributes, in some versions of Python.
    assert collections[0].found >= came
    assert bound * (2 if moves else 1) / 3 <= came <= bound * (2 if moves else 1) + 1000


def test_everything_takes_a_small_share_of_the_time(
    made: list[CycleCollector], clock: Clock
) -> None:
    collector = collector_with(made, clock, NOTHING_FITS)
    collections = heard(collector)
    for _ in range(300):
        litter(1000)
        clock.time_s += 1.0
        collector.take_turn()
    took_s = sum(one.took_s for one in collections)
    assert len(collections) >= 2
    assert took_s <= 300.0 / 100 + max(one.took_s for one in collections)


def test_what_is_kept_is_collected_in_the_end(made: list[CycleCollector], clock: Clock) -> None:
    """A project that was open when another was opened is garbage among what is kept."""
    collector = collector_with(made, clock, ALL_FITS)
    garbage = litter(1)
    collector.keep()
    collector.take_turn()
    assert garbage() is not None
    clock.time_s += 60.0
    collector.take_turn()
    assert garbage() is None


def test_it_comes_sooner_the_more_is_made(made: list[CycleCollector], clock: Clock) -> None:
    collector = collector_with(made, clock, 0.01)
    for _ in range(10):
        collector.take_turn()
    quiet_ms = collector._timer.interval()
    kept = [[] for _ in range(50_000)]
    collector.take_turn()
    assert len(kept) == 50_000
    assert collector._timer.interval() < quiet_ms / 10


def test_a_timer_that_another_thread_would_have_collected_dies_in_its_own(
    qapp: QCoreApplication, qtbot: QtBot
) -> None:
    collector = collect_in_qt_thread(qapp)
    died_in: list[QThread] = []

    class Timer(QTimer):
        pass

    def leave_timer() -> weakref.ref[Node]:
        timer = Timer()
        timer.start(1)
        timer.destroyed.connect(lambda: died_in.append(QThread.currentThread()))
        return weakref.ref(Node(timer))

    garbage = leave_timer()
    kept: list[list[int]] = []
    worker = threading.Thread(target=lambda: kept.extend([number] for number in range(200_000)))
    worker.start()
    worker.join()
    assert garbage() is not None
    assert died_in == []

    def is_collected() -> bool:
        # As somebody who pauses: what was set aside is due.
        collector._active_at_s = -1e9
        return garbage() is None

    qtbot.waitUntil(is_collected)
    assert died_in == [qapp.thread()]
    collector.setParent(None)
    collector.deleteLater()


FORKS = """
import gc, os
from PySide6.QtCore import QCoreApplication
from waypost.services.cycle_collector import collect_in_qt_thread
application = QCoreApplication([])
collect_in_qt_thread(application)
child = os.fork()
if not child:
    os._exit(0 if gc.isenabled() else 1)
assert not gc.isenabled()
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_forked_child_collects_by_itself() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORKS], check=True)
