from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QMainWindow
from pytestqt.qtbot import QtBot

from waypost.app.window.pickers import CommandPalette, GoTo, graph_entries
from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.widgets.picker import PickerEntry

ENTRIES = (
    PickerEntry("open", "Open scene…", "Project", "Ctrl+O"),
    PickerEntry("top", "Top-down camera", "View", "T"),
    PickerEntry("redo", "Redo", "Edit", "Ctrl+Shift+Z", is_enabled=False),
)


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    made = QMainWindow()
    made.setCentralWidget(QLineEdit())
    qtbot.addWidget(made)
    made.resize(1280, 720)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is made)
    made.centralWidget().setFocus()
    return made


@pytest.fixture
def palette(window: QMainWindow) -> CommandPalette:
    made = CommandPalette(window)
    made.open_with(ENTRIES)
    return made


def type_text(qtbot: QtBot, text: str) -> None:
    qtbot.keyClicks(QApplication.focusWidget(), text)


def test_typing_filters_and_enter_runs(qtbot: QtBot, palette: CommandPalette) -> None:
    type_text(qtbot, "topd")
    assert [e.key for e in palette._model.entries] == ["top"]
    with qtbot.waitSignal(palette.entry_chosen) as chosen:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert chosen.args == ["top"]
    assert not palette.isVisible()


def test_arrows_move_and_wrap(qtbot: QtBot, palette: CommandPalette) -> None:
    for key, expected in (
        (Qt.Key.Key_Down, "Top-down camera"),
        (Qt.Key.Key_Up, "Open scene…"),
        (Qt.Key.Key_Up, "Redo"),
    ):
        qtbot.keyClick(QApplication.focusWidget(), key)
        assert palette.findChild(QListView).currentIndex().data() == expected


def test_disabled_entries_cannot_be_chosen(qtbot: QtBot, palette: CommandPalette) -> None:
    type_text(qtbot, "redo")
    with qtbot.assertNotEmitted(palette.entry_chosen):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert palette.isVisible()


def test_escape_closes_and_gives_the_focus_back(
    qtbot: QtBot, window: QMainWindow, palette: CommandPalette
) -> None:
    with qtbot.waitSignal(palette.closed):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is window.centralWidget()


def test_leaving_it_closes_it(qtbot: QtBot, window: QMainWindow, palette: CommandPalette) -> None:
    window.centralWidget().setFocus()
    assert not palette.isVisible()


def test_it_stays_inside_the_window(window: QMainWindow, palette: CommandPalette) -> None:
    window.resize(700, 420)
    assert window.rect().contains(palette.geometry())


def test_places_are_found_by_name_and_id(qtbot: QtBot, window: QMainWindow) -> None:
    graph = build_graph(
        (Node("node_1", "Hall", (0, 0, 0)), Node("node_2", "Kitchen", (1, 0, 0))),
        (Edge("edge_7", "node_1", "node_2"),),
    )
    go_to = GoTo(window)
    go_to.open_with(graph_entries(graph))
    type_text(qtbot, "edge_7")
    assert [e.key for e in go_to._model.entries] == ["edge_7"]
    go_to.open_with(graph_entries(graph))
    type_text(qtbot, "kitchen")
    assert [e.key for e in go_to._model.entries] == ["node_2", "edge_7"]
