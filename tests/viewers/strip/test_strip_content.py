"""Tiles are named from the agent's side and options stand where their directions are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fixtures.replay_examples import graph_episode, graph_replay, line_graph, space_replay
from hypothesis import example, given
from hypothesis import strategies as st

from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun, Option
from waypost.domain.replay.picture_lenses import PerspectiveLens
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.views import angles_of_direction
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph
from waypost.services.replay.picture_tiles import PlacePictures, TilePicture
from waypost.viewers.strip.content import (
    PlacedOption,
    StripRow,
    arrival_after,
    option_text,
    row_text,
    row_title,
    strip_row,
)


def facing(names: str, *headings_deg: float, decisions: tuple[Decision, ...] = ()) -> Replay:
    """A run on ``line_graph`` that looks along R2R headings."""
    yaws = [math.pi / 2 - math.radians(heading) for heading in headings_deg]
    run = EpisodeRun("7_0", route(tuple(names), yaws_rad=yaws), decisions)
    return build_replay(graph_episode("ABC"), run, line_graph())


def options(row: StripRow) -> dict[str, tuple[str, PlacedOption]]:
    """Viewpoint → tile and place."""
    return {
        placed.marker.viewpoint_id: (tile.name, placed)
        for tile in row.tiles
        for placed in tile.options
    }


@pytest.mark.parametrize(
    ("heading", "titles"),
    [
        (0, ["Left · 270°", "Front · 0°", "Right · 90°", "Back · 180°"]),
        (90, ["Left · 0°", "Front · 90°", "Right · 180°", "Back · 270°"]),
        (134.9, ["Left · 0°", "Front · 90°", "Right · 180°", "Back · 270°"]),
        (135, ["Left · 90°", "Front · 180°", "Right · 270°", "Back · 0°"]),
        (-46, ["Left · 180°", "Front · 270°", "Right · 0°", "Back · 90°"]),
    ],
)
def test_titles_name_side_and_heading(heading: float, titles: list[str]) -> None:
    row = strip_row(facing("BC", heading, 0), 0, None)
    assert [tile.title for tile in row.tiles] == titles


def test_an_option_straight_ahead_stands_in_the_middle() -> None:
    # C lies east of B; the agent looks at it.
    row = strip_row(facing("BC", 90, 90), 0, None)
    tile, placed = options(row)["C"]
    assert tile == "Front"
    assert (placed.x, placed.y) == pytest.approx((0.5, 0.5))
    assert row.tiles[1].gaze_x == pytest.approx(0.5)
    assert options(row)["A"][0] == "Back"


@given(st.floats(0, 359.9), st.floats(0, 359.9), st.floats(-40, 40))
@example(0.0, 45.0, 0.0)
@example(0.0, 225.0, 0.0)
def test_an_option_is_within_two_degrees_of_where_it_is(
    heading: float, bearing: float, up: float
) -> None:
    away = 3.0
    there = [
        away * math.sin(math.radians(bearing)) * math.cos(math.radians(up)),
        away * math.cos(math.radians(bearing)) * math.cos(math.radians(up)),
        away * math.sin(math.radians(up)),
    ]
    joined = np.array([[False, True], [True, False]])
    graph = build_viewpoint_graph("s", ("A", "B"), np.array([[0, 0, 0], there]), joined)
    run = EpisodeRun("7_0", route(tuple("AB"), yaws_rad=[math.pi / 2 - math.radians(heading)] * 2))
    row = strip_row(build_replay(graph_episode("AB"), run, graph), 0, None, aspect=1.0)
    shown = [(tile, placed) for tile in row.tiles for placed in tile.options]
    assert len(shown) == 1
    tile, placed = shown[0]
    assert isinstance(tile.lens, PerspectiveLens)
    if placed.is_beyond:
        assert abs(up) > 30  # the corners of a square tile
        return
    view = tile.lens.view(1000, 1000)
    seen = angles_of_direction(view.direction_of((placed.x * 1000, placed.y * 1000)))
    assert math.remainder(seen[0] - math.radians(bearing), math.tau) == pytest.approx(0, abs=0.03)
    assert seen[1] == pytest.approx(math.radians(up), abs=0.03)


def test_what_is_above_the_picture_stands_at_its_rim() -> None:
    # U: 0.5 m north of B and 3 m up, 80.5° above the horizon.
    tile, placed = options(strip_row(facing("BC", 0, 0), 0, None))["U"]
    assert tile == "Front"
    assert placed.is_beyond
    assert (placed.x, placed.y) == pytest.approx((0.5, 0.0))


def test_pictures_with_their_own_field_of_view_place_options() -> None:
    pixels = np.zeros((60, 80, 3), np.uint8)
    tiles = tuple(
        TilePicture(pixels, PerspectiveLens(q * math.pi / 2, 0.0, math.radians(60), True))
        for q in range(4)
    )
    row = strip_row(facing("BC", 80, 0), 0, PlacePictures(tiles))
    assert row.aspect == pytest.approx(4 / 3)
    assert options(row)["C"][1].x == pytest.approx(0.5)
    turn = math.tan(math.radians(-10)) / math.tan(math.radians(30)) / (4 / 3) / 2
    assert row.tiles[1].gaze_x == pytest.approx(0.5 + turn)


def test_without_a_heading_tiles_are_named_by_the_compass() -> None:
    run = EpisodeRun("7_0", route(tuple("B")))
    replay = build_replay(graph_episode("B", start_yaw_rad=None), run, line_graph())
    row = strip_row(replay, 0, None)
    assert [tile.name for tile in row.tiles] == ["West", "North", "East", "South"]
    assert all(tile.gaze_x is None for tile in row.tiles)
    assert row_title(row, is_now=True) == "Now · B"


def test_a_band_has_the_agents_heading_in_the_middle() -> None:
    pixels = np.zeros((90, 360, 3), np.uint8)
    pixels[:, 180 + 90] = 255  # east
    band = PlacePictures((TilePicture(pixels, None),))
    row = strip_row(facing("BC", 60, 0), 0, band, is_whole=True)
    (tile,) = row.tiles
    assert tile.picture is not None
    assert tile.picture.pixels is not None
    assert np.flatnonzero(tile.picture.pixels[0, :, 0]).tolist() == [180 + 30]
    assert options(row)["C"][1].x == pytest.approx((180 + 30) / 360)
    assert options(row)["A"][1].x == pytest.approx((180 - 150) / 360)
    assert options(row)["U"][1].is_beyond
    assert tile.title == "All round · 60° in the middle"


def test_a_frame_of_a_run_stands_alone() -> None:
    replay = space_replay([[0, 0, 0], [3, 0, 0]], [[0, 0, 0], [3, 0, 0]])
    frame = TilePicture(np.zeros((3, 4, 3), np.uint8), None)
    place = PlacePictures((frame,), caption="picture 2 of 2")
    row = strip_row(replay, 1, place, is_frame=True)
    assert [tile.title for tile in row.tiles] == ["Ahead · 90°"]
    assert row_text(row) == "Step 1: picture 2 of 2."
    assert arrival_after(replay, 0) is None


def test_arrivals_pass_over_turns_in_place() -> None:
    replay = graph_replay("AABBC")
    assert [arrival_after(replay, step) for step in range(5)] == [2, 2, 4, 4, None]


def test_rows_and_options_in_words() -> None:
    offered = (Option("go to 1", "C"), Option("go to 2", "U"))
    replay = facing("BC", 90, 90, decisions=(Decision(1, 2, options=offered),))
    row = strip_row(replay, 0, None)
    assert row_title(row, is_now=False) == "Next · B · facing 90°"
    assert row_text(row) == (
        "Left · 0°: 1 option; Front · 90°: 1 option, chosen 1; "
        "Right · 180°: no options; Back · 270°: 1 option."
    )
    assert [option_text(marker, row.heading_rad) for marker in row.options] == [
        "1 · C (go to 1) · 2.0 m · straight ahead · chosen",
        "2 · U (go to 2) · 3.0 m · 90° to the left · 81° up",
        "3 · A · 2.0 m · straight behind · not offered to the model",
    ]
