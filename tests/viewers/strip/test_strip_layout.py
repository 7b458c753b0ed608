"""Tiles fill the room there is, and discs never hide each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from waypost.domain.replay.panorama import OptionMarker
from waypost.services.replay.picture_tiles import TilePicture
from waypost.viewers.strip.content import PlacedOption, StripRow, StripTile
from waypost.viewers.strip.layout import lay_out, option_spots, tile_room

LINE = 16.0
PICTURE = QRectF(100, 50, 160, 120)


def option(number: int, x: float, y: float = 0.5, *, is_chosen: bool = False) -> PlacedOption:
    marker = OptionMarker(number, f"v{number}", "", 0.0, 0.0, (0.0, 1.0, 0.0), 2.0, True, is_chosen)
    return PlacedOption(marker, x, y)


def row(tiles: int, shape: tuple[int, int] | None = None) -> StripRow:
    picture = None if shape is None else TilePicture(np.zeros((*shape, 3), np.uint8), None)
    made = tuple(StripTile("Front · 0°", "Front", picture, None, 0.0) for _ in range(tiles))
    return StripRow(0, "A", 0.0, made)


def test_four_tiles_have_the_shape_of_their_pictures() -> None:
    (places,) = lay_out([row(4, (60, 80))], QRectF(0, 0, 818, 166), LINE)
    sizes = {(tile.picture.width(), tile.picture.height()) for tile in places.tiles}
    assert sizes == {(200.0, 150.0)}
    assert [tile.picture.left() for tile in places.tiles] == [0, 206, 412, 618]
    assert [tile.title.top() for tile in places.tiles] == [0] * 4
    assert places.heading.height() == 0


def test_square_pictures_stand_in_the_middle() -> None:
    (places,) = lay_out([row(4, (60, 60))], QRectF(0, 0, 818, 116), LINE)
    assert places.tiles[0].picture == QRectF((818 - 418) / 2, 16, 100, 100)


def test_pictures_a_little_too_wide_lose_their_rims_rather_than_height() -> None:
    """Four pictures of 640 × 480 in the middle of a window of 1280: 150 px high, not 138."""
    (places,) = lay_out([row(4, (480, 640))], QRectF(0, 0, 748, 166), LINE)
    frame, picture = places.tiles[0].frame, places.tiles[0].picture
    assert (frame.width(), frame.height()) == (182.5, 150.0)
    assert (picture.width(), picture.height()) == (200.0, 150.0)
    assert picture.center() == frame.center()
    (spot,) = option_spots([option(1, 0.02)], picture, LINE, frame)
    assert spot.point.x() == pytest.approx(picture.left() + 4.0)
    assert spot.centre.x() - spot.radius_px >= frame.left()
    (wide,) = lay_out([row(4, (90, 160))], QRectF(0, 0, 748, 166), LINE)
    lost = 1.0 - wide.tiles[0].frame.width() / wide.tiles[0].picture.width()
    assert lost == pytest.approx(0.1)


def test_two_rows_stand_where_tiles_get_larger() -> None:
    wide = lay_out([row(4), row(4)], QRectF(0, 0, 1200, 160), LINE)
    assert wide[0].heading.top() == wide[1].heading.top()
    assert wide[1].tiles[0].picture.left() > wide[0].tiles[3].picture.right()
    narrow = lay_out([row(4), row(4)], QRectF(0, 0, 400, 400), LINE)
    assert narrow[1].heading.top() >= narrow[0].tiles[0].picture.bottom()


@given(st.integers(240, 2000), st.integers(60, 400), st.integers(1, 2), st.floats(12, 36))
def test_nothing_sticks_out_sideways(width: int, height: int, rows: int, line: float) -> None:
    area = QRectF(0, 0, width, height)
    for places in lay_out([row(4)] * rows, area, line):
        for tile in places.tiles:
            assert tile.picture.left() >= -1e-6
            assert tile.picture.right() <= width + 1e-6
    assert min(tile_room(area, rows, line)) >= 16


def test_a_disc_stands_at_its_point() -> None:
    (spot,) = option_spots([option(1, 0.5)], PICTURE, LINE)
    assert (spot.centre.x(), spot.centre.y()) == (180, 110)
    assert spot.holds(spot.centre)
    assert not spot.holds(PICTURE.topLeft())


def test_the_chosen_one_stays_and_is_larger() -> None:
    spots = option_spots([option(1, 0.5), option(2, 0.5, is_chosen=True)], PICTURE, LINE)
    chosen, other = spots
    assert chosen.placed.marker.number == 2
    assert chosen.centre == chosen.point == other.point
    assert other.centre.x() == other.point.x()
    assert other.centre.y() != other.point.y()
    assert chosen.radius_px > other.radius_px


def test_discs_at_the_rim_move_inside() -> None:
    (spot,) = option_spots([option(1, 0.0, 1.0)], PICTURE, LINE)
    assert spot.centre.x() - spot.radius_px == pytest.approx(102)
    assert spot.centre.y() + spot.radius_px == pytest.approx(168)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=4), st.integers(0, 3))
def test_few_discs_never_overlap_and_keep_their_column(xs: list[float], chosen: int) -> None:
    made = [option(n, x, is_chosen=n == chosen) for n, x in enumerate(xs)]
    spots = option_spots(made, PICTURE, LINE)
    for index, spot in enumerate(spots):
        inside = min(max(spot.point.x(), 100 + spot.radius_px + 2), 260 - spot.radius_px - 2)
        assert spot.centre.x() == pytest.approx(inside)
        for other in spots[index + 1 :]:
            gap = spot.centre - other.centre
            assert math.hypot(gap.x(), gap.y()) >= spot.radius_px + other.radius_px - 1e-6
