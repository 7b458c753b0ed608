"""Choosing the agent that is labelled for, with what is done for each."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QVBoxLayout, QWidget

from waypost.domain.traverse.agent import AgentProfile
from waypost.services.agent_marks import AgentMark
from waypost.widgets.agent_glyph import paint_side_view, scale_for
from waypost.widgets.row_layouts import EqualColumns
from waypost.widgets.theme import tokens_in_force

_TILE_WIDTH_PX, _TILE_HEIGHT_PX = 38, 58
_PICTURE_HEIGHT_PX = 42
_INITIALS_PX = 10


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent and how much is labelled for it."""

    profile: AgentProfile
    mark: AgentMark
    decided: int = 0
    total: int = 0
    of_others: int = 0
    """Not decided, and not for who looks to answer now: passages that two label."""

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing left to answer for who looks."""
        return self.decided + self.of_others >= self.total


class AgentChooser(QWidget):
    """A tile per agent, all drawn to one scale, with a bar of what is decided."""

    agent_chosen = Signal(str)
    """Key of the agent the user picked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tiles: dict[str, AgentTile] = {}
        self._group = QButtonGroup(self)
        self._current = ""
        self._host = QWidget()
        self._columns = EqualColumns(6, self._host, spacing_px=4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._host)

    def set_agents(self, rows: tuple[AgentRow, ...]) -> None:
        """Show other agents or other counts."""
        keys = tuple(row.profile.key for row in rows)
        if keys != tuple(self._tiles):
            self._remake(keys)
        profiles = tuple(row.profile for row in rows)
        px_per_m = scale_for(profiles, _TILE_WIDTH_PX - 4, _PICTURE_HEIGHT_PX)
        for row in rows:
            self._tiles[row.profile.key].set_row(row, px_per_m)
        self.set_current(self._current)

    def set_current(self, key: str) -> None:
        """Show an agent as chosen; emits nothing."""
        self._current = key
        tile = self._tiles.get(key)
        if tile is not None:
            tile.setChecked(True)

    def _remake(self, keys: tuple[str, ...]) -> None:
        while self._columns.count():
            self._columns.takeAt(0)
        for tile in self._tiles.values():
            self._group.removeButton(tile)
            tile.hide()
            tile.deleteLater()
        self._tiles = {key: AgentTile() for key in keys}
        for key, tile in self._tiles.items():
            tile.clicked.connect(lambda _=False, key=key: self._choose(key))
            self._group.addButton(tile)
            self._columns.addWidget(tile)

    def _choose(self, key: str) -> None:
        self.set_current(key)
        self.agent_chosen.emit(key)


class AgentTile(QAbstractButton):
    """The picture of one agent over a bar of what is decided."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: AgentRow | None = None
        self._px_per_m = 20.0
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def set_row(self, row: AgentRow, px_per_m: float) -> None:
        """Show another agent or count."""
        self._row, self._px_per_m = row, px_per_m
        self.setAccessibleName(f"{row.mark.name}: {row.decided:,} of {row.total:,} decided")
        self.setToolTip(self.accessibleName())
        self.update()

    def sizeHint(self) -> QSize:
        """The same at every text scale: it has no text."""
        return QSize(_TILE_WIDTH_PX, _TILE_HEIGHT_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw ground, picture and bar."""
        if self._row is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_in_force()
        is_checked = self.isChecked()
        fill = tokens.raised_hover if self.underMouse() else tokens.raised
        edge = tokens.accent if is_checked or self.hasFocus() else tokens.border
        painter.setPen(QPen(QColor(edge), 2 if self.hasFocus() or is_checked else 1))
        painter.setBrush(QColor(tokens.selection if is_checked else fill))
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(area, 6, 6)
        colour = QColor(self._row.mark.colour(is_dark=tokens.is_dark))
        foot = QPointF(area.center().x(), area.top() + _PICTURE_HEIGHT_PX + 3)
        paint_side_view(painter, self._row.profile, foot, self._px_per_m, colour)
        font = painter.font()
        font.setPixelSize(_INITIALS_PX)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(tokens.on_selection) if is_checked else colour)
        corner = area.adjusted(4, 2, -3, 0)
        painter.drawText(corner, Qt.AlignmentFlag.AlignTop, self._row.mark.initials)
        bar = QRectF(area.left() + 5, area.bottom() - 7, area.width() - 10, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.border_strong))
        painter.drawRoundedRect(bar, 2, 2)
        share = self._row.decided / self._row.total if self._row.total else 0.0
        painter.setBrush(QColor(tokens.accent))
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * share, 4), 2, 2)
        painter.end()
