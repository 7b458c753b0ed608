"""A chart as shapes and words in pixels, so that window and report draw the same one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Rect = tuple[float, float, float, float]
"""Left, top, width, height; pixels, y down."""

Measure = Callable[[str, float], tuple[float, float]]
"""Text and the width it may take → width and height it takes when wrapped; pixels."""

_START_PX: Final = 6.0

WIDEST_PX: Final = 100_000.0
"""Room in which no text wraps."""


class ChartTone(StrEnum):
    """What a colour means; whoever draws has the colours."""

    SUCCESS = "success"
    FAILURE = "failure"
    ERROR = "error"
    """The model's output could not be used."""

    UNKNOWN = "unknown"
    PLAIN = "plain"
    """A count without a judgement."""

    RAIL = "rail"
    """The whole that a part is of."""


TONE_SIGNS: Final = {
    ChartTone.SUCCESS: "✓",
    ChartTone.FAILURE: "✕",
    ChartTone.ERROR: "!",
    ChartTone.UNKNOWN: "?",
}
"""Colour never stands alone."""


class Align(StrEnum):
    """Where words stand in their room."""

    LEFT = "left"
    RIGHT = "right"
    CENTRE = "centre"


@dataclass(frozen=True, slots=True)
class ChartTarget:
    """Something to click, with the episodes behind it, or the instructions that were scored."""

    title: str
    """What they have in common: ``Early stop → Region recognition``."""

    detail: str
    """How many, of how many."""

    episode_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    rect: Rect
    tone: ChartTone | None
    """``None``: only there to be hit."""

    target: int | None = None
    """Index among the targets of the picture."""

    strength: float = 1.0
    """From 0, the ground, to 1, the strongest colour."""

    carries_text: bool = False
    """Whether text stands on it, which must stay readable."""


@dataclass(frozen=True, slots=True)
class Band:
    """A way from the right edge of one box to the left edge of another."""

    left_px: float
    right_px: float
    left_top_px: float
    right_top_px: float
    left_thickness_px: float
    right_thickness_px: float
    tone: ChartTone
    target: int

    @property
    def start(self) -> Rect:
        """The part at its left end, where no band covers another."""
        return (self.left_px, self.left_top_px, _START_PX, self.left_thickness_px)

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is in the band, drawn as a cubic with level ends."""
        if not self.left_px <= x <= self.right_px or self.right_px <= self.left_px:
            return False
        share = _share_of_bend((x - self.left_px) / (self.right_px - self.left_px))
        top = self.left_top_px + (self.right_top_px - self.left_top_px) * share
        thick = self.left_thickness_px + (self.right_thickness_px - self.left_thickness_px) * share
        # A band of one episode among thousands can still be hit.
        slack = max(0.0, 3.0 - thick / 2)
        return top - slack <= y <= top + thick + slack


def _share_of_bend(share: float) -> float:
    """How far a cubic whose handles lie half way has come, up or down, at a share of the way.

    The curve is x(t) = 1.5 t(1 − t) + t³ and y(t) = 3 t²(1 − t) + t³.
    """
    low, high = 0.0, 1.0
    for _ in range(24):
        t = (low + high) / 2
        if 1.5 * t * (1 - t) + t**3 < share:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return 3 * t * t * (1 - t) + t**3


@dataclass(frozen=True, slots=True)
class Words:
    """Text in its room; the room is as large as the text needs."""

    text: str
    rect: Rect
    align: Align = Align.LEFT
    is_muted: bool = False
    is_over_shapes: bool = False
    """Needs a ground of its own to be read."""

    is_turned: bool = False
    """Reads upwards; the room is that of the turned text."""


@dataclass(frozen=True, slots=True)
class ChartPicture:
    """Everything to draw, back to front, and everything to pick."""

    width_px: float
    height_px: float
    targets: tuple[ChartTarget, ...]
    """In reading order; every one is the target of a shape."""

    boxes: tuple[Box, ...]
    bands: tuple[Band, ...]
    """Drawn before the boxes."""

    words: tuple[Words, ...]

    def target_at(self, x: float, y: float) -> int | None:
        """The target under a point: a box, else the thinnest band, else the room of a row."""
        for box in reversed(self.boxes):
            if box.target is not None and box.tone is not None and _holds(box.rect, x, y):
                return box.target
        bands = [band for band in self.bands if band.holds(x, y)]
        if bands:
            # Bands cross; the thin one would be out of reach under the thick one.
            return min(bands, key=lambda band: band.left_thickness_px).target
        for box in reversed(self.boxes):
            if box.target is not None and _holds(box.rect, x, y):
                return box.target
        return None

    def place_of(self, target: int) -> Rect:
        """Where a target is: its first shape.

        Raises:
            KeyError: If it has none.
        """
        for box in self.boxes:
            if box.target == target:
                return box.rect
        for band in self.bands:
            if band.target == target:
                return band.start
        raise KeyError(target)

    def neighbour(self, target: int, dx: int, dy: int) -> int:
        """The nearest target in a direction; the same one where there is none.

        Args:
            target: From where.
            dx: −1 left, 1 right, 0 neither.
            dy: −1 up, 1 down, 0 neither.
        """
        x, y = _centre(self.place_of(target))
        best, least = target, math.inf
        for index in range(len(self.targets)):
            there_x, there_y = _centre(self.place_of(index))
            ahead = (there_x - x) * dx + (there_y - y) * dy
            aside = abs((there_x - x) * dy) + abs((there_y - y) * dx)
            if ahead > 1e-6 and ahead + 3 * aside < least:
                best, least = index, ahead + 3 * aside
        return best


def _holds(rect: Rect, x: float, y: float) -> bool:
    return rect[0] <= x <= rect[0] + rect[2] and rect[1] <= y <= rect[1] + rect[3]


def _centre(rect: Rect) -> tuple[float, float]:
    return rect[0] + rect[2] / 2, rect[1] + rect[3] / 2


def share_text(count: int, total: int) -> str:
    """``12 of 40 episodes (30.0 %)``."""
    noun = "episode" if total == 1 else "episodes"
    share = f" ({100 * count / total:.1f} %)" if total else ""
    return f"{count:,} of {total:,} {noun}{share}"
