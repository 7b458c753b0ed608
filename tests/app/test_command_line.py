from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from path_arguments import arguments

from waypost.app.main import COMMANDS, main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["drive", "--agent", "human"], "waypost drive: the following arguments are required"),
        (["scene", "info", "x.glb", "--up-axis", "X"], "argument --up-axis: invalid choice: 'X'"),
        (["sample"], "waypost sample: the following arguments are required: DIR"),
        (["replay", "r.json", "--episode", "--id"], "a minus is written --episode=VALUE); --help"),
        (["replay", "r.json", "--episode", "--json"], "is written --episode=VALUE)"),
        (["evalute", "--results", "r.json"], "waypost: 'evalute' is neither a command nor a file"),
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


def test_the_overview_has_every_command_in_one_column(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    printed = capsys.readouterr().out
    lines = {name: f"\n  {name:<12}  {text}\n" for name, text in COMMANDS.items()}
    assert [name for name, line in lines.items() if line not in printed] == []


def test_every_command_has_a_module_and_help(capsys):
    for name in COMMANDS:
        with pytest.raises(SystemExit) as stop:
            main([name, "--help"])
        assert stop.value.code == 0
        assert f"waypost {name}" in capsys.readouterr().out


def test_every_argument_says_what_it_is_and_what_holds_without_it():
    assert [name for name, action in arguments() if not action.help] == []
    unsaid = [
        name
        for name, action in arguments()
        if action.default not in (None, "", []) and "default" not in str(action.help)
    ]
    assert unsaid == []
    of_rules = [str(one.help) for name, one in arguments() if name == "study rules --feedback"]
    assert ["default: as it is" in text for text in of_rules] == [True]


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
