from __future__ import annotations

import numpy as np
import pytest
from worlds.scene_files import png

from waypost.io.scenes import textures
from waypost.io.scenes.textures import TextureShelf


def test_large_pictures_are_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textures, "FULL_SIDE_PX", 64)
    kept: list[np.ndarray] = []
    shelf = TextureShelf(kept, [])
    assert shelf.add(png(np.zeros((50, 200, 3))), is_opaque=True) == 0
    assert kept[0].shape == (16, 64, 4)
    assert shelf.reduced_count == 1


def test_a_crowd_of_pictures_is_reduced_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textures, "BUDGET_BYTES", 1000)
    monkeypatch.setattr(textures, "CROWDED_SIDE_PX", 8)
    kept: list[np.ndarray] = []
    shelf = TextureShelf(kept, [])
    for value in range(3):
        shelf.add(png(np.full((32, 32, 3), value)), is_opaque=True)
    assert [picture.shape[0] for picture in kept] == [32, 8, 8]
    assert shelf.reduced_count == 2


def test_opaque_and_blended_copies_are_kept_apart_and_read_only() -> None:
    kept: list[np.ndarray] = []
    shelf = TextureShelf(kept, [])
    picture = png([[(1, 2, 3, 4)]])
    assert shelf.add(picture, is_opaque=False) == 0
    assert shelf.add(picture, is_opaque=True) == 1
    assert shelf.add(picture, is_opaque=False) == 0
    assert [p[0, 0].tolist() for p in kept] == [[1, 2, 3, 4], [1, 2, 3, 255]]
    assert not kept[0].flags.writeable
    assert not kept[1].flags.writeable
