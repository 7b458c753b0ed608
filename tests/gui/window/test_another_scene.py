"""Another scene than the project's on the stage, as while a take of another house is reviewed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from gui.house import graph
from gui.user import User
from worlds.box_scenes import box, scene

from tools.scene_files.write_glb import write_glb
from waypost.app.shell.bench_scenes import SceneWish, scene_reading
from waypost.domain.base.frames import GLTF
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    TraversabilityLabel,
    Verdict,
)
from waypost.io.graphs.capnav_graph import write_capnav_graph

pytestmark = pytest.mark.gui

OTHER_FLOOR_M = 0.4
"""Where the other house has its floor."""

WAY = Passage("node_1", "node_2", "wheelchair")


@pytest.fixture
def elsewhere(user: User, house: Path, tmp_path: Path) -> User:
    """Somebody with a labelled project, over another house with its floor elsewhere."""
    user.open(house)
    bench = user.window.bench
    label = TraversabilityLabel(WAY, Verdict.TRAVELS, provenance=Provenance(bench.scene_hash))
    user.document.edit("Label", replace(user.project, labels={WAY: label}))
    low, high = (-6.0, -6.0, OTHER_FLOOR_M - 0.1), (6.0, 6.0, OTHER_FLOOR_M)
    walls = [box(name, (x, -6.0, 0.4), (x + 0.1, 6.0, 3.0)) for name, x in (("a", -6), ("b", 5.9))]
    write_glb(scene(box("floor", low, high), *walls), tmp_path / "annex.glb")
    path = tmp_path / "annex.glb"
    work = scene_reading(path, SceneWish(str(path), None, None), bench.settings)
    bench.show_other_scene("Opening annex", work)
    user.wait(lambda: not bench.is_own_scene)
    user.settle()
    return user


def test_labels_are_exported_as_of_their_own_scene(elsewhere: User, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    job = elsewhere.window.files.export_to(folder)
    elsewhere.wait(lambda: job.state.is_final)
    assert "Left out" not in elsewhere.message()
    written = json.loads((folder / "house-traverse.json").read_text())
    assert list(written["WHEELCHAIR"]) == ["node_1|node_2"]


def test_an_imported_graph_stands_on_the_floors_of_its_own_scene(
    elsewhere: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere.document.edit("Empty", replace(elsewhere.project, graph=NavigationGraph()))
    write_capnav_graph(tmp_path / "g.json", graph(), GLTF)
    files = elsewhere.window.files
    asked: list[int] = []

    def take_the_best(proposals: tuple[object, ...]) -> object:
        asked.append(len(proposals))
        return GLTF

    monkeypatch.setattr(files, "_ask_frame", take_the_best)
    files.propose_import(tmp_path / "g.json")
    elsewhere.wait(lambda: len(elsewhere.graph.nodes) == 5)
    assert asked == [4]
    heights = [node.position_m[2] for node in elsewhere.graph.nodes.values()]
    assert heights == pytest.approx([0.0, 0.0, 0.0, 0.0, 2.8], abs=1e-6)


def test_nothing_is_filmed_at_nodes_that_are_not_there(elsewhere: User) -> None:
    takes = elsewhere.window.camera_takes
    assert takes.can_film()
    assert not takes.can_tour()
    assert not takes.can_take_nodes()
    elsewhere.window.bench.show_own_scene()
    assert takes.can_tour()
    assert takes.can_take_nodes()


def test_the_mini_map_shows_no_nodes_of_another_house(elsewhere: User) -> None:
    shown = elsewhere.window.stage.map.widget
    assert not shown._nodes
    elsewhere.document.edit("Empty", replace(elsewhere.project, labels={}))
    assert not shown._nodes
    elsewhere.press("Ctrl+K")
    assert not elsewhere.window._go_to._model.entries
    elsewhere.press("Esc")
    elsewhere.window.bench.show_own_scene()
    elsewhere.settle()
    assert len(shown._nodes) == 4
