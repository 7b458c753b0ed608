"""Commands that need no window run without PySide6, those that write no tables without pandas."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from waypost.app.main import main

_RUN_EACH = """
import json, sys
sys.modules["PySide6"] = None  # from here on its import fails
from waypost.app.main import main
for words in json.loads(sys.argv[1]):
    print("CODE", main(words), *words[:2], "pandas" if "pandas" in sys.modules else "")
"""
_SCENE = ["--scene", "scenes/home.glb"]
_TRUTH = ["--annotations", "runs/R2R_demo.json", "--connectivity", "runs/connectivity"]
_DEMO = ["--episodes", "runs/R2R_demo.json", "--connectivity", "runs/connectivity"]
_RUNS = "runs/scripted_navgpt.json"
_COMMANDS = [
    ["scene", "info", "scenes/home.glb"],
    ["drive", *_SCENE, "--agent", "human", "--from", "5.45,4.1,0", "--to", "3.8,4.1,0"],
    ["graph", "check", "home.waypost"],
    ["graph", "export", "--project", "home.waypost", "--out", "graph.json"],
    ["labels", "export", "--project", "home.waypost", "--out", "traverse.json"],
    ["record", *_SCENE, *_DEMO, "--episode", "1_0", "--agent", "human", "--script", "keys.json",
     "--out", "takes"],
    ["study", "create", "--project", "new.waypost", *_DEMO, "--consent", "consent.txt"],
    ["study", "rules", "--project", "home.waypost", "--feedback", "none"],
    ["study", "report", "--project", "home.waypost", "--out", "people"],
    ["evaluate", "--profile", "r2r", *_TRUTH, "--results", _RUNS],
    ["validate", "--annotations", "runs/R2R_demo.json", "--connectivity", "runs/connectivity"],
    ["convert", _RUNS, "--to", "waypost", "--out", "runs.jsonl"],
    ["replay", _RUNS, "--episode", "1_0"],
    ["report", _RUNS, *_TRUTH, "--out", "report"],
    ["runs", "."],
    ["metrics", "list"],
    ["study", "export", "--project", "home.waypost", "--out", "study"],  # last: it writes tables
]  # fmt: skip


@pytest.mark.conformance
def test_no_command_without_a_window_needs_qt(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert main(["sample", str(home)]) == 0
    (home / "consent.txt").write_text("I agree.")
    script = [{"t_s": 0.0, "key": "W", "down": True}, {"t_s": 1.0, "key": "Enter", "down": True}]
    (home / "keys.json").write_text(json.dumps(script))
    done = subprocess.run(
        [sys.executable, "-c", _RUN_EACH, json.dumps(_COMMANDS)],
        check=False, cwd=home, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    codes = [line.rstrip() for line in done.stdout.splitlines() if line.startswith("CODE ")]
    expected = [f"CODE 0 {' '.join(words[:2])}" for words in _COMMANDS]
    assert codes == [*expected[:-1], f"{expected[-1]} pandas"], done.stderr
