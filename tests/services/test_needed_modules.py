"""What workspaces import, where, and in which order: as it turns out when it is imported."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from waypost.services.needed_modules import ModuleScan
from waypost.services.pieces import Pieces

_IMPORT_WHAT_WORKSPACES_NEED = """
import sys
from importlib import import_module
from waypost.services.needed_modules import ModuleScan

def load():
    from waypost.app.graph import workspace
    from waypost.app.traverse.workspace import TraverseWorkspace
    from waypost.app.record.workspace import RecordWorkspace
    from waypost.app.score.workspace import ScoreWorkspace
    from waypost.app.replay.workspace import ReplayWorkspace

def ours():
    return {name for name in sys.modules if name.partition(".")[0] == "waypost"}

scan = ModuleScan()
needed = scan.needed_by(load)
assert scan.needed_by(load) == ModuleScan().needed_by(len)
for name in needed.anywhere:
    import_module(name)
assert not {"PySide6", "shiboken6"} & sys.modules.keys(), name
for name in needed.in_qt_thread:
    before = ours()
    import_module(name)
    # With the packages around it, which are empty.
    assert all(name.startswith(each) for each in ours() - before), (name, ours() - before)
before = ours()
load()
assert ours() == before
assert ModuleScan().needed_by(load) == ModuleScan().needed_by(len)
# Which only type checkers import with the workspaces, and takes long.
assert "pyqtgraph" not in sys.modules
print(len(needed.anywhere), len(needed.in_qt_thread))
"""


def test_what_any_thread_may_import_has_nothing_of_qt_and_each_module_comes_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT_WHAT_WORKSPACES_NEED],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    anywhere, in_qt_thread = map(int, done.stdout.split())
    assert anywhere > 100
    assert in_qt_thread > 100


def test_what_imports_classes_of_qt_from_what_is_there_makes_some_itself() -> None:
    """Of modules that are there, names in them tell; ``pieces`` and its ``Pieces`` are."""

    def load() -> None:
        from waypost.services import pieces  # noqa: F401 - what is tested

    assert Pieces.__module__ in sys.modules
    assert ModuleScan()._read_imports(load.__code__, frozenset())


@pytest.mark.parametrize("function", [len, lambda: None])
def test_what_imports_nothing_needs_nothing(function: Callable[..., object]) -> None:
    needed = ModuleScan().needed_by(function)
    assert (needed.anywhere, needed.in_qt_thread) == ((), ())
