"""Blindness is the rule: lifted by asking, back with another project or another analyst."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from waypost.app.mark_sight import MarkSight
from waypost.app.workbench import Workbench
from waypost.services.jobs import JobRunner
from waypost.services.settings import SettingsFile


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Iterator[Workbench]:
    jobs = JobRunner()
    made = Workbench(SettingsFile(tmp_path / "settings.json"), jobs)
    made.change_settings(replace(made.settings, annotator="ada"))
    yield made
    assert not jobs.shutdown()


def test_own_marks_alone_until_everyones_are_asked_for(bench: Workbench, qtbot: QtBot) -> None:
    sight = MarkSight(bench)
    assert (sight.is_everyone, sight.counted) == (False, "ada")
    assert sight.told({"ada", "ben"}) == "your marks (ada)"
    with qtbot.waitSignal(sight.changed):
        sight.show_everyone(is_on=True)
    assert sight.counted is None
    assert sight.told({"cy", "ben"}) == "everyone's marks (ben, cy)"
    assert sight.told(()) == "everyone's marks"
    with qtbot.assertNotEmitted(sight.changed):
        sight.show_everyone(is_on=True)


def test_a_new_session_is_blind(bench: Workbench) -> None:
    MarkSight(bench).show_everyone(is_on=True)
    assert not MarkSight(bench).is_everyone


def test_another_project_or_analyst_is_blind(bench: Workbench, qtbot: QtBot) -> None:
    sight = MarkSight(bench)
    sight.show_everyone(is_on=True)
    bench.change_settings(replace(bench.settings, theme="light"))
    assert sight.is_everyone
    with qtbot.waitSignal(sight.changed):
        bench.change_settings(replace(bench.settings, annotator="ben"))
    assert (sight.is_everyone, sight.counted) == (False, "ben")
    sight.show_everyone(is_on=True)
    with qtbot.waitSignal(sight.changed):
        bench.document_replaced.emit()
    assert not sight.is_everyone
