"""Stands for a Python that has the fake engine: ``fake_worker.py BOOTSTRAP fake``.

The worker starts as it does everywhere; only the file of this one backend is told to Python.
"""

from __future__ import annotations

import importlib.util
import runpy
import sys
from pathlib import Path

BACKEND = "waypost.simulators.backends.fake"
ENGINE = Path(__file__).with_name("fake_engine.py")


class FakeEngineFinder:
    """Where Python looks when no other place has a module."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """The fake engine under the name of a backend."""
        return importlib.util.spec_from_file_location(name, ENGINE) if name == BACKEND else None


if __name__ == "__main__":
    sys.meta_path.append(FakeEngineFinder)
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
