"""The map of a replay in the window: where the agent went, was to go and could go, per storey."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from waypost.domain.base.visible_text import plain_tip
from waypost.domain.replay.map import Point
from waypost.domain.replay.replay import Replay
from waypost.domain.scene.occupancy_map import OccupancyMap
from waypost.services.theme_in_force import tokens_in_force
from waypost.viewers.map.content import EdgeMark, OtherRun
from waypost.viewers.map.controls import MapControls
from waypost.viewers.map.frame import MapFrame, frame_around
from waypost.viewers.map.furnishings import paint_furnishings
from waypost.viewers.map.layers import GroundLayer, empty_picture, ground_layer
from waypost.viewers.map.painting import MapPaint, occupancy_image
from waypost.viewers.map.sheet import MapBackground, MapSheet, map_sheet

_REACH_PX: Final = 12.0
_DRAG_PX: Final = 4
_ZOOM_STEP: Final = 1.2
_BASE_TEXT_PX: Final = 13
_GAP_PX: Final = 8
_SETTLE_MS: Final = 120
"""After the last turn of the wheel, until the map is painted anew at its new size."""

_NO_EPISODE: Final = "No episode is chosen."
_MOST_CORNERS: Final = 1_000
"""Of a path that are painted in one turn of the event loop; a longer one grows over a few."""


class MapView(QWidget):
    """A map of one replay with a cursor: the wheel zooms, dragging pushes the map along."""

    step_chosen = Signal(int)
    """A step whose place was clicked; another click on the same place goes to the next visit."""

    viewpoint_chosen = Signal(str)
    """A viewpoint that was clicked."""

    storey_changed = Signal()
    """Another storey is shown, or the map follows the agent again, or no more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Map of the run")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 180)
        # It fills itself; what lies under it need not be painted first.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._sheet: MapSheet | None = None
        self._step = 0
        self._pinned: int | None = None
        self._frame = MapFrame(20.0, 0.0, 0.0)
        self._is_fitted = True
        self._pressed_at: QPointF | None = None
        self._dragged_from: QPointF | None = None
        self._ground: GroundLayer | None = None
        self._image: QImage | None = None
        self._settling = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settling.timeout.connect(self.update)
        self._growing = QTimer(self, singleShot=True, interval=0)
        self._growing.timeout.connect(self.update)
        self._controls = MapControls(self)
        self._controls.storey_stepped.connect(self.step_storey)
        self._controls.follow_chosen.connect(self.follow_agent)
        self._controls.fit_chosen.connect(self.fit)
        self._show_state()

    @property
    def storey(self) -> int:
        """The storey shown, from 0, the lowest."""
        if self._pinned is not None or self._sheet is None:
            return self._pinned or 0
        return self._sheet.content.storey_at(self._step)

    @property
    def storey_count(self) -> int:
        """How many storeys there are; 0 without a run."""
        return len(self._sheet.content.storeys.levels_m) if self._sheet else 0

    def set_replay(
        self,
        replay: Replay | None,
        background: MapBackground | None = None,
        *,
        is_path: bool = False,
    ) -> None:
        """Show a run from its start, fitted into the view.

        Args:
            replay: ``None`` empties the view.
            background: The scene or map under it; the graph alone without.
            is_path: Whether the run stands for a path alone; see ``MapSheet``.
        """
        self._sheet = None if replay is None else map_sheet(replay, background, is_path=is_path)
        self._image = None
        self._step, self._pinned = 0, None
        self._show_state()
        self.fit()

    def set_step(self, step: int) -> None:
        """Move the cursor; one beyond the ends stands at the end."""
        if self._sheet is None:
            return
        storey, before = self.storey, self._step
        self._step = max(0, min(step, len(self._sheet.content.replay) - 1))
        if self.storey != storey:
            self._show_storey()
            return
        self._describe()
        ground = self._ground
        if ground is None or ground.frame != self._frame or self._sheet.others:
            self.update()
        else:
            paint = self._paint_with(QPainter(), self._frame)
            self.update(ground.part_between(paint, before, self._step))

    def set_walker(self, at: Point | None, yaw_rad: float = 0.0) -> None:
        """Show who walks along a path, at any place of it; ``None`` shows nobody."""
        if self._sheet is not None:
            walker = None if at is None else (at, yaw_rad)
            self._sheet = replace(self._sheet, walker=walker)
            self.update()

    def set_others(self, others: Sequence[OtherRun | tuple[str, Replay, int]]) -> None:
        """Show other runs of the episode beside, with dashes and letters from B on.

        Args:
            others: Title, replay and step of each; when only steps change, give the same replays.
        """
        if self._sheet is None:
            return
        before = [other.replay for other in self._sheet.others]
        self._sheet = self._sheet.with_others(tuple(OtherRun(*other) for other in others))
        if [other.replay for other in self._sheet.others] != before:
            self._ground = None
            if self._is_fitted:
                self.fit()
        self._describe()
        self.update()

    def set_edge_marks(self, marks: Sequence[EdgeMark]) -> None:
        """Show what an agent's ground truth says about edges."""
        if self._sheet is not None:
            self._sheet = self._sheet.with_edge_marks(tuple(marks))
            self._forget_ground()

    def step_storey(self, delta: int) -> None:
        """Show a storey further up (positive) or down and stay there."""
        if self._sheet is not None:
            self._pinned = min(max(self.storey + delta, 0), self.storey_count - 1)
            self._show_storey()

    def follow_agent(self, is_followed: bool = True) -> None:
        """Show the agent's storey from now on, or stay at the one shown."""
        self._pinned = None if is_followed else self.storey
        self._show_storey()

    def fit(self) -> None:
        """Show reference, runs and goals as large as it goes, and nothing of them under buttons."""
        self._is_fitted = True
        if self._sheet is not None:
            low, high = self._sheet.bounds_m()
            width_px, height_px = float(self.width()), float(self.height())
            frame = frame_around(low, high, width_px, height_px)
            right_px, top_px = frame.to_pixel(high)
            buttons = self._controls.geometry()
            if right_px > buttons.left() and top_px < buttons.bottom():
                below_px = buttons.bottom() + 1.0
                frame = frame_around(low, high, width_px, height_px - below_px).moved(0.0, below_px)
            self._set_frame(frame)

    def zoom_by(self, factor: float, about_px: Point | None = None) -> None:
        """Larger or smaller about a pixel, the middle without."""
        self._is_fitted = False
        middle = (self.width() / 2, self.height() / 2)
        self._set_frame(self._frame.zoomed(factor, about_px or middle))

    def text_at(self, pixel: Point) -> str:
        """What a tooltip says there; empty where there is nothing."""
        if self._sheet is None:
            return ""
        point, reach_m = self._frame.to_metres(pixel), _REACH_PX / self._frame.scale
        return self._sheet.text_at(point, reach_m, self.storey)

    def sizeHint(self) -> QSize:
        """Large enough for a house."""
        return QSize(640, 480)

    def event(self, event: QEvent) -> bool:
        """Say what is under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = self.text_at((float(event.pos().x()), float(event.pos().y())))
            QToolTip.showText(event.globalPos(), plain_tip(text), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Paint anew in another theme or text size."""
        kinds = {QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange}
        if event.type() in kinds:
            self._image = None
            self._forget_ground()
            self._place_controls()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stay fitted, or keep the middle in the middle."""
        self._place_controls()
        if self._is_fitted:
            self.fit()
        elif event.oldSize().isValid():
            gap = event.size() - event.oldSize()
            self._set_frame(self._frame.moved(gap.width() / 2, gap.height() / 2))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        if event.button() in {Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton}:
            self._pressed_at, self._dragged_from = event.position(), None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Push the map along."""
        now = event.position()
        if self._pressed_at is None:
            return
        last = self._dragged_from
        if last is None and (now - self._pressed_at).manhattanLength() <= _DRAG_PX:
            return
        last = last or self._pressed_at
        self._is_fitted = False
        self._set_frame(self._frame.moved(now.x() - last.x(), now.y() - last.y()))
        self._dragged_from = now

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose what was clicked, or end a drag."""
        was_click = self._pressed_at is not None and self._dragged_from is None
        self._pressed_at = self._dragged_from = None
        self.update()
        if was_click and event.button() is Qt.MouseButton.LeftButton:
            self._choose((event.position().x(), event.position().y()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the pointer."""
        turns = event.angleDelta().y() / 120.0
        if turns:
            at = event.position()
            self._settling.start()
            self.zoom_by(_ZOOM_STEP**turns, (at.x(), at.y()))
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what stays from its picture, the rest anew."""
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), QColor(tokens_in_force().panel))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self._sheet is None or self._sheet.is_empty:
                _paint_nothing(painter, self.rect(), _why_nothing(self._sheet))
                return
            ground = self._painted_ground(self._sheet)
            painter.save()
            _bring(painter, ground.frame, self._frame)
            paint = self._paint_with(painter, ground.frame)
            if ground.frame == self._frame:
                paint = replace(paint, exposed=QRectF(event.rect()))
            if not ground.paint(paint, self._step, most_corners=_MOST_CORNERS):
                self._growing.start()
            painter.restore()
            has_reference = len(self._sheet.content.reference_m) > 0
            size = float(self.width()), float(self.height())
            paint = replace(self._paint_with(painter, self._frame), exposed=QRectF(event.rect()))
            has_run = not self._sheet.is_path
            paint_furnishings(paint, *size, has_reference=has_reference, has_run=has_run)
            self._sheet.paint_titles(paint, self._controls.geometry().bottom() + 6.0, size[1])

    def _painted_ground(self, sheet: MapSheet) -> GroundLayer:
        """The picture under the run; while the map moves under a hand it is moved as it is."""
        ratio = self.devicePixelRatioF()
        ground = self._ground
        if ground is not None and ground.picture.size() == self.size() * ratio:
            is_moving = self._dragged_from is not None or self._settling.isActive()
            if is_moving or ground.frame == self._frame:
                ground.sheet = sheet
                return ground
        picture = empty_picture(self.size() * ratio, ratio, QColor(tokens_in_force().panel))
        if isinstance(sheet.background, OccupancyMap) and self._image is None:
            self._image = occupancy_image(sheet.background, tokens_in_force())
        self._ground = ground_layer(
            sheet, self.storey, self._frame, picture, self._paint_with, self._image
        )
        return self._ground

    def _paint_with(self, painter: QPainter, frame: MapFrame) -> MapPaint:
        unit = self.fontInfo().pixelSize() / _BASE_TEXT_PX
        width = float(self.width())
        return MapPaint(painter, frame, tokens_in_force(), self.font(), unit, width)

    def _choose(self, pixel: Point) -> None:
        if self._sheet is None:
            return
        content, storey = self._sheet.content, self.storey
        point, reach_m = self._frame.to_metres(pixel), _REACH_PX / self._frame.scale
        if name := content.node_near(point, reach_m, storey):
            self.viewpoint_chosen.emit(name)
        step = content.step_near(point, reach_m, storey, self._step)
        if step is not None:
            self.step_chosen.emit(step)

    def _set_frame(self, frame: MapFrame) -> None:
        self._frame = frame
        self.update()

    def _forget_ground(self) -> None:
        self._ground = None
        self.update()

    def _show_storey(self) -> None:
        self._show_state()
        self.storey_changed.emit()

    def _show_state(self) -> None:
        self._forget_ground()
        title = self._sheet.content.storeys.title(self.storey) if self._sheet else ""
        self._controls.show_storey(
            title,
            self.storey,
            self.storey_count,
            is_pinned=self._pinned is not None,
            has_agent=self._sheet is None or not self._sheet.is_path,
        )
        self._controls.setVisible(self._sheet is not None)
        self._place_controls()
        self._describe()

    def _place_controls(self) -> None:
        self._controls.fit_into(self.width() - 2 * _GAP_PX)
        self._controls.move(self.width() - self._controls.width() - _GAP_PX, _GAP_PX)

    def _describe(self) -> None:
        self.setAccessibleDescription(_description(self._sheet, self._step, self.storey))


def _bring(painter: QPainter, made: MapFrame, wanted: MapFrame) -> None:
    """Show what was painted in one frame where another one has it."""
    scale = wanted.scale / made.scale
    painter.translate(wanted.x_px - made.x_px * scale, wanted.y_px - made.y_px * scale)
    painter.scale(scale, scale)


def _description(sheet: MapSheet | None, step: int, storey: int) -> str:
    if sheet is None or sheet.is_empty or not len(sheet.content.replay):
        return _why_nothing(sheet)
    return sheet.description(step, storey)


def _why_nothing(sheet: MapSheet | None) -> str:
    if sheet is None:
        return _NO_EPISODE
    if sheet.content.replay.why_no_path:
        return sheet.content.replay.why_no_path
    run = sheet.content.replay.run
    if run.answer.agent_key and not len(run.route):
        return "The answer names no route."
    return (
        "This run has no places.\n"
        "Give the folder of the scans' connectivity files to see where it went."
    )


def _paint_nothing(painter: QPainter, rect: QRect, text: str) -> None:
    painter.setPen(QColor(tokens_in_force().muted))
    room = QRectF(rect).adjusted(16, 16, -16, -16)
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(room, int(flags), text)
