"""The palette of the sample home: every finish, its texture, tint and true scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Finish:
    """How a surface looks."""

    tint: str
    """sRGB ``#rrggbb`` that multiplies the texture."""

    texture: str | None = None
    """Key of ``textures.TEXTURES``."""

    tile_m: float = 1.0
    """Edge of one repeat of the texture on the surface, metres."""

    @property
    def linear_rgba(self) -> tuple[float, float, float, float]:
        """The tint as linear factors in [0, 1], opaque."""
        red, green, blue = (_linear(int(self.tint[k : k + 2], 16) / 255) for k in (1, 3, 5))
        return (red, green, blue, 1.0)


def _linear(srgb: float) -> float:
    return srgb / 12.92 if srgb <= 0.04045 else ((srgb + 0.055) / 1.055) ** 2.4


def _wall(tint: str) -> Finish:
    return Finish(tint, "plaster", 1.8)


def _wood(tint: str) -> Finish:
    return Finish(tint, "timber", 0.9)


def _cloth(tint: str) -> Finish:
    return Finish(tint, "weave", 0.22)


FINISHES: Mapping[str, Finish] = MappingProxyType(
    {
        # Floors
        "oak floor": Finish("#ffffff", "planks", 1.6),
        "walnut floor": Finish("#b98d6d", "planks", 1.6),
        "pale floor": Finish("#fff6e6", "planks", 1.6),
        "stone tiles": Finish("#f3ece0", "stone tiles", 0.8),
        "checker tiles": Finish("#ffffff", "checker", 0.8),
        "bath tiles": Finish("#9fc4c9", "small tiles", 1.0),
        "sage tiles": Finish("#a9bf9f", "small tiles", 1.0),
        "wall tiles": Finish("#eef4f4", "small tiles", 1.0),
        "carpet grey": Finish("#c3c7cf", "carpet", 0.7),
        "decking": Finish("#c9a581", "decking", 1.2),
        "paving": Finish("#ffffff", "paving", 1.6),
        "lawn": Finish("#ffffff", "lawn", 3.0),
        # Walls
        "brick": Finish("#ffffff", "brick", 1.2),
        "render": _wall("#f4efe6"),
        "ceiling": _wall("#fbfaf7"),
        "white wall": _wall("#f7f4ee"),
        "cream wall": _wall("#f3e6cd"),
        "sage wall": _wall("#c9d6c0"),
        "sky wall": _wall("#c7d9e6"),
        "clay wall": _wall("#e3bfa6"),
        "sand wall": _wall("#ecdcbf"),
        "lilac wall": _wall("#d8cfe3"),
        "teal wall": _wall("#7fa6a4"),
        "masonry": Finish("#8d8780"),
        "trim": Finish("#fbf9f4"),
        "dark frame": Finish("#3b4148"),
        "brass": Finish("#c8a04f"),
        "steel": Finish("#b9bfc6"),
        "chrome": Finish("#dfe4e8"),
        "black": Finish("#23262b"),
        # Timber
        "oak": _wood("#f1cf9b"),
        "walnut": _wood("#94684a"),
        "birch": _wood("#ffeed2"),
        "white wood": _wood("#fffdf8"),
        "blue wood": _wood("#5f7f9e"),
        "green wood": _wood("#7c9a7b"),
        "red door": _wood("#b0493b"),
        # Cloth
        "teal cloth": _cloth("#4f9a9a"),
        "mustard cloth": _cloth("#e3b04b"),
        "coral cloth": _cloth("#e07a5f"),
        "linen": _cloth("#f4efe4"),
        "navy cloth": _cloth("#4a628a"),
        "rose cloth": _cloth("#d99aa5"),
        "curtain": _cloth("#e9dcc3"),
        "leaf cloth": _cloth("#86a873"),
        # Things
        "marble": Finish("#ffffff", "marble", 1.2),
        "porcelain": Finish("#fcfdfd"),
        "mirror": Finish("#bcd3dc"),
        "water": Finish("#9fd0de"),
        "glow": Finish("#ffeeb8"),
        "shade": _cloth("#fff0cc"),
        "terracotta": Finish("#c8714c"),
        "white pot": Finish("#f2f0ea"),
        "soil": Finish("#4c3a2c"),
        "leaf": Finish("#4f8f46"),
        "leaf dark": Finish("#2f6d3c"),
        "leaf light": Finish("#7fb35a"),
        "screen": Finish("#ffffff", "evening", 1.0),
        "book red": Finish("#b5473c"),
        "book blue": Finish("#3f6c9b"),
        "book green": Finish("#5d8a5a"),
        "book ochre": Finish("#d6a23e"),
        "book cream": Finish("#ece2cc"),
        "book plum": Finish("#74496b"),
        "fruit": Finish("#e0853a"),
        "rug warm": Finish("#ffffff", "rug warm", 1.0),
        "rug cool": Finish("#ffffff", "rug cool", 1.0),
        "picture hills": Finish("#ffffff", "hills", 1.0),
        "picture shapes": Finish("#ffffff", "shapes", 1.0),
        "picture sea": Finish("#ffffff", "sea", 1.0),
    }
)
"""By name. Finishes that share a texture differ by tint only, which keeps the file small."""
