"""Which pictures a strip gets: those of the run, else for people's takes those of a model's run."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.lent_pictures import who_gets_pictures, write_pictures
from pytestqt.qtbot import QtBot


@pytest.mark.parametrize(("layout", "is_lent"), [("places", True), ("frames", False)])
def test_people_borrow_pictures_of_places_and_no_others(
    qtbot: QtBot, tmp_path: Path, layout: str, is_lent: bool
) -> None:
    write_pictures(tmp_path)
    assert who_gets_pictures(tmp_path, layout, qtbot.waitUntil) == [False, True, is_lent]
