"""``waypost navmesh`` from the command line."""

import json

import pytest
import trimesh

from waypost.app.main import main


@pytest.fixture(scope="module")
def room_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("room") / "room.glb"
    floor = trimesh.creation.box(bounds=[(0, -0.1, -3), (10, 0, 3)])
    wall = trimesh.creation.box(bounds=[(4.9, 0, -1), (5.1, 2.5, 3)])
    trimesh.Scene([floor, wall]).export(path)
    return path


def ask(capsys, *arguments):
    assert main(["navmesh", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_way_is_told_and_the_file_tells_the_same(room_file, tmp_path, capsys):
    ends = ("--from", "1,-2,0", "--to", "4,2,0")
    out = tmp_path / "room.navmesh"
    made = ask(capsys, "--scene", room_file, *ends, "--out", out, "--file-version", 2)
    assert made["geodesic_m"] == pytest.approx(5, abs=1e-6)
    assert made["reason"] is None
    assert made["settings"]["radius_m"] == 0.1
    assert made["snapped_m"][0] == pytest.approx([1, -2, 0], abs=0.2)
    read = ask(capsys, "--navmesh", out, *ends)
    assert made.pop("written") == str(out)
    assert read == made


def test_an_agent_and_sizes_change_what_it_is_made_for(room_file, capsys):
    small = ask(capsys, "--scene", room_file, "--agent", "wheelchair")
    wide = ask(capsys, "--scene", room_file, "--agent", "wheelchair", "--radius", 0.8)
    assert small["settings"]["climb_m"] == 0.013
    assert (small["settings"]["radius_m"], wide["settings"]["radius_m"]) == (0.35, 0.8)
    assert wide["area_m2"] < small["area_m2"]


def test_no_way_is_null_with_a_reason(room_file, capsys):
    found = ask(capsys, "--scene", room_file, "--from", "1,-2,0", "--to", "90,0,0")
    assert found["geodesic_m"] is None
    assert found["reason"] == "no way leads there over the navmesh"
    assert found["snapped_m"][1] is None
    assert main(["navmesh", "--scene", str(room_file), "--from", "1,-2,0", "--to", "90,0,0"]) == 0
    assert "no way leads there" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--from", "1,2,3"), "belong together"),
        (("--radius", "-1"), "--radius: -1 is outside"),
        (("--agent", "nobody"), "no such agent"),
    ],
)
def test_bad_arguments_are_one_sentence(room_file, capsys, more, words):
    assert main(["navmesh", "--scene", str(room_file), *more]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert words in said
    assert said.count("\n") == 1
