"""Collects Python's reference cycles in the Qt thread only, in turns too short to notice.

Python's own collector runs in whichever thread makes the next object and destroys there what it
finds. A QObject must die in its own thread: one with a running timer that dies in another crashes
the next turn of the event loop (docs/adr/0008).
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from waypost.services.object_deaths import watch_deaths_if_asked

LIMIT_S: Final = 0.01
"""No collection takes longer while a person works."""

_BUDGET_S: Final = 0.0035
"""What a collection is expected to take at most then: some objects are dearer than others."""

_SHORTEST_MS: Final = 5
_LONGEST_MS: Final = 200
_REST: Final = 4
"""Collections while a person works take a fifth of the time at most."""

_LEAST_YOUNG: Final = 700
_LEAST_NEWS: Final = 2_000
_YOUNG_PER_MIDDLE: Final = 5
_MIDDLE_PER_OLD: Final = 10
_FIRST_COST_S: Final = 0.35e-6
_LOWEST_COST_S: Final = 0.35e-6
_HIGHEST_COST_S: Final = 1e-6
"""What one object costs; higher ones were the work of destructors."""

_LEAST_TELLING: Final = 2_000
"""Objects in a collection that tells what one costs."""

_FORGETTING: Final = 0.97
"""With each collection, and each that was not begun, less is believed of a dear one."""

_SHORT_CALM_S: Final = 1.0
_SHORT_CALM_BUDGET_S: Final = 0.05
_LONG_CALM_S: Final = 5.0
_CALM_PER_COST: Final = 20
"""The longer a collection of everything takes, the longer a person must have been calm."""

_SHARE_OF_EVERYTHING: Final = 100
"""It takes a hundredth of the time at most."""

OVERDUE: Final = 10_000_000
"""Objects that may come and stay before everything is looked through although a person works."""


class CollectionKind(StrEnum):
    """How far a collection looks."""

    YOUNG = "young"
    MIDDLE = "middle"
    OLD = "old"
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class Collection:
    """What one collection did."""

    kind: CollectionKind
    took_s: float
    """Of the thread's own time."""

    found: int
    """Objects that were destroyed."""

    is_calm: bool
    """Whether no person was at work."""


def collect_in_qt_thread(application: QCoreApplication) -> CycleCollector:
    """Take over from Python's own collector, for as long as there is this application.

    Call it right after the application is made. With ``WAYPOST_DEBUG_QOBJECTS`` it is said from
    now on when a QObject dies outside its thread.
    """
    there = collector_of(application)
    if there is not None:
        return there
    watch_deaths_if_asked()
    return CycleCollector(application)


def collector_of(application: QCoreApplication | None) -> CycleCollector | None:
    """The collector of an application, if it has one."""
    found: CycleCollector | None = (
        None if application is None else application.findChild(CycleCollector)
    )
    return found


class CycleCollector(QObject):
    """Takes its turn in the event loop; the automatic collector is off from now on.

    Young objects are collected often, old ones when that is quick. What would take too long is set
    aside at no cost (``gc.freeze``) and looked through with everything else when a person has been
    calm for a while, or when more than ``OVERDUE`` objects have come since.

    Args:
        parent: Qt owner.
        clock_s: Tells the time, in seconds.
        budget_s: What a collection is expected to take at most while a person works.
    """

    collected = Signal(object)
    """A `Collection`."""

    def __init__(
        self,
        parent: QObject | None = None,
        clock_s: Callable[[], float] = time.monotonic,
        budget_s: float = _BUDGET_S,
    ) -> None:
        super().__init__(parent)
        self._clock_s = clock_s
        self._budget_s = budget_s
        self._cost_s = _FIRST_COST_S
        self._middle = self._old = self._news = 0
        self._stayed = gc.get_freeze_count()
        self._has_unseen = False
        self._rests_until_s = 0.0
        self._everything_s = 0.0
        self._next_everything_s = 0.0
        self._active_at_s = clock_s()
        self._are_moving: list[Callable[[], bool]] = []
        _let_forked_children_collect()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_SHORTEST_MS)
        self._timer.timeout.connect(self.take_turn)
        self._timer.start()

    def note_input(self) -> None:
        """A person has done something now."""
        self._active_at_s = self._clock_s()

    def add_movement(self, is_moving: Callable[[], bool]) -> None:
        """Ask this as well: a person may be at work without any input while something moves."""
        self._are_moving.append(is_moving)

    def remove_movement(self, is_moving: Callable[[], bool]) -> None:
        """Ask it no more."""
        self._are_moving.remove(is_moving)

    def keep(self) -> None:
        """Look at what is here now only when everything is looked through.

        Worth while when much has come that stays: all modules, or a project.
        """
        gc.freeze()
        self._middle = self._old = 0
        self._has_unseen = True

    def take_turn(self) -> None:
        """Collect what is due; call it where work goes on and no event loop runs."""
        if gc.isenabled():
            # A library that pauses the collector may have switched it on afterwards.
            gc.disable()
        young = self._young()
        calm_s = self._calm_s()
        is_calm = calm_s >= _SHORT_CALM_S
        if self._is_everything_due(young, calm_s):
            self._collect_everything(is_calm=is_calm)
        elif self._is_old_due(young, calm_s):
            self._collect(CollectionKind.OLD, young, is_calm=is_calm)
        else:
            self._collect_if_quick(young, is_calm=is_calm)
        self._pace(young)

    def _young(self) -> int:
        """How many objects are young; at least, if they are too many to be looked at now."""
        came = gc.get_count()[0]
        # What was destroyed meanwhile is taken off that number, however old it was.
        return max(came, _count_young()) if self._fits(came) else came

    def _calm_s(self) -> float:
        if any(is_moving() for is_moving in self._are_moving):
            self.note_input()
        return self._clock_s() - self._active_at_s

    def _is_everything_due(self, young: int, calm_s: float) -> bool:
        if self._news + young > OVERDUE:
            # Most of what came may have gone by itself.
            self._news = gc.get_freeze_count() - self._stayed + self._middle + self._old
        news = self._news + young
        if news > OVERDUE:
            # Something that moves would stop; but not for ever.
            return calm_s > 0.0 or news > 2 * OVERDUE
        needed_s = _LONG_CALM_S + _CALM_PER_COST * self._everything_s
        is_worthwhile = news >= _LEAST_NEWS or self._has_unseen
        return is_worthwhile and calm_s >= needed_s and self._clock_s() >= self._next_everything_s

    def _is_old_due(self, young: int, calm_s: float) -> bool:
        news = young + self._middle
        cost_s = (news + self._old) * self._cost_s
        is_worthwhile = news >= max(_LEAST_NEWS, self._old // 4)
        return is_worthwhile and calm_s >= _SHORT_CALM_S and cost_s <= _SHORT_CALM_BUDGET_S

    def _collect_if_quick(self, young: int, *, is_calm: bool) -> None:
        if not self._fits(young):
            self._set_aside(young)
        elif young >= _LEAST_YOUNG and self._clock_s() >= self._rests_until_s:
            _, middles, olds = gc.get_count()
            is_middle_due = middles >= _YOUNG_PER_MIDDLE or not self._fits(young + 2 * self._middle)
            if not is_middle_due:
                self._collect(CollectionKind.YOUNG, young, is_calm=is_calm)
            elif not self._fits(young + self._middle):
                self._set_aside(young)
            elif olds >= _MIDDLE_PER_OLD and self._fits(young + self._middle + self._old):
                self._collect(CollectionKind.OLD, young, is_calm=is_calm)
            else:
                self._collect(CollectionKind.MIDDLE, young, is_calm=is_calm)

    def _fits(self, count: int) -> bool:
        return count * self._cost_s <= self._budget_s

    def _set_aside(self, young: int) -> None:
        self.keep()
        self._news += young
        self._learn_cost(0.0)

    def _collect(self, kind: CollectionKind, young: int, *, is_calm: bool) -> None:
        generation = (CollectionKind.YOUNG, CollectionKind.MIDDLE, CollectionKind.OLD).index(kind)
        count = young + (self._middle if generation else 0) + (self._old if generation > 1 else 0)
        took_s, found = self._timed(generation)
        left = max(0, count - found)
        if kind is CollectionKind.YOUNG:
            self._middle += left
        elif kind is CollectionKind.MIDDLE:
            self._middle, self._old = 0, self._old + left
        else:
            self._middle, self._old = 0, left
        self._news += max(0, young - found)
        self._learn_cost(took_s / count if count >= _LEAST_TELLING else 0.0)
        self._rests_until_s = self._clock_s() + _REST * took_s
        self.collected.emit(Collection(kind, took_s, found, is_calm))

    def _learn_cost(self, cost_s: float) -> None:
        """Believe the dearest of the last collections."""
        believed_s = max(cost_s, _FORGETTING * self._cost_s)
        self._cost_s = min(max(believed_s, _LOWEST_COST_S), _HIGHEST_COST_S)

    def _collect_everything(self, *, is_calm: bool) -> None:
        gc.unfreeze()
        self._everything_s, found = self._timed(2)
        gc.freeze()
        self._stayed = gc.get_freeze_count()
        self._middle = self._old = self._news = 0
        self._has_unseen = False
        self._next_everything_s = self._clock_s() + _SHARE_OF_EVERYTHING * self._everything_s
        self.collected.emit(
            Collection(CollectionKind.EVERYTHING, self._everything_s, found, is_calm)
        )

    def _timed(self, generation: int) -> tuple[float, int]:
        began_s = time.thread_time()
        found = gc.collect(generation)
        return time.thread_time() - began_s, found

    def _pace(self, young: int) -> None:
        """Come again sooner the faster objects are made."""
        is_much = young * self._cost_s > self._budget_s / 4
        before_ms = self._timer.interval()
        wanted_ms = _SHORTEST_MS if is_much else min(_LONGEST_MS, 2 * before_ms)
        if wanted_ms != before_ms:
            self._timer.setInterval(wanted_ms)


_FORK_CARE: list[bool] = []


def _let_forked_children_collect() -> None:
    """A process forked from this one has no event loop, and would never collect."""
    if not _FORK_CARE and hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=gc.enable)
        _FORK_CARE.append(True)


def _count_young() -> int:
    """How many objects are young.

    In one call from Python: a list of them that lasts until another thread comes to run holds the
    tuple which that one is just making, and Python refuses to lengthen what others hold
    (“bad argument to internal function”, CPython:Objects/tupleobject.c).
    """
    return next(map(len, map(gc.get_objects, (0,))))
