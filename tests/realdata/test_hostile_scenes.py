"""Scenes made to break readers end in one line, quickly, and write nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.realdata

REFUSED = {
    "bigint.gltf": "file: holds a number with too many digits",
    "buffer_length_text.gltf": "buffers[0].byteLength: expected a whole number, got text",
    "buffers_text.gltf": "buffers[0]: expected an object, got text",
    "count_noview.gltf": "cube: the scene places more than 100,000,000 vertices",
    "count_sparse.gltf": "cube: the scene places more than 100,000,000 vertices",
    "extensions_null.gltf": "extensionsRequired: expected an array, got null",
    "extensions_number.gltf": "extensionsUsed[0]: expected text, got a whole number",
    "mesh_infinity.gltf": "nodes[0].mesh: expected a whole number, got a number",
    "nodes_dag.gltf": "nodes[0]: is named twice by nodes[1], and a node has one parent",
    "pi1.usda": "/R/P: the instancer places itself",
    "unit_negative.usda": "metersPerUnit: -1 is not above 0",
    "up_x.usda": "upAxis: X is neither Y nor Z",
}


def _info(path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "waypost.app.main", "scene", "info", str(path)]
    # the limit is of computing, so that a busy machine does not matter
    return subprocess.run(
        ["/bin/sh", "-c", 'ulimit -t 5; exec "$@"', "sh", *command],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
    )


@pytest.mark.parametrize("name", REFUSED)
def test_one_line_says_what_and_where(name: str, shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "found" / "hostile" / name
    done = _info(path, tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"error: {path}: {REFUSED[name]}")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_names_that_steer_a_terminal_are_spelled_out(shared_data: Path, tmp_path: Path) -> None:
    """The cube in it is whole; only its names are evil."""
    done = _info(shared_data / "found" / "hostile" / "evil.gltf", tmp_path)
    assert done.returncode == 0
    assert "Triangles  12 in 1 mesh" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert not any(line.startswith("error") for line in done.stdout.splitlines())
