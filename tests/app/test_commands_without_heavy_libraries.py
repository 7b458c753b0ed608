"""Commands import only what they use: what is slow to import is named where it must not be."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

_IMPORTED = """
import importlib, json, linecache, sys
import waypost.app.main
if sys.argv[1]:
    importlib.import_module(sys.argv[1])
read = any("waypost" in file for file in linecache.cache)
print(json.dumps([*{name.partition(".")[0] for name in sys.modules}, *["sources"] * read]))
"""
_HEAVY = frozenset(
    {
        "PIL", "PySide6", "alembic", "cv2", "dask", "distributed", "dtaidistance", "embreex",
        "jinja2", "lmdb", "matplotlib", "networkx", "numpy", "pandas", "pxr", "pyarrow",
        "pyqtgraph", "sapien", "scipy", "sources", "sqlalchemy", "trimesh", "vispy",
    }
)  # fmt: skip
_USED = {
    "": set(),
    "waypost.app.commands.gui": set(),
    "waypost.app.commands.metrics": {"numpy"},
    "waypost.app.commands.scene": {"numpy"},
    "waypost.app.commands.drive": {"numpy", "embreex"},
    "waypost.app.commands.evaluate": {"numpy"},
    "waypost.app.commands.validate": {"numpy"},
    "waypost.app.commands.convert": {"numpy"},
    "waypost.app.commands.runs": {"numpy", "PIL"},
    "waypost.app.commands.replay": {"numpy", "PIL"},
    "waypost.app.commands.record": {"numpy", "pyarrow"},
    "waypost.app.commands.labels": {"numpy", "sqlalchemy"},
    "waypost.app.commands.sample": {"numpy", "sqlalchemy"},
    "waypost.app.commands.graph": {"numpy", "sqlalchemy", "embreex"},
    "waypost.app.window.startup": {"numpy", "PySide6", "vispy"},
    "waypost.app.graph.workspace": {"numpy", "PySide6", "vispy", "embreex", "sources"},
}
"""Module → what importing it may load: heavy libraries, sources of modules (PySide would)."""


def _heavy(module: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTED, module],
        check=True, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    return _HEAVY & set(json.loads(done.stdout))


@pytest.mark.heavy
@pytest.mark.parametrize("module", _USED)
def test_nothing_heavy_is_imported_that_is_not_used(module: str) -> None:
    assert _heavy(module) <= _USED[module]
