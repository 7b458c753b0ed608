"""Pictures come from beside the window, the latest wish first, within a bound of memory."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fixtures.picture_folders import RED, four_views, plain, walk
from hypothesis import given
from hypothesis import strategies as st
from leaks import no_leaks
from patience import PATIENCE_S
from pytestqt.qtbot import QtBot

from waypost.domain.replay.picture_lenses import SphereLens
from waypost.domain.replay.replay import Replay
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.io.picture_sources.source import SourcePicture, StepPictures
from waypost.services.replay.picture_loading import PictureCache, PictureLoading, StepWish
from waypost.services.replay.picture_tiles import PlacePictures, TilePicture, TileWish

__all__ = ["no_leaks"]

TILES = TileWish(64, 48)


def of_kb(size: int) -> PlacePictures:
    return PlacePictures((TilePicture(np.zeros((1024, size, 1), np.uint8), None),))


def test_the_pictures_used_last_stay() -> None:
    cache = PictureCache(limit_mb=3 / 1024)
    for name in "abc":
        cache.put((name, TILES), of_kb(1))
    assert cache.get(("a", TILES)) is not None
    cache.put(("d", TILES), of_kb(1))
    assert [cache.get((name, TILES)) is not None for name in "abcd"] == [True, False, True, True]
    assert cache._bytes == 3 * 1024
    cache.put(("d", TILES), of_kb(2))
    assert cache._bytes <= 3 * 1024
    cache.put(("huge", TILES), of_kb(99))
    assert len(cache) == 1
    cache.clear()
    assert (len(cache), cache._bytes) == (0, 0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), max_size=60))
def test_the_cache_never_holds_more_than_its_bound(puts: list[tuple[int, int]]) -> None:
    cache = PictureCache(limit_mb=8 / 1024)
    for name, size in puts:
        cache.put((str(name), TILES), of_kb(size))
        assert cache._bytes <= 8 * 1024
    total = sum(
        kept.byte_count for n in range(10) if (kept := cache.get((str(n), TILES))) is not None
    )
    assert total == cache._bytes


class Gate:
    """A source whose pictures come only when they are let through, and remembers their order."""

    title = conventions = "gate"
    is_single = False

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.begun = threading.Event()
        self.read: list[int] = []
        self.is_closed = False

    def place(self, replay: Replay, step: int) -> str:
        return str(step)

    def pictures_at(self, replay: Replay, step: int) -> StepPictures:
        self.read.append(step)
        self.begun.set()
        self.opened.wait(PATIENCE_S)
        colour = (step * 40, 0, 0)
        return StepPictures((SourcePicture("s", SphereLens(0.0), lambda _w: plain(colour)),))

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def gate(qtbot: QtBot, no_leaks: None) -> Iterator[tuple[Gate, PictureLoading]]:
    source = Gate()
    loading = PictureLoading(source)
    yield source, loading
    source.opened.set()
    loading.close()
    assert source.is_closed


def wishes(*steps: int) -> list[StepWish]:
    return [StepWish(RUN, step, TILES) for step in steps]


RUN = walk()


def test_newer_wishes_replace_older_ones(gate: tuple[Gate, PictureLoading], qtbot: QtBot) -> None:
    source, loading = gate
    loading.ask(wishes(0, 1, 2, 3))
    assert source.begun.wait(PATIENCE_S)
    for step in (1, 2, 3):
        loading.ask(wishes(step))
    loading.ask(wishes(4, 3))
    source.opened.set()
    qtbot.waitUntil(lambda: all(loading.shown(w) is not None for w in wishes(3, 4)))
    assert source.read == [0, 4, 3]
    assert loading.shown(wishes(1)[0]) is None


def test_what_is_at_hand_is_not_loaded_again(
    gate: tuple[Gate, PictureLoading], qtbot: QtBot
) -> None:
    source, loading = gate
    source.opened.set()
    with qtbot.waitSignal(loading.arrived):
        loading.ask(wishes(2))
    qtbot.waitUntil(lambda: loading.shown(wishes(2)[0]) is not None)
    loading.ask(wishes(2, 1))
    qtbot.waitUntil(lambda: loading.shown(wishes(1)[0]) is not None)
    assert source.read == [2, 1]


def test_nothing_is_loaded_after_closing(gate: tuple[Gate, PictureLoading]) -> None:
    source, loading = gate
    source.opened.set()
    loading.close()
    loading.ask(wishes(1))
    assert source.read == []
    assert source.is_closed


def test_files_of_a_folder_come_with_damaged_ones_told(
    tmp_path: Path, qtbot: QtBot, no_leaks: None
) -> None:
    four_views(tmp_path, "line/B/{}.png")
    (tmp_path / "line" / "B" / "90.png").write_bytes(b"no picture")
    loading = PictureLoading(open_picture_source(tmp_path))
    loading.ask(wishes(1, 2))
    qtbot.waitUntil(lambda: all(loading.shown(w) is not None for w in wishes(1, 2)))
    here, elsewhere = (loading.shown(w) for w in wishes(1, 2))
    assert here is not None
    assert here.tiles[0].pixels is not None
    assert here.tiles[0].pixels[24, 32].tolist() == list(RED)
    assert "is no picture" in here.tiles[1].reason
    assert elsewhere is not None
    assert "no picture of viewpoint C" in elsewhere.reason
    assert loading.shown(wishes(3)[0]) is here
    loading.close()


def test_a_folder_that_vanishes_while_it_is_replayed_is_told(
    tmp_path: Path, qtbot: QtBot, no_leaks: None
) -> None:
    folder = tmp_path / "pictures"
    four_views(folder, "line/B/{}.png")
    loading = PictureLoading(open_picture_source(folder))
    loading.ask(wishes(1))
    qtbot.waitUntil(lambda: loading.shown(wishes(1)[0]) is not None)
    shutil.rmtree(folder)
    other = StepWish(RUN, 1, TileWish(80, 60))
    loading.ask([other, *wishes(2)])
    qtbot.waitUntil(lambda: loading.shown(wishes(2)[0]) is not None)
    gone = loading.shown(other)
    assert gone is not None
    assert {tile.reason for tile in gone.tiles} == {
        f"{degrees}.png does not exist" for degrees in (0, 90, 180, 270)
    }
    loading.close()
