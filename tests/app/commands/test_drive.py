from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
import trimesh
from simulators.rooms import door, floor, scene, sill
from worlds.scene_files import usda

from waypost.app.main import main
from waypost.simulators.engines import ENGINE_KINDS

pytestmark = pytest.mark.conformance

KEYS = [
    "reached",
    "stopped_at_m",
    "displacement_m",
    "strict_collision",
    "contacts",
    "highest_step_m",
    "engine",
    "engine_version",
    "profile_hash",
    "sim_time_s",
]


@pytest.fixture(scope="module")
def room_file(tmp_path_factory):
    """A room with a 0.80 m door at x = 2 and a 2 cm sill at x = −2, as a Y-up GLB."""
    path = tmp_path_factory.mktemp("room") / "room.glb"
    export = trimesh.Scene()
    for mesh in scene(floor(), door(0.80), sill(0.02, x=-2.0)).meshes:
        y_up = mesh.vertices @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        export.add_geometry(
            trimesh.Trimesh(y_up, mesh.faces, process=False),
            node_name=mesh.name,
            geom_name=mesh.name,
        )
    path.write_bytes(export.export(file_type="glb"))
    return path


def drive(room_file, capsys, *arguments):
    code = main(["drive", "--scene", str(room_file), "--json", *arguments])
    return code, json.loads(capsys.readouterr().out)


def test_a_reached_target_is_reported_with_the_agreed_keys(room_file, capsys):
    code, report = drive(
        room_file, capsys, "--agent", "wheelchair", "--from", "0,0,0", "--to", "4,0,0"
    )
    assert code == 0
    assert list(report)[: len(KEYS)] == KEYS
    assert report["reached"] is True
    assert report["stopped_at_m"] == pytest.approx([4.0, 0.0, 0.0], abs=0.021)
    assert report["contacts"] == []
    assert report["displacement_m"] == 0.0
    assert (report["hole_m"], report["hole_at_m"]) == (None, None)
    assert report["strict_collision"] is False
    assert (report["engine"], report["blocked_by"]) == ("physx", None)
    assert report["engine_parameters"] == {
        "position_iterations": 10, "friction": 0.0, "hull_sides": 48, "skin_m": 0.0004,
        "friction_mode": "",
    }  # fmt: skip
    assert re.fullmatch("[0-9a-f]{16}", report["profile_hash"])


@pytest.mark.parametrize("form", [["--from", "-1,0,0"], ["--from=-1,0,0"]])
def test_negative_coordinates_may_be_written_either_way(room_file, capsys, form):
    code, report = drive(room_file, capsys, "--agent", "wheelchair", *form, "--to", "-4,0,0")
    assert code == 0
    assert (report["reached"], report["blocked_by"]) == (False, "step")
    assert report["strict_collision"] is True
    (contact,) = report["contacts"]
    assert contact["object"] == "sill"
    assert contact["point_m"][0] == pytest.approx(-1.9, abs=0.005)
    assert contact["normal"] == pytest.approx([1.0, 0.0, 0.0], abs=0.05)


def test_a_hole_that_an_engine_drives_over_is_said(tmp_path, capsys):
    """0.6 × 0.6 m in the middle of a way of 4 m, at 1.7 to 2.3 m along it."""
    quads = [(0, 0, 1.7, 4), (2.3, 0, 4, 4), (1.7, 0, 2.3, 1.7), (1.7, 2.3, 2.3, 4)]
    points = [p for a, b, c, d in quads for p in ((a, b, 0), (c, b, 0), (c, d, 0), (a, d, 0))]
    path = usda(
        tmp_path / "hole.usda",
        f"""def Mesh "Floor" {{
            int[] faceVertexCounts = {[4] * 4}
            int[] faceVertexIndices = {list(range(16))}
            point3f[] points = [{", ".join(map(str, points))}]
            uniform token subdivisionScheme = "none"
        }}""",
    )
    way = ["--agent", "wheelchair", "--from", "0.6,2,0.4", "--to", "3.4,2,0"]
    code, report = drive(path, capsys, *way)
    assert (code, report["reached"]) == (0, True)
    assert report["hole_m"] == pytest.approx(0.6, abs=0.011)
    x, y, z = report["hole_at_m"]
    assert (x, z) == pytest.approx((2.0, 0.0), abs=0.011)
    assert abs(y - 2.0) < 0.3
    assert main(["drive", "--scene", str(path), *way]) == 0
    assert "hole          0.60 m under a wheel or foot at 2.00," in capsys.readouterr().out


def test_lines_for_people_say_the_same(room_file, capsys):
    arguments = ["--agent", "humanoid", "--from", "0,0,0", "--to", "4,0,0"]
    assert main(["drive", "--scene", str(room_file), *arguments]) == 0
    out = capsys.readouterr().out
    assert "stopped: obstacle" in out
    assert "touched       wall" in out
    assert "(strict collision)" in out


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"--to": "50,0,0"}, r"--to: 50\.00,0\.00,0\.00: outside the scene, which spans"),
        ({"--from": "0,0"}, "--from: 0,0: expected three numbers X,Y,Z"),
        ({"--from": "0,nan,0"}, "--from: 0,nan,0: expected three finite numbers"),
        ({"--to": "4,0,-0.8"}, r"--to: 4\.00,0\.00,-0\.80: there is no floor below this point"),
        ({"--agent": "elephant"}, "elephant: agent: no such agent or file; shipped: human"),
        ({"--agent": "no.toml"}, "no.toml: "),
        ({"--time-limit": "0"}, "--time-limit: 0 is not above 0"),
        ({"--scene": "missing.glb"}, "missing.glb: "),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input_is_one_sentence_and_exit_code_2(room_file, capsys, changes, sentence):
    given = {
        "--scene": str(room_file),
        "--agent": "human",
        "--from": "0,0,0",
        "--to": "4,0,0",
        **changes,
    }
    assert main(["drive", *(part for pair in given.items() for part in pair)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.match(f"error: {sentence}", captured.err)
    assert captured.err.count("\n") == 1


def test_a_missing_engine_is_exit_code_1(room_file, capsys, tmp_path):
    arguments = ["--agent", "human", "--from", "0,0,0", "--to", "4,0,0"]
    python = str(tmp_path / "python")
    assert main(["drive", "--scene", str(room_file), *arguments, "--python", python]) == 1
    assert capsys.readouterr().err.startswith("error: the engine 'physx' cannot run: ")


@pytest.mark.parametrize("command", ["drive", "record", "prelabel"])
def test_an_unknown_engine_is_refused_before_anything_is_read(command, tmp_path, capsys):
    words = {
        "drive": ["--agent", "human", "--from", "0,0,0", "--to", "1,0,0"],
        "record": ["--episodes", "SCENE", "--episode", "1", "--script", "SCENE", "--out", "out"],
        "prelabel": ["--graph", "SCENE"],
    }[command]
    scene_file = tmp_path / "room.glb"
    scene_file.write_bytes(b"no scene")
    words = [str(scene_file) if word == "SCENE" else word for word in words]
    assert main([command, "--scene", str(scene_file), *words, "--engine", "bullet"]) == 2
    assert capsys.readouterr().err == (
        "error: --engine: bullet: engine: there is no such engine; "
        f"known: {', '.join(ENGINE_KINDS)}\n"
    )


def test_an_engine_that_drives_nobody_is_refused(room_file, capsys):
    words = ["--agent", "human", "--from", "0,0,0", "--to", "1,0,0", "--engine", "habitat"]
    assert main(["drive", "--scene", str(room_file), *words]) == 2
    assert capsys.readouterr().err == (
        "error: --engine: habitat: engine: it drives nobody; these do: physx, ovphysx, isaac\n"
    )


def test_an_engine_that_is_not_there_is_named_with_what_to_do(room_file, monkeypatch, capsys):
    kind = replace(ENGINE_KINDS["ovphysx"], modules=("an_engine_that_nobody_has",))
    monkeypatch.setitem(ENGINE_KINDS, "ovphysx", kind)
    words = ["--agent", "human", "--from", "0,0,0", "--to", "1,0,0", "--engine", "ovphysx"]
    assert main(["drive", "--scene", str(room_file), *words]) == 1
    assert capsys.readouterr().err == (
        "error: the engine 'ovphysx' cannot run: this Python has no an_engine_that_nobody_has; "
        f"{kind.install}\n"
    )
