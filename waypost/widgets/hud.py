"""What a driver needs to see over the scene, and what to do when the engine has died."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from waypost.widgets.parts import button, keycap, label, set_property

_MARGIN_PX = 12
_SIDE_PX = 110
"""Controls stand at the sides of a stage; a banner leaves them free."""


@dataclass(frozen=True, slots=True)
class HudValues:
    """What one moment of driving looks like to the driver."""

    speed_mps: float = 0.0
    step_met_m: float = 0.0
    """Height of the step under the agent now; 0 for none."""

    step_limit_m: float = 0.0
    displacement_m: float = 0.0
    """How far obstacles have held the agent back or aside so far."""

    clearance_m: float | None = None
    """To the nearest obstacle; ``None`` if there is none near."""

    blocked_by: str = ""
    """In words, e.g. ``stairs``; empty for nothing."""

    is_falling: bool = False


def hud_rows(values: HudValues) -> tuple[tuple[str, str, str], ...]:
    """Name, value and role of each line of the display."""
    step_role = "error" if values.step_met_m > values.step_limit_m else ""
    step = f"{values.step_met_m * 100:.1f} of {values.step_limit_m * 100:.1f} cm"
    strict_limit_m = 0.1
    pushed_role = "error" if values.displacement_m >= strict_limit_m else ""
    clearance = "–" if values.clearance_m is None else f"{values.clearance_m * 100:.0f} cm"
    return (
        ("speed", f"{values.speed_mps:.2f} m/s", ""),
        ("step met", step, step_role),
        ("displacement", f"{values.displacement_m * 100:.1f} cm", pushed_role),
        ("nearest", clearance, ""),
    )


class Hud(QObject):
    """Cards over a stage: badge above, values and keys below, a banner when the engine dies.

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
        self._badge_text.setWordWrap(False)
        self._badge.body.addWidget(self._badge_text)
        self._notice = _Card(stage, "message")
        set_property(self._notice, "level", "warning")
        self._notice_text = label("", "warning")
        self._notice_text.setWordWrap(False)
        self._notice.body.addWidget(self._notice_text)
        self._values = _Card(stage)
        self._cells: list[tuple[QLabel, QLabel]] = []
        self._state = label("", "error")
        self._state.setWordWrap(False)
        self._build_values()
        self._legend = _Card(stage)
        self._legend_row = QHBoxLayout()
        self._legend_row.setSpacing(6)
        self._legend.body.addLayout(self._legend_row)
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
        while self._legend_row.count():
            item = self._legend_row.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for key, meaning in keys:
            text = label(meaning, "muted")
            text.setWordWrap(False)
            self._legend_row.addWidget(keycap(key))
            self._legend_row.addWidget(text)
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
        if self._state.text() != state:
            self._state.setText(state)
            self._state.setVisible(bool(state))

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
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(2)
        for number, (name, _, _) in enumerate(hud_rows(HudValues())):
            key, cell = label(name, "muted"), label("")
            for made in (key, cell):
                made.setWordWrap(False)
            cell.setAlignment(Qt.AlignmentFlag.AlignRight)
            cell.setMinimumWidth(cell.fontMetrics().horizontalAdvance("100.0 of 100.0 cm"))
            grid.addWidget(key, number, 0)
            grid.addWidget(cell, number, 1)
            self._cells.append((key, cell))
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
        for card in (self._badge, self._notice, self._values, self._legend):
            card.fit()
        self._badge.move(QPoint((width - self._badge.width()) // 2, _MARGIN_PX))
        below_badge = self._badge.height() + 2 * _MARGIN_PX
        self._notice.move((width - self._notice.width()) // 2, below_badge)
        right_most = width - self._legend.width() - _MARGIN_PX
        beside_corner = min(self._corner.width() + _MARGIN_PX, right_most)
        legend_x = max(_MARGIN_PX, beside_corner, (width - self._legend.width()) // 2)
        self._legend.move(legend_x, height - self._legend.height() - _MARGIN_PX)
        above = min(self._legend.y(), height - self._corner.height())
        self._values.move(_MARGIN_PX, above - self._values.height() - _MARGIN_PX)
        banner_width = min(width - 2 * _SIDE_PX, 640)
        self._banner.fit(banner_width)
        self._banner.move((width - banner_width) // 2, below_badge)
        for card in (self._badge, self._notice, self._values, self._legend, self._banner):
            card.raise_()

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

    def fit(self, width_px: int | None = None) -> None:
        """Take the size of the content, at a width if one is given."""
        self.ensurePolished()
        self.body.activate()
        hint = self.body.totalSizeHint()
        if width_px is None:
            self.resize(hint)
        else:
            self.resize(width_px, max(hint.height(), self.body.totalHeightForWidth(width_px)))
