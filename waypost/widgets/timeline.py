"""Time, along the foot of the window: play, speed, and a strip of steps to go along."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QSizePolicy, QWidget

from waypost.services.replay.playback import SPEEDS
from waypost.widgets.parts import button, shortened
from waypost.widgets.timeline_content import (
    TIMELINE_SIGNS,
    TimelineContent,
    TimelineKind,
    TimelineMark,
    TimelineSign,
    TimelineSpan,
    clock_text,
    sign_of,
)
from waypost.widgets.timeline_strip import TimelineStrip

__all__ = [
    "TIMELINE_SIGNS",
    "Timeline",
    "TimelineContent",
    "TimelineKind",
    "TimelineMark",
    "TimelineSign",
    "TimelineSpan",
    "clock_text",
    "sign_of",
]


class Timeline(QFrame):
    """Shows a position among steps; says what the user wants and decides nothing.

    Args:
        parent: Qt owner.
    """

    moved = Signal(int)
    """Index that the user went to."""

    play_chosen = Signal()
    """The button was pressed: play, or stop playing."""

    speed_chosen = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "strip")
        self.setAccessibleName("Time")
        self.strip = TimelineStrip()
        self.play = button("▶", "Play")
        self.play.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.speed = QComboBox()
        self.speed.setAccessibleName("Speed of playing")
        self.speed.setToolTip("Speed of playing")
        self.speed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for speed in SPEEDS:
            self.speed.addItem(f"{speed:g}×", speed)
        self._here = _Here()
        self._keys: Mapping[str, str] = {}
        self._is_playing = False
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(10, 4, 10, 4)
        self._layout.setHorizontalSpacing(6)
        self._layout.setVerticalSpacing(2)
        self._layout.addWidget(self.play, 0, 0)
        self._layout.addWidget(self.speed, 0, 1)
        self._layout.addWidget(self._here, 1, 0, 1, 2)
        self._layout.addWidget(self.strip, 0, 2, 2, 1)
        self._layout.setColumnStretch(2, 1)
        self._keep_widths()
        self.strip.moved.connect(self._on_moved)
        self.play.clicked.connect(self.play_chosen)
        self.speed.activated.connect(lambda at: self.speed_chosen.emit(SPEEDS[at]))
        self.set_speed(1.0)
        self.set_playing(False)

    @property
    def position(self) -> int:
        """Index of the cursor."""
        return self.strip.position

    @property
    def content(self) -> TimelineContent:
        """What is shown."""
        return self.strip.content

    def set_content(self, content: TimelineContent) -> None:
        """Show other steps; the cursor stays where it can. Emits nothing."""
        self.strip.set_content(content)
        self.setEnabled(content.count > 0)
        self._describe()

    def set_position(self, index: int) -> None:
        """Show the cursor at a step; emits nothing."""
        self.strip.set_position(index)
        self._describe()

    def set_playing(self, is_playing: bool) -> None:
        """Show whether it plays."""
        self._is_playing = is_playing
        self._name_play()

    def set_speed(self, speed: float) -> None:
        """Show a speed; one that is not offered shows none."""
        self.speed.setCurrentIndex(SPEEDS.index(speed) if speed in SPEEDS else -1)

    def set_play_key(self, key: str) -> None:
        """Say the key of playing beside its word."""
        self._keys = {"play": key}
        self._name_play()

    def _keep_widths(self) -> None:
        text_px = self.fontInfo().pixelSize()
        self._layout.setColumnMinimumWidth(0, round(text_px * 3.6))
        self._layout.setColumnMinimumWidth(1, round(text_px * 8.4))

    def _name_play(self) -> None:
        word, key = "Pause" if self._is_playing else "Play", self._keys.get("play", "")
        self.play.setText("❚❚" if self._is_playing else "▶")
        self.play.setAccessibleName(word)
        self.play.setToolTip(f"{word} ({key})" if key else word)

    def _on_moved(self, index: int) -> None:
        self._describe()
        self.moved.emit(index)

    def _describe(self) -> None:
        content, index = self.content, self.position
        if not content.count:
            self._here.set_text("")
            return
        things = ", ".join(dict.fromkeys(content.things_at(index, index)))
        self._here.set_text(things or f"{content.unit} {index:,} of {content.count - 1:,}")
        self.strip.setAccessibleDescription(f"{content.position_text(index)} {things}".strip())

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._keep_widths()


class _Here(QWidget):
    """A line about the step at hand, painted: a label has all around it laid out at each text."""

    def __init__(self) -> None:
        super().__init__()
        self._text = self._shown = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        """Say something else."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self._shorten()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(0, self.fontMetrics().height() + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten anew."""
        super().resizeEvent(event)
        self._shorten()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
            self._shorten()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what fits."""
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), int(flags), self._shown)
        painter.end()

    def _shorten(self) -> None:
        self._shown = shortened(self, self._text, Qt.TextElideMode.ElideRight, self.width())
        self.update()
