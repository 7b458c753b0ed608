"""Occupancy maps of ROS: thresholds, places, and one sentence for every broken file."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from waypost.domain.base.errors import ReadError
from waypost.domain.scene.occupancy_map import Cell, OccupancyMap
from waypost.io.occupancy_maps import can_read, read_occupancy_map

TEXT = """\
image: map.pgm
resolution: 0.5  # metres
origin: [-1.0, -2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""


def write(
    folder: Path, text: str = TEXT, pixels: object = ((0, 255, 205), (255, 255, 254))
) -> Path:
    Image.fromarray(np.array(pixels, dtype=np.uint8)).save(folder / "map.pgm")
    (folder / "map.yaml").write_text(text)
    return folder / "map.yaml"


def test_thresholds_and_places(tmp_path: Path) -> None:
    made = read_occupancy_map(write(tmp_path))
    assert made.cells.tolist() == [[Cell.OCCUPIED, Cell.FREE, Cell.UNKNOWN], [Cell.FREE] * 3]
    assert made.resolution_m == 0.5
    assert made.corner_m(0, 2) == (-1.0, -2.0)
    assert made.corner_m(3, 0) == (0.5, -1.0)
    assert made.bounds_m == ((-1.0, -2.0), (0.5, -1.0))
    assert not made.cells.flags.writeable


def test_the_picture_finds_its_description(tmp_path: Path) -> None:
    write(tmp_path)
    assert can_read(tmp_path / "map.pgm")
    assert not can_read(tmp_path / "other.pgm")
    assert read_occupancy_map(tmp_path / "map.pgm").cells.shape == (2, 3)


def test_negated_and_turned(tmp_path: Path) -> None:
    text = TEXT.replace("negate: 0", "negate: 1").replace(
        "[-1.0, -2.0, 0.0]", f"\n- 1.0\n- 2.0\n- {math.pi / 2}"
    )
    made = read_occupancy_map(write(tmp_path, "---\n# a map\n" + text))
    assert made.cells.tolist()[0] == [Cell.FREE, Cell.OCCUPIED, Cell.OCCUPIED]
    # A quarter turn to the left: along the lower edge is up in the scene.
    assert made.corner_m(3, 2) == pytest.approx((1.0, 3.5))
    assert made.bounds_m == (pytest.approx((0.0, 2.0)), pytest.approx((1.0, 3.5)))


def test_see_through_and_deep_pictures(tmp_path: Path) -> None:
    write(tmp_path, TEXT.replace("map.pgm", "map.png"))
    Image.fromarray(np.array([[[255, 255], [0, 0]]], dtype=np.uint8), "LA").save(
        tmp_path / "map.png"
    )
    assert read_occupancy_map(tmp_path / "map.yaml").cells.tolist() == [[Cell.FREE, Cell.UNKNOWN]]
    deep = np.array([[65535, 0]], dtype=np.uint16)
    Image.fromarray(deep).save(tmp_path / "map.png")
    assert read_occupancy_map(tmp_path / "map.yaml").cells.tolist() == [[Cell.FREE, Cell.OCCUPIED]]


def test_nothing_known_has_no_bounds() -> None:
    assert OccupancyMap(np.full((2, 2), 2, dtype=np.uint8), 1.0, (0.0, 0.0)).bounds_m is None


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("image: map.pgm", "", "map.yaml: image: is missing"),
        ("image: map.pgm", "image: away.pgm", "away.pgm: file: does not exist"),
        ("0.5  #", "zero  #", "map.yaml: resolution: is 'zero', not a number"),
        ("0.5  #", "nan  #", "map.yaml: resolution: is nan, not a finite number"),
        ("0.5  #", "-1  #", "map.yaml: resolution: is -1, not a length"),
        ("[-1.0, -2.0, 0.0]", "[1]", "map.yaml: origin: has 1 numbers"),
        ("0.65", "1.5", "map.yaml: occupied_thresh: is 1.5, not between 0 and 1"),
        ("0.65", "0.1", "map.yaml: free_thresh: 0.196 is above occupied_thresh, 0.1"),
        ("negate: 0", "nonsense", "map.yaml: line 4: is no “key: value”"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = write(tmp_path, TEXT.replace(old, new))
    with pytest.raises(ReadError) as error:
        read_occupancy_map(path)
    assert told in str(error.value)


def test_thresholds_have_defaults(tmp_path: Path) -> None:
    text = TEXT.replace("occupied_thresh: 0.65\n", "").replace("free_thresh: 0.196\n", "")
    assert read_occupancy_map(write(tmp_path, text)).cells[0, 0] == Cell.OCCUPIED


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=200), st.binary(max_size=200))
def test_broken_files_are_refused_in_one_sentence(
    tmp_path: Path, text: bytes, picture: bytes
) -> None:
    (tmp_path / "map.yaml").write_bytes(TEXT.encode() if picture else text)
    (tmp_path / "map.pgm").write_bytes(b"P5\n" + picture)
    with pytest.raises(ReadError) as error:
        read_occupancy_map(tmp_path / "map.yaml")
    assert str(error.value).startswith(str(tmp_path))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["image", "resolution", "origin", "negate", "free_thresh", "x"]),
            st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12),
        )
    )
)
def test_no_description_crashes(tmp_path: Path, lines: list[tuple[str, str]]) -> None:
    write(tmp_path)
    text = TEXT + "".join(f"{key}: {value}\n" for key, value in lines)
    (tmp_path / "map.yaml").write_text(text, encoding="utf-8")
    try:
        made = read_occupancy_map(tmp_path / "map.yaml")
    except ReadError:
        return
    assert made.cells.shape == (2, 3)
    assert 0 < made.resolution_m <= 10


@pytest.mark.realdata
def test_the_map_of_the_small_house(shared_data: Path) -> None:
    made = read_occupancy_map(shared_data / "scenes" / "small_house" / "map.pgm")
    assert made.cells.shape == (500, 500)
    assert np.bincount(made.cells.ravel()).tolist() == [63021, 3442, 183537]
    assert made.bounds_m == (pytest.approx((-9.35, -5.75)), pytest.approx((9.5, 5.55)))


@pytest.mark.parametrize("name", ["long " * 20_000, "a\x1b[2J.png", "a\x00b"])
def test_a_name_that_no_picture_has_is_not_repeated(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, TEXT.replace("map.pgm", name))
    with pytest.raises(ReadError) as caught:
        read_occupancy_map(path)
    assert str(caught.value) == f"{path}: image: is no name of a picture"
