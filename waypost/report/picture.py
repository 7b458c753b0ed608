"""Puts an episode on one picture: instruction, panoramas, plan, step and metrics.

The map is the one of the window, on a light ground. Needs a Qt application but no window, and
may be used on any thread.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from waypost.domain.scene.occupancy_map import OccupancyMap
from waypost.report.strip_making import StripMaker
from waypost.report.words import head_blocks, metric_blocks, run_blocks, step_blocks
from waypost.report.wrapping import TextBlock, draw_blocks, height_of
from waypost.services.appearance import LIGHT
from waypost.services.replay.loading import ReplayedEpisode
from waypost.viewers.map.frame import MapFrame, frame_around
from waypost.viewers.map.furnishings import paint_furnishings
from waypost.viewers.map.layers import GroundLayer, empty_picture, ground_layer
from waypost.viewers.map.painting import MapPaint, occupancy_image, paint_label
from waypost.viewers.map.sheet import MapBackground, map_sheet

WIDTH_PX: Final = 1280
PLAN_HEIGHT_PX: Final = 640
_MARGIN_PX: Final = 20
_SIDE_PX: Final = 390
_MOST_STOREYS: Final = 3
_TEXT_PX: Final = 14


@dataclass(frozen=True, slots=True)
class _Layout:
    """Heights of the parts, top down."""

    head_px: int
    strip_px: int

    @property
    def size(self) -> QSize:
        """Of the whole picture; even, as films need it."""
        high = self.head_px + self.strip_px + PLAN_HEIGHT_PX + 2 * _MARGIN_PX
        return QSize(WIDTH_PX, high + high % 2)


class EpisodePainter:
    """Paints the steps of one episode, all of one size.

    Args:
        shown: The episode.
        title: Of the run; may be empty.
        strip: Gives panoramas; none without.
        background: The scene or occupancy map under the map.
    """

    def __init__(
        self,
        shown: ReplayedEpisode,
        *,
        title: str = "",
        strip: StripMaker | None = None,
        background: MapBackground | None = None,
    ) -> None:
        self.shown = shown
        self._strip = strip
        self._sheet = map_sheet(shown.replay, background)
        self._image = (
            occupancy_image(background, LIGHT) if isinstance(background, OccupancyMap) else None
        )
        self._head = head_blocks(shown, title)
        self._grounds: dict[tuple[int, int], GroundLayer] = {}
        self._layout = self._laid_out()

    @property
    def size(self) -> QSize:
        """Of every picture."""
        return self._layout.size

    def picture(self, step: int | None = None) -> QImage:
        """One picture.

        Args:
            step: The cursor; the whole run without, with one map per storey it touches.
        """
        layout = self._layout
        image = empty_picture(layout.size, 1.0, QColor(LIGHT.field))
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            wide = WIDTH_PX - 2 * _MARGIN_PX
            draw_blocks(painter, self._head, QRectF(_MARGIN_PX, _MARGIN_PX, wide, layout.head_px))
            top = _MARGIN_PX + layout.head_px
            if layout.strip_px:
                self._draw_strip(painter, 0 if step is None else step, top)
                top += layout.strip_px
            self._draw_plans(
                painter, step, QRectF(_MARGIN_PX, top, wide - _SIDE_PX, PLAN_HEIGHT_PX)
            )
            side = QRectF(WIDTH_PX - _MARGIN_PX - _SIDE_PX + 20, top, _SIDE_PX - 20, PLAN_HEIGHT_PX)
            self._draw_side(painter, step, side)
        return image

    def _laid_out(self) -> _Layout:
        wide = WIDTH_PX - 2 * _MARGIN_PX
        head = math.ceil(height_of(self._head, wide)) + 4
        first = self._strip(self.shown.replay, 0, wide) if self._strip is not None else None
        return _Layout(head, 0 if first is None else len(first) + 10)

    def _draw_strip(self, painter: QPainter, step: int, top: float) -> None:
        wide = WIDTH_PX - 2 * _MARGIN_PX
        pixels = None if self._strip is None else self._strip(self.shown.replay, step, wide)
        if pixels is None:
            return
        pixels = np.ascontiguousarray(pixels[: self._layout.strip_px])
        high, width, _ = pixels.shape
        strip = QImage(pixels.data, width, high, 3 * width, QImage.Format.Format_RGB888)
        painter.drawImage(QPointF(_MARGIN_PX, top), strip)

    def _draw_plans(self, painter: QPainter, step: int | None, area: QRectF) -> None:
        replay, content = self.shown.replay, self._sheet.content
        painter.setPen(QColor(LIGHT.border))
        painter.setBrush(QColor(LIGHT.panel))
        painter.drawRect(area)
        if self._sheet.is_empty:
            note = TextBlock("No plan: the run has no places without its graph.", LIGHT.muted)
            draw_blocks(painter, [note], area.adjusted(16, 16, -16, -16))
            return
        at = len(replay) - 1 if step is None else min(step, len(replay) - 1)
        storeys = [content.storey_at(at)]
        if step is None:
            touched = [*content.step_storeys.tolist(), *content.reference_storeys.tolist()]
            storeys = sorted(set(touched) or {0})[:_MOST_STOREYS]
        wide = area.width() / len(storeys)
        for number, storey in enumerate(storeys):
            part = QRectF(area.left() + number * wide, area.top(), wide, area.height())
            self._draw_plan(painter, storey, at, part, has_options=step is not None)

    def _draw_plan(
        self, painter: QPainter, storey: int, step: int, area: QRectF, *, has_options: bool
    ) -> None:
        size = QSize(int(area.width()) - 2, int(area.height()) - 2)
        ground = self._ground(storey, size)
        painter.save()
        painter.setClipRect(area)
        painter.translate(area.topLeft() + QPointF(1.0, 1.0))
        paint = replace(_paint(painter, ground.frame), width_px=float(size.width()))
        ground.paint(paint, max(step, 0), has_options=has_options)
        has_reference = len(self._sheet.content.reference_m) > 0
        paint_furnishings(
            paint, float(size.width()), float(size.height()), has_reference=has_reference
        )
        if len(self._sheet.content.storeys.levels_m) > 1:
            title = self._sheet.content.storeys.title(storey).capitalize()
            paint_label(paint, title, QPointF(0.0, 18.0), (8.0, 0.0), "text", is_bold=True)
        painter.restore()

    def _ground(self, storey: int, size: QSize) -> GroundLayer:
        key = storey, size.width()
        if key not in self._grounds:
            low, high = self._sheet.bounds_m()
            frame = frame_around(low, high, float(size.width()), float(size.height()))
            ground = empty_picture(size, 1.0, QColor(LIGHT.panel))
            self._grounds[key] = ground_layer(
                self._sheet, storey, frame, ground, _paint, self._image
            )
        return self._grounds[key]

    def _draw_side(self, painter: QPainter, step: int | None, area: QRectF) -> None:
        metrics = metric_blocks(self.shown)
        low = height_of(metrics, area.width())
        told = run_blocks(self.shown) if step is None else step_blocks(self.shown, step)
        draw_blocks(painter, told, area.adjusted(0, 0, 0, -low - 12))
        draw_blocks(painter, metrics, QRectF(area.left(), area.bottom() - low, area.width(), low))


def _paint(painter: QPainter, frame: MapFrame) -> MapPaint:
    font = QFont()
    font.setPixelSize(_TEXT_PX)
    return MapPaint(painter, frame, LIGHT, font, 1.0)
