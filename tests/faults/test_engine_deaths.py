"""An engine that is missing, refuses or dies is one line of each command, never a traceback."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh
from faults.programs.dying_worker import HOSTILE
from simulators.rooms import floor, scene

from waypost.app.main import main
from waypost.domain.base.visible_text import one_line
from waypost.io.recordings.read_recording import read_recording

pytestmark = pytest.mark.faults

_WORKER = Path(__file__).parent / "programs" / "dying_worker.py"
EPISODE = {
    "episode_id": "one",
    "trajectory_id": "one",
    "scan": "s",
    "scene_id": "vlnverse/s",
    "start_position": [0.5, -1.0, 0.0],
    "start_rotation": [math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4)],
    "instruction": {"instruction_text": "Go ahead.", "instruction_tokens": [0]},
    "reference_path": [[0.5, -1.0, 0.0], [0.5, 0.0, 0.0], [0.5, 1.0, 0.0]],
    "goals": {"position": [0.5, 1.0, 0.0], "radius": 3.0},
    "info": {"geodesic_distance": -1},
}
DRIVE_REQUESTS = ["load_scene", "floor_below", "spawn", "drive_to", "drive_on"]
KILLED = "the physics engine stopped (killed, perhaps out of memory); it can be restarted"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare floor, one episode on it, and keys for five seconds."""
    folder = tmp_path_factory.mktemp("deaths")
    export = trimesh.Scene()
    for mesh in scene(floor()).meshes:
        y_up = mesh.vertices @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        export.add_geometry(trimesh.Trimesh(y_up, mesh.faces, process=False), node_name=mesh.name)
    (folder / "floor.glb").write_bytes(export.export(file_type="glb"))
    (folder / "episodes.json").write_text(json.dumps([EPISODE]))
    (folder / "keys.json").write_text(json.dumps([{"t_s": 0.0, "key": "W", "down": True}]))
    return folder


def _python(folder: Path, kind: str, number: int) -> str:
    path = folder / "python"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} {_WORKER} {kind} {number} "$@"\n')
    path.chmod(0o755)
    return str(path)


def _record(folder: Path, out: Path, python: str, *more: str) -> int:
    files = {"--scene": "floor.glb", "--episodes": "episodes.json", "--script": "keys.json"}
    given = [str(part) for option, name in files.items() for part in (option, folder / name)]
    end = ["--episode", "one", "--duration", "5", "--out", str(out), "--python", python]
    return main(["record", *given, *end, *more])


def _drive(folder: Path, python: str) -> int:
    way = ["--agent", "human", "--from", "0,0,0", "--to", "4,0,0", "--python", python]
    return main(["drive", "--scene", str(folder / "floor.glb"), *way, "--json"])


@pytest.mark.parametrize("kind", DRIVE_REQUESTS)
def test_an_engine_that_dies_while_it_drives_is_one_line(kind, folder, tmp_path, capsys):
    assert _drive(folder, _python(tmp_path, kind, 1)) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"error: {KILLED}\n"


@pytest.mark.parametrize("kind", DRIVE_REQUESTS)
def test_an_engine_that_refuses_is_one_line(kind, folder, tmp_path, capsys):
    assert _drive(folder, _python(tmp_path, f"raise:{kind}", 1)) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"error: {kind} failed: RuntimeError: {one_line(HOSTILE)}\n"


@pytest.mark.parametrize("kind", ["load_scene", "spawn", "record_start"])
def test_an_engine_that_dies_before_it_records_is_one_line(kind, folder, tmp_path, capsys):
    assert _record(folder, tmp_path / "out", _python(tmp_path, kind, 1)) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"error: {KILLED}\n"
    assert not list(tmp_path.glob("out/*"))


@pytest.mark.parametrize(("kind", "number"), [("drive", 1), ("drive", 120), ("record_stop", 1)])
@pytest.mark.parametrize("cause", ["", "raise:"])
def test_what_was_recorded_before_an_engine_died_is_kept_and_named(
    kind, number, cause, folder, tmp_path, capsys
):
    out = tmp_path / "out"
    python = _python(tmp_path, cause + kind, number)
    # At the pace of the wall clock 120 requests are 2 s; the samples of the last 0.1 s may be lost.
    assert _record(folder, out, python, "--json", *["--realtime"][: number > 1]) == 1
    said = capsys.readouterr()
    document = json.loads(said.out)
    (file,) = out.glob("*.csv")
    assert document["file"] == str(file)
    assert document["complete"] is False
    recording = read_recording(file)
    assert len(recording.trajectory) == document["rows"]
    if number > 1:
        assert document["rows"] > 20
    why = f"{kind} failed: RuntimeError: {one_line(HOSTILE)}" if cause else KILLED
    assert said.err == f"error: {file}: file: the take is not complete: {why}\n"
