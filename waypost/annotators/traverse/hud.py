"""What a driver needs to see over the scene, and what to do when the engine has died."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from waypost.domain.traverse.passage_drive import STRICT_LIMIT_M
from waypost.widgets.key_legend import KeyLegend
from waypost.widgets.parts import STAYS_IN_VIEW, ElidedLabel, button, label, set_property

_MARGIN_PX = 12
_BESIDE_PX = 14
_SIDE_PX = 110
"""Controls stand at the sides of a stage; a banner leaves them free."""


@dataclass(frozen=True, slots=True)
class HudValues:
    """What one moment of driving looks like to the driver."""

    speed_mps: float = 0.0
    step_met_m: float = 0.0
    """Height of the step under the agent now; 0 for none."""

    step_limit_m: float = 0.0
    pushed_m: float = 0.0
    """How far obstacles have pushed the agent off its line so far."""

    clearance_m: float | None = None
    """To the nearest obstacle; ``None`` if there is none near."""

    blocked_by: str = ""
    """In words, e.g. ``stairs``; empty for nothing."""

    is_falling: bool = False
    has_reached: bool = False
    """Whether the target is reached: then the numbers stay as they are."""


def hud_rows(values: HudValues) -> tuple[tuple[str, str, str], ...]:
    """Name, value and role of each line of the display."""
    step_role = "error" if values.step_met_m > values.step_limit_m else ""
    step = f"{values.step_met_m * 100:.1f} of {values.step_limit_m * 100:.1f} cm"
    pushed_role = "error" if values.pushed_m >= STRICT_LIMIT_M else ""
    clearance = "–" if values.clearance_m is None else f"{values.clearance_m * 100:.0f} cm"
    return (
        ("speed", f"{values.speed_mps:.2f} m/s", ""),
        ("step met", step, step_role),
        ("pushed off", f"{values.pushed_m * 100:.1f} cm", pushed_role),
        ("nearest", clearance, ""),
    )


class Hud(QObject):
    """Cards over a stage: badge above, values and keys below, a banner when the engine dies.

    Where the stage is too low for all, the keys give way, and the values to a notice.
    Only the banner takes the mouse; nothing takes the keyboard while the user drives.
    """

    restart_chosen = Signal()
    """The user wants the engine started again."""

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self._stage = stage
        self._corner = QSize(0, 0)
        self._badge = _Card(stage, "driving")
        self._badge_text = label("", "title")
        self._badge.body.addWidget(self._badge_text)
        self._notice = _Card(stage, "message")
        set_property(self._notice, "level", "warning")
        self._notice_text = label("", "warning")
        self._notice.body.addWidget(self._notice_text)
        self._values = _Card(stage)
        self._cells: list[tuple[ElidedLabel, QLabel]] = []
        self._state = label("", "error")
        self._build_values()
        self._legend, self._keys = _Card(stage), KeyLegend()
        self._legend.setProperty(STAYS_IN_VIEW, True)
        self._legend.body.addWidget(self._keys)
        self._banner, self._banner_text = self._make_banner()
        for card in (self._badge, self._notice, self._values, self._legend, self._banner):
            card.content_changed.connect(self._place)
        stage.installEventFilter(self)

    @property
    def is_shown(self) -> bool:
        """Whether the driving display is shown."""
        return self._badge.isVisibleTo(self._stage)

    @property
    def failure(self) -> str:
        """What the banner says; empty while it is hidden."""
        return self._banner_text.text() if self._banner.isVisibleTo(self._stage) else ""

    @property
    def notice(self) -> str:
        """What the driver is told; empty while there is nothing."""
        return (
            self._notice_text.text().removeprefix("⚠ ")
            if self._notice.isVisibleTo(self._stage)
            else ""
        )

    def start(self, agent_title: str, keys: tuple[tuple[str, str], ...]) -> None:
        """Show the display.

        Args:
            agent_title: Who is driven.
            keys: Key and what it does, for the legend.
        """
        self._badge_text.setText(f"● DRIVING  {agent_title}   ·   Esc stops")
        self._keys.set_keys(keys)
        self.set_values(HudValues())
        for card in (self._badge, self._values, self._legend):
            card.show()
        self._place()

    def set_values(self, values: HudValues) -> None:
        """Show another moment."""
        for (_, cell), (_, text, role) in zip(self._cells, hud_rows(values), strict=True):
            if cell.text() != text:
                cell.setText(text)
            set_property(cell, "role", role)
        state = "✕ falling" if values.is_falling else ""
        if values.blocked_by:
            state = f"✕ stopped by {values.blocked_by}"
        if values.has_reached:
            state = "✓ reached; measuring has stopped"
        if self._state.text() != state:
            self._state.setText(state)
            set_property(self._state, "role", "good" if values.has_reached else "error")
            self._state.setVisible(bool(state))
            self._place()

    def stop(self) -> None:
        """Take the display away."""
        for card in (self._badge, self._notice, self._values, self._legend):
            card.hide()

    def set_notice(self, sentence: str) -> None:
        """Tell the driver something; an empty sentence takes it away."""
        if sentence != self.notice:
            self._notice_text.setText(f"⚠ {sentence}" if sentence else "")
            self._notice.setVisible(bool(sentence))
            self._place()

    def keep_corner_free(self, size: QSize) -> None:
        """Leave the lower left corner of the stage to something else."""
        self._corner = size
        self._place()

    def set_failure(self, sentence: str) -> None:
        """Say that the engine has died; an empty sentence takes the banner away."""
        self._banner_text.setText(sentence)
        self._banner.setVisible(bool(sentence))
        self._place()

    def _build_values(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(_BESIDE_PX)
        grid.setVerticalSpacing(2)
        for number, (name, _, _) in enumerate(hud_rows(HudValues())):
            key, cell = ElidedLabel(name), label("")
            key.setProperty("role", "muted")
            cell.setWordWrap(False)
            cell.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(key, number, 0)
            grid.addWidget(cell, number, 1)
            self._cells.append((key, cell))
        grid.setColumnStretch(1, 1)
        self._values.body.addLayout(grid)
        self._values.body.addWidget(self._state)
        self._state.hide()

    def _make_banner(self) -> tuple[_Card, QLabel]:
        banner = _Card(self._stage, "message", takes_mouse=True)
        banner.setAccessibleName("The physics engine has stopped")
        set_property(banner, "level", "error")
        text = label("")
        restart = button("Restart the engine", role="primary")
        restart.clicked.connect(self.restart_chosen)
        close = button("✕", "Close the message")
        close.setToolTip("Close; labelling works without the engine")
        close.clicked.connect(lambda: self.set_failure(""))
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(label("✕", "error"))
        row.addWidget(text, 1)
        row.addWidget(restart)
        row.addWidget(close)
        banner.body.addLayout(row)
        return banner, text

    def _place(self) -> None:
        width, height = self._stage.width(), self._stage.height()
        most_px = width - 2 * _MARGIN_PX
        self._badge.fit(min(most_px, self._badge.width_for(self._badge_text)))
        self._notice.fit(min(most_px, self._notice.width_for(self._notice_text)))
        self._values.fit(min(most_px, self._values_px()))
        beside_px = most_px - self._corner.width()
        most_px = beside_px if beside_px * 2 > width else most_px
        self._legend.fit(min(most_px, self._keys.row_width_px + self._legend.sides_px))
        self._badge.move(QPoint((width - self._badge.width()) // 2, _MARGIN_PX))
        below_badge = self._badge.height() + 2 * _MARGIN_PX
        self._notice.move((width - self._notice.width()) // 2, below_badge)
        right_most = width - self._legend.width() - _MARGIN_PX
        beside_corner = min(self._corner.width() + _MARGIN_PX, right_most)
        legend_x = max(_MARGIN_PX, beside_corner, (width - self._legend.width()) // 2)
        self._legend.move(legend_x, height - self._legend.height() - _MARGIN_PX)
        top = below_badge
        if not self._notice.isHidden():
            top += self._notice.height() + _MARGIN_PX
        needed = top + self._values.height() + _MARGIN_PX
        self._legend.setVisible(self.is_shown and needed <= self._legend.y())
        legend_top = height if self._legend.isHidden() else self._legend.y()
        above = min(legend_top, height - self._corner.height())
        self._values.move(_MARGIN_PX, max(above - self._values.height() - _MARGIN_PX, top))
        self._values.setVisible(self.is_shown and needed <= height)
        banner_width = min(width - 2 * _SIDE_PX, 640)
        self._banner.fit(banner_width)
        self._banner.move((width - banner_width) // 2, below_badge)
        for card in (self._badge, self._notice, self._values, self._legend, self._banner):
            card.raise_()

    def _values_px(self) -> int:
        """Wide enough for all values that may come, so that nothing moves while they change."""
        measured = self._state.fontMetrics().horizontalAdvance
        names = max(measured(key.full_text) for key, _ in self._cells)
        row_px = names + measured("100.0 of 100.0 cm") + _BESIDE_PX
        return row_px + self._values.sides_px

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the stage."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)


class _Card(QFrame):
    """A card over the stage."""

    content_changed = Signal()
    """The content needs another size."""

    def __init__(self, stage: QWidget, role: str = "card", *, takes_mouse: bool = False) -> None:
        super().__init__(stage)
        self.setProperty("role", role)
        if not takes_mouse:
            self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(12, 7, 12, 7)
        self.hide()

    def event(self, event: QEvent) -> bool:
        """Notice that the content needs another size."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.content_changed.emit()
        return handled

    @property
    def sides_px(self) -> int:
        """Around the content, left and right together."""
        margins = self.body.contentsMargins()
        return margins.left() + margins.right() + 2 * self.frameWidth()

    def width_for(self, text: QLabel) -> int:
        """How wide it is with a text of its own on one line."""
        text.ensurePolished()
        return text.fontMetrics().horizontalAdvance(text.text()) + 4 + self.sides_px

    def fit(self, width_px: int) -> None:
        """Take the height of the content at a width."""
        self.ensurePolished()
        self.body.activate()
        height_px = self.body.totalSizeHint().height()
        if self.body.hasHeightForWidth():
            height_px = self.body.totalHeightForWidth(width_px)
        self.resize(width_px, height_px)
