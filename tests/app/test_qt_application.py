"""The one place where Qt applications are made."""

from __future__ import annotations

import ast
import gc
from collections.abc import Generator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from waypost.app.shell import qt_application
from waypost.app.shell.qt_application import collect_between, collecting, the_qt_application
from waypost.domain.base.progress import Progress, exhaust
from waypost.services.cycle_collector import collect_in_qt_thread, collector_of

ROOT = Path(__file__).resolve().parents[2]
APPLICATIONS = {"QApplication", "QGuiApplication", "QCoreApplication"}


def makes_application(tree: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) in APPLICATIONS
        for node in ast.walk(tree)
    )


def plain_receivers(tree: ast.AST) -> list[str]:
    """Classes that have queued calls made to them and are no QObjects.

    PySide 6.11.3 delivers such a call, when its receiver has gone meanwhile, to what lies there.
    """
    return [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and any(getattr(part, "attr", "") == "QueuedConnection" for part in ast.walk(node))
        and not any(getattr(base, "id", "").startswith("Q") for base in node.bases)
    ]


@pytest.mark.heavy
def test_applications_are_made_in_one_place_and_only_qobjects_are_called_later() -> None:
    trees = {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for folder in ("waypost", "benchmarks", "scripts")
        for path in (ROOT / folder).rglob("*.py")
    }
    makers = {name for name, tree in trees.items() if makes_application(tree)}
    assert makers == {"waypost/app/shell/qt_application.py"}
    assert {name: plain for name, tree in trees.items() if (plain := plain_receivers(tree))} == {}


def test_an_application_that_is_there_is_taken(qapp: QApplication) -> None:
    assert the_qt_application(["x"]) == (qapp, False)


def test_a_new_one_has_a_collector_from_the_start(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There can be one application in a process: the one that is there stands for a new one."""

    class NoApplicationYet:
        @staticmethod
        def instance() -> None:
            return None

        def __new__(cls, arguments: list[str]) -> QApplication:  # type: ignore[misc]
            return qapp

    with monkeypatch.context() as patch:
        patch.setattr(qt_application, "QApplication", NoApplicationYet)
        assert the_qt_application(["x"]) == (qapp, True)
    collector = collector_of(qapp)
    assert collector is not None
    assert not gc.isenabled()


def test_work_without_an_event_loop_lets_cycles_be_collected(qapp: QApplication) -> None:
    collector = collect_in_qt_thread(qapp)
    turns: list[object] = []
    collector.collected.connect(turns.append)
    collector._rests_until_s = 0.0

    def work() -> Generator[Progress, None, int]:
        for number in range(5):
            litter: list[list[object]] = [[] for _ in range(1000)]
            for one in litter:
                one.append(one)
            del litter
            collector._rests_until_s = 0.0
            yield Progress(number, 5, "")
        return 3

    assert exhaust(collecting(work())) == 3
    assert len(turns) >= 4


def test_work_that_is_closed_is_closed_within(qapp: QApplication) -> None:
    closed: list[bool] = []

    def work() -> Generator[Progress, None, None]:
        try:
            yield Progress(0, 2, "")
            yield Progress(1, 2, "")
        finally:
            closed.append(True)

    steps = collecting(work())
    next(steps)
    steps.close()
    assert closed == [True]
    collect_between()
