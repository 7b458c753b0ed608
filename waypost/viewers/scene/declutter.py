"""Chooses which labels are shown, so that no label hides another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ALWAYS_PRIORITY = 100
_CELL_PX = 96.0


@dataclass(frozen=True, slots=True)
class LabelBox:
    """A label on screen, before it is known whether it is shown."""

    index: int
    """The caller's own number."""

    center_x: float
    """Device-independent pixels, as everything here."""

    center_y: float
    width: float
    height: float
    flipped_y: float
    """Where its middle goes if its first place is taken."""

    priority: int


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A label that is shown."""

    index: int
    x: float
    """Left edge."""

    y: float
    """Top edge."""

    width: float
    height: float


def place_labels(boxes: Sequence[LabelBox], *, gap: float = 2.0) -> tuple[PlacedLabel, ...]:
    """Greedy: the highest priority first, then in the order given; each tries two places.

    Labels of ``ALWAYS_PRIORITY`` and above are shown even over others.

    Args:
        boxes: Labels on screen.
        gap: Free pixels between labels.
    """
    taken: _Taken = {}
    placed: list[PlacedLabel] = []
    for box in sorted(boxes, key=lambda b: -b.priority):
        left, right = box.center_x - box.width / 2, box.center_x + box.width / 2
        free_y = None
        for center_y in (box.center_y, box.flipped_y):
            top = center_y - box.height / 2
            if not _is_taken((left, top, right, top + box.height), taken, gap):
                free_y = top
                break
        if free_y is None and box.priority >= ALWAYS_PRIORITY:
            free_y = box.center_y - box.height / 2
        if free_y is None:
            continue
        placed.append(PlacedLabel(box.index, left, free_y, box.width, box.height))
        area = (left, free_y, right, free_y + box.height)
        for cell in _cells(area):
            taken.setdefault(cell, []).append(area)
    return tuple(placed)


_Area = tuple[float, float, float, float]
_Taken = dict[tuple[int, int], list[_Area]]


def _is_taken(area: _Area, taken: _Taken, gap: float) -> bool:
    # Plain loops: this runs for a thousand labels in every picture.
    left, top, right, bottom = area[0] - gap, area[1] - gap, area[2] + gap, area[3] + gap
    for cell in _cells((left, top, right, bottom)):
        for other in taken.get(cell, ()):
            if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
                return True
    return False


def _cells(area: _Area) -> list[tuple[int, int]]:
    left, right = int(area[0] // _CELL_PX), int(area[2] // _CELL_PX)
    top, bottom = int(area[1] // _CELL_PX), int(area[3] // _CELL_PX)
    return [(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]
