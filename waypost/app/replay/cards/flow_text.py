"""Text from files, shown as it is: plain, selectable, as high as it needs, long text bounded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from waypost.domain.base.counted_words import counted
from waypost.domain.base.visible_text import MOST_CHARACTERS, shortened, visible_text
from waypost.services.appearance import changes_text_size
from waypost.widgets.parts import WrappingColumn, button
from waypost.widgets.theme import tokens_in_force

_EDGE_PX: Final = 2
"""Room for the focus ring."""

_MOST_LINES: Final = 22
"""A whole long text scrolls inside so many lines."""

_MOST_AT_ONCE: Final = 150_000
"""Characters that one click adds; more would hold up the window."""

_LONGEST_LINE: Final = 4_000
"""Longer lines are laid out in pieces; Qt would take seconds over one line of a megabyte."""


class FlowText(QPlainTextEdit):
    """Reads like a label and can be selected; breaks words that are too long for its width.

    Args:
        name: For screen readers.
        parent: Qt owner.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self._spans: tuple[tuple[int, int], ...] = ()
        self._heights: dict[tuple[int, int], int] = {}
        self._is_scrolling = False
        self._most_lines = 0
        self.setAccessibleName(name)
        self.setProperty("role", "flow")
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_text(self, text: str, spans: Iterable[tuple[int, int]] = ()) -> None:
        """Show a text; invisible characters are spelled out.

        Args:
            text: Of moderate length, see ``LongText``.
            spans: (start, end) of characters to mark.
        """
        shown = visible_text(text)
        marks = _moved(text, tuple(spans))
        if shown != self._shown:
            self._shown = shown
            self._heights.clear()
            self.setPlainText(_in_pieces(shown))
            self.updateGeometry()
            self._show_start()
        if marks != self._spans:
            self._spans = marks
            self._mark()

    @property
    def is_scrolling(self) -> bool:
        """Whether a long text scrolls inside a few lines."""
        return self._is_scrolling

    @property
    def is_cut(self) -> bool:
        """Whether there are more lines than it may show."""
        if self._is_scrolling or not self._most_lines:
            return False  # to measure a whole long text takes seconds
        return self._height_px(self.width()) > self.heightForWidth(self.width())

    def set_most_lines(self, count: int) -> None:
        """Show so many lines at most, the first with a mark among them; 0 for all."""
        if count != self._most_lines:
            self._most_lines = count
            self.updateGeometry()

    def add_text(self, text: str) -> None:
        """Show more text after what is shown."""
        more = visible_text(text)
        self._shown += more
        self._heights.clear()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(_in_pieces(more))

    def set_scrolling(self, is_scrolling: bool) -> None:
        """Scroll inside a few lines rather than take the whole height."""
        if is_scrolling != self._is_scrolling:
            self._is_scrolling = is_scrolling
            bar = Qt.ScrollBarPolicy
            self.setVerticalScrollBarPolicy(
                bar.ScrollBarAsNeeded if is_scrolling else bar.ScrollBarAlwaysOff
            )
            self._heights.clear()
            self.updateGeometry()

    def _mark(self) -> None:
        tokens = tokens_in_force()
        look = QTextCharFormat()
        look.setBackground(QColor(tokens.selection))
        look.setForeground(QColor(tokens.on_selection))
        look.setFontUnderline(True)
        selections = []
        for start, end in self._spans:
            cursor = QTextCursor(self.document())
            cursor.setPosition(_units(self._shown[:start]))
            cursor.setPosition(_units(self._shown[:end]), QTextCursor.MoveMode.KeepAnchor)
            selection = QTextEdit.ExtraSelection()
            selection.cursor, selection.format = cursor, look
            selections.append(selection)
        self.setExtraSelections(selections)
        self._show_start()

    def _show_start(self) -> None:
        """Of what has not all its lines shown, show the first one or the first with a mark."""
        if self._is_scrolling or not self._most_lines:
            return
        first = QTextCursor(self.document())
        first.setPosition(_units(self._shown[: self._spans[0][0]]) if self._spans else 0)
        self.setTextCursor(first)
        self.verticalScrollBar().setValue(0)
        self.ensureCursorVisible()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep in view what is to be read first."""
        super().resizeEvent(event)
        self._show_start()

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height in pixels of all lines at a width."""
        if self._is_scrolling:
            return self.fontMetrics().lineSpacing() * _MOST_LINES + 2 * _EDGE_PX
        return self._height_px(width, self._most_lines)

    def _height_px(self, width: int, most_lines: int = 0) -> int:
        key = width, most_lines
        if key not in self._heights:
            lines_px = self._lines_px(width - 2 * _EDGE_PX, most_lines)
            self._heights[key] = lines_px + 2 * _EDGE_PX + 1
        return self._heights[key]

    def _lines_px(self, width: int, most_lines: int) -> int:
        """Height of the first lines, which scripts make higher than a font says; 0 for all."""
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        total, count = 0.0, 0
        for paragraph in self._shown.split("\n"):
            layout = QTextLayout(paragraph, self.font())
            layout.setTextOption(option)
            layout.beginLayout()
            while (line := layout.createLine()).isValid():
                # As the editor itself does; scripts without a font of their own need it.
                line.setLeadingIncluded(True)
                line.setLineWidth(max(width, 1))
                total, count = total + line.height(), count + 1
                if count == most_lines:
                    break
            layout.endLayout()
            if count == most_lines > 0:
                break
        return int(total + 0.99)

    def sizeHint(self) -> QSize:
        """One line; the layout asks for the height at its width."""
        return QSize(160, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """As narrow as a word or two."""
        return QSize(60, self.fontMetrics().lineSpacing() + 2 * _EDGE_PX)

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew at another text scale, mark anew in another theme."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._heights.clear()
            self.updateGeometry()
        if event.type() == QEvent.Type.PaletteChange and self._spans:
            self._mark()


class LongText(WrappingColumn):
    """A text of any length: its beginning, and the whole on request.

    Args:
        name: For screen readers.
        parent: Qt owner.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._shown_to = 0
        self._left_out = 0
        self.flow = FlowText(name)
        self.more = button("Show all", f"{name}: show all", "link")
        self.more.clicked.connect(self.show_more)
        self.more.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.flow)
        layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)

    def set_most_lines(self, count: int) -> None:
        """Show so many lines at most until the whole is asked for; then every text whole."""
        self.flow.set_most_lines(count)
        self.offer_more()

    def set_text(self, text: str, spans: Iterable[tuple[int, int]] = ()) -> None:
        """Show the beginning of another text; the same text stays as it is.

        Args:
            text: Of any length.
            spans: (start, end) of characters to mark.
        """
        if text == self._text and self.flow.is_scrolling:
            return
        self._text = text
        start, left_out = shortened(text, MOST_CHARACTERS)
        self._shown_to = 0
        self.flow.set_scrolling(False)
        inside = tuple(span for span in spans if span[1] <= len(start))
        self.flow.set_text(start + ("…" if left_out else ""), inside)
        self._left_out = left_out
        self.offer_more()

    def offer_more(self) -> bool:
        """Offer what its width leaves no room for; whether that has changed."""
        if self._shown_to:
            return False
        was_offered = not self.more.isHidden()
        total = f" {len(self._text):,} characters" if self._left_out else ""
        self.more.setText(f"Show all{total}")
        self.more.setVisible(self._left_out > 0 or self.flow.is_cut)
        return was_offered is self.more.isHidden()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Offer the rest where the width leaves no room for all lines."""
        super().resizeEvent(event)
        self.offer_more()

    def show_more(self) -> None:
        """Show all lines, then the whole text in a box that scrolls, piece by piece."""
        if self.flow.is_cut:
            self.flow.set_most_lines(0)
            self.offer_more()
            if self._left_out == 0:
                return
        piece = self._text[self._shown_to : self._shown_to + _MOST_AT_ONCE]
        if self._shown_to:
            self.flow.add_text(piece)
        else:
            self.flow.set_scrolling(True)
            self.flow.set_text(piece)
        self._shown_to += len(piece)
        left_out = len(self._text) - self._shown_to
        self.more.setText(f"Show more: {counted(left_out, 'character')} left")
        self.more.setVisible(left_out > 0)
        self.flow.setFocus()


def _moved(text: str, spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Where spans of a text lie once its invisible characters are spelled out."""
    return tuple(
        (len(visible_text(text[:start])), len(visible_text(text[:end]))) for start, end in spans
    )


def _units(text: str) -> int:
    """Length as Qt counts it: characters beyond the basic plane are two."""
    return len(text) + sum(character > "\uffff" for character in text)


def _in_pieces(text: str) -> str:
    if len(text) <= _LONGEST_LINE:
        return text
    return "\n".join(
        line[at : at + _LONGEST_LINE]
        for line in text.split("\n")
        for at in range(0, max(len(line), 1), _LONGEST_LINE)
    )
