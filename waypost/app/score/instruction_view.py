"""A field that shows an instruction as it is written."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QPlainTextEdit


def instruction_view(name: str) -> QPlainTextEdit:
    """Shows any script as written; each paragraph runs in its own direction.

    Args:
        name: What a screen reader says.
    """
    view = QPlainTextEdit()
    view.setReadOnly(True)
    view.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    view.setProperty("role", "instruction")
    view.setAccessibleName(name)
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    view.document().setDefaultTextOption(option)
    return view
