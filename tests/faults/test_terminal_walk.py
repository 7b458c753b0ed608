"""Every command prints for hostile names as many lines as for harmless ones, and only lines."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from faults.hostile_world import HARMLESS, HOSTILE, write_world

from waypost.app.main import main

pytestmark = [pytest.mark.faults, pytest.mark.no_cover]

Command = Callable[[dict[str, Path], str], list[object]]

COMMANDS: dict[str, Command] = {
    "scene info": lambda f, _: ["scene", "info", f["scene"]],
    "scene info json": lambda f, _: ["scene", "info", f["scene"], "--json"],
    "drive": lambda f, _: [
        "drive", "--scene", f["scene"], "--agent", f["agent"], "--from", "0,0,0", "--to", "5,0,0"
    ],
    "record": lambda f, name: [
        "record", "--scene", f["scene"], "--episodes", f["episodes"], "--episode", name, "--script",
        f["keys"], "--duration", 1, "--out", f["missing"], "--participant", "P-1",
    ],
    "graph check": lambda f, _: [
        "graph", "check", f["graph"], "--scene", f["scene"], "--frame", "capnav"
    ],
    "graph check of a project": lambda f, _: ["graph", "check", f["project"]],
    "graph import": lambda f, name: [
        "graph", "import", f["graph"], "--project", f["project"], "--replace", "--author", name,
        "--to-floor", "--frame", "capnav",
    ],
    "graph export": lambda f, _: [
        "graph", "export", "--project", f["project"], "--out", f["missing"]
    ],
    "labels import": lambda f, _: ["labels", "import", f["labels"], "--project", f["project"]],
    "labels export": lambda f, _: [
        "labels", "export", "--project", f["project"], "--out", f["missing"].with_suffix(".csv")
    ],
    "study progress": lambda f, _: ["study", "progress", "--project", f["project"]],
    "study create": lambda f, name: [
        "study", "create", "--project", f["missing"].with_suffix(".waypost"), "--episodes",
        f["annotations"], "--consent", f["notes"], "--name", name, "--count", 1,
    ],
    "study add": lambda f, name: [
        "study", "add-participant", "--project", f["project"], "--code", name
    ],
    "study requeue": lambda f, name: [
        "study", "requeue", "--project", f["project"], "--participant", name, "--episode", name,
        "--reason", name,
    ],
    "study adopt": lambda f, _: [
        "study", "adopt", "--project", f["project"], "--folder", f["missing"]
    ],
    "study export": lambda f, _: [
        "study", "export", "--project", f["project"], "--out", f["missing"]
    ],
    "evaluate": lambda f, _: [
        "evaluate", "--annotations", f["annotations"], "--results", f["results"], "--connectivity",
        f["connectivity"], "--profile", "r2r",
    ],
    "evaluate side by side": lambda f, _: [
        "evaluate", "--annotations", f["annotations"], "--results", f["results"], f["results"],
        "--connectivity", f["connectivity"], "--profile", "r2r", "--workers", 2,
    ],
    "validate": lambda f, _: [
        "validate", "--annotations", f["annotations"], "--results", f["results"], "--connectivity",
        f["connectivity"],
    ],
    "validate json": lambda f, _: [
        "validate", "--annotations", f["annotations"], "--results", f["results"], "--json"
    ],
    "convert": lambda f, _: [
        "convert", f["results"], "--to", "waypost", "--out", f["missing"].with_suffix(".jsonl")
    ],
    "runs": lambda f, _: ["runs", f["scene"].parent, "--companions"],
    "replay": lambda f, name: [
        "replay", f["results"], "--annotations", f["annotations"], "--connectivity",
        f["connectivity"], "--episode", f"{name}_1",
    ],
    "replay json": lambda f, name: [
        "replay", f["results"], "--annotations", f["annotations"], "--connectivity",
        f["connectivity"], "--episode", f"{name}_1", "--json",
    ],
    "replay of another": lambda f, name: ["replay", f["results"], "--episode", f"none {name}"],
    "report": lambda f, _: [
        "report", f["results"], "--annotations", f["annotations"], "--connectivity",
        f["connectivity"], "--out", f["missing"],
    ],
    "metrics": lambda _, name: ["metrics", "list", name],
    "sample": lambda f, _: ["sample", f["notes"]],
    "window": lambda f, _: [f["missing"]],
    "window with two": lambda f, name: [f["project"], "--project", name],
    "window with a missing run": lambda f, _: ["--run", f["missing"]],
    "an unknown word": lambda _, name: ["scene", name],
    "an unknown option": lambda _, name: ["validate", f"--{name}"],
    "a wrong choice": lambda f, name: ["replay", f["results"], "--profile", name],
    "a wrong number": lambda f, name: ["tour", "--scene", f["scene"], "--fps", name],
    "a wrong place": lambda f, name: [
        "drive", "--scene", f["scene"], "--agent", name, "--from", name, "--to", name
    ],
    "tour": lambda f, name: [
        "tour", "--project", f["project"], "--out", f["missing"], "--nodes", name
    ],
    "panoramas": lambda f, name: [
        "panoramas", "--scene", f["scene"], "--graph", f["graph"], "--out", f["notes"], "--size",
        name,
    ],
    **{
        f"a missing file for {command}": (
            lambda f, _, words=tuple(words): [
                f["missing"] if word == "X" else word for word in words
            ]
        )
        for command, words in {
            "scene": ("scene", "info", "X"),
            "graph": ("graph", "check", "X"),
            "evaluate": ("evaluate", "--annotations", "X", "--results", "X"),
            "validate": ("validate", "--results", "X"),
            "convert": ("convert", "X", "--to", "waypost", "--out", "X"),
            "runs": ("runs", "X"),
            "replay": ("replay", "X", "--episode", "1"),
            "report": ("report", "X", "--out", "X"),
        }.items()
    },
}  # fmt: skip


def _run(words: list[object]) -> int:
    try:
        return main([str(word) for word in words])
    except SystemExit as stop:
        return int(stop.code or 0)


@pytest.mark.parametrize("is_verbose", [False, True], ids=["", "verbose"])
@pytest.mark.parametrize("title", COMMANDS)
def test_hostile_names_print_the_lines_of_harmless_ones(
    title: str, is_verbose: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = {}
    for folder, name in (("harmless", HARMLESS), ("hostile", HOSTILE)):
        (tmp_path / folder).mkdir()
        words = COMMANDS[title](write_world(tmp_path / folder, name), name)
        if is_verbose and words[0] in {"scene", "graph", "validate", "study"}:
            words.insert(1, "-v")
        code = _run(words)
        told[folder] = (code, *capsys.readouterr())
    (code, out, err), (harmless_code, harmless_out, harmless_err) = (
        told["hostile"],
        told["harmless"],
    )
    assert code == harmless_code
    for text in (out, err):
        hidden = {c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp", "Cs"}}
        assert hidden <= {"\n"}
    if "--json" in words:
        assert json.loads(out).keys() == json.loads(harmless_out).keys()
    else:
        assert len(out.splitlines()) == len(harmless_out.splitlines())
    assert len(err.splitlines()) == len(harmless_err.splitlines())
    assert not [line for line in out.splitlines() if line.startswith("error:")]
    assert "Traceback" not in err or is_verbose
    assert code in {0, 1, 2}
    assert code != 2 or err.splitlines()[-1].startswith("error: ") or is_verbose
