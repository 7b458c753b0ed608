"""A dialog of fields that scrolls up and down, never sideways, over its buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from waypost.widgets.parts import button, label, scroll_panel

_ROOM_FOR_BAR_PX = 24


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
        buttons = QDialogButtonBox()
        buttons.addButton(self.primary, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(button("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
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
        self._failure.setText(sentence)
        self._failure.setVisible(bool(sentence))

    def showEvent(self, event: QShowEvent) -> None:
        """Begin at the first field; be wide enough for the widest at this text scale."""
        if self.focusWidget() is None:
            fields = self._content.findChildren(QWidget)
            first = next((w for w in fields if w.focusPolicy() & Qt.FocusPolicy.TabFocus), None)
            if first is not None:
                first.setFocus(Qt.FocusReason.OtherFocusReason)
        super().showEvent(event)
        self.fit()

    def fit(self) -> None:
        """Grow to what the fields need that are shown now, no higher than the window."""
        needed = self._content.minimumSizeHint().width()
        spare = self.width() - self._area.viewport().width() + _ROOM_FOR_BAR_PX
        parent = self.parentWidget()
        most = parent.window().height() if parent is not None else self.height()
        height = min(max(self.height(), self._content.sizeHint().height() + 100), most)
        self.resize(max(self.width(), needed + spare), height)
