"""Every command that reads a scene lets the user say which files it may read, and correct it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from worlds.scene_files import usd_cube, usda

from waypost.app.commands.arguments.asset_options import given_scene, refuse_corrections
from waypost.app.main import COMMANDS, find_command, main
from waypost.domain.base.errors import InputError

READING_PROJECTS = {"labels export", "questions list", "report"}
"""They take the scene from the project; all others that read one have an option or argument."""


def _parsers(name: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, set[str]]]:
    """Every command and action with its options."""
    options: set[str] = set()
    for action in parser._actions:
        options |= set(action.option_strings)
        if isinstance(action, argparse._SubParsersAction):
            for choice, below in action.choices.items():
                yield from _parsers(f"{name} {choice}", below)
    yield name, options


def _all_parsers() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name in COMMANDS:
        parser = argparse.ArgumentParser()
        find_command(name).add_arguments(parser)
        found |= dict(_parsers(name, parser))
    return found


def test_all_that_read_a_scene_have_the_options() -> None:
    parsers = _all_parsers()
    # of ``study again`` it is the id of a scene
    reading = {n for n, options in parsers.items() if "--scene" in options and "study" not in n}
    assert {"drive", "record", "tour", "panoramas", "graph check", "graph import"} <= reading
    for name in reading | READING_PROJECTS | {"scene info"}:
        assert {"--allow-outside", "--asset-folder"} <= parsers[name], name
    for name in reading | {"scene info"}:
        assert {"--up-axis", "--metres-per-unit"} <= parsers[name], name


def test_a_scene_is_read_as_the_options_correct_it_and_only_a_given_one(tmp_path: Path) -> None:
    room = usda(tmp_path / "a.usda", usd_cube("R", size=(6, 2.5, 5)))
    options = argparse.Namespace(
        scene=room, up_axis="Y", metres_per_unit=2.0, allow_outside=False, asset_folder=[]
    )
    assert given_scene(options).size_m == pytest.approx((12.0, 10.0, 5.0))
    with pytest.raises(InputError, match="--up-axis: belongs to --scene"):
        refuse_corrections(options)


@pytest.fixture
def scene_file(tmp_path: Path) -> Path:
    """A room with a chair outside its folder."""
    usda(tmp_path / "chair.usda", usd_cube("C"))
    (tmp_path / "room").mkdir()
    body = usd_cube("R", size=(5, 4, 3)) + 'def "F" (payload = @../chair.usda@</C>) {\n}\n'
    return usda(tmp_path / "room" / "room.usda", body)


def _info(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["scene", "info", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.heavy
def test_scene_info_lists_what_is_outside(
    scene_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chair = str(scene_file.parent / ".." / "chair.usda")
    document = json.loads(_info(capsys, str(scene_file), "--json"))
    (outside,) = document["outside_assets"]
    assert Path(outside["path"]).resolve() == Path(chair).resolve()
    assert (outside["asset"], outside["wanted_by"]) == ("../chair.usda", "/F")
    assert not outside["is_followed"]
    assert [m["reason"] for m in document["missing_assets"]] == ["is outside the scene's folder"]
    assert document["triangles"] == 12
    table = _info(capsys, str(scene_file))
    assert "Outside    ../chair.usda, wanted by /F: left out; --allow-outside reads it" in table
    allowed = json.loads(_info(capsys, str(scene_file), "--json", "--allow-outside"))
    assert allowed["triangles"] == 24
    assert allowed["outside_assets"] == [{**outside, "is_followed": True}]
    assert allowed["missing_assets"] == []
    folder = str(scene_file.parent.parent)
    named = json.loads(_info(capsys, str(scene_file), "--json", "--asset-folder", folder))
    assert (named["triangles"], named["outside_assets"]) == (24, [])


def test_other_commands_say_what_they_leave_out(
    scene_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = scene_file.parent / "g.json"
    graph.write_text('{"nodes": [], "edges": []}')
    words = ["graph", "check", str(graph), "--scene", str(scene_file), "--frame", "scene"]
    main(words)
    assert "1 file outside the scene's folder left out (../chair.usda)" in capsys.readouterr().err
    main([*words, "--allow-outside"])
    assert "left out" not in capsys.readouterr().err


def test_an_asset_folder_has_to_be_there(
    scene_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scene", "info", str(scene_file), "--asset-folder", "/nowhere"]) == 2
    error = "error: /nowhere: file: does not exist\n"
    assert capsys.readouterr().err == error
