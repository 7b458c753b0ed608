"""Pictures of every kind become four tiles whose pixels lie where their view says."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from fixtures.picture_folders import RED, plain
from fixtures.replay_examples import pose_rotation

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import exhaust
from waypost.domain.replay.picture_lenses import FaceLens, Lens, PerspectiveLens, SphereLens
from waypost.domain.replay.views import angles_of_direction, direction_of_angles
from waypost.io.picture_sources.source import SourcePicture, StepPictures
from waypost.services.replay.picture_tiles import PlacePictures, TileWish, place_pictures

SPOT = (math.radians(100), math.radians(8))
"""Heading and elevation of a white spot in a world whose grey tells the heading."""


WISH = TileWish(90, 60)


def picture_of(lens: Lens, width: int, height: int) -> SourcePicture:
    """What a lens sees of a dark world with a white spot of 3°."""
    view = lens.view(width, height)
    target = np.array(direction_of_angles(*SPOT))
    rays = np.array(
        [[view.direction_of((x + 0.5, y + 0.5)) for x in range(width)] for y in range(height)]
    )
    is_spot = rays @ target > math.cos(math.radians(3))
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[is_spot] = 255
    return SourcePicture("drawn", lens, lambda _wished_px: pixels)


def tiles_of(pictures: list[SourcePicture], wish: TileWish = WISH) -> PlacePictures:
    return exhaust(place_pictures(StepPictures(tuple(pictures)), wish))


def spot_in(pixels: np.ndarray) -> tuple[float, float] | None:
    """Middle of the bright pixels."""
    rows, columns = np.nonzero(pixels[..., 0] > 128)
    return (columns.mean() + 0.5, rows.mean() + 0.5) if len(rows) else None


def sphere() -> list[SourcePicture]:
    return [picture_of(SphereLens(math.radians(200)), 360, 180)]


def views_36() -> list[SourcePicture]:
    return [
        picture_of(
            PerspectiveLens(
                math.radians(column * 30), math.radians(row * 30), math.radians(60), True
            ),
            64,
            48,
        )
        for row in (-1, 0, 1)
        for column in range(12)
    ]


def faces() -> list[SourcePicture]:
    rotation = tuple(pose_rotation(math.radians(33)).ravel().tolist())
    return [picture_of(FaceLens(face, rotation), 80, 80) for face in range(6)]


@pytest.mark.parametrize("make", [sphere, views_36, faces])
def test_what_stands_at_a_heading_is_shown_there(make: Callable[[], list[SourcePicture]]) -> None:
    place = tiles_of(make())
    assert len(place.tiles) == 4
    for quarter, tile in enumerate(place.tiles):
        assert tile.pixels is not None
        assert tile.lens is not None
        assert tile.pixels.shape == (60, 90, 3)
        spot = spot_in(tile.pixels)
        if quarter != 1:
            assert spot is None
            continue
        assert spot is not None
        heading, up = angles_of_direction(tile.lens.view(90, 60).direction_of(spot))
        assert (heading, up) == pytest.approx(SPOT, abs=math.radians(1.0))


def test_everything_round_is_covered() -> None:
    bright = SourcePicture(
        "white", SphereLens(0.0), lambda _w: np.full((90, 180, 3), 255, np.uint8)
    )
    for tile in tiles_of([bright]).tiles:
        assert tile.pixels is not None
        assert tile.pixels.min() == 255


def test_four_views_are_shown_as_they_are() -> None:
    pictures = [
        SourcePicture(
            "view",
            PerspectiveLens(math.radians(d), 0.0, math.radians(75)),
            lambda _w, d=d: plain((d // 2, 0, 0), 640, 480),  # type: ignore[misc]
        )
        for d in (0, 90, 180, 270)
    ]
    place = tiles_of(pictures, TileWish(100, 90))
    assert [tile.pixels.shape for tile in place.tiles if tile.pixels is not None] == [
        (75, 100, 3)
    ] * 4
    assert [int(t.pixels[0, 0, 0]) for t in place.tiles if t.pixels is not None] == [0, 45, 90, 135]
    assert [tile.lens for tile in place.tiles] == [picture.lens for picture in pictures]
    assert place.byte_count == 4 * 75 * 100 * 3


def refuse(_wished_px: int) -> np.ndarray:
    raise ReadError("/far/away/b.png", "file", "is a damaged picture")


def test_a_damaged_picture_leaves_one_grey_tile() -> None:
    pictures = [
        SourcePicture(
            "view",
            PerspectiveLens(math.radians(d), 0.0, math.pi / 2),
            refuse if d == 90 else lambda _w: plain(RED),
        )
        for d in (0, 90, 180, 270)
    ]
    place = tiles_of(pictures)
    assert [tile.pixels is None for tile in place.tiles] == [False, True, False, False]
    assert place.tiles[1].reason == "b.png is a damaged picture"
    only = tiles_of([SourcePicture("s", SphereLens(0.0), refuse)])
    assert [tile.reason for tile in only.tiles] == ["b.png is a damaged picture"] * 4


def test_one_face_that_is_damaged_is_grey_where_it_was() -> None:
    rest = faces()
    rest[3] = SourcePicture("bad", rest[3].lens, refuse)
    tile = tiles_of(rest).tiles[0]
    assert tile.pixels is not None
    assert tile.pixels[30, 80].tolist() == [60, 64, 72]
    assert "damaged" in tile.reason


def test_a_missing_view_is_said() -> None:
    north = SourcePicture("n", PerspectiveLens(0.0, 0.0, math.pi / 2), lambda _w: plain(RED))
    place = tiles_of([north])
    assert place.tiles[0].pixels is not None
    assert place.tiles[2].reason == "no picture shows this side"


def test_a_band_has_north_in_the_middle() -> None:
    wish = TileWish(90, 90, is_whole=True)
    place = tiles_of(sphere(), wish)
    (band,) = place.tiles
    assert band.pixels is not None
    assert band.pixels.shape == (90, 360, 3)
    spot = spot_in(band.pixels)
    assert spot == pytest.approx((180 + 100, 45 - 8), abs=1.0)


def test_a_single_frame_gets_all_the_room() -> None:
    frame = SourcePicture("f", PerspectiveLens(0.0, 0.0, 1.5), lambda _w: plain(RED, 640, 480))
    found = StepPictures((frame,), caption="picture 1 of 9")
    place = exhaust(place_pictures(found, TileWish(100, 120), is_single=True))
    assert place.is_single
    assert place.caption == "picture 1 of 9"
    assert place.tiles[0].pixels is not None
    assert place.tiles[0].pixels.shape == (120, 160, 3)


def test_no_picture_at_all_gives_the_reason() -> None:
    place = exhaust(place_pictures(StepPictures((), reason="there is none"), TileWish(9, 9)))
    assert (place.tiles, place.reason, place.byte_count) == ((), "there is none", 0)
