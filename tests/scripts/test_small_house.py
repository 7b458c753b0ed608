"""The script of the small house leaves nothing behind when what it is given is no scene."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.small_house import make
from waypost.domain.base.errors import ReadError


@pytest.mark.parametrize("given", ["", "missing.glb", "notes.txt"])
def test_what_is_no_scene_makes_no_project(tmp_path: Path, given: str) -> None:
    (tmp_path / "notes.txt").write_text("the house is elsewhere")
    out = tmp_path / "out"
    with pytest.raises(ReadError):
        make(tmp_path / given, out)
    assert not out.exists()
