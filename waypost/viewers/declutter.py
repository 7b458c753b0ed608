"""Chooses which labels are shown, so that no label hides another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ALWAYS_PRIORITY = 100
_CELL_PX = 64.0


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
    taken: dict[tuple[int, int], list[PlacedLabel]] = {}
    placed: list[PlacedLabel] = []
    for box in sorted(boxes, key=lambda b: -b.priority):
        places = [_placed(box, box.center_y), _placed(box, box.flipped_y)]
        free = next((p for p in places if not _is_taken(p, taken, gap)), None)
        if free is None and box.priority >= ALWAYS_PRIORITY:
            free = places[0]
        if free is None:
            continue
        placed.append(free)
        for cell in _cells(free, gap):
            taken.setdefault(cell, []).append(free)
    return tuple(placed)


def _placed(box: LabelBox, center_y: float) -> PlacedLabel:
    x = box.center_x - box.width / 2
    return PlacedLabel(box.index, x, center_y - box.height / 2, box.width, box.height)


def _is_taken(
    label: PlacedLabel, taken: dict[tuple[int, int], list[PlacedLabel]], gap: float
) -> bool:
    return any(
        label.x < other.x + other.width + gap
        and other.x < label.x + label.width + gap
        and label.y < other.y + other.height + gap
        and other.y < label.y + label.height + gap
        for cell in _cells(label, gap)
        for other in taken.get(cell, ())
    )


def _cells(label: PlacedLabel, gap: float) -> list[tuple[int, int]]:
    left, right = int((label.x - gap) // _CELL_PX), int((label.x + label.width + gap) // _CELL_PX)
    top, bottom = int((label.y - gap) // _CELL_PX), int((label.y + label.height + gap) // _CELL_PX)
    return [(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]
