"""What a closed window leaves: nothing that lives until a collector finds it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from gui.user import User
from leaks import all_objects
from patience import PATIENCE_S
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from waypost.app.window.startup import collector, opened_window
from waypost.domain.base.progress import Progress, Work
from waypost.services.engine.driven_engine import EngineState
from waypost.services.jobs import JobRunner

pytestmark = pytest.mark.gui


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Only reference counting destroys anything."""
    collector()._timer.stop()
    yield
    collector()._timer.start()


def living() -> dict[int, str]:
    """Every QObject that Python must destroy, by identity."""
    return {
        id(thing): repr(thing)
        for thing in all_objects()
        if isinstance(thing, QObject)
        and shiboken6.isValid(thing)
        and shiboken6.ownedByPython(thing)
    }


@pytest.mark.usefixtures("no_collector", "no_leaks")
def test_every_object_of_a_closed_window_is_destroyed_without_a_collector(
    tmp_path: Path, house: Path, qtbot: QtBot
) -> None:
    before = living()

    def use_a_window() -> None:
        with opened_window(tmp_path / "config", tmp_path / "data") as window:
            window.show()
            user = User(window, qtbot)
            user.open(house)
            for scope in ("traverse", "record", "replay", "graph"):
                window.show_workspace(scope)
                user.settle()
            user.wait(lambda: window.engine.state is EngineState.READY)

    use_a_window()
    assert [text for key, text in living().items() if key not in before] == []


@pytest.mark.usefixtures("no_collector", "no_leaks")
@pytest.mark.parametrize("end", ["returns", "raises", "cancelled"])
def test_a_job_that_has_ended_is_destroyed_without_a_collector(qtbot: QtBot, end: str) -> None:
    before = living()
    go_on = threading.Event()

    def work() -> Work[int]:
        yield Progress(0, 2, "a")
        assert go_on.wait(PATIENCE_S)
        yield Progress(1, 2, "b")
        if end == "raises":
            raise ValueError("on purpose")
        return 3

    def run_it() -> None:
        jobs = JobRunner()
        job = jobs.start("a job", work())
        if end == "cancelled":
            job.cancel()
        go_on.set()
        qtbot.waitUntil(lambda: not jobs.jobs)
        assert jobs.shutdown() == ()

    run_it()
    qtbot.waitUntil(lambda: living().keys() <= before.keys())
