"""Reduced levels of a texture average what they stand for and end at one pixel."""

from __future__ import annotations

import numpy as np
import pytest

from waypost.viewers.scene.mipmaps import mip_levels


def test_four_pixels_become_their_rounded_mean() -> None:
    picture = np.zeros((2, 2, 4), dtype=np.uint8)
    picture[..., 0] = [[10, 20], [30, 41]]
    picture[..., 3] = 255
    (level,) = mip_levels(picture)
    assert level.tolist() == [[[25, 0, 0, 255]]]
    assert level.dtype == np.uint8


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((4, 8), [(2, 4), (1, 2), (1, 1)]),
        ((5, 3), [(2, 1), (1, 1)]),
        ((1, 6), [(1, 3), (1, 1)]),
        ((1, 1), []),
    ],
)
def test_levels_have_the_sizes_that_opengl_expects(
    shape: tuple[int, int], expected: list[tuple[int, int]]
) -> None:
    picture = np.full((*shape, 4), 255, dtype=np.uint8)
    levels = mip_levels(picture)
    assert [level.shape[:2] for level in levels] == expected
    assert all((level == 255).all() for level in levels)
