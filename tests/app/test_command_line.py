from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from waypost.app.main import COMMANDS, main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["drive", "--agent", "human"], "waypost drive: the following arguments are required"),
        (["scene", "info", "x.glb", "--up-axis", "X"], "argument --up-axis: invalid choice: 'X'"),
        (["sample"], "waypost sample: the following arguments are required: DIR"),
        (["replay", "r.json", "--episode", "--id"], "a minus is written --episode=VALUE); --help"),
        (["replay", "r.json", "--episode", "--json"], "is written --episode=VALUE)"),
    ],
)
def test_bad_usage_is_refused_in_one_line(arguments, message, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    error = capsys.readouterr().err
    assert stop.value.code == 2
    assert error.startswith("error: ")
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("missing.glb", None, "file: does not exist"),
        ("missing.waypost", None, "file: does not exist"),
        ("empty.glb", b"", "file: the file is empty"),
        ("notes.usda", b"hello", "header: this is no scene file"),
        ("walks.json", b'[{"what": 1}]', "file: holds no runs in a known format"),
        ("graph.json", b"[]", "file: holds no runs: the list in it is empty"),
        ("text.waypost", b"hello, this is text", "header: this is no Waypost project"),
    ],
)
def test_what_cannot_be_opened_is_refused_before_a_window(name, content, reason, tmp_path, capsys):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert main([str(path)]) == 2
    assert f"error: {path}: {reason}" in capsys.readouterr().err


def test_a_folder_is_no_scene(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"error: {tmp_path}: file: is a folder\n"


def test_every_command_has_a_module_and_help(capsys):
    for name in COMMANDS:
        with pytest.raises(SystemExit) as stop:
            main([name, "--help"])
        assert stop.value.code == 0
        assert f"waypost {name}" in capsys.readouterr().out


def test_a_reader_that_has_had_enough_is_no_error():
    root = Path(__file__).resolve().parents[2]
    command = f"{sys.executable} main.py metrics list | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
