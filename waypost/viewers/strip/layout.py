"""Where the parts of a panorama strip stand, in device-independent pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF

from waypost.viewers.strip.content import PlacedOption, StripRow

GAP_PX: Final = 6.0
"""Between tiles."""

_ROW_GAP_PX: Final = 22.0
"""Between two rows that stand beside each other."""

_MOST_CROPPED: Final = 0.1
"""Share of the width of a picture that is left out where it would get too low otherwise."""

BARE_ASPECT: Final = 1.6
"""Widest shape of tiles without pictures, width by height."""


@dataclass(frozen=True, slots=True)
class OptionSpot:
    """An option on the strip."""

    placed: PlacedOption
    point: QPointF
    """Where it is by geometry."""

    centre: QPointF
    """Middle of its disc, moved up or down where another one stands at the point."""

    radius_px: float

    def holds(self, point: QPointF) -> bool:
        """Whether a point is on the disc, or as good as."""
        gap = point - self.centre
        return gap.x() ** 2 + gap.y() ** 2 <= (self.radius_px + 3.0) ** 2


@dataclass(frozen=True, slots=True)
class TileRects:
    """One tile."""

    title: QRectF
    frame: QRectF
    """What is seen."""

    picture: QRectF
    """The whole picture, of which the frame may leave out the rims at left and right."""

    spots: tuple[OptionSpot, ...]


@dataclass(frozen=True, slots=True)
class RowRects:
    """One row of tiles with its heading."""

    heading: QRectF
    """Without height where there is one row."""

    tiles: tuple[TileRects, ...]


def tile_room(area: QRectF, rows: int, line_px: float) -> tuple[float, float]:
    """Width and height that one of four pictures may have.

    Args:
        area: Of the whole strip.
        rows: 1, or 2 with headings.
        line_px: Height of a line of text.
    """
    part = _parts(area, rows, line_px)[0]
    width = (part.width() - 3 * GAP_PX) / 4
    return max(width, 16.0), max(part.height() - line_px * min(rows, 2), 16.0)


def lay_out(rows: Sequence[StripRow], area: QRectF, line_px: float) -> tuple[RowRects, ...]:
    """Place every part; two rows stand beside or above each other, where tiles get larger.

    Args:
        rows: One, or two with headings.
        area: Of the whole strip.
        line_px: Height of a line of text.
    """
    if not rows:
        return ()
    width, height = tile_room(area, len(rows), line_px)
    heading_px = line_px if len(rows) > 1 else 0.0
    placed = []
    for row, part in zip(rows, _parts(area, len(rows), line_px), strict=True):
        shown = _tile_size(row, width, height)
        count = len(row.tiles)
        left = part.left() + (part.width() - count * shown[0] - (count - 1) * GAP_PX) / 2
        top = part.top() + heading_px
        tiles = []
        for index, tile in enumerate(row.tiles):
            x = left + index * (shown[0] + GAP_PX)
            frame = QRectF(x, top + line_px, *shown)
            rim_px = (_whole_width(row, shown) - shown[0]) / 2
            picture = frame.adjusted(-rim_px, 0.0, rim_px, 0.0)
            spots = option_spots(tile.options, picture, line_px, frame)
            tiles.append(TileRects(QRectF(x, top, shown[0], line_px), frame, picture, spots))
        heading = QRectF(left, part.top(), part.right() - left, heading_px)
        placed.append(RowRects(heading, tuple(tiles)))
    return tuple(placed)


def _parts(area: QRectF, rows: int, line_px: float) -> tuple[QRectF, ...]:
    """Where each row stands."""
    if rows == 1:
        return (area,)
    half = (area.width() - _ROW_GAP_PX) / 2
    beside = (
        QRectF(area.left(), area.top(), half, area.height()),
        QRectF(area.right() - half, area.top(), half, area.height()),
    )
    low = (area.height() - GAP_PX) / 2
    stacked = (
        QRectF(area.left(), area.top(), area.width(), low),
        QRectF(area.left(), area.bottom() - low, area.width(), low),
    )

    def tile_px(part: QRectF) -> float:
        return min((part.width() - 3 * GAP_PX) / 4, part.height() - 2 * line_px)

    return max(beside, stacked, key=lambda parts: tile_px(parts[0]))


def option_spots(
    options: Sequence[PlacedOption],
    picture: QRectF,
    line_px: float,
    frame: QRectF | None = None,
) -> tuple[OptionSpot, ...]:
    """Discs of options in a picture: exact from left to right, never over each other.

    Where discs would overlap, the later one moves up or down; the chosen one never moves. At the
    very rim a disc is moved inside.

    Args:
        options: In one tile.
        picture: The whole picture.
        line_px: Height of a line of text.
        frame: What is seen of it; all of it without.
    """
    spots: list[OptionSpot] = []
    for placed in sorted(options, key=lambda option: not option.marker.is_chosen):
        radius = line_px * (0.62 if placed.marker.is_chosen else 0.5)
        radius = min(radius, picture.height() / 4)
        point = QPointF(
            picture.left() + placed.x * picture.width(), picture.top() + placed.y * picture.height()
        )
        inside = (frame or picture).adjusted(radius + 2, radius + 2, -radius - 2, -radius - 2)
        x = min(max(point.x(), inside.left()), inside.right())
        y = min(max(point.y(), inside.top()), inside.bottom())
        centre = _free_place(QPointF(x, y), radius, inside, spots)
        spots.append(OptionSpot(placed, point, centre, radius))
    return tuple(spots)


def _free_place(
    wanted: QPointF, radius: float, inside: QRectF, taken: Sequence[OptionSpot]
) -> QPointF:
    step = radius * 2 + 2
    for offset in (0.0, step, -step, 2 * step, -2 * step):
        y = wanted.y() + offset
        if offset and not inside.top() <= y <= inside.bottom():
            continue
        if all(
            (wanted.x() - spot.centre.x()) ** 2 + (y - spot.centre.y()) ** 2
            >= (radius + spot.radius_px) ** 2
            for spot in taken
        ):
            return QPointF(wanted.x(), y)
    return wanted


def _tile_size(row: StripRow, width: float, height: float) -> tuple[float, float]:
    """Size of each tile of a row: the shape of its pictures in the room there is."""
    if len(row.tiles) == 1:
        width = width * 4 + 3 * GAP_PX
    aspect = row.aspect
    if aspect is None:
        aspect = 4.0 if row.is_band else min(width / height, BARE_ASPECT)
    shown = min(width, height * aspect)
    is_narrow = row.aspect is not None and len(row.tiles) > 1 and shown / aspect < height
    high = min(height, shown / aspect / (1.0 - _MOST_CROPPED)) if is_narrow else shown / aspect
    return shown, high


def _whole_width(row: StripRow, shown: tuple[float, float]) -> float:
    """Width of a picture whose height is shown whole."""
    return shown[0] if row.aspect is None else max(shown[0], shown[1] * row.aspect)
