"""The window imports pandas when a run is read, not before."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_OPEN_AND_READ = """
import sys
from pathlib import Path
from waypost.app.demo.performance import wait_until
from waypost.app.window.startup import make_application, opened_window
folder, scene, project = map(Path, sys.argv[1:])
make_application()
with opened_window(folder, folder / "data") as window:
    window.show()
    window.bench.open_path(scene)
    wait_until(lambda: window.bench.scene is not None, 60, "the scene")
    window.show_replay()
    print("pandas" in sys.modules)
    window.bench.open_path(project)
    replay = window.replay
    wait_until(lambda: replay.table.model.rowCount() > 0, 60, "the rows of a run")
    wait_until(lambda: not replay.desk.is_reading(replay.desk.names[0]), 60, "the whole run")
    print("pandas" in sys.modules)
"""


@pytest.mark.gui
def test_pandas_comes_after_the_rows(sample: Path, tmp_path: Path) -> None:
    """On the reading job, so that no click on a title waits for it."""
    scene = tmp_path / "alone" / "home.glb"
    scene.parent.mkdir()
    shutil.copy(sample.parent / "scenes" / "home.glb", scene)
    done = subprocess.run(
        [sys.executable, "-c", _OPEN_AND_READ, str(tmp_path / "config"), str(scene), str(sample)],
        capture_output=True, text=True, check=False, timeout=200,
    )  # fmt: skip
    assert done.stdout.split() == ["False", "True"], done.stderr
