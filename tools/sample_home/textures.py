"""The pictures on the surfaces of the sample home, painted by code from fixed seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tools.sample_home.artworks import evening, hills, rug_cool, rug_warm, sea, shapes
from tools.sample_home.noise import Grey, Rgb, blend, cloud, colour, rgba8


def planks(size: int = 512, rows: int = 8) -> Rgb:
    """Oak boards in staggered rows along u."""
    rng = np.random.default_rng(11)
    grain = cloud(12, size, 1.1, (0.16, 3.0))
    figure = cloud(13, size, 1.6, (0.3, 2.0))
    height = size // rows
    picture = np.empty((size, size, 3))
    for row in range(rows):
        strip = slice(row * height, (row + 1) * height)
        shift = int(rng.integers(size))
        mix = 0.55 * np.roll(grain[strip], shift, axis=1) + 0.45 * np.roll(figure[strip], -shift, 1)
        picture[strip] = blend("#a9773f", "#dcb27a", mix)
        cuts = np.sort((rng.integers(size) + np.array([0, size // 2])) % size)
        tones = rng.uniform(0.86, 1.08, 2)
        columns = np.arange(size)
        board = (columns >= cuts[0]) & (columns < cuts[1])
        picture[strip] *= np.where(board, tones[0], tones[1])[None, :, None]
        for cut in cuts:
            picture[strip, cut] *= 0.55
        picture[row * height] *= 0.55
        picture[row * height + 1] *= 0.9
    return picture


def timber(size: int = 256) -> Rgb:
    """Pale wood with its grain along u; tinted into every furniture wood."""
    grain = cloud(21, size, 1.0, (0.12, 3.0))
    figure = cloud(22, size, 1.7, (0.25, 1.5))
    return blend("#cfc0ac", "#fffaf2", 0.5 * grain + 0.5 * figure)


def tiles(seed: int, size: int, count: int, grout_px: int, contrast: float) -> Rgb:
    """Square tiles with grout between them, each a little different."""
    rng = np.random.default_rng(seed)
    edge = size // count
    tone = rng.uniform(1 - contrast, 1, (count, count)).repeat(edge, 0).repeat(edge, 1)
    marbling = cloud(seed + 1, size, 1.5)
    grey = tone * (1 - contrast * 0.6 * marbling)
    picture = np.stack([grey, grey, grey * 0.99], axis=2)
    offset = np.arange(size) % edge
    is_grout = (offset < grout_px)[None, :] | (offset < grout_px)[:, None]
    is_edge = (offset == edge - 1)[None, :] | (offset == edge - 1)[:, None]
    picture[is_edge] *= 0.93
    picture[is_grout] = colour("#b9b4aa") * (0.9 + 0.1 * marbling[is_grout][:, None])
    return picture


def checker(size: int = 256) -> Rgb:
    """Two-coloured kitchen tiles, 2 × 2 in the picture."""
    half = np.arange(size) // (size // 2)
    is_dark = (half[None, :] + half[:, None]) % 2 == 1
    base = np.where(is_dark[..., None], colour("#7d9a94"), colour("#f3efe4"))
    return np.asarray(base * (tiles(31, size, 2, 3, 0.05) * 0.6 + 0.4))


def plaster(size: int = 256) -> Rgb:
    """Nearly white wall with a soft brush texture."""
    grey = 0.95 + 0.035 * cloud(41, size, 1.2) + 0.015 * cloud(42, size, 0.3)
    return np.stack([grey] * 3, axis=2)


def weave(size: int = 128) -> Rgb:
    """Pale cloth of crossing threads; tinted into every upholstery."""
    thread = np.arange(size) % 8
    across = np.sin(np.pi * (thread[None, :] + 0.5) / 8)
    down = np.sin(np.pi * (thread[:, None] + 0.5) / 8)
    block = np.arange(size) // 8
    is_over = (block[None, :] + block[:, None]) % 2 == 0
    grey = 0.78 + 0.2 * np.where(is_over, across, down) - 0.08 * cloud(51, size, 0.5)
    return np.stack([grey] * 3, axis=2)


def carpet(size: int = 256) -> Rgb:
    """Pale pile; tinted."""
    grey = 0.78 + 0.14 * cloud(61, size, 0.35) + 0.08 * cloud(62, size, 1.6)
    return np.stack([grey] * 3, axis=2)


def brick(size: int = 256, courses: int = 16) -> Rgb:
    """Running-bond brickwork, four bricks to a course."""
    rng = np.random.default_rng(71)
    height, length = size // courses, size // 4
    row = np.arange(size) // height
    column = (np.arange(size)[None, :] + (row % 2)[:, None] * (length // 2)) % size
    tone = rng.uniform(0, 1, (courses, 4))[row[:, None], column // length]
    grain = cloud(72, size, 0.6)
    picture = blend("#a3543d", "#cf8560", 0.75 * tone + 0.25 * grain)
    is_joint = (np.arange(size) % height < 2)[:, None] | (column % length < 2)
    picture[is_joint] = colour("#d5cabb")
    return picture


def lawn(size: int = 256) -> Rgb:
    """Grass from above."""
    blades = cloud(81, size, 0.4)
    patches = cloud(82, size, 1.7)
    return blend("#5d8a42", "#9cbf6a", 0.55 * blades + 0.45 * patches)


def paving(size: int = 256) -> Rgb:
    """Concrete slabs."""
    return np.asarray(tiles(91, size, 4, 3, 0.14) * colour("#d8d3c9"))


def decking(size: int = 256, rows: int = 8) -> Rgb:
    """Outdoor boards along u with dark gaps."""
    rng = np.random.default_rng(95)
    height = size // rows
    tone = rng.uniform(0.84, 1.05, rows).repeat(height)
    picture = blend("#c9b59b", "#f3e4cd", cloud(96, size, 1.1, (0.15, 2.5))) * tone[:, None, None]
    picture[np.arange(size) % height < 3] *= 0.5
    return np.asarray(picture)


def marble(size: int = 256) -> Rgb:
    """White stone with grey veins."""
    warp = cloud(97, size, 1.6)
    vein: Grey = np.exp(-((np.abs(warp - 0.5) / 0.045) ** 2))
    return blend("#f5f3ef", "#a9abb0", 0.55 * vein + 0.12 * cloud(98, size, 1.2))


PAINTERS: Mapping[str, Callable[[], Rgb]] = MappingProxyType(
    {
        "planks": planks,
        "timber": timber,
        "stone tiles": lambda: tiles(101, 256, 2, 3, 0.12),
        "small tiles": lambda: tiles(111, 256, 8, 2, 0.07),
        "checker": checker,
        "plaster": plaster,
        "weave": weave,
        "carpet": carpet,
        "brick": brick,
        "lawn": lawn,
        "paving": paving,
        "decking": decking,
        "marble": marble,
        "rug warm": rug_warm,
        "rug cool": rug_cool,
        "hills": hills,
        "shapes": shapes,
        "sea": sea,
        "evening": evening,
    }
)
"""Every texture by name."""


def paint(name: str) -> NDArray[np.uint8]:
    """One texture: (H, W, 4) RGBA, first row at the top, read-only.

    Raises:
        KeyError: If there is no texture of that name.
    """
    return rgba8(PAINTERS[name]())
