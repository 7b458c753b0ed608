"""Textures: seeded, seamless, sensible."""

from __future__ import annotations

import numpy as np
import pytest

from tools.sample_home.finishes import FINISHES
from tools.sample_home.noise import blend, cloud, rgba8
from tools.sample_home.textures import PAINTERS, paint


@pytest.mark.parametrize("name", sorted(PAINTERS))
def test_every_texture_is_opaque_and_repeatable(name: str) -> None:
    picture = paint(name)
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 4
    assert (picture[..., 3] == 255).all()
    assert not picture.flags.writeable
    assert 40 < picture[..., :3].mean() < 252
    assert np.array_equal(picture, paint(name))


def test_clouds_repeat_without_a_seam() -> None:
    field = cloud(5, 64, 1.5)
    across_seam = np.abs(field[:, 0] - field[:, -1]).mean()
    inside = np.abs(np.diff(field, axis=1)).mean()
    assert across_seam < 3 * inside


def test_clouds_depend_on_their_seed() -> None:
    assert not np.array_equal(cloud(1, 32, 1.0), cloud(2, 32, 1.0))


def test_blend_reaches_both_colours() -> None:
    picture = blend("#000000", "#ff8000", np.array([[0.0, 1.0]]))
    assert rgba8(picture)[0].tolist() == [[0, 0, 0, 255], [255, 130, 0, 255]]


def test_every_finish_names_a_texture_that_exists() -> None:
    used = {finish.texture for finish in FINISHES.values()} - {None}
    assert used == set(PAINTERS)


def test_tints_become_linear() -> None:
    grey = FINISHES["dark frame"]
    assert grey.tint == "#3b4148"
    assert grey.linear_rgba == pytest.approx((0.04374, 0.05286, 0.06480, 1.0), abs=1e-4)
