from __future__ import annotations

import json
from pathlib import Path

import pytest
from worlds.scene_files import cube_glb, usd_cube, usda

from waypost.app.main import main

KEYS = {
    "format",
    "triangles",
    "meshes",
    "bounds_m",
    "source_up_axis",
    "metres_per_unit",
    "storeys",
    "missing_assets",
    "outside_assets",
    "left_out",
    "not_shown",
    "warnings",
}


def test_json_has_exactly_the_promised_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = usd_cube("C", size=(500, 400, 270)) + 'def "F" (payload = @./gone.usd@)\n{\n}'
    path = usda(tmp_path / "a.usda", body, unit=0.01)
    assert main(["scene", "info", str(path), "--json"]) == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert printed.err == ""
    assert set(document) == KEYS
    assert document["format"] == "usda"
    assert document["triangles"] == 12
    assert document["meshes"] == 1
    assert document["bounds_m"][0] == [0.0, 0.0, 0.0]
    assert document["bounds_m"][1] == pytest.approx([5.0, 4.0, 2.7])
    assert document["source_up_axis"] == "Z"
    assert document["metres_per_unit"] == 0.01
    assert document["storeys"] == [{"name": "Ground floor", "floor_z_m": pytest.approx(2.7)}]
    assert document["missing_assets"] == [
        {
            "asset": "gone.usd",
            "wanted_by": "/F",
            "kind": "geometry",
            "reason": "does not exist",
        }
    ]


def test_table_for_people_with_corrections(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = cube_glb().write(tmp_path / "a.glb")
    assert main(["scene", "info", str(path), "--up-axis", "Z", "--metres-per-unit", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Size       3.00 × 3.00 × 3.00 m" in lines
    assert "Triangles  12 in 1 mesh" in lines
    assert "Up axis    Z in the file, Z here" in lines


@pytest.mark.parametrize("content", [None, b"", b"glTF", b"plain text", b"#usda 1.0\n("])
def test_bad_files_exit_with_2_and_one_line(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / ("a.usda" if content and content.startswith(b"#usda") else "a.glb")
    if content is not None:
        path.write_bytes(content)
    assert main(["scene", "info", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"error: {path}: ")
    assert printed.err.count("\n") == 1
