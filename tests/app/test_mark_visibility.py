"""Blindness is the rule: lifted by asking, back with another project or another analyst."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from waypost.app.replay.mark_visibility import MarkVisibility
from waypost.app.shell.workbench import Workbench
from waypost.domain.project import Project
from waypost.services.jobs import JobRunner
from waypost.services.settings import SettingsFile
from waypost.store.project_store import ProjectStore


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Iterator[Workbench]:
    jobs = JobRunner()
    made = Workbench(SettingsFile(tmp_path / "settings.json"), jobs, tmp_path / "data")
    made.change_settings(replace(made.settings, annotator="ada"))
    yield made
    assert not jobs.shutdown()


def test_own_marks_alone_until_everyones_are_asked_for(bench: Workbench, qtbot: QtBot) -> None:
    sight = MarkVisibility(bench)
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
    MarkVisibility(bench).show_everyone(is_on=True)
    assert not MarkVisibility(bench).is_everyone


def test_who_has_seen_others_marks_has_seen_them_for_the_session(
    bench: Workbench, qtbot: QtBot
) -> None:
    sight = MarkVisibility(bench)
    assert not sight.has_seen
    sight.show_everyone(is_on=True)
    sight.show_everyone(is_on=False)
    assert sight.has_seen
    bench.change_settings(replace(bench.settings, annotator="ben"))
    assert not sight.has_seen
    with qtbot.waitSignal(sight.changed):
        bench.change_settings(replace(bench.settings, annotator="ada"))
    assert (sight.is_everyone, sight.has_seen) == (False, True)


def test_what_was_seen_in_one_project_was_not_seen_in_another(
    bench: Workbench, qtbot: QtBot, tmp_path: Path
) -> None:
    files = [tmp_path / "one.waypost", tmp_path / "two.waypost"]
    for file in files:
        ProjectStore.create(file, Project(), "ada").close()
    sight = MarkVisibility(bench)

    def open_file(file: Path) -> None:
        with qtbot.waitSignal(bench.document_replaced):
            bench.open_project(file)

    open_file(files[0])
    sight.show_everyone(is_on=True)
    sight.show_everyone(is_on=False)
    with qtbot.waitSignal(sight.changed):
        open_file(files[1])
    assert not sight.has_seen
    with qtbot.waitSignal(sight.changed):
        open_file(files[0])
    assert sight.has_seen
    bench.close()


def test_another_project_or_analyst_is_blind(bench: Workbench, qtbot: QtBot) -> None:
    sight = MarkVisibility(bench)
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
