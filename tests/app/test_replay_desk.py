"""Which answers of jobs a desk of runs still listens to."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from patience import PATIENCE_S
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from waypost.app.replay import desk as replay_desk
from waypost.app.replay.desk import ReplayDesk
from waypost.domain.base.progress import Progress, Work
from waypost.domain.causes.replay_book import ReplayBook
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.domain.replay.run_rows import RunRows
from waypost.services.jobs import JobRunner
from waypost.services.replay.run_index import RowsProgress, RunIndex

BOOK = ReplayBook(MappingProxyType({"run": RunSource((Path("run.json"),), name="run")}))


class Bench(QObject):
    """As much of a workbench as a desk asks for."""

    document_replaced = Signal()
    project_changed = Signal(object, object)
    scene_replaced = Signal()
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.project = Project(name="p", scene_path="", replay=BOOK)
        self.scene_hash = ""
        self.document = None


@dataclass
class Reading:
    """A reading that waits until it is let go."""

    name: str
    may_go_on: threading.Event = field(default_factory=threading.Event)

    def work(self) -> Work[Any]:
        yield Progress(0, 1, "reading")
        assert self.may_go_on.wait(PATIENCE_S)
        yield Progress(1, 1, "read")
        return SimpleNamespace(rows=RunRows(self.name, self.name))


def test_a_run_of_the_same_name_is_not_taken_for_the_one_before(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Reading("first"), Reading("second")
    readings = iter((first, second))
    monkeypatch.setattr(replay_desk, "index_run", lambda *_: next(readings).work())
    bench, jobs = Bench(), JobRunner()
    desk = ReplayDesk(bench, jobs)  # type: ignore[arg-type]
    try:
        desk.read("run")
        bench.document_replaced.emit()
        desk.read("run")
        first.may_go_on.set()
        qtbot.waitUntil(lambda: len(jobs.jobs) == 1)
        assert desk.is_reading("run")
        assert desk.failure("run") == ""
        second.may_go_on.set()
        qtbot.waitUntil(lambda: not desk.is_reading("run"))
        rows = desk.rows("run")
        assert rows is not None
        assert rows.name == "second"
        assert desk.failure("run") == ""
    finally:
        for reading in (first, second):
            reading.may_go_on.set()
        jobs.shutdown()


@pytest.mark.parametrize("is_whole", [True, False])
def test_cancelling_once_all_rows_are_there_is_no_failure(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, is_whole: bool
) -> None:
    go_on = threading.Event()
    rows = RunRows("run", "run.json", is_whole=is_whole)
    index = RunIndex(RunSource((Path("run.json"),)), rows)

    def work() -> Work[Any]:
        yield RowsProgress(1, 1, "kept for the next time", index)
        assert go_on.wait(PATIENCE_S)
        yield RowsProgress(1, 1, "kept for the next time", index)

    monkeypatch.setattr(replay_desk, "index_run", lambda *_: work())
    bench, jobs = Bench(), JobRunner()
    desk = ReplayDesk(bench, jobs)  # type: ignore[arg-type]
    try:
        desk.read("run")
        qtbot.waitUntil(lambda: desk.rows("run") is not None)
        jobs.jobs[0].cancel()
        go_on.set()
        qtbot.waitUntil(lambda: not desk.is_reading("run"))
        assert desk.failure("run") == ("" if is_whole else "Reading it was cancelled.")
        assert desk.rows("run") is rows
    finally:
        go_on.set()
        jobs.shutdown()


def test_an_episode_that_is_not_opened_any_more_is_told(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Reading("episode")
    monkeypatch.setattr(replay_desk, "_opening", lambda *_: reading.work())
    bench, jobs = Bench(), JobRunner()
    desk = ReplayDesk(bench, jobs)  # type: ignore[arg-type]
    told: list[str] = []
    desk.episode_failed.connect(lambda: told.append("failed"))
    desk.episode_opened.connect(lambda _: told.append("opened"))
    try:
        desk.open_episode(("run",), "1")
        job = jobs.jobs[0]
        job.cancel()
        reading.may_go_on.set()
        qtbot.waitUntil(lambda: not jobs.jobs)
        assert told == ["failed"]
    finally:
        reading.may_go_on.set()
        jobs.shutdown()


@pytest.mark.parametrize(("long_s", "expected"), [(0.0, [1, 2, 3]), (60.0, [3])])
def test_tables_are_loaded_while_a_long_run_is_read_and_after_a_short_one(
    monkeypatch: pytest.MonkeyPatch, long_s: float, expected: list[int]
) -> None:
    """Never before the first rows; a cancelled reading ends where it is."""
    loaded: list[int] = []
    steps: list[Progress] = []
    monkeypatch.setattr(replay_desk, "_LONG_S", long_s)
    monkeypatch.setattr(replay_desk, "load", lambda: loaded.append(len(steps)))
    monkeypatch.setattr(replay_desk, "is_loaded", lambda: False)
    ended: list[str] = []

    def work() -> Work[Any]:
        try:
            yield Progress(0, 2, "reading")
            yield Progress(1, 2, "reading")
        finally:
            ended.append("reading")
        return SimpleNamespace(rows=RunRows("run", "run"))

    wrapped = replay_desk._with_tables(work())
    for step in wrapped:
        steps.append(step)  # noqa: PERF402 - loading counts them as they come
    assert ended == ["reading"]
    cancelled = replay_desk._with_tables(work())
    next(cancelled)
    cancelled.close()
    assert ended == ["reading", "reading"]
    assert loaded == expected
