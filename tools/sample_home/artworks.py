"""Pictures that are looked at rather than tiled: rugs, paintings and what the TV shows."""

from __future__ import annotations

import numpy as np

from tools.sample_home.noise import Grey, Rgb, blend, cloud, colour


def rug_warm(size: int = 256) -> Rgb:
    """A red rug with bordered lozenges."""
    return _rug(size, ("#a63f35", "#e7c891", "#2f4358", "#d98b4a"), 4)


def rug_cool(size: int = 256) -> Rgb:
    """A blue rug with small lozenges."""
    return _rug(size, ("#3f6286", "#efe6d2", "#7fa8a0", "#c9d4d8"), 6)


def hills(width: int = 128, height: int = 96) -> Rgb:
    """Rolling hills under a warm sky."""
    picture = _sky(width, height, "#f6d7a8", "#8fb8d0")
    bands = ((0.45, "#7d9db0", 1), (0.6, "#5f8a76", 2), (0.75, "#3f6b4c", 3))
    return _ridges(picture, bands)


def sea(width: int = 128, height: int = 96) -> Rgb:
    """A shore with the sun low over the water."""
    picture = _sky(width, height, "#ffd9a0", "#6f9fc8")
    rows = np.arange(height)[:, None]
    ripple = 0.5 + 0.5 * np.sin(rows * 0.9 + 2.0 * np.sin(np.arange(width)[None, :] * 0.12))
    water = blend("#2f6f92", "#7fb9c9", ripple)
    picture[rows[:, 0] > height * 0.55] = water[rows[:, 0] > height * 0.55]
    return _disc(picture, (0.62, 0.45), 0.09, "#fff1c4")


def shapes(width: int = 96, height: int = 128) -> Rgb:
    """Flat overlapping circles, in the manner of the 1920s."""
    picture: Rgb = np.broadcast_to(colour("#f2e8d5"), (height, width, 3)).copy()
    for centre, radius, tint in (
        ((0.42, 0.36), 0.3, "#d9573f"),
        ((0.63, 0.6), 0.26, "#2f5d73"),
        ((0.35, 0.72), 0.17, "#e5b04b"),
        ((0.68, 0.24), 0.1, "#3c3a3f"),
    ):
        picture = _disc(picture, centre, radius, tint)
    return picture


def evening(width: int = 256, height: int = 128) -> Rgb:
    """A mountain lake at dusk, as shown on a screen."""
    picture = _sky(width, height, "#f39c6b", "#27365e")
    bands = ((0.5, "#3d3f68", 5), (0.66, "#282b4c", 6))
    picture = _ridges(picture, bands)
    rows = np.arange(height)
    picture[rows > height * 0.8] = colour("#5b5f8e")
    return picture


def _rug(size: int, tints: tuple[str, str, str, str], count: int) -> Rgb:
    ground, pale, dark, accent = (colour(tint) for tint in tints)
    ramp = (np.arange(size) + 0.5) / size
    x, y = np.meshgrid(ramp, ramp)
    edge: Grey = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y))
    lozenge = np.abs(x * count % 1 - 0.5) + np.abs(y * count % 1 - 0.5)
    picture: Rgb = np.broadcast_to(ground, (size, size, 3)).copy()
    picture[lozenge < 0.42] = pale
    picture[lozenge < 0.3] = dark
    picture[lozenge < 0.16] = accent
    for limit, tint in ((0.1, dark), (0.085, pale), (0.06, accent), (0.03, ground), (0.012, pale)):
        picture[edge < limit] = tint
    return np.asarray(picture * (0.88 + 0.12 * cloud(121 + count, size, 0.4)[..., None]))


def _sky(width: int, height: int, low: str, high: str) -> Rgb:
    ramp = np.linspace(0, 1, height)[:, None].repeat(width, axis=1)
    return blend(high, low, np.clip(ramp * 1.6, 0, 1))


def _ridges(picture: Rgb, bands: tuple[tuple[float, str, int], ...]) -> Rgb:
    height, width = picture.shape[:2]
    x = np.arange(width) / width * np.pi
    rows = np.arange(height)[:, None]
    for level, tint, seed in bands:
        wave = np.sin(x * 2 + seed) * 0.05 + np.sin(x * 5 + 2 * seed) * 0.03
        wave += np.sin(x * 13 + 3 * seed) * 0.012
        picture[rows > (level + wave)[None, :] * height] = colour(tint)
    return picture


def _disc(picture: Rgb, centre: tuple[float, float], radius: float, tint: str) -> Rgb:
    height, width = picture.shape[:2]
    scale = min(width, height)
    x, y = np.meshgrid(np.arange(width) - centre[0] * width, np.arange(height) - centre[1] * height)
    picture[np.hypot(x, y) < radius * scale] = colour(tint)
    return picture
