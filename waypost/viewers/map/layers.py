"""Pictures of what costs too much to paint with every step: the ground and the driven path."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPolygonF

from waypost.domain.replay.map import MapLine
from waypost.viewers.map.content import MapContent
from waypost.viewers.map.frame import MapFrame
from waypost.viewers.map.marks import agent_box, mark_boxes
from waypost.viewers.map.painting import MapPaint, paint_dim_path, paint_path
from waypost.viewers.map.sheet import MapSheet
from waypost.viewers.map.thinning import seen_points

PaintWith = Callable[[QPainter, MapFrame], MapPaint]
"""Makes what parts are painted with."""

_FEW_PIECES: Final = 24
"""So many are painted anew each time."""

_MOST_BYTES: Final = 64 << 20
_MOST_KEPT: Final = 24


@dataclass(slots=True)
class GroundLayer:
    """What stays the same from step to step, painted once for one frame and storey."""

    sheet: MapSheet
    storey: int
    frame: MapFrame
    picture: QImage
    path: PathLayer

    def paint(
        self,
        paint: MapPaint,
        step: int,
        *,
        has_options: bool = True,
        most_corners: int | None = None,
    ) -> bool:
        """Everything up to a step, in the frame that the layer was made for.

        Args:
            paint: What to paint with.
            step: The cursor.
            has_options: Whether the options at the step are shown.
            most_corners: Of the path that are painted for the first time now; all without.

        Returns:
            Whether all of the path is there; paint again for the next piece of it.
        """
        paint.painter.drawImage(QPointF(0.0, 0.0), self.picture)
        self.sheet.paint_others(paint, self.storey)
        is_whole = self.path.paint(paint, step, most_corners)
        part = self.sheet.content.partial_at(step)
        if part is not None:
            begun = [(paint.polygon(part.points), part)]
            is_here = self.sheet.is_on(part, self.storey)
            (paint_path if is_here else paint_dim_path)(paint, begun)
        self.sheet.paint_marks(paint, self.storey, step, has_options=has_options)
        return is_whole

    def part_between(self, paint: MapPaint, before: int, now: int) -> QRect:
        """Where two steps show something else, without other runs; ``paint`` needs no painter."""
        sheet, storey = self.sheet, self.storey
        marks = [mark_boxes(paint, sheet.marks_on(storey, step)) for step in (before, now)]
        places = sheet.content.replay.positions_m[[before, now], :2]
        boxes = [QRectF(*box) for _, box in marks[0] ^ marks[1]]
        boxes += [agent_box(paint, at) for at in places.tolist() if np.isfinite(at).all()]
        reach = 4.0 * paint.unit
        low, high = min(before, now), max(before, now)
        polygons = [p for p, line in self.path.pieces if low < (line.step or 0) <= high]
        begun = (sheet.content.partial_at(step) for step in (before, now))
        polygons += [paint.polygon(line.points) for line in begun if line is not None]
        boxes += [p.boundingRect().adjusted(-reach, -reach, reach, reach) for p in polygons]
        whole = functools.reduce(QRectF.united, boxes, QRectF())
        return whole.toAlignedRect().adjusted(-2, -2, 2, 2)


def ground_layer(
    sheet: MapSheet,
    storey: int,
    frame: MapFrame,
    ground: QImage,
    paint_with: PaintWith,
    image: QImage | None,
) -> GroundLayer:
    """Paint the ground.

    Args:
        sheet: What to paint.
        storey: Of which storey.
        frame: Where the map lies.
        ground: An empty picture of the size of the view; it becomes the layer's own.
        paint_with: Makes what parts are painted with.
        image: The picture of an occupancy map.
    """
    content = sheet.content
    with QPainter(ground) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint = paint_with(painter, frame)
        polygons = _path_polygons(content, frame)
        sheet.paint_ground(paint, storey, image, polygons)
    pairs = zip(polygons, content.pieces, strict=True)
    pieces = tuple(pairs)
    here = frozenset(n for n, (_, line) in enumerate(pieces) if sheet.is_on(line, storey))

    def path_with(painter: QPainter) -> MapPaint:
        return paint_with(painter, frame)

    path = PathLayer(pieces, here, ground.size(), ground.devicePixelRatio(), path_with)
    return GroundLayer(sheet, storey, frame, ground, path)


def _path_polygons(content: MapContent, frame: MapFrame) -> list[QPolygonF]:
    """Every piece of the path in pixels, without the points that do not show."""
    points, starts = seen_points(frame.to_pixels(content.piece_points_m), content.piece_starts)
    corners = [QPointF(x, y) for x, y in points.tolist()]
    ends = [*starts.tolist(), len(corners)]
    return [QPolygonF(corners[start:end]) for start, end in itertools.pairwise(ends)]


@dataclass(slots=True)
class PathLayer:
    """The driven path up to any step; a few pictures of its beginnings are kept."""

    pieces: Sequence[tuple[QPolygonF, MapLine]]
    """In the order of driving."""

    here: frozenset[int]
    """Places of those on the storey that is shown; the others are dim."""

    size_px: QSize
    ratio: float
    paint_with: Callable[[QPainter], MapPaint]
    _kept: dict[int, QImage] = field(default_factory=dict)

    def paint(self, paint: MapPaint, step: int, most_corners: int | None = None) -> bool:
        """The pieces that are driven whole by a step; whether all of them are there yet."""
        done = sum(1 for _ in itertools.takewhile(lambda p: (p[1].step or 0) <= step, self.pieces))
        group = self._group_size()
        kept = done // group if len(self.pieces) > _FEW_PIECES else 0
        reached = self._reached(kept, group, most_corners)
        if reached:
            paint.painter.drawImage(QPointF(0.0, 0.0), self._kept[reached])
        self._paint_pieces(paint, kept * group, done)
        return reached == kept

    def _paint_pieces(self, paint: MapPaint, first: int, end: int) -> None:
        """Those of other storeys lie under those of this one."""
        numbers = range(first, end)
        paint_dim_path(paint, [self.pieces[n] for n in numbers if n not in self.here])
        paint_path(paint, [self.pieces[n] for n in numbers if n in self.here])

    def _group_size(self) -> int:
        one = max(1, 4 * self.size_px.width() * self.size_px.height())
        count = min(max(_MOST_BYTES // one, 2), _MOST_KEPT)
        return max(1, -(-len(self.pieces) // count))

    def _reached(self, number: int, group: int, most_corners: int | None) -> int:
        """Of so many groups of pieces, how many have a picture together now."""
        nearest = max((n for n in self._kept if n <= number), default=0)
        painted = 0
        for last in range(nearest + 1, number + 1):
            if most_corners is not None and painted >= most_corners:
                return last - 1
            picture = self._kept[last - 1].copy() if last > 1 else self._empty()
            with QPainter(picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                first, end = (last - 1) * group, last * group
                self._paint_pieces(self.paint_with(painter), first, min(end, len(self.pieces)))
            self._kept[last] = picture
            painted += sum(polygon.size() for polygon, _ in self.pieces[first:end])
        return number

    def _empty(self) -> QImage:
        return empty_picture(self.size_px, self.ratio, QColor(Qt.GlobalColor.transparent))


def empty_picture(size_px: QSize, ratio: float, colour: QColor) -> QImage:
    """A picture of one colour to paint on, on any thread."""
    picture = QImage(size_px, QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(ratio)
    picture.fill(colour)
    return picture
