"""Nothing is cut off in side panels of 230 and 280 px, at any text scale a user may choose."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from cut_text import cut_texts
from PySide6.QtWidgets import QApplication, QDoubleSpinBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from waypost.annotators.traverse.agent_chooser import AgentChooser, AgentRow
from waypost.annotators.traverse.hud import Hud, HudValues
from waypost.annotators.traverse.label_draft import LabelQuestion
from waypost.annotators.traverse.label_panel import LabelPanel
from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.passage_rows import PassageRow
from waypost.app.graph.findings_list import FindingRow, FindingsList
from waypost.app.graph.node_form import EdgeForm, NodeForm
from waypost.app.graph.scene_facts import SceneFacts
from waypost.app.graph.storey_lists import EdgeList
from waypost.app.window.agents.agent_editor import AgentEditor
from waypost.app.window.progress_strip import ProgressStrip
from waypost.app.window.settings.key_list import KeyList
from waypost.app.window.settings.shortcut_editor import ShortcutEditor
from waypost.app.window.start.welcome import WelcomePage
from waypost.app.window.status_strip import EngineLevel, SavedLevel, StatusStrip
from waypost.domain.scene.graph import Edge, Node
from waypost.domain.scene.scene import Scene, Storey
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.traversability import Passage, PassageState, Reason, Verdict
from waypost.services.agent_marks import agent_marks
from waypost.services.input.shortcuts import ShortcutEntry, ShortcutMap
from waypost.widgets.facts_table import Fact
from waypost.widgets.grouped_list import ListRow
from waypost.widgets.message_strip import Message, MessageLevel, MessageStrip
from waypost.widgets.theme import apply_theme

pytestmark = [pytest.mark.heavy, pytest.mark.no_cover]

WHEELCHAIR = AgentProfile(
    "wheelchair", "Wheelchair user", BodyShape.BOX, 0.7, 1.0, 1.2, 0.013, False, True, True
)
PASSAGE = Passage("node_1", "node_2", "wheelchair")
FACTS = (
    Fact("narrowest", "0.94 m", "needs 0.70 m", True),
    Fact("turning room", "1.31 m", "needs 1.22 m", False),
    Fact("reached", "yes", "7.8 m in 9.8 s"),
)
KEYS = ShortcutMap((ShortcutEntry("undo", "Undo", "Edit", "Ctrl+Z"),))


def label_panel() -> QWidget:
    panel = LabelPanel()
    panel.set_question(
        LabelQuestion(
            PASSAGE, "Wheelchair user", "Living room", "Dining table by the window", FACTS,
            Verdict.DOES_NOT, Reason.PHANTOM_GEOMETRY,
            stale_because=("the scene has changed", "“Hall” was moved by 0.62 m"),
        )
    )  # fmt: skip
    return panel


def queue() -> QWidget:
    made = PassageList()
    made.set_rows("Wheelchair user", (PassageRow(PASSAGE, "A", "B", PassageState.STALE),))
    return made


def chooser() -> QWidget:
    made = AgentChooser()
    made.set_agents(
        (AgentRow(WHEELCHAIR, agent_marks({"wheelchair": WHEELCHAIR})["wheelchair"], 3, 9),)
    )
    return made


def agent_editor() -> QWidget:
    made = AgentEditor()
    made.set_agents({"wheelchair": WHEELCHAIR})
    width = next(b for b in made.findChildren(QDoubleSpinBox) if b.accessibleName() == "Width")
    width.setValue(0.0)
    return made


def node_form() -> QWidget:
    made = NodeForm()
    made.set_node(Node("node_1", "Hallway", (-12.34, 5.6, 2.89)), "Ground floor")
    return made


def edge_form() -> QWidget:
    made = EdgeForm()
    made.set_edges((Edge("edge_1", "a", "b"),), "Hallway – Bathroom", "4.12 m · edge_1")
    return made


def edge_list() -> QWidget:
    made = EdgeList()
    made.set_rows((ListRow("e", "Hallway – Kitchen", "→", "Ground floor"),))
    return made


def findings() -> QWidget:
    made = FindingsList()
    made.set_findings((FindingRow("Edge through a wall", "Hall – Bath crosses Wall_03", 1),))
    return made


def facts() -> QWidget:
    made = SceneFacts()
    storeys = (Storey("Ground floor", 0.0), Storey("First floor", 2.9))
    made.set_scene(Scene("small_house", "s.usda", "usda", (), storeys=storeys, warnings=("w",)))
    return made


def message() -> QWidget:
    made = MessageStrip()
    made.show_message(Message("The disk is full.", MessageLevel.ERROR, "Try now", "errno 28"))
    return made


def progress() -> QWidget:
    made = ProgressStrip()
    made.show_progress("Opening small_house.glb: textures", 1, 3)
    return made


def status() -> QWidget:
    made = StatusStrip()
    made.set_saved(SavedLevel.NOT_SAVED, "NOT SAVED since 10:42")
    made.set_scene("small_house", 145_844)
    made.set_agent("wheelchair 0.70 × 1.00 × 1.20 m")
    made.set_engine(EngineLevel.READY, "engine PhysX 5.3 (sapien)")
    return made


def hud() -> QWidget:
    stage = QWidget()
    display = Hud(stage)
    display.start("Wheelchair user", (("W", "forward"), ("Esc", "stop")))
    display.set_values(HudValues(0.8, 0.02, 0.013, 0.2, 0.1, "a step or sill"))
    display.set_failure("The physics engine stopped (exit code -11). Your project is untouched.")
    return stage


CASES: dict[str, tuple[Callable[[], QWidget], int, int]] = {
    "label_panel": (label_panel, 260, 620),
    "queue": (queue, 210, 620),
    "chooser": (chooser, 210, 90),
    "agent_editor": (agent_editor, 260, 620),
    "agent_editor_wide": (agent_editor, 900, 620),
    "node_form": (node_form, 260, 620),
    "edge_form": (edge_form, 260, 620),
    "edge_list": (edge_list, 210, 620),
    "findings": (findings, 260, 300),
    "facts": (facts, 260, 620),
    "message": (message, 1280, 80),
    "progress": (progress, 1280, 60),
    "status": (status, 1280, 40),
    "hud": (hud, 760, 560),
    "keys": (lambda: KeyList(KEYS), 420, 500),
    "shortcuts": (lambda: ShortcutEditor(KEYS), 640, 500),
    "welcome": (WelcomePage, 760, 600),
}


@pytest.fixture(params=[100, 125, 150])
def scale(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[int]:
    apply_theme(qapp, "dark", request.param)
    yield request.param
    apply_theme(qapp, "dark")


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_cut_off(qtbot: QtBot, scale: int, name: str) -> None:
    make, width, height = CASES[name]
    widget = make()
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    qtbot.waitUntil(lambda: cut_texts(widget) == [])
    assert widget.width() == width


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_cut_off_when_text_grows(qtbot: QtBot, qapp: QApplication, name: str) -> None:
    make, width, height = CASES[name]
    apply_theme(qapp, "dark", 100)
    widget = make()
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    apply_theme(qapp, "light", 150)
    widget.resize(width, height)
    try:
        qtbot.waitUntil(lambda: cut_texts(widget) == [])
    finally:
        apply_theme(qapp, "dark", 100)


@pytest.mark.parametrize("name", CASES)
def test_every_control_has_a_name(qtbot: QtBot, name: str) -> None:
    widget = CASES[name][0]()
    qtbot.addWidget(widget)
    widget.show()
    nameless = [
        control
        for control in widget.findChildren(QWidget)
        if control.focusPolicy().value & 1
        and control.isVisibleTo(widget)
        and not _is_part_of_a_control(control)
        and not control.accessibleName()
    ]
    assert nameless == []


def _is_part_of_a_control(widget: QWidget) -> bool:
    return widget.objectName().startswith("qt_") or type(widget).__name__ == "QComboBoxListView"


def test_cut_text_would_be_found(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    narrow = QLabel("a label of some length", host)
    narrow.resize(40, 20)
    outside = QPushButton("outside", host)
    outside.move(70, 40)
    host.resize(100, 100)
    host.show()
    assert [text.split(":")[0] for text in cut_texts(host)] == [
        "'a label of some length'",
        "'outside'",
    ]
