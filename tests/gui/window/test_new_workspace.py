"""A workspace more is a folder and a line: one declared here, in a tuple beside the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from gui.user import User
from leaks import no_leaks
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.exercise import KeyedWords
from waypost.app.shell.workspace import (
    LazyWorkspace,
    Surroundings,
    Workspace,
    WorkspaceSpec,
    WorkspaceWords,
)
from waypost.app.window.startup import opened_window
from waypost.app.window.window import MainWindow
from waypost.app.window.workspaces import WORKSPACES

__all__ = ["no_leaks"]
pytestmark = pytest.mark.gui

SCOPE = "measure"


class MeasureWorkspace(Workspace):
    """Counts what is asked of it."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self.middle = around.middle
        self.left, self.right = QLabel("Widths to measure"), QLabel("The width at hand")
        self.face = QLabel("A drawing of widths")
        around.middle.add_face(self.face)
        self.is_active, self.measured, self.key = False, 0, ""

    def activate(self) -> None:
        self.is_active = True
        self.middle.show_parts(self.face)

    def deactivate(self) -> None:
        self.is_active = False
        self.middle.show_parts()

    def set_keys(self, shortcuts) -> None:
        self.key = shortcuts.key("measure.width")

    def measure(self) -> None:
        self.measured += 1


def _actions(the: LazyWorkspace[MeasureWorkspace], around: Surroundings) -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "measure.width", "Measure a width", "W", "Measure", around.bench.has_project,
            the.doing(lambda workspace: workspace.measure()), scope=SCOPE,
        ),
    )  # fmt: skip


MEASURE = WorkspaceSpec(
    SCOPE,
    "Measure",
    "Ctrl+6",
    WorkspaceWords(
        "measure how wide passages are",
        "The passages whose width is not known.",
        (KeyedWords(("measure.width",), "Measure one"),),
        "How wide it is.",
        (),
    ),
    lambda: MeasureWorkspace,
    _actions,
)


@pytest.fixture
def window(tmp_path: Path, qtbot: QtBot, no_leaks: None) -> Iterator[MainWindow]:
    """A window with one workspace more."""
    specs = (*WORKSPACES, MEASURE)
    with opened_window(tmp_path / "config", tmp_path / "data", specs) as made:
        made.resize(1280, 720)
        with qtbot.waitActive(made):
            made.show()
            made.activateWindow()
        yield made


def test_its_key_shows_its_panels_and_its_face(at_house: User) -> None:
    at_house.press("Ctrl+6")
    measure = at_house.window.workspaces.of(MEASURE)
    at_house.wait(lambda: measure.is_active)
    assert measure.left.isVisible()
    assert measure.right.isVisible()
    assert measure.face.isVisible()
    assert not at_house.window.stage.isVisible()
    at_house.press("Ctrl+1")
    assert not measure.is_active
    assert not measure.left.isVisible()
    assert at_house.window.stage.isVisible()


def test_its_tab_stands_in_the_bar(at_house: User) -> None:
    tabs = at_house.window.introduction._parts.bar.tabs
    assert [tabs.tabText(place) for place in range(tabs.count())] == [
        "Graph", "Traverse", "Record", "Score", "Replay", "Measure",
    ]  # fmt: skip
    at_house.click_widget(tabs, tabs.tabRect(5).center())
    at_house.wait(lambda: at_house.window.workspaces.shown is MEASURE)


def test_its_actions_are_in_the_palette_and_have_keys_in_its_scope_only(at_house: User) -> None:
    window, measure = at_house.window, at_house.window.workspaces.of(MEASURE)

    def entry():
        return {e.key: e for e in window.actions_set.palette_entries()}["measure.width"]

    assert (entry().text, entry().detail, entry().hint) == (
        "Measure a width", "Measure", "W",
    )  # fmt: skip
    assert not entry().is_enabled
    assert measure.key == "W"
    at_house.press("W")
    assert measure.measured == 0
    at_house.press("Ctrl+6")
    at_house.wait(lambda: measure.is_active)
    assert entry().is_enabled
    at_house.press("W")
    assert measure.measured == 1


def test_the_introduction_speaks_of_it(at_house: User) -> None:
    at_house.press("Ctrl+6")
    at_house.wait(lambda: at_house.window.workspaces.shown is MEASURE)
    introduction = at_house.window.introduction
    introduction.start()
    steps = introduction._steps()
    assert steps[0].text == "The passages whose width is not known."
    assert steps[0].keyed[0] == KeyedWords(("measure.width",), "Measure one")
    assert steps[2].text == "How wide it is."
    assert steps[3].title == "Six workspaces"
    assert steps[3].keyed[-1] == KeyedWords(
        ("view.measure",), "Measure: measure how wide passages are"
    )
    assert at_house.find(QLabel, "The passages whose width is not known.").isVisible()


def test_nothing_is_made_before_it_is_needed(tmp_path: Path, qtbot: QtBot) -> None:
    """A window that is not shown has made its first workspace alone; one that is makes the rest."""
    with opened_window(tmp_path / "config", tmp_path / "data", (*WORKSPACES, MEASURE)) as window:
        assert [window.workspaces.spec_of(w).scope for w in window.workspaces.all_made] == ["graph"]
        window.show()
        qtbot.waitUntil(lambda: window.workspaces.are_all_made, timeout=60_000)
        assert window.workspaces.shown.scope == "graph"
