"""Pictures of what costs too much to paint with every step: the ground and the driven path."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPolygonF

from waypost.domain.replay_map import PlanLine
from waypost.viewers.plan_frame import PlanFrame
from waypost.viewers.plan_painting import PlanPaint, paint_path
from waypost.viewers.plan_sheet import PlanSheet

PaintWith = Callable[[QPainter, PlanFrame], PlanPaint]
"""Makes what parts are painted with."""

_FEW_PIECES: Final = 24
"""So many are painted anew each time."""

_MOST_BYTES: Final = 64 << 20
_MOST_KEPT: Final = 24


@dataclass(slots=True)
class GroundLayer:
    """What stays the same from step to step, painted once for one frame and storey."""

    sheet: PlanSheet
    storey: int
    frame: PlanFrame
    picture: QImage
    path: PathLayer

    def paint(self, paint: PlanPaint, step: int, *, has_options: bool = True) -> None:
        """Everything up to a step, in the frame that the layer was made for."""
        paint.painter.drawImage(QPointF(0.0, 0.0), self.picture)
        self.sheet.paint_others(paint, self.storey)
        self.path.paint(paint, step)
        part = self.sheet.content.partial_at(step)
        if part is not None and self.sheet.content.is_on(part, self.storey):
            paint_path(paint, [(paint.polygon(part.points), part)])
        self.sheet.paint_marks(paint, self.storey, step, has_options=has_options)


def ground_layer(
    sheet: PlanSheet, storey: int, frame: PlanFrame, ground: QImage, paint_with: PaintWith,
    image: QImage | None,
) -> GroundLayer:  # fmt: skip
    """Paint the ground.

    Args:
        sheet: What to paint.
        storey: Of which storey.
        frame: Where the plan lies.
        ground: An empty picture of the size of the view; it becomes the layer's own.
        paint_with: Makes what parts are painted with.
        image: The picture of an occupancy map.
    """
    content = sheet.content
    with QPainter(ground) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint = paint_with(painter, frame)
        polygons = [(paint.polygon(line.points), line) for line in content.pieces]
        sheet.paint_ground(paint, storey, image, [polygon for polygon, _ in polygons])
    here = [(polygon, line) for polygon, line in polygons if content.is_on(line, storey)]

    def path_with(painter: QPainter) -> PlanPaint:
        return paint_with(painter, frame)

    path = PathLayer(here, ground.size(), ground.devicePixelRatio(), path_with)
    return GroundLayer(sheet, storey, frame, ground, path)


@dataclass(slots=True)
class PathLayer:
    """The driven path up to any step; a few pictures of its beginnings are kept."""

    pieces: Sequence[tuple[QPolygonF, PlanLine]]
    """In the order of driving."""

    size_px: QSize
    ratio: float
    paint_with: Callable[[QPainter], PlanPaint]
    _kept: dict[int, QImage] = field(default_factory=dict)

    def paint(self, paint: PlanPaint, step: int) -> None:
        """The pieces that are driven whole by a step."""
        done = sum(1 for _ in itertools.takewhile(lambda p: (p[1].step or 0) <= step, self.pieces))
        group = self._group_size()
        kept = done // group if len(self.pieces) > _FEW_PIECES else 0
        if kept:
            paint.painter.drawImage(QPointF(0.0, 0.0), self._beginning(kept, group))
        paint_path(paint, self.pieces[kept * group : done])

    def _group_size(self) -> int:
        one = max(1, 4 * self.size_px.width() * self.size_px.height())
        count = min(max(_MOST_BYTES // one, 2), _MOST_KEPT)
        return max(1, -(-len(self.pieces) // count))

    def _beginning(self, number: int, group: int) -> QImage:
        """A picture of so many groups of pieces."""
        nearest = max((n for n in self._kept if n <= number), default=0)
        for last in range(nearest + 1, number + 1):
            picture = self._kept[last - 1].copy() if last > 1 else self._empty()
            with QPainter(picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                paint_path(self.paint_with(painter), self.pieces[(last - 1) * group : last * group])
            self._kept[last] = picture
        return self._kept[number]

    def _empty(self) -> QImage:
        return empty_picture(self.size_px, self.ratio, QColor(Qt.GlobalColor.transparent))


def empty_picture(size_px: QSize, ratio: float, colour: QColor) -> QImage:
    """A picture of one colour to paint on, on any thread."""
    picture = QImage(size_px, QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(ratio)
    picture.fill(colour)
    return picture
