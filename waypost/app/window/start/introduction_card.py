"""One step of the introduction as a card beside the part of the window it speaks of."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QRegion,
)
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from waypost.services.appearance import changes_text_size
from waypost.widgets.parts import button, frame, keycap, label
from waypost.widgets.row_layouts import FlowRows
from waypost.widgets.theme import tokens_in_force

LEAVE_KEY = "Esc"
_GAP_PX = 14
"""Between the card and what it points at, and around it."""

_RING_PX = 3
_LETTERS_WIDE = 46
_NARROWER = (1.0, 0.8, 0.65, 0.55, 0.45)
"""Shares of the wanted width that are tried, one after the other, where there is little room."""

_PRESS_KEYS = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


@dataclass(frozen=True, slots=True)
class KeyRow:
    """What some keys do."""

    keys: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class IntroductionPage:
    """What the card says at one step."""

    number: int
    """From 1."""

    count: int
    title: str
    text: str
    """One or two sentences."""

    key_rows: tuple[KeyRow, ...] = ()
    next_key: str = ""
    back_key: str = ""
    next_text: str = ""
    """On the button that goes on; empty for “Next”, and at the end “Finish”."""

    waits: bool = False
    """Whether it goes on by itself, so that no button does."""

    goes_back: bool = True

    @property
    def spoken(self) -> str:
        """The page as a screen reader reads it."""
        rows = [f"{' or '.join(row.keys)}: {row.words}." for row in self.key_rows]
        return " ".join((f"{self.number} of {self.count}. {self.title}.", self.text, *rows))


def place_beside(card: QSize, targets: Sequence[QRect], room: QRect) -> tuple[QPoint, int]:
    """Where a card covers as little as possible of what it points at.

    Args:
        card: Its size, in pixels.
        targets: What it points at; may be none.
        room: What it must stay in.

    Returns:
        Its upper left corner, and how many square pixels of the targets it covers there.
    """
    spots = [spot for target in targets for spot in _spots_beside(card, target)]
    corner = QPoint(room.right() + 1 - card.width(), room.bottom() + 1 - card.height())
    centre = QPoint((room.left() + corner.x()) // 2, (room.top() + corner.y()) // 2)
    left, top = room.left(), room.top()
    spots += [
        centre,
        QPoint(left, corner.y()),
        corner,
        QPoint(corner.x(), top),
        room.topLeft(),
        QPoint(centre.x(), corner.y()),
        QPoint(centre.x(), top),
    ]

    def covered(spot: QPoint) -> int:
        parts = (QRect(spot, card) & target for target in targets)
        return sum(part.width() * part.height() for part in parts)

    inside = [_clamped(spot, card, room) for spot in spots]
    best = min(inside, key=covered)
    return best, covered(best)


def _spots_beside(card: QSize, target: QRect) -> tuple[QPoint, ...]:
    right, below = target.right() + 1 + _GAP_PX, target.bottom() + 1 + _GAP_PX
    before, above = target.left() - _GAP_PX - card.width(), target.top() - _GAP_PX - card.height()
    middle = target.center().y() - card.height() // 2
    return (
        QPoint(right, middle),
        QPoint(before, middle),
        QPoint(target.left(), below),
        QPoint(target.right() + 1 - card.width(), below),
        QPoint(target.left(), above),
        QPoint(target.right() + 1 - card.width(), above),
    )


def _clamped(spot: QPoint, card: QSize, room: QRect) -> QPoint:
    x = max(min(spot.x(), room.right() + 1 - card.width()), room.left())
    y = max(min(spot.y(), room.bottom() + 1 - card.height()), room.top())
    return QPoint(x, y)


class Outline(QWidget):
    """A ring around a part of the window; the mouse goes through it."""

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self._host = host
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, target: QRect) -> None:
        """Stand around a rectangle of the host."""
        around = target.adjusted(-_RING_PX, -_RING_PX, _RING_PX, _RING_PX) & self._host.rect()
        self.setGeometry(around)
        inner = self.rect().adjusted(_RING_PX, _RING_PX, -_RING_PX, -_RING_PX)
        self.setMask(QRegion(self.rect()).subtracted(QRegion(inner)))
        self.show()
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Fill the ring."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(tokens_in_force().highlight))


class IntroductionCard(QFrame):
    """Title, a sentence, keys, and three buttons; it never moves by itself and stops nothing.

    Args:
        host: The part of the window it stays in.
    """

    next_chosen = Signal()
    back_chosen = Signal()
    leave_chosen = Signal()

    scale_changed = Signal()
    """Text got larger or smaller; the card wants another size."""

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self._host = host
        self.setProperty("role", "popup")
        self.setAutoFillBackground(True)
        self._place, self._title, self._text = label("", "muted"), label("", "title"), label("")
        self._place.setWordWrap(False)
        self.leave = button(f"Leave  {LEAVE_KEY}", f"Leave the tour, key {LEAVE_KEY}")
        self.back, self.next = button(""), button("", role="primary")
        self._rows = QGridLayout()
        self._rows.setColumnStretch(1, 1)
        self._row_widgets: list[tuple[QWidget, QWidget]] = []
        head, foot = QHBoxLayout(), FlowRows()
        head.addWidget(self._place)
        head.addStretch(1)
        head.addWidget(self.leave)
        foot.addWidget(self.back)
        foot.addWidget(self.next)
        self._body = body = QVBoxLayout(self)
        body.setContentsMargins(16, 12, 16, 14)
        body.setSpacing(8)
        body.addLayout(head)
        body.addWidget(self._title)
        body.addWidget(self._text)
        body.addLayout(self._rows)
        body.addLayout(foot)
        self.next.clicked.connect(self.next_chosen)
        self.back.clicked.connect(self.back_chosen)
        self.leave.clicked.connect(self.leave_chosen)
        self.hide()

    def show_page(self, page: IntroductionPage) -> None:
        """Say another thing; the size follows with ``stand_beside``."""
        self._place.setText(f"{page.number} of {page.count}")
        self._title.setText(page.title)
        self._text.setText(page.text)
        self._show_rows(page.key_rows)
        is_last = page.number == page.count
        _write(self.next, page.next_text or ("Finish" if is_last else "Next"), page.next_key)
        self.next.setHidden(page.waits)
        _write(self.back, "Back", page.back_key)
        if self.back.hasFocus() and page.number == 1:
            self.next.setFocus(Qt.FocusReason.OtherFocusReason)
        self.back.setVisible(page.number > 1 and page.goes_back)
        self.setAccessibleName(f"Tour, {page.number} of {page.count}: {page.title}")
        if self.accessibleDescription() != page.spoken:
            self.setAccessibleDescription(page.spoken)
            if QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, page.spoken))

    def stand_beside(self, targets: Sequence[QRect]) -> None:
        """Go where none of these rectangles of the host is covered.

        Where there is no such place, keys are left out, the last ones first.
        """
        place, is_good = self._best_place(targets)
        for row in reversed(self._row_widgets[1:]):
            if is_good:
                break
            for widget in row:
                widget.hide()
            place, is_good = self._best_place(targets)
        self.setGeometry(place)
        self.raise_()

    def take_keyboard(self) -> None:
        """Put the keyboard on the button that goes on."""
        self.next.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the keyboard."""
        held = self.focusWidget()
        if event.key() in _PRESS_KEYS and isinstance(held, QPushButton) and held.hasFocus():
            held.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Hear that the text has another size."""
        super().changeEvent(event)
        if changes_text_size(event):
            self.scale_changed.emit()

    def _best_place(self, targets: Sequence[QRect]) -> tuple[QRect, bool]:
        room = self._host.rect().adjusted(_GAP_PX, _GAP_PX, -_GAP_PX, -_GAP_PX)
        wanted = self.fontMetrics().averageCharWidth() * _LETTERS_WIDE
        least = self._body.totalMinimumSize().width()
        places: list[tuple[bool, int, QRect]] = []
        for share in _NARROWER:
            width = min(max(round(wanted * share), least), room.width())
            size = QSize(width, self._body.totalHeightForWidth(width))
            spot, covered_px2 = place_beside(size, targets, room)
            places.append((size.height() > room.height(), covered_px2, QRect(spot, size)))
        is_too_high, covered_px2, place = min(places, key=lambda place: place[:2])
        return place, not is_too_high and not covered_px2

    def _show_rows(self, rows: tuple[KeyRow, ...]) -> None:
        for widget in itertools.chain(*self._row_widgets):
            self._rows.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._row_widgets = []
        for index, row in enumerate(rows):
            keys, words = frame("", self), label(row.words, parent=self)
            beside = QHBoxLayout(keys)
            beside.setContentsMargins(0, 0, 0, 0)
            beside.setSpacing(4)
            for key in row.keys:
                beside.addWidget(keycap(key))
            beside.addStretch(1)
            self._rows.addWidget(keys, index, 0, Qt.AlignmentFlag.AlignTop)
            self._rows.addWidget(words, index, 1)
            self._row_widgets.append((keys, words))
            keys.show()
            words.show()


def _write(made: QPushButton, text: str, key: str) -> None:
    made.setText(f"{text}  {key}".strip())
    made.setAccessibleName(f"{text}, key {key}" if key else text)
