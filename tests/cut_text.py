"""Finds text that a user could not read whole."""

from __future__ import annotations

import re

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from waypost.widgets.parts import ElidedButton, ElidedLabel


def cut_texts(root: QWidget) -> list[str]:
    """Texts of visible labels and buttons that have less room than they need."""
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
        if is_cut or _sticks_out(widget):
            found.append(f"{widget.text()!r}: {widget.size()} of {widget.sizeHint()}")
    return found


def _longest_word(widget: QLabel) -> int:
    metrics = widget.fontMetrics()
    if "<" in widget.text():
        return 0
    return max(metrics.horizontalAdvance(word) for word in re.split(r"[\s\u200b]+", widget.text()))


def _sticks_out(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    return parent is not None and widget.geometry().right() > parent.width()
