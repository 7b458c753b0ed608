"""The script of the small house leaves nothing behind when what it is given is no scene."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from waypost.domain.base.errors import ReadError

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "small_house.py"


@pytest.mark.parametrize("given", ["", "missing.glb", "notes.txt"])
def test_what_is_no_scene_makes_no_project(tmp_path: Path, given: str) -> None:
    (tmp_path / "notes.txt").write_text("the house is elsewhere")
    out = tmp_path / "out"
    with pytest.raises(ReadError):
        runpy.run_path(str(SCRIPT))["make"](tmp_path / given, out)
    assert not out.exists()
