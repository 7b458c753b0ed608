"""The view of an instruction that is read and not written."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QTextEdit


def instruction_view(name: str) -> QTextEdit:
    """Shows any script as written; each paragraph runs from its own side.

    Args:
        name: What a screen reader says.
    """
    view = QTextEdit()
    view.setAcceptRichText(False)
    view.setReadOnly(True)
    view.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    view.setProperty("role", "instruction")
    view.setAccessibleName(name)
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    view.document().setDefaultTextOption(option)
    return view
