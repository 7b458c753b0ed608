from __future__ import annotations

import numpy as np
import pytest
from contrast import contrast_ratio, seen_through
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QTableView,
)
from pytestqt.qtbot import QtBot
from shown_parts import shown_keys

from waypost.app.graph.findings_list import FindingRow, FindingsList
from waypost.app.graph.node_form import EdgeForm, NodeForm
from waypost.app.graph.scene_facts import SceneFacts, scene_fact_rows
from waypost.app.graph.storey_lists import NodeList, edge_rows, node_rows, storey_of
from waypost.app.shell.cut_slider import GROUND_OPACITY, CutSlider, cut_stops, short_name
from waypost.domain.scene.graph import Edge, EdgeKind, Node, build_graph
from waypost.domain.scene.scene import AssetKind, Mesh, MissingAsset, Scene, Storey
from waypost.services.appearance import DARK, LIGHT, ThemeTokens
from waypost.widgets.grouped_list import ListRow

STOREYS = (Storey("First floor", 2.9), Storey("Ground floor", 0.0))
HALL = Node("node_1", "Hall", (0, 0, 0), "By the door")
BATH = Node("node_2", "Bath", (1, 0, 2.9))
KITCHEN = Node("node_3", "Kitchen", (2, 0, 0))
GRAPH = build_graph(
    (HALL, BATH, KITCHEN), (Edge("e1", "node_1", "node_2"), Edge("e2", "node_1", "node_3"))
)


@pytest.mark.parametrize(
    ("z_m", "name"),
    [(0.0, "Ground floor"), (2.5, "Ground floor"), (2.7, "First floor"), (-1.0, "Ground floor")],
)
def test_storey_of_a_point(z_m: float, name: str) -> None:
    assert storey_of(z_m, STOREYS) == name
    assert storey_of(z_m, ()) == ""


def test_rows_come_by_storey() -> None:
    rows = node_rows(GRAPH.nodes.values(), STOREYS, {"node_3": "no floor"})
    assert [(r.key, r.group, r.warning) for r in rows] == [
        ("node_1", "Ground floor", ""),
        ("node_3", "Ground floor", "no floor"),
        ("node_2", "First floor", ""),
    ]
    edges = edge_rows(GRAPH, STOREYS, {})
    assert [(r.text, r.group) for r in edges] == [
        ("Hall – Kitchen", "Ground floor"),
        ("Hall – Bath", "between storeys"),
    ]


@pytest.fixture
def nodes(qtbot: QtBot) -> NodeList:
    made = NodeList()
    qtbot.addWidget(made)
    made.set_rows(node_rows(GRAPH.nodes.values(), STOREYS, {}))
    made.show()
    return made


def table_of(nodes: NodeList) -> QTableView:
    found = nodes.findChild(QTableView)
    assert isinstance(found, QTableView)
    return found


def test_selection_from_outside_is_silent(qtbot: QtBot, nodes: NodeList) -> None:
    with qtbot.assertNotEmitted(nodes.selection_changed):
        nodes.set_selected({"node_2", "node_1"})
    rows = table_of(nodes).selectionModel().selectedRows(0)
    assert sorted(index.data() for index in rows) == ["Bath", "Hall"]


def test_selection_by_keyboard_is_reported(qtbot: QtBot, nodes: NodeList) -> None:
    nodes.set_selected({"node_1"})
    with qtbot.waitSignal(nodes.selection_changed) as changed:
        qtbot.keyClick(table_of(nodes), Qt.Key.Key_Down)
    assert changed.args == [frozenset({"node_3"})]
    with qtbot.waitSignal(nodes.row_activated) as activated:
        qtbot.keyClick(table_of(nodes), Qt.Key.Key_Return)
    assert activated.args == ["node_3"]


def test_search_keeps_the_selection(qtbot: QtBot, nodes: NodeList) -> None:
    nodes.set_selected({"node_1"})
    with qtbot.assertNotEmitted(nodes.selection_changed):
        nodes.set_query("kit")
    assert shown_keys(nodes) == ("node_3",)
    assert nodes.selected == {"node_1"}
    nodes.set_query("NODE_2")
    assert shown_keys(nodes) == ("node_2",)
    nodes.set_query("")
    assert shown_keys(nodes) == ("node_1", "node_3", "node_2")


def test_three_thousand_rows_are_searched(nodes: NodeList) -> None:
    rows = tuple(
        ListRow(f"n{i}", f"Place {i}", f"n{i}", f"Storey {i // 1000}") for i in range(3000)
    )
    nodes.set_rows(rows)
    nodes.set_selected({f"n{i}" for i in range(0, 3000, 2)})
    nodes.set_query("place 29")
    assert len(shown_keys(nodes)) == 159


@pytest.fixture
def form(qtbot: QtBot) -> NodeForm:
    made = NodeForm()
    qtbot.addWidget(made)
    made.set_node(HALL, "Ground floor")
    made.show()
    return made


def name_field(form: NodeForm) -> QLineEdit:
    found = form.findChild(QLineEdit)
    assert isinstance(found, QLineEdit)
    return found


def test_a_name_is_reported_when_entered(qtbot: QtBot, form: NodeForm) -> None:
    name_field(form).clear()
    qtbot.keyClicks(name_field(form), "Hallway")
    with qtbot.waitSignal(form.name_changed) as changed:
        qtbot.keyClick(name_field(form), Qt.Key.Key_Return)
    assert changed.args == ["node_1", "Hallway"]


def test_a_half_typed_name_belongs_to_its_own_node(qtbot: QtBot, form: NodeForm) -> None:
    name_field(form).setText("Hallway")
    with qtbot.waitSignal(form.name_changed) as changed:
        form.set_node(KITCHEN, "Ground floor")
    assert changed.args == ["node_1", "Hallway"]
    assert name_field(form).text() == "Kitchen"


def test_a_blank_name_comes_back(qtbot: QtBot, form: NodeForm) -> None:
    name_field(form).clear()
    with qtbot.assertNotEmitted(form.name_changed):
        form.commit()
    assert name_field(form).text() == "Hall"


def test_description_is_reported(qtbot: QtBot, form: NodeForm) -> None:
    box = form.findChild(QPlainTextEdit)
    assert isinstance(box, QPlainTextEdit)
    box.setPlainText("Two steps\nfrom the door")
    with qtbot.waitSignal(form.description_changed) as changed:
        form.commit()
    assert changed.args == ["node_1", "Two steps\nfrom the door"]


def test_kind_of_several_edges(qtbot: QtBot) -> None:
    form = EdgeForm()
    qtbot.addWidget(form)
    form.set_edges(tuple(GRAPH.edges.values()), "2 edges", "")
    stairs = next(b for b in form.findChildren(QPushButton) if "Stairs" in b.text())
    with qtbot.waitSignal(form.kind_changed) as changed:
        qtbot.mouseClick(stairs, Qt.MouseButton.LeftButton)
    assert changed.args == [frozenset({"e1", "e2"}), EdgeKind.STAIRS]


def test_a_problem_takes_you_there(qtbot: QtBot) -> None:
    problems = FindingsList()
    qtbot.addWidget(problems)
    payload = object()
    problems.set_findings(
        (FindingRow("Isolated", "Bath is alone", None), FindingRow("Wall", "Hall – Bath", payload))
    )
    found = problems.findChild(QListWidget)
    assert isinstance(found, QListWidget)
    assert [found.item(i).text() for i in range(4)] == [
        "Isolated (1)",
        "Bath is alone",
        "Wall (1)",
        "Hall – Bath",
    ]
    with qtbot.waitSignal(problems.finding_activated) as chosen:
        found.itemClicked.emit(found.item(3))
    assert chosen.args == [payload]
    with qtbot.assertNotEmitted(problems.finding_activated):
        found.itemClicked.emit(found.item(0))


def test_cuts_show_walls_without_ceilings() -> None:
    stops = cut_stops(STOREYS, 5.6)
    assert [(s.name, s.cut_z_m) for s in stops] == [
        ("Ground floor", 2.2),
        ("First floor", pytest.approx(5.1)),
    ]
    low = cut_stops((Storey("A", 0.0), Storey("B", 2.3)), 4.0)
    assert low[0].cut_z_m == pytest.approx(2.0)
    assert low[1].cut_z_m == pytest.approx(3.7)


@pytest.fixture
def slider(qtbot: QtBot) -> CutSlider:
    made = CutSlider()
    qtbot.addWidget(made)
    made.set_range(-0.1, 5.6, STOREYS)
    made.resize(made.sizeHint().width(), 400)
    made.show()
    return made


def test_slider_by_keyboard(qtbot: QtBot, slider: CutSlider) -> None:
    assert slider.value_text() == "whole"
    for key, expected in (
        (Qt.Key.Key_PageDown, 5.1), (Qt.Key.Key_PageDown, 2.2), (Qt.Key.Key_Up, 2.25),
        (Qt.Key.Key_PageUp, 5.1), (Qt.Key.Key_PageUp, None),
    ):  # fmt: skip
        with qtbot.waitSignal(slider.cut_changed) as changed:
            qtbot.keyClick(slider, key)
        assert changed.args == [pytest.approx(expected) if expected else None]


def test_slider_snaps_to_storeys(qtbot: QtBot, slider: CutSlider) -> None:
    stop = slider.stops[0]
    y = round(slider._y_of(stop.cut_z_m)) + 6
    with qtbot.waitSignal(slider.cut_changed) as changed:
        qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(20, y))
    assert changed.args == [stop.cut_z_m]
    assert slider.value_text() == "2.20 m · Ground floor"


def test_slider_folds_in_a_narrow_view_until_it_is_used(qtbot: QtBot, slider: CutSlider) -> None:
    whole_px = slider.sizeHint().width()
    slider.set_view_width(4 * whole_px)
    assert not slider.is_folded
    slider.set_view_width(4 * whole_px - 1)
    # The pointer may be anywhere, and the display may give it the keyboard.
    slider.clearFocus()
    QApplication.sendEvent(slider, QEvent(QEvent.Type.Leave))
    slider.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    assert slider.is_folded
    folded_px = slider.sizeHint().width()
    assert folded_px < whole_px / 2
    assert slider.accessibleName() == "Cut height: whole"
    with qtbot.waitSignal(slider.width_changed):
        slider.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
        QApplication.sendEvent(slider, QEvent(QEvent.Type.Enter))
    assert (slider.is_folded, slider.sizeHint().width()) == (False, whole_px)
    with qtbot.waitSignal(slider.width_changed):
        slider.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        QApplication.sendEvent(slider, QEvent(QEvent.Type.Leave))
    assert (slider.is_folded, slider.sizeHint().width()) == (True, folded_px)


def test_folded_slider_shows_no_words_and_moves_as_ever(qtbot: QtBot, slider: CutSlider) -> None:
    slider.set_cut(2.2)
    slider.resize(slider.sizeHint().width(), 400)
    whole = slider.grab().toImage()
    words = whole.copy(4, 4, slider.width() - 32, 392)
    slider.set_view_width(10)
    slider.clearFocus()
    slider.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    plain = slider.grab().toImage().copy(4, 4, slider.width() - 32, 392)
    assert _colours(words) > 10
    assert _colours(plain) == 1
    y = round(slider._y_of(slider.stops[1].cut_z_m))
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(20, y))
    assert slider.value_text() == f"{slider.stops[1].cut_z_m:.2f} m · First floor"


def _colours(picture: QImage) -> int:
    places = ((x, y) for x in range(picture.width()) for y in range(picture.height()))
    return len({picture.pixel(x, y) for x, y in places})


def test_slider_is_narrow_and_shortens_the_names_of_storeys(
    qtbot: QtBot, slider: CutSlider
) -> None:
    assert slider.sizeHint().width() <= 92
    assert [short_name(n) for n in ("Ground floor", "Floor 1", "floor", "Attic storey")] == [
        "Ground",
        "Floor 1",
        "floor",
        "Attic",
    ]


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("behind", ["#000000", "#ffffff"])
def test_slider_can_be_read_over_any_scene(tokens: ThemeTokens, behind: str) -> None:
    ground = seen_through(tokens.panel, GROUND_OPACITY, behind)
    for text in (tokens.text, tokens.muted, tokens.accent):
        assert contrast_ratio(text, ground) >= 4.5


def test_slider_set_from_outside_is_silent(qtbot: QtBot, slider: CutSlider) -> None:
    with qtbot.assertNotEmitted(slider.cut_changed):
        slider.set_cut(1.0)
        slider.set_cut(99.0)
    assert slider.cut_z_m is None


def test_facts_of_a_scene(qtbot: QtBot) -> None:
    vertices = np.array([[0, 0, 0], [19, 0, 0], [0, 11.4, 3]], np.float32)
    mesh = Mesh("m", vertices, np.array([[0, 1, 2]], np.int32))
    scene = Scene(
        "house",
        "/s/house.usda",
        "usda",
        (mesh,),
        metres_per_unit=0.01,
        storeys=STOREYS[1:],
        missing_assets=(
            MissingAsset("wood.png", "/Looks/wood", AssetKind.TEXTURE),
            MissingAsset("sofa.usd", "/Sofa", AssetKind.GEOMETRY),
        ),
    )
    assert dict(scene_fact_rows(scene)) == {
        "size": "19.00 × 11.40 × 3.00 m", "triangles": "1", "meshes": "1", "format": "usda",
        "up axis": "Y", "unit": "0.01 m", "storeys": "Ground floor",
    }  # fmt: skip
    shown = SceneFacts()
    qtbot.addWidget(shown)
    shown.set_scene(scene)
    lines = shown.findChild(QPlainTextEdit)
    assert isinstance(lines, QPlainTextEdit)
    assert lines.toPlainText().splitlines() == [
        "missing geometry: sofa.usd (wanted by /Sofa)",
        "missing texture: wood.png (wanted by /Looks/wood)",
    ]


def test_nothing_is_missing_is_not_said_beside_looks_that_are_not_shown(qtbot: QtBot) -> None:
    shown = SceneFacts()
    qtbot.addWidget(shown)
    texts = {}
    for looks in ((), ("normal maps are not shown (oak)",)):
        shown.set_scene(Scene("s", "s.glb", "glb", (), not_shown=looks))
        texts[looks] = {each.text() for each in shown.findChildren(QLabel)}
    none, some = texts.values()
    assert any("Nothing is missing" in text for text in none)
    assert not any("Nothing is missing" in text for text in some)
    assert "1 kind of detail is not shown" in some
