"""What a texture shows beyond its edges."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class WrapMode(StrEnum):
    """Along one axis of a picture."""

    REPEAT = "repeat"
    MIRROR = "mirror"
    """Repeated, every other time the other way round."""

    CLAMP = "clamp"
    """The row or column at the edge goes on."""

    BLACK = "black"
    """Nothing: black, and transparent where the alpha of the picture counts."""


@dataclass(frozen=True, slots=True)
class TextureWrap:
    """Along both axes of a picture."""

    s: WrapMode = WrapMode.REPEAT
    """To the right."""

    t: WrapMode = WrapMode.REPEAT
    """Upwards."""

    @property
    def has_black(self) -> bool:
        """Whether there is nothing beyond some edge."""
        return WrapMode.BLACK in (self.s, self.t)


REPEATED: Final = TextureWrap()
"""What glTF and Waypost take where a file says nothing."""
