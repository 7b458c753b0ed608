"""Has the children of this process fail while they read a scene, by the reader that they load."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from faults.failing_reader import FAULT

_FINDER = """
import importlib.util
import sys

NAME = "waypost.io.scenes.decode_scene"


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return importlib.util.spec_from_file_location(name, {reader!r}) if name == NAME else None


sys.meta_path.insert(0, Finder)
"""


def let_children_fail(fault: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on.

    Args:
        fault: The name of a function of ``failing_reader``, without its underscore.
        folder: For what the children load first.
        monkeypatch: Takes it back at the end of the test.
    """
    folder.mkdir(exist_ok=True)
    reader = str(Path(__file__).with_name("failing_reader.py"))
    (folder / "sitecustomize.py").write_text(_FINDER.format(reader=reader), encoding="utf-8")
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path))
    monkeypatch.setenv(FAULT, fault)
