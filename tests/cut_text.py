"""Finds text that a user could not read whole."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QLabel, QWidget

from waypost.widgets.parts import ElidedButton, ElidedLabel


def cut_texts(root: QWidget) -> list[str]:
    """Texts of visible labels and buttons that have less room than they need."""
    # A text that changed a moment ago, such as the status, gets its room by a posted event.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    found: list[str] = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisibleTo(root) or isinstance(widget, ElidedLabel | ElidedButton):
            continue
        if isinstance(widget, QLabel) and widget.text():
            is_cut = widget.width() < widget.sizeHint().width()
            if widget.wordWrap():
                needed = widget.heightForWidth(widget.width())
                is_cut = widget.height() < needed or widget.width() < _longest_word(widget)
        elif isinstance(widget, QAbstractButton) and widget.text():
            is_cut = widget.width() < widget.sizeHint().width()
        else:
            continue
        if is_cut or _sticks_out(widget, root):
            found.append(f"{widget.text()!r}: {widget.size()} of {widget.sizeHint()}")
    return found


def _longest_word(widget: QLabel) -> int:
    metrics = widget.fontMetrics()
    if "<" in widget.text():
        return 0
    return max(metrics.horizontalAdvance(word) for word in re.split(r"[\s\u200b]+", widget.text()))


def _sticks_out(widget: QWidget, root: QWidget) -> bool:
    """Whether something around it cuts its side off; what scrolls sideways may do so."""
    parent, inner = widget.parentWidget(), widget
    while parent is not None and inner is not root:
        area = parent.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.horizontalScrollBar().maximum() > 0:
            return False
        if widget.mapTo(parent, widget.rect().topRight()).x() > parent.width():
            return True
        parent, inner = parent.parentWidget(), parent
    return False
