"""A dialog of fields that scrolls up and down, never sideways, over its buttons.

Esc and the frame's own button ask once before what was typed is dropped; Cancel drops it. Where
what is entered is kept, leaving the dialog asks nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from waypost.domain.base.visible_text import breakable
from waypost.widgets.form_entries import enter, entries_of
from waypost.widgets.parts import button, label, scroll_panel

_ROOM_FOR_BAR_PX = 24
_LOSS: Final = "What you entered is not saved. Esc once more drops it."


class FormDialog(QDialog):
    """Fields, a line for what went wrong, one primary button and Cancel.

    Args:
        title: Of the dialog.
        action: What the primary button does, in words.
        parent: Qt owner.
    """

    def __init__(self, title: str, action: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.primary: QPushButton = button(action, role="primary")
        self._content = QWidget()
        self._failure = label("", "error")
        self._failure.hide()
        self._leave = button("Cancel")
        self._are_kept = False
        buttons = QDialogButtonBox()
        buttons.addButton(self.primary, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self._leave, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(super().reject)
        self._area = scroll_panel(self._content)
        layout = QVBoxLayout(self)
        layout.addWidget(self._area, 1)
        layout.addWidget(self._failure)
        layout.addWidget(buttons)

    @property
    def content(self) -> QWidget:
        """Where the fields go."""
        return self._content

    def lay_out(self, rows: Sequence[Sequence[QWidget]]) -> QGridLayout:
        """Put the fields in two columns; one that is alone in its row has both."""
        grid = QGridLayout(self._content)
        grid.setContentsMargins(0, 0, 12, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        for column in (0, 1):
            grid.setColumnStretch(column, 1)
        for number, row in enumerate(rows):
            for column, field in enumerate(row):
                span = 2 if len(row) == 1 else 1
                grid.addWidget(field, number, column, 1, span, Qt.AlignmentFlag.AlignTop)
        return grid

    def add_below(self, part: QWidget) -> None:
        """Show something between the fields and the buttons, which does not scroll."""
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(1, part)

    def fail(self, sentence: str) -> None:
        """Say why nothing was done; an empty sentence for nothing."""
        self._failure.setText(breakable(sentence))
        self._failure.setVisible(bool(sentence))

    def entries(self) -> dict[str, Any]:
        """Title → what is entered there, as JSON holds it."""
        return entries_of(self._content)

    def set_entries(self, entries: Mapping[str, Any]) -> None:
        """Enter what ``entries`` gave, as far as the fields can take it.

        Raises:
            ValueError: If it is of another shape.
        """
        enter(self._content, entries)

    def keep_entries(self, *, are_kept: bool) -> None:
        """Say whether what is entered outlives the dialog; leaving it then asks nothing."""
        self._are_kept = are_kept
        self._leave.setText("Close" if are_kept else "Cancel")
        self._leave.setToolTip("What you entered is there the next time" if are_kept else "")

    def holds_work(self) -> bool:
        """Whether somebody typed something that would be lost with the dialog."""
        lines = self._content.findChildren(QLineEdit)
        texts = self._content.findChildren(QPlainTextEdit)
        return any(line.isModified() and line.text() for line in lines) or any(
            text.document().isModified() and text.toPlainText() for text in texts
        )

    def reject(self) -> None:
        """Close without doing anything; the first time, say what would be lost."""
        is_asked = not self._failure.isHidden() and self._failure.text() == _LOSS
        if self.holds_work() and not self._are_kept and not is_asked:
            self.fail(_LOSS)
        else:
            super().reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let a key that is held answer nothing that its press asked."""
        if not (event.isAutoRepeat() and event.key() == Qt.Key.Key_Escape):
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin at the first field; be wide enough for the widest at this text scale."""
        if self.focusWidget() is None:
            fields = self._content.findChildren(QWidget)
            first = next((w for w in fields if w.focusPolicy() & Qt.FocusPolicy.TabFocus), None)
            if first is not None:
                first.setFocus(Qt.FocusReason.OtherFocusReason)
        self.fit()
        # Qt puts a dialog into the middle of the window, and onto the screen, by its size.
        super().showEvent(event)

    def fit(self) -> None:
        """Grow to what the fields need that are shown now, no higher than the window."""
        needed = self._content.minimumSizeHint().width()
        spare = self.width() - self._area.viewport().width() + _ROOM_FOR_BAR_PX
        parent = self.parentWidget()
        most = parent.window().height() if parent is not None else self.height()
        screen = self.screen().availableGeometry()
        most = min(most, screen.height())
        height = min(max(self.height(), self._content.sizeHint().height() + 100), most)
        self.resize(max(self.width(), needed + spare), height)
        over = self.frameGeometry().bottom() - screen.bottom()
        if over > 0:
            self.move(self.x(), max(screen.top(), self.y() - over))
