"""A scene that is wrong: tried on the stage, kept in the project, undone, everywhere alike."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from gui.user import User
from PySide6.QtWidgets import QMessageBox, QPushButton
from worlds.scene_files import usd_cube, usda

from waypost.app.main import main
from waypost.app.window.scene.correction_dialog import CorrectionDialog
from waypost.domain.project import Project, allow_gaps
from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    TraversabilityLabel,
    Verdict,
)
from waypost.io.agent_files import shipped_agents
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui

ROOM = usd_cube("Room", size=(6, 5, 2.5))


def _open(user: User, scene: Path) -> None:
    bench, before = user.window.bench, user.window.bench.document
    bench.open_scene_file(scene)
    user.wait(lambda: bench.document is not before and bench.scene is not None)
    user.settle()


def _dialog(user: User) -> CorrectionDialog:
    """The correction that is tried, once its scene is on the stage."""
    dialog = user.window.repairs.dialog
    assert dialog is not None
    user.wait(lambda: "Size" in dialog.facts)
    user.settle()
    return dialog


def _size(user: User) -> tuple[float, ...]:
    scene = user.window.bench.scene
    return tuple(round(metres, 3) for metres in scene.size_m) if scene else ()


def _box(user: User) -> QMessageBox:
    user.wait(lambda: user.window.repairs.box is not None)
    box = user.window.repairs.box
    assert box is not None
    return box


def _stored(user: User) -> tuple[str | None, float | None]:
    location = user.document.store.location
    store = ProjectStore.open(location)
    try:
        project = store.load()
    finally:
        store.close()
    return project.scene_up_axis, project.scene_metres_per_unit


def test_another_up_axis_is_tried_kept_and_undone(user: User, tmp_path: Path) -> None:
    _open(user, usda(tmp_path / "room.usda", ROOM, up="Y"))
    assert _size(user) == (6.0, 2.5, 5.0)
    user.click_widget(user.find(QPushButton, "Wrong up axis …"))
    dialog = _dialog(user)
    assert dialog.value == "Z"
    assert "Size 6.00 × 5.00 × 2.50 m" in dialog.facts
    assert "It was 6.00 × 2.50 × 5.00 m" in dialog.facts
    assert _size(user) == (6.0, 5.0, 2.5)
    assert _stored(user) == (None, None)
    user.click_widget(dialog.primary)
    user.wait(lambda: user.window.repairs.dialog is None)
    assert _size(user) == (6.0, 5.0, 2.5)
    assert user.window.bench.is_own_scene
    assert _stored(user) == ("Z", None)
    user.take_keyboard()
    user.press("Ctrl+Z")
    user.wait(lambda: _size(user) == (6.0, 2.5, 5.0))
    assert _stored(user) == (None, None)


def test_what_is_not_kept_leaves_everything_as_it_was(user: User, tmp_path: Path) -> None:
    _open(user, usda(tmp_path / "room.usda", ROOM, up="Y"))
    own = user.window.bench.opened
    user.window.repairs.correct_up_axis()
    dialog = _dialog(user)
    assert own is not None
    doubted = replace(own.scene, warnings=("chair", "table", "bed", "the unit may be wrong"))
    dialog.show_scene(own.scene, doubted, 1.7)
    assert dialog.facts.endswith("1.70 m.\n⚠ bed\n⚠ the unit may be wrong\nand 2 doubts more")
    dialog.reject()
    user.wait(lambda: user.window.repairs.dialog is None)
    assert user.window.bench.opened is own
    assert not user.document.undo_stack.canUndo()


def test_another_unit_takes_the_nodes_along_and_holds_for_commands(
    user: User, house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    user.open(house)
    before = _size(user)
    edge = next(iter(user.graph.edges.values()))
    way = Passage(edge.from_id, edge.to_id, next(iter(user.project.agents)))
    given = TraversabilityLabel(way, Verdict.TRAVELS)
    here = replace(given, provenance=Provenance(user.window.bench.scene_hash))
    labels = {way: here, way.reverse: replace(given, passage=way.reverse)}
    user.document.edit("Label", replace(user.project, labels=labels))
    user.window.repairs.correct_unit()
    dialog = _dialog(user)
    dialog.choice.setCurrentIndex(dialog.choice.findData("another"))
    assert dialog.content.visibleRegion().boundingRect() == dialog.content.rect()
    dialog.other.setValue(2.0)
    dialog.other.editingFinished.emit()
    user.wait(lambda: _size(user) == tuple(2 * metres for metres in before))
    assert dialog.moves.isChecked()
    user.wait(dialog.primary.isEnabled)
    # Arrows of the field alone show nothing else; what is kept is what is shown.
    dialog.other.stepUp()
    user.click_widget(dialog.primary)
    user.wait(lambda: user.window.repairs.dialog is None)
    # The other label does not say what it was given on.
    assert user.message().endswith(" m. 1 label is stale now.")
    assert user.graph.nodes["node_3"].position_m == (5.0, 0.0, 0.0)
    assert _stored(user) == (None, 2.0)
    user.take_keyboard()
    user.press("Ctrl+Z")
    assert user.graph.nodes["node_3"].position_m == (2.5, 0.0, 0.0)
    user.wait(lambda: _size(user) == before)
    user.press("Ctrl+Shift+Z")
    user.wait(lambda: _size(user) == tuple(2 * metres for metres in before))
    _open(user, house.with_suffix(".glb"))
    assert _size(user) == tuple(2 * metres for metres in before)
    assert main(["graph", "check", str(house), "--json"]) in {0, 1}
    kinds = {finding["kind"] for finding in json.loads(capsys.readouterr().out)["findings"]}
    assert "no_floor" not in kinds


@pytest.mark.realdata
def test_a_button_goes_to_the_stray_vertex(user: User, shared_data: Path, tmp_path: Path) -> None:
    scene = tmp_path / "outlier.glb"
    scene.write_bytes((shared_data / "found/scenes/outlier_20000.glb").read_bytes())
    _open(user, scene)
    user.click_widget(user.find(QPushButton, "Go to stray vertex"))
    assert "Stray vertex 1 of 1, at 20000" in user.message()


def test_driving_despite_missing_geometry_is_allowed_by_name_and_undone(
    user: User, tmp_path: Path
) -> None:
    body = ROOM + 'def "Plant" (payload = @./plant.usd@) {\n}\n'
    _open(user, usda(tmp_path / "room.usda", body))
    assert "1 part of the geometry is missing (plant.usd)" in user.message()
    user.click_widget(user.find(QPushButton, "What is missing …"))
    box = _box(user)
    assert "plant.usd, wanted by /Plant: does not exist" in box.text()
    (agree,) = (b for b in box.buttons() if b.text().replace("&", "") == "Drive all the same")
    user.click_widget(agree)
    user.wait(lambda: user.window.repairs.box is None)
    assert dict(user.project.allowed_gaps) == {"room.usda": ("plant.usd",)}
    assert user.window.engine._allowed_gaps == {"plant.usd"}
    assert "drives without 1 missing part" in user.window._status._gaps.full_text
    user.take_keyboard()
    user.press("Ctrl+Z")
    assert not user.project.allowed_gaps
    assert not user.window.engine._allowed_gaps
    assert not user.window._status._gaps.isVisible()
    user.press("Ctrl+Shift+Z")
    location = user.document.store.location
    _open(user, tmp_path / "room.usda")
    assert user.document.store.location == location
    assert user.window.engine._allowed_gaps == {"plant.usd"}
    assert user.message() == ""


def test_a_unit_that_cannot_be_is_asked_for_and_kept(user: User, tmp_path: Path) -> None:
    path = usda(tmp_path / "room.usda", usd_cube("Room", size=(600, 500, 250)), unit=-1.0)
    user.window.bench.open_scene_file(path)
    question = user.window.files.unit_question
    user.wait(lambda: question.dialog is not None)
    dialog = question.dialog
    assert dialog is not None
    assert "room.usda: metersPerUnit -1 is not above 0. One unit" in dialog.labelText()
    assert user.window.bench.document is None
    # The question says it; the options of commands are no way out here.
    assert user.message() == ""
    dialog.reject()
    user.wait(lambda: question.dialog is None)
    assert "room.usda is not shown: metersPerUnit -1 is not above 0. Open it" in user.message()
    user.window.bench.open_scene_file(path)
    user.wait(lambda: question.dialog is not None)
    dialog = question.dialog
    assert dialog is not None
    dialog.setTextValue("centimetres (0.01 m)")
    dialog.accept()
    user.wait(lambda: user.window.bench.document is not None and user.window.bench.scene)
    user.settle()
    assert _size(user) == (6.0, 5.0, 2.5)
    assert _stored(user) == (None, 0.01)
    _open(user, path)
    assert _size(user) == (6.0, 5.0, 2.5)
    assert question.dialog is None


def open_room_without_plant(user: User, tmp_path: Path, *allowed: str) -> None:
    """Before the queue of a project with two nodes, in a room whose plant is missing."""
    usda(tmp_path / "room.usda", ROOM + 'def "Plant" (payload = @./plant.usd@) {\n}\n')
    graph = build_graph(
        [Node("n1", "A", (1.0, 1.0, 0.0)), Node("n2", "B", (3.0, 1.0, 0.0))],
        [Edge("e1", "n1", "n2")],
    )
    project = Project(
        "Room",
        "room.usda",
        graph=graph,
        agents=shipped_agents(),
        allowed_gaps=MappingProxyType({"room.usda": allowed} if allowed else {}),
    )
    path = tmp_path / "room.waypost"
    ProjectStore.create(path, project, "ana").close()
    user.open(path)
    user.press("Ctrl+2")


def test_labels_given_despite_a_gap_say_what_was_missing(user: User, tmp_path: Path) -> None:
    open_room_without_plant(user, tmp_path, "plant.usd")
    user.window.traverse.answer(Verdict.TRAVELS)
    user.wait(lambda: user.project.labels)
    (label,) = user.project.labels.values()
    assert label.provenance.scene_gaps == ("plant.usd",)


def test_passages_are_measured_where_agents_may_be_driven(user: User, tmp_path: Path) -> None:
    """As on the command line with ``--allow-gaps``; what is accepted says what was missing."""
    open_room_without_plant(user, tmp_path)
    user.press("M")
    assert user.message() == (
        "1 part of the geometry is missing (plant.usd), so an agent could go where it cannot;"
        " see Drive despite missing geometry, under Edit."
    )
    assert not user.window.traverse.measuring.is_running()
    allowed = allow_gaps(user.project, "room.usda", ["plant.usd"])
    user.document.edit("Allow", allowed)
    user.press("M")
    user.wait(lambda: not user.window.traverse.measuring.is_running())
    assert user.project.measures
    user.window.traverse.list.select_all()
    user.window.traverse.accept()
    labels = user.project.labels
    assert labels
    assert {label.provenance.scene_gaps for label in labels.values()} == {("plant.usd",)}
