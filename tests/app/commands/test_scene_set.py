"""``waypost scene set``: the same corrections as in the window, for scripts."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from worlds.scene_files import usd_cube, usda

from waypost.app.main import main
from waypost.domain.project import Project
from waypost.domain.scene.graph import Node, build_graph, move_nodes
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.heavy


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A room of 6 × 5 × 2.5 m on its side, a plant missing in it, with a node."""
    body = usd_cube("Room", size=(6, 5, 2.5)) + 'def "P" (payload = @./plant.usd@) {\n}\n'
    usda(tmp_path / "room.usda", body, up="Y")
    path = tmp_path / "room.waypost"
    made = Project(
        scene_path="room.usda", graph=build_graph([Node("node_1", "Hall", (3.0, -1.0, 1.0))], [])
    )
    ProjectStore.create(path, made, "ana").close()
    return path


def load(path: Path) -> Project:
    store = ProjectStore.open(path)
    try:
        return store.load()
    finally:
        store.close()


def set_scene(project: Path, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["scene", "set", "--project", str(project), "--json", *words]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def refusal(project: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    before = project.read_bytes()
    assert main(["scene", "set", "--project", str(project), *words]) == 2
    assert project.read_bytes() == before
    return capsys.readouterr().err


def test_another_axis_and_unit_take_the_nodes_along(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = set_scene(project, capsys, "--up-axis", "Z", "--metres-per-unit", "2")
    assert document["size_m"] == [12.0, 10.0, 5.0]
    assert document["is_up_axis_corrected"]
    stored = load(project)
    assert (stored.scene_up_axis, stored.scene_metres_per_unit) == ("Z", 2.0)
    # (3, −1, 1) here is (3, 1, 1) in a file whose Y is up.
    assert stored.graph.nodes["node_1"].position_m == (6.0, 2.0, 2.0)
    back = set_scene(project, capsys, "--up-axis", "stated", "--metres-per-unit", "stated")
    assert back["size_m"] == [6.0, 2.5, 5.0]
    assert load(project).graph.nodes["node_1"].position_m == (3.0, -1.0, 1.0)


def test_a_scene_that_states_no_unit_that_can_be_is_given_one(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usda(project.with_name("room.usda"), usd_cube("Room", size=(600, 500, 250)), unit=-1.0)
    assert "metersPerUnit: -1 is not above 0" in refusal(project, capsys, "--up-axis", "Z")
    document = set_scene(project, capsys, "--metres-per-unit", "0.01")
    assert document["size_m"] == [6.0, 5.0, 2.5]
    assert load(project).graph.nodes["node_1"].position_m == (3.0, -1.0, 1.0)


@pytest.mark.parametrize("word", ["nan", "inf", "-inf", "1e400", "-1", "0", "foot"])
def test_a_unit_that_is_no_length_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    assert "--metres-per-unit: " in refusal(project, capsys, f"--metres-per-unit={word}")


def test_gaps_are_allowed_by_name(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert set_scene(project, capsys, "--allow-gaps")["allowed_gaps"] == ["plant.usd"]
    assert dict(load(project).allowed_gaps) == {"room.usda": ("plant.usd",)}
    assert set_scene(project, capsys, "--refuse-gaps")["allowed_gaps"] == []
    assert not load(project).allowed_gaps


def test_another_house_is_refused_and_the_same_one_is_not(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cabin = usda(project.with_name("cabin.usda"), usd_cube("Cabin", size=(3, 3, 2.5)))
    said = refusal(project, capsys, "--file", str(cabin))
    assert "the size was 6.00 × 2.50 × 5.00 m and is 3.00 × 3.00 × 2.50 m" in said
    assert "--although-different" in said
    set_scene(project, capsys, "--file", str(cabin), "--although-different")
    assert load(project).scene_path == "cabin.usda"
    copy = usda(project.with_name("copy.usda"), usd_cube("Other", size=(3, 3, 2.5)))
    set_scene(project, capsys, "--file", str(copy), "--although-different")
    assert load(project).scene_path == "copy.usda"


def _draw_on_the_floor(project: Path) -> None:
    """The room stands, and its node on its floor."""
    usda(project.with_name("room.usda"), usd_cube("Room", size=(6, 2.5, 5)), up="Y")
    with contextlib.closing(ProjectStore.open(project)) as store:
        before = store.load()
        graph = move_nodes(before.graph, {"node_1": (3.0, -1.0, 0.0)})
        store.save(before, replace(before, graph=graph), "ana", "Put it down")


def test_corrections_of_another_file_leave_nodes_where_they_are(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same house in centimetres, lying: nodes were drawn in the other file, not in it."""
    large = usda(project.with_name("cm.usda"), usd_cube("Room", size=(600, 250, 500)), up="Z")
    words = ("--file", str(large), "--metres-per-unit", "0.01", "--up-axis", "Y")
    _draw_on_the_floor(project)
    said = refusal(project, capsys, "--file", str(large))
    assert "is not the house of" in said
    document = set_scene(project, capsys, *words)
    assert document["size_m"] == [6.0, 5.0, 2.5]
    stored = load(project)
    assert (stored.scene_path, stored.scene_up_axis) == ("cm.usda", "Y")
    assert stored.scene_metres_per_unit == 0.01
    assert stored.graph.nodes["node_1"].position_m == (3.0, -1.0, 0.0)


def test_a_unit_that_cannot_be_is_given_with_its_file(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _draw_on_the_floor(project)
    odd = usda(project.with_name("odd.usda"), usd_cube("Room", size=(6, 2.5, 5)), up="Y", unit=-1.0)
    assert "metersPerUnit: -1" in refusal(project, capsys, "--file", str(odd))
    document = set_scene(project, capsys, "--file", str(odd), "--metres-per-unit", "1")
    assert document["size_m"] == [6.0, 5.0, 2.5]
    assert load(project).graph.nodes["node_1"].position_m == (3.0, -1.0, 0.0)
