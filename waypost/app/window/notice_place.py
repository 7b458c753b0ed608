"""Where notices lie: over the foot of what fills the window, so that nothing else moves."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtWidgets import QWidget

from waypost.widgets.parts import STAYS_IN_VIEW

_MARGIN_PX: Final = 10
_GAP_PX: Final = 6
_LEAST_LETTERS: Final = 56
_MOST_LETTERS: Final = 96
"""Widths of a notice, in letters of the text in force."""

_GEOMETRY: Final = frozenset(
    {QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide}
)

_DIRECT: Final = Qt.FindChildOption.FindDirectChildrenOnly


class NoticePlace(QObject):
    """Keeps notices above one another over the foot of a part of the window.

    They are children of the window's middle widget, in no layout: what they cover stays as it is.
    They lie above or beside what stays in view, such as the keys of whoever drives.

    Args:
        host: What they are children of.
        anchors: Over the foot of the first that is shown and wide enough, else of the last.
        notices: From the lowest up.
    """

    def __init__(
        self, host: QWidget, anchors: tuple[QWidget, ...], notices: tuple[QWidget, ...]
    ) -> None:
        super().__init__(host)
        self._host, self._anchors, self._notices = host, anchors, notices
        for notice in notices:
            notice.setParent(host)
            notice.hide()
            notice.installEventFilter(self)
        for watched in (host, *anchors):
            watched.installEventFilter(self)

    def place(self) -> None:
        """Put those that are shown where they belong."""
        foot, letter_px = self._foot(), self._letter_px()
        bottom_px = foot.bottom() + 1 - _MARGIN_PX
        for notice in self._notices:
            if notice.isHidden():
                continue
            width_px = min(foot.width() - 2 * _MARGIN_PX, _MOST_LETTERS * letter_px)
            height_px = notice.heightForWidth(width_px)
            height_px = max(height_px, notice.minimumSizeHint().height())
            height_px = min(height_px, bottom_px - foot.top())
            left_px = foot.left() + (foot.width() - width_px) // 2
            place = QRect(left_px, bottom_px - height_px, width_px, height_px)
            if notice.geometry() != place:
                notice.setGeometry(place)
            notice.raise_()
            bottom_px -= height_px + _GAP_PX

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the window, and the text of a notice."""
        is_moved = event.type() in _GEOMETRY
        is_other_text = event.type() is QEvent.Type.LayoutRequest and watched in self._notices
        if is_moved or is_other_text:
            self.place()
        return super().eventFilter(watched, event)

    def _letter_px(self) -> int:
        return max(1, self._host.fontMetrics().averageCharWidth())

    def _foot(self) -> QRect:
        least_px = _LEAST_LETTERS * self._letter_px()
        fitting = (a for a in self._anchors if a.isVisible() and a.width() >= least_px)
        anchor = next(fitting, self._anchors[-1])
        foot = QRect(anchor.mapTo(self._host, anchor.rect().topLeft()), anchor.size())
        middle_px = foot.center().x()
        for card in anchor.findChildren(QWidget, options=_DIRECT):
            if not card.property(STAYS_IN_VIEW):
                continue
            card.installEventFilter(self)
            taken = QRect(card.mapTo(self._host, card.rect().topLeft()), card.size())
            if card.isHidden():
                continue
            if taken.left() <= middle_px <= taken.right():
                foot.setBottom(min(foot.bottom(), taken.top()))
            elif taken.right() < middle_px and foot.right() - taken.right() >= least_px:
                foot.setLeft(max(foot.left(), taken.right()))
        return foot
