"""Which columns give way in a narrow table, with widths counted by hand."""

from __future__ import annotations

import pytest

from waypost.app.replay.table.column_room import fitting_columns
from waypost.app.replay.table.episode_model import ColumnKind, EpisodeColumn

WIDE = (
    EpisodeColumn(ColumnKind.ID, "Id", ""),
    EpisodeColumn(ColumnKind.SUCCESS, "✓", ""),
    EpisodeColumn(ColumnKind.METRIC, "SR", "", metric="SR"),
    EpisodeColumn(ColumnKind.METRIC, "nDTW", "", metric="nDTW"),
    EpisodeColumn(ColumnKind.TAGS, "Tags", ""),
    EpisodeColumn(ColumnKind.SCENE, "Scene", ""),
)
WANTED = {0: 100, 1: 30, 2: 60, 3: 60, 4: 200, 5: 150}
LEAST = {0: 40, 4: 80}

NARROW = (
    EpisodeColumn(ColumnKind.ID, "Id", ""),
    EpisodeColumn(ColumnKind.SUCCESS, "✓", ""),
    EpisodeColumn(ColumnKind.CHOSEN_METRIC, "SPL", "", metric="SPL"),
    EpisodeColumn(ColumnKind.TAG_MARKS, "Tags", ""),
)


@pytest.mark.parametrize(
    ("room_px", "shown"),
    [
        (614, WANTED),
        (600, {**WANTED, 4: 186}),
        (599, {0: 100, 1: 30, 2: 60, 4: 200, 5: 150}),
        (404, {0: 100, 1: 30, 2: 60, 4: 200}),
        (300, {0: 100, 1: 30, 2: 60, 4: 96}),
        (210, {0: 40, 1: 30, 2: 60, 4: 80}),
        (209, {0: 100, 1: 30, 2: 60}),
        (130, {0: 40, 1: 30, 2: 60}),
        (129, {0: 85, 1: 30}),
        (69, {0: 55}),
    ],
)
def test_columns_give_way(room_px: int, shown: dict[int, int]) -> None:
    assert fitting_columns(WIDE, WANTED, LEAST, room_px) == shown


def test_metric_of_the_narrow_table_goes_before_ids_are_cut() -> None:
    wanted = {0: 70, 1: 30, 2: 62, 3: 42}
    assert fitting_columns(NARROW, wanted, {0: 40}, 218) == wanted
    assert fitting_columns(NARROW, wanted, {0: 40}, 203) == {0: 70, 1: 30, 3: 42}
    assert fitting_columns(NARROW, wanted, {0: 40}, 120) == {0: 40, 1: 30, 3: 42}
