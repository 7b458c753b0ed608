"""The small parts every panel is made of: headings, keycaps, frames, labels that elide."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from waypost.domain.base.visible_text import plain_tip
from waypost.services.appearance import changes_text_size

SAMPLE = 500
"""As many texts are looked at to find out how much room a list needs."""


GOES_ON = "goes_on"
"""Property of a field in which Enter goes on to the next thing instead of back to the stage."""

STAYS_IN_VIEW = "stays_in_view"
"""Property of what lies over the stage and what no notice covers while there is room beside it."""


def label(text: str, role: str = "", parent: QWidget | None = None) -> QLabel:
    """A label that wraps; ``role`` picks its look from the style sheet."""
    made = QLabel(text, parent)
    made.setWordWrap(True)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    return made


def heading(text: str) -> QLabel:
    """A small heading over a part of a panel."""
    return label(text, "heading")


def keycap(key: str) -> QLabel:
    """A key as it looks on the keyboard."""
    made = label(key, "keycap")
    made.setWordWrap(False)
    made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return made


def frame(role: str, parent: QWidget | None = None) -> QFrame:
    """A frame whose look the style sheet picks by role."""
    made = QFrame(parent)
    made.setProperty("role", role)
    return made


def button(text: str, name: str = "", role: str = "") -> QPushButton:
    """A button; ``name`` is what a screen reader says if the text alone is not enough."""
    made = QPushButton(text)
    made.setAccessibleName(name or text)
    made.setAutoDefault(False)
    if role:
        made.setProperty("role", role)
    return made


def set_property(widget: QWidget, name: str, value: str | None) -> None:
    """Change a property that the style sheet looks at, and show the new look."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def most_fit(texts: Sequence[str], metrics: QFontMetrics, width_px: int) -> bool:
    """Whether at least two thirds of the texts fit on one line; only a sample is looked at."""
    sample = texts[:SAMPLE]
    too_long = sum(metrics.horizontalAdvance(text) > width_px for text in sample)
    return too_long * 3 <= len(sample)


def column(*parts: QWidget, margin_px: int = 10, spacing_px: int = 10) -> QWidget:
    """Widgets one below the other, with this room around and between them."""
    panel = QWidget()
    layout = QVBoxLayout(panel)
    layout.setContentsMargins(margin_px, margin_px, margin_px, margin_px)
    layout.setSpacing(spacing_px)
    for part in parts:
        layout.addWidget(part)
    return panel


class WrappingColumn(QWidget):
    """Parts that wrap, below each other; growing paints only what is added.

    Its height is asked for at a width, and its hints measure none: Qt's own would lay out all
    texts once more at a width that they never have.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)

    def sizeHint(self) -> QSize:
        """As wide as its parts would like to be."""
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """As narrow as its parts can be."""
        layout = self.layout()
        return super().minimumSizeHint() if layout is None else layout.minimumSize()


def settle(panel: QWidget) -> None:
    """Lay out a panel from the inside out at once, after its texts have changed.

    By itself Qt passes a change of height on from layout to layout, one in each round of events,
    and paints what is half done in between.
    """
    for child in panel.children():
        if isinstance(child, QWidget) and not child.isHidden() and child.layout() is not None:
            settle(child)
    layout = panel.layout()
    if layout is not None:
        layout.activate()


class _ScrollPanel(QScrollArea):
    """Never narrower than what it scrolls up and down can be."""

    def __init__(self) -> None:
        super().__init__()
        self._least_px = 0

    def minimumSizeHint(self) -> QSize:
        """The least width of the content beside its scroll bar."""
        bar_px = self.verticalScrollBar().sizeHint().width()
        return QSize(self._least_px + bar_px, super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the content."""
        content = self.widget()
        if watched is content and event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Polish}:
            least_px = max(content.minimumSizeHint().width(), content.minimumWidth())
            if least_px != self._least_px:
                self._least_px = least_px
                self.updateGeometry()
        return super().eventFilter(watched, event)


def scroll_panel(content: QWidget) -> QScrollArea:
    """Let a panel scroll up and down, never sideways, when the window is too low for it."""
    area = _ScrollPanel()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def row_table(name: str) -> QTableView:
    """A table whose rows are chosen whole and not edited, without grid and numbers of rows."""
    table = QTableView()
    table.setAccessibleName(name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    vertical = table.verticalHeader()
    vertical.hide()
    vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    vertical.setMinimumSectionSize(8)
    return table


class TextBox(QPlainTextEdit):
    """Several lines of text; as high as that many lines at any text scale."""

    def __init__(self, lines: int, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = lines
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Room for the lines and the frame."""
        return QSize(120, self.fontMetrics().lineSpacing() * self._lines + 22)

    def minimumSizeHint(self) -> QSize:
        """The same; it does not shrink."""
        return self.sizeHint()


class QuietBar(QProgressBar):
    """A progress bar that waits for the next picture.

    Qt repaints at once whenever a value is set, and the 3D view of the window with it.
    """

    def show_share(self, done: int, total: int) -> None:
        """Show so much of a total; nothing of nothing is an empty bar."""
        self.setUpdatesEnabled(False)
        self.setRange(0, max(total, 1))
        self.setValue(done)
        self.setUpdatesEnabled(True)

    def show_busy(self) -> None:
        """Show that something goes on, with no end in sight."""
        self.setUpdatesEnabled(False)
        self.setRange(0, 0)
        self.setUpdatesEnabled(True)


def shortened(
    widget: QWidget, text: str, mode: Qt.TextElideMode, room_px: int, tip: str = ""
) -> str:
    """As much of a text as has room; where that is not all, the tool tip says the whole.

    Args:
        widget: Shows the text in its font, and has the tool tip.
        text: The whole.
        mode: Where letters are left out.
        room_px: How wide it may be.
        tip: What the tool tip says besides.
    """
    shown = widget.fontMetrics().elidedText(text, mode, max(room_px, 8))
    whole = text if shown != text else ""
    widget.setToolTip(plain_tip("\n".join(part for part in (whole, tip) if part)))
    return shown


class ElidedLabel(QLabel):
    """One line that shortens with an ellipsis; the whole text is in its tool tip."""

    def __init__(
        self,
        text: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._full_text = text
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_full_text(text)

    @property
    def full_text(self) -> str:
        """The text before shortening."""
        return self._full_text

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        self._full_text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        """Wide enough for the whole text."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._full_text) + 4, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        """Wide enough for a few letters."""
        metrics = QFontMetrics(self.font())
        whole = metrics.horizontalAdvance(self._full_text)
        few = metrics.averageCharWidth() * 6
        return QSize(min(few, whole) + 4, metrics.height() + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten anew."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Shorten anew at another size of text."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._elide()

    def _elide(self) -> None:
        self.setText(shortened(self, self._full_text, self._mode, self.width()))


class ElidedButton(QPushButton):
    """A button that shortens its text where there is no room; its tool tip has the whole then.

    Args:
        text: Shown letter by letter.
        name: What a screen reader says instead of the text.
        role: Picks its look from the style sheet.
        mode: Where letters are left out.
        least_letters: As many are always shown.
    """

    def __init__(
        self,
        text: str = "",
        name: str = "",
        role: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        least_letters: int = 6,
    ) -> None:
        super().__init__()
        self._full_text = self._tip = ""
        self._mode, self._least_letters = mode, least_letters
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if role:
            self.setProperty("role", role)
        self.set_full_text(text, name)

    @property
    def full_text(self) -> str:
        """The text before shortening."""
        return self._full_text

    def set_full_text(self, text: str, name: str = "", tip: str = "") -> None:
        """Show another text; ``tip`` explains it."""
        self._full_text, self._tip = text, tip
        self.setAccessibleName(name or text)
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        """Wide enough for the whole text."""
        hint = super().sizeHint()
        return QSize(self._frame_px() + self._width_px(self._full_text), hint.height())

    def minimumSizeHint(self) -> QSize:
        """Wide enough for a few letters."""
        few = self.fontMetrics().averageCharWidth() * self._least_letters
        few = min(few, self._width_px(self._full_text))
        return QSize(self._frame_px() + few, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten anew."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Shorten anew at another size of text."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._elide()

    def _width_px(self, text: str) -> int:
        return self.fontMetrics().size(Qt.TextFlag.TextSingleLine, text).width()

    def _frame_px(self) -> int:
        shown = self.text().replace("&&", "&")
        return super().sizeHint().width() - self._width_px(shown)

    def _elide(self) -> None:
        room_px = self.width() - self._frame_px()
        shown = shortened(self, self._full_text, self._mode, room_px, self._tip)
        # Qt takes an & in the text of a button for the mark of a key.
        self.setText(shown.replace("&", "&&"))
