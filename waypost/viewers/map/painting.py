"""Paints the parts of a replay's map with a ``QPainter``; knows no widget and no events."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from waypost.domain.replay.map import MapLine, MapMark, MarkRole, Point
from waypost.domain.scene.occupancy_map import Cell, OccupancyMap
from waypost.services.appearance import LABEL_OPACITY, ThemeTokens
from waypost.viewers.map.content import EdgeMark, MapContent
from waypost.viewers.map.frame import MapFrame
from waypost.viewers.map.mini_map import distinct_lines
from waypost.viewers.map.thinning import seen_points
from waypost.viewers.scene.drawing import rgb
from waypost.viewers.scene.floor_plan import FloorPlan
from waypost.viewers.scene.painting import qcolor

Floats = NDArray[np.float64]

RUN_LETTERS: Final = "ABCD"
"""Of the runs that stand beside each other; A leads."""

_DIM: Final = 0.3
"""Opacity of what lies on another storey."""

_ABOVE_PX: Final = 12.0
_DASHES: Final = ((6.0, 3.0), (2.0, 2.0), (8.0, 2.5, 1.5, 2.5))
"""Of the other runs, in widths of their line."""

_RUN_TOKENS: Final = ("agent", "disagreement", "highlight")
REFERENCE_DASH: Final = (1.8, 1.0)
BAR_PX: Final = 10.0
_LOW_LINES: Final = 16


@dataclass(frozen=True, slots=True)
class MapPaint:
    """What every part is painted with."""

    painter: QPainter
    frame: MapFrame
    tokens: ThemeTokens
    font: QFont
    unit: float
    """How large text is, 1 at a scale of 100 %; marks grow with it."""

    width_px: float = math.inf
    """Of the picture; labels of places in it turn or move, so that no edge cuts them; one that
    would come to lie over its place stands above it."""

    exposed: QRectF | None = None
    """The only part that is painted anew; all of it without."""

    def shows(self, box: QRectF) -> bool:
        """Whether anything in a box is to be painted."""
        return self.exposed is None or self.exposed.intersects(box)

    def colour(self, token: str, opacity: float = 1.0) -> QColor:
        """A colour of the theme."""
        return _colour(getattr(self.tokens, token), opacity)

    def pen(self, token: str, width: float, opacity: float = 1.0) -> QPen:
        """A round pen of a colour of the theme."""
        pen = QPen(self.colour(token, opacity), width * self.unit)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        return pen

    def polygon(self, points: Iterable[Point]) -> QPolygonF:
        """Points in metres as pixels."""
        scale, x, y = self.frame.scale, self.frame.x_px, self.frame.y_px
        return QPolygonF([QPointF(x + px * scale, y - py * scale) for px, py in points])


@lru_cache(maxsize=256)
def _colour(text: str, opacity: float) -> QColor:
    return qcolor(rgb(text, opacity))


def paint_outlines(paint: MapPaint, plan: FloorPlan) -> None:
    """Walls and furniture of a storey."""
    for segments, token, opacity, width in (
        (plan.furniture, "muted", 0.35, 0.8),
        (plan.walls, "text", 0.75, 1.4),
    ):
        paint.painter.setPen(QPen(paint.colour(token, opacity), width))
        lines = distinct_lines(paint.frame.to_pixels(segments))
        paint.painter.drawLines([QLineF(*line) for line in lines.tolist()])


def occupancy_image(occupancy: OccupancyMap, tokens: ThemeTokens) -> QImage:
    """The map in the colours of a theme; unknown cells are clear."""
    table = np.zeros((3, 4), dtype=np.uint8)
    for cell, token, opacity in ((Cell.FREE, "field", 255), (Cell.OCCUPIED, "text", 215)):
        colour = QColor(getattr(tokens, token))
        table[cell] = (colour.red(), colour.green(), colour.blue(), opacity)
    pixels = np.ascontiguousarray(table[occupancy.cells])
    height, width = occupancy.cells.shape
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def paint_occupancy(paint: MapPaint, occupancy: OccupancyMap, image: QImage) -> None:
    """The picture of a map where it belongs."""
    painter = paint.painter
    painter.save()
    painter.translate(QPointF(*paint.frame.to_pixel(occupancy.origin_m)))
    painter.rotate(-math.degrees(occupancy.origin_yaw_rad))
    side = occupancy.resolution_m * paint.frame.scale
    high, wide = occupancy.cells.shape
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, side < 3.0)
    painter.drawImage(QRectF(0.0, -high * side, wide * side, high * side), image)
    painter.restore()


def paint_graph(paint: MapPaint, content: MapContent, storey: int) -> None:
    """Edges and viewpoints; those of other storeys are pale."""
    ends = paint.frame.to_pixels(content.edges_m)
    near = (content.edge_storeys == storey).any(axis=1)
    for chosen, opacity, width in ((~near, 0.25, 0.8), (near, 0.8, 1.2)):
        paint.painter.setPen(paint.pen("border_strong", width, opacity))
        paint.painter.drawLines([QLineF(*line) for line in ends[chosen].reshape(-1, 4).tolist()])
    places = paint.frame.to_pixels(content.nodes_m)
    here = content.node_storeys == storey
    for chosen, opacity, size in ((~here, 0.25, 4.0), (here, 1.0, 6.5)):
        paint.painter.setPen(paint.pen("muted", size, opacity))
        paint.painter.drawPoints(QPolygonF([QPointF(*place) for place in places[chosen].tolist()]))


def paint_reference(paint: MapPaint, content: MapContent, storey: int) -> None:
    """The reference, wide and dashed, so that it shows on both sides of a path over it."""
    points, levels = content.reference_m, content.reference_storeys
    for is_here in (False, True):
        pen = paint.pen("accent", 9.0, 1.0 if is_here else 0.3)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(REFERENCE_DASH)
        paint.painter.setPen(pen)
        for line in _runs_of(points, levels == storey, is_here):
            paint.painter.drawPolyline(paint.polygon(line))


def _runs_of(points: Floats, is_here: NDArray[np.bool_], wanted: bool) -> list[list[Point]]:
    """Lines of the parts that have an end here, or of those that have none."""
    lines: list[list[Point]] = []
    for i in range(len(points) - 1):
        if bool(is_here[i] or is_here[i + 1]) is not wanted:
            continue
        a, b = tuple(points[i].tolist()), tuple(points[i + 1].tolist())
        if lines and lines[-1][-1] == a:
            lines[-1].append(b)
        else:
            lines.append([a, b])
    return lines


def paint_goals(paint: MapPaint, marks: Sequence[tuple[MapMark, bool]]) -> None:
    """Goals with their circle of success to scale; those of other storeys are pale."""
    for mark, is_here in marks:
        at = QPointF(*paint.frame.to_pixel(mark.at))
        if mark.role is MarkRole.GOAL_CIRCLE:
            reach = mark.radius_m * paint.frame.scale
            paint.painter.setPen(paint.pen("travels", 1.6, 0.9 if is_here else 0.3))
            paint.painter.setBrush(paint.colour("travels", 0.12 if is_here else 0.04))
            paint.painter.drawEllipse(at, reach, reach)
        else:
            paint.painter.setOpacity(1.0 if is_here else 0.35)
            paint.painter.setPen(paint.pen("panel", 1.2))
            paint.painter.setBrush(paint.colour("travels"))
            paint.painter.drawPolygon(_star(at, 9.0 * paint.unit))
            paint.painter.setOpacity(1.0)


def paint_rest(paint: MapPaint, path: Iterable[tuple[QPolygonF, bool]]) -> None:
    """The whole path, thin and pale, for what is still to come; dim on another storey."""
    painter, pieces = paint.painter, tuple(path)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for is_here, opacity in ((False, _DIM), (True, 0.7)):
        # Of one pixel, which Qt draws many times faster than anything wider.
        painter.setPen(QPen(paint.colour("muted", opacity), 1.0))
        for polygon, is_on in pieces:
            if is_on is is_here:
                painter.drawPolyline(polygon)


def paint_dim_path(paint: MapPaint, pieces: Iterable[tuple[QPolygonF, MapLine]]) -> None:
    """The driven path on another storey than the one that is shown: narrow, without a rim."""
    painter = paint.painter
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pen = paint.pen("text", 2.0)
    for polygon, line in pieces:
        pen.setColor(QColor(*(line.colour or (0, 0, 0)), round(255 * _DIM)))
        painter.setPen(pen)
        painter.drawPolyline(polygon)


def paint_path(paint: MapPaint, pieces: Sequence[tuple[QPolygonF, MapLine]]) -> None:
    """The driven path coloured by time, with a rim that keeps it apart from the ground."""
    painter = paint.painter
    painter.setBrush(Qt.BrushStyle.NoBrush)
    rim = paint.pen("text" if paint.tokens.is_dark else "field", 5.4, 0.85)
    # Flat, so that the rim of what follows does not cover the end of what was painted before.
    rim.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(rim)
    for polygon, _ in pieces:
        painter.drawPolyline(polygon)
    pen = paint.pen("text", 3.4)
    for polygon, line in pieces:
        pen.setColor(QColor(*(line.colour or (0, 0, 0))))
        painter.setPen(pen)
        painter.drawPolyline(polygon)


def paint_other_path(
    paint: MapPaint, lines: Iterable[MapLine], number: int, *, is_rest: bool
) -> None:
    """The path of another run in its own colour and dashes.

    Args:
        paint: What to paint with.
        lines: Pieces of the path.
        number: 1 for the first of the other runs.
        is_rest: Whether this is what is still to come.
    """
    token = _RUN_TOKENS[(number - 1) % len(_RUN_TOKENS)]
    pen = paint.pen(token, 1.0 if is_rest else 2.6, 0.4 if is_rest else 1.0)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern(_DASHES[(number - 1) % len(_DASHES)])
    paint.painter.setPen(pen)
    paint.painter.setBrush(Qt.BrushStyle.NoBrush)
    for points in _joined(lines):
        # Qt measures every point for the dashes, at every step anew.
        pixels = paint.frame.to_pixels(np.array(points))
        seen, _ = seen_points(pixels, np.zeros(1, dtype=np.int64))
        paint.painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in seen.tolist()]))


def _joined(lines: Iterable[MapLine]) -> list[list[Point]]:
    """The points of lines, those together that go on from one another."""
    ways: list[list[Point]] = []
    for line in lines:
        if ways and ways[-1][-1] == line.points[0]:
            ways[-1] += line.points[1:]
        else:
            ways.append(list(line.points))
    return ways


def paint_letter(paint: MapPaint, at: Point, number: int) -> None:
    """The letter of a run where its agent is; 0 is the run that the map is about."""
    token = _RUN_TOKENS[(number - 1) % len(_RUN_TOKENS)] if number else "text"
    place = QPointF(*paint.frame.to_pixel(at))
    offset = (0.0, 0.0) if number else (13.0, 13.0)
    paint_label(paint, RUN_LETTERS[number % len(RUN_LETTERS)], place, offset, token, is_framed=True)


def paint_edge_marks(paint: MapPaint, marks: Iterable[tuple[EdgeMark, Point, Point]]) -> None:
    """Edges in the colour of their verdict."""
    for mark, start, end in marks:
        pen = paint.pen(mark.sign.colour, 3.0, 0.9)
        pen.setStyle(Qt.PenStyle.SolidLine if mark.is_edge else Qt.PenStyle.DashLine)
        paint.painter.setPen(pen)
        a, b = paint.frame.to_pixel(start), paint.frame.to_pixel(end)
        paint.painter.drawLine(QPointF(*a), QPointF(*b))


def paint_edge_signs(paint: MapPaint, marks: Iterable[tuple[EdgeMark, Point, Point]]) -> None:
    """The sign of each edge's verdict a little before halfway."""
    for mark, start, end in marks:
        sign = mark.sign
        at = QPointF(*sign_place(paint.frame.to_pixel(start), paint.frame.to_pixel(end)))
        paint_label(paint, sign.mark, at, (0.0, 0.0), sign.colour, is_framed=True)


def sign_place(start: Point, end: Point) -> Point:
    """Where the sign of an edge stands: not halfway, so that both directions can be read."""
    return start[0] + 0.4 * (end[0] - start[0]), start[1] + 0.4 * (end[1] - start[1])


def is_low(paint: MapPaint, height_px: float) -> bool:
    """Whether a map is so low that what explains it would lie over its middle."""
    return height_px <= _LOW_LINES * QFontMetricsF(paint.font).height()


def paint_run_titles(paint: MapPaint, titles: Sequence[str], top_px: float) -> None:
    """The letters and titles of the runs that are compared, below one another."""
    metrics = QFontMetricsF(paint.font)
    taken = metrics.horizontalAdvance("A  ") + 2 * BAR_PX * paint.unit
    room = min(220.0 * paint.unit, paint.width_px - taken)
    for number, title in enumerate(titles):
        token = _RUN_TOKENS[(number - 1) % len(_RUN_TOKENS)] if number else "text"
        told = metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, room)
        at = QPointF(0.0, top_px + (number + 0.5) * (metrics.height() + 3.0))
        text = f"{RUN_LETTERS[number % len(RUN_LETTERS)]}  {told}".strip()
        paint_label(paint, text, at, (BAR_PX, 0.0), token)


def paint_label(
    paint: MapPaint,
    text: str,
    at: QPointF,
    offset_px: Point,
    token: str,
    *,
    is_bold: bool = False,
    is_framed: bool = False,
) -> None:
    """Text on the ground of labels beside a place.

    Args:
        paint: What to paint with.
        text: One line.
        at: The place, pixels.
        offset_px: To the near end of the label (to its middle where x is 0), at 100 % text.
        token: Colour of the text.
        is_bold: Whether it is bold.
        is_framed: Whether a frame of the same colour goes round it.
    """
    box = label_box(paint, text, at, offset_px, is_bold=is_bold or is_framed)
    draw_label(paint, text, box, token, is_bold=is_bold, is_framed=is_framed)


def label_box(
    paint: MapPaint, text: str, at: QPointF, offset_px: Point, *, is_bold: bool = False
) -> QRectF:
    """Where a label stands; see ``paint_label``."""
    metrics = QFontMetricsF(bold_of(paint.font) if is_bold else paint.font)
    wide, high = metrics.horizontalAdvance(text) + 6.0, metrics.height()
    x = at.x() + offset_px[0] * paint.unit
    y = at.y() + offset_px[1] * paint.unit - high / 2
    if offset_px[0] == 0:
        x -= wide / 2
    elif offset_px[0] < 0 or x + wide > paint.width_px:
        x = at.x() - abs(offset_px[0]) * paint.unit - wide
    if 0 <= at.x() <= paint.width_px:
        inside = max(min(x, paint.width_px - wide), 0.0)
        if inside < at.x() < inside + wide and inside != x:
            y = at.y() - _ABOVE_PX * paint.unit - high
        x = inside
    return QRectF(x, y, wide, high)


def draw_label(
    paint: MapPaint,
    text: str,
    box: QRectF,
    token: str,
    *,
    is_bold: bool = False,
    is_framed: bool = False,
) -> None:
    """A label in its box; see ``paint_label``."""
    if not paint.shows(box.adjusted(-2.0, -2.0, 2.0, 2.0)):
        return
    painter = paint.painter
    painter.setPen(paint.pen(token, 1.4) if is_framed else QPen(Qt.PenStyle.NoPen))
    painter.setBrush(paint.colour("label", LABEL_OPACITY))
    painter.drawRoundedRect(box, 3.0, 3.0)
    painter.setFont(bold_of(paint.font) if is_bold or is_framed else paint.font)
    painter.setPen(paint.colour(token))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _star(at: QPointF, size: float) -> QPolygonF:
    radii = (size, 0.42 * size)
    return QPolygonF(
        [
            at
            + QPointF(
                radii[i % 2] * math.sin(i * math.pi / 5), -radii[i % 2] * math.cos(i * math.pi / 5)
            )
            for i in range(10)
        ]
    )


def bold_of(font: QFont) -> QFont:
    """The same font, bold."""
    bold = QFont(font)
    bold.setBold(True)
    return bold
