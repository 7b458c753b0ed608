"""One picture as large as its room lets it be, under its title; words where there is none."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from waypost.domain.base.visible_text import plain_tip
from waypost.services.theme_in_force import tokens_in_force

_PAD_PX = 4


class PictureBox(QWidget):
    """Shows a picture; what it has no picture for it says.

    Args:
        name: What the picture is of, for screen readers.
        title: Written into its corner; empty for nothing.
        least: The smallest size in which something can be made out.
    """

    resized = Signal()
    """A picture of another size would fit better."""

    def __init__(
        self, name: str, title: str = "", least: QSize | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._title, self._least = title, least or QSize(96, 64)
        self._image: QImage | None = None
        self._words = ""
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def image(self) -> QImage | None:
        """What is shown."""
        return self._image

    @property
    def words(self) -> str:
        """What is said instead; empty beside a picture."""
        return "" if self._image is not None else self._words

    def picture_px(self) -> tuple[int, int]:
        """Width and height of a picture that fits, device pixels; never higher than 3:4 of it."""
        ratio = self.devicePixelRatioF()
        width = max(int(self.width() * ratio), 16)
        return width, max(min(int(self.height() * ratio), width * 3 // 4), 16)

    def set_picture(self, image: QImage | None, words: str = "") -> None:
        """Show a picture, or words where there is none."""
        if image is self._image and words == self._words:
            return
        self._image, self._words = image, words
        self.setAccessibleDescription(self.words)
        self.setToolTip(plain_tip(self.words))
        self.update()

    def sizeHint(self) -> QSize:
        """Twice the least."""
        return self._least * 2

    def minimumSizeHint(self) -> QSize:
        """The smallest size in which something can be made out."""
        return self._least

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say so: the picture is scaled until one of this size is there."""
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - painted whole
        """Paint the picture, or the words, and the title over them."""
        tokens = tokens_in_force()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(tokens.field))
            if self._image is not None:
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(self._fitted(self._image), self._image)
            elif self._words:
                painter.setPen(QColor(tokens.muted))
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(self.rect().adjusted(8, 8, -8, -8), int(flags), self._words)
            if self._title:
                self._paint_title(painter)

    def _fitted(self, image: QImage) -> QRect:
        size = image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRect(0, 0, size.width(), size.height())
        place.moveCenter(self.rect().center())
        return place

    def _paint_title(self, painter: QPainter) -> None:
        tokens = tokens_in_force()
        box = painter.fontMetrics().boundingRect(self._title)
        room = QRect(_PAD_PX, _PAD_PX, box.width() + 2 * _PAD_PX, box.height() + 2)
        shade = QColor(tokens.panel)
        shade.setAlphaF(0.85)
        painter.fillRect(room, shade)
        painter.setPen(QColor(tokens.text))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), self._title)
