"""A folder's layout is told by the names in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.picture_folders import RED, four_views, plain, put

from waypost.domain.base.errors import ReadError
from waypost.io.picture_sources import layouts
from waypost.io.picture_sources.layouts import (
    Layout,
    find_layout,
    frame_number,
    layout_of,
    pictures_in,
)
from waypost.io.picture_sources.open_source import open_picture_source

HEX = "0b22fa63d0f54a529c525afbf2e8bb25"


@pytest.mark.parametrize(
    ("stems", "layout"),
    [
        (["0", "90", "180", "270"], Layout.DEGREES),
        (["A_h000", "A_h090", "A_h180", "A_h270", "A_equirectangular"], Layout.DEGREES),
        ([f"scan_{HEX}_{side}" for side in ("left", "front", "right", "back")], Layout.SIDES),
        ([f"{HEX}_{n}" for n in range(4)], Layout.QUARTERS),
        ([str(n) for n in range(36)], Layout.VIEWS_36),
        ([f"{HEX}_{n:02d}" for n in range(36)], Layout.VIEWS_36),
        ([f"{HEX}_skybox{n}_sami" for n in range(6)], Layout.FACES),
        ([f"{HEX}_skybox_small", f"{HEX}_skybox1_sami_depth"], Layout.STRIP),
        ([f"{HEX}_equirectangular"], Layout.SPHERE),
        ([HEX], Layout.SPHERE),
        ([f"{n:06d}" for n in range(36)], Layout.FRAMES),
        (["000", "001", "002", "003"], Layout.FRAMES),
        (["frame_12", "frame_13"], Layout.FRAMES),
        (["step_3_rgb", "step_4_rgb", "notes"], Layout.FRAMES),
        (["logo", "figure"], None),
        ([], None),
    ],
)
def test_names_tell_the_layout(stems: list[str], layout: Layout | None) -> None:
    assert layout_of(stems) is layout


@pytest.mark.parametrize(
    ("stem", "number"),
    [("000012", 12), ("frame_7", 7), ("v2-step31_rgb", 31), ("frame", None), ("", None)],
)
def test_the_last_number_is_that_of_the_frame(stem: str, number: int | None) -> None:
    assert frame_number(stem) == number


def test_folders_within_folders_are_looked_at(tmp_path: Path) -> None:
    put(tmp_path / "logo.png", plain(RED))
    four_views(tmp_path, "scan/A/{}.jpg")
    four_views(tmp_path, "scan/B/{}.jpg")
    assert find_layout(tmp_path) is Layout.DEGREES


def test_films_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "episode_3.mp4").write_bytes(b"")
    assert find_layout(tmp_path) is Layout.VIDEO


def test_nothing_that_fits_is_said_in_one_sentence(tmp_path: Path) -> None:
    put(tmp_path / "logo.png", plain(RED))
    with pytest.raises(ReadError, match="no picture in it is named as"):
        open_picture_source(tmp_path)
    with pytest.raises(ReadError, match="neither a folder of pictures nor an mp4"):
        open_picture_source(tmp_path / "logo.png")
    with pytest.raises(ReadError, match="does not exist"):
        open_picture_source(tmp_path / "nowhere")


def test_a_layout_that_is_named_is_not_guessed(tmp_path: Path) -> None:
    for number in range(36):
        put(tmp_path / f"{number}.png", plain(RED, 8, 8))
    assert open_picture_source(tmp_path).title == "36 views"
    assert open_picture_source(tmp_path, Layout.FRAMES).title == "pictures of the run"


def test_large_and_locked_folders_are_not_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        put(tmp_path / f"{number:04d}.png", plain(RED, 8, 8))
    assert len(pictures_in(tmp_path, most=4)) == 4
    assert pictures_in(tmp_path / "nowhere") == {}
    four_views(tmp_path, "z/A/{}.jpg")
    four_views(tmp_path, "z/B/{}.jpg")
    assert find_layout(tmp_path) is Layout.DEGREES
    monkeypatch.setattr(layouts, "_MOST_ENTRIES", 5)
    assert find_layout(tmp_path) is Layout.FRAMES
    assert find_layout(tmp_path / "nowhere") is None
