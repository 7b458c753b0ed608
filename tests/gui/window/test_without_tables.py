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
from waypost.app.window.startup import make_application, opened_window
folder, scene, project = map(Path, sys.argv[1:])
application = make_application()


def wait(is_so):
    while not is_so():
        application.processEvents()


with opened_window(folder, folder / "data") as window:
    window.show()
    window.bench.open_path(scene)
    wait(lambda: window.bench.scene is not None)
    window.show_workspace("replay")
    print("pandas" in sys.modules)
    window.bench.open_path(project)
    desk = window.replay.desk
    wait(lambda: window.replay.table.model.rowCount() > 0)
    wait(lambda: not any(map(desk.is_reading, desk.names)))
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
