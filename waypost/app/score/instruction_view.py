"""The view of an instruction that is read and not written."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QTextEdit


class InstructionView(QTextEdit):
    """Shows any script as written; each paragraph runs from its own side.

    Args:
        name: What a screen reader says.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._shown = ""
        self.setAcceptRichText(False)
        self.setReadOnly(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setProperty("role", "instruction")
        self.setAccessibleName(name)
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)

    def show_text(self, text: str) -> None:
        """Show a text from its beginning; the same one stays where it was scrolled to."""
        # The view has line ends and odd spaces of its own; it is asked nothing.
        if text != self._shown:
            self._shown = text
            self.setPlainText(text)
