"""The order in which Tab goes through the window, whenever its parts were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

_NO_FOCUS = Qt.FocusPolicy.NoFocus


def arrange_tabs(parts: Sequence[QWidget]) -> None:
    """Have Tab go through parts of a window one after the other.

    Qt puts whatever is made later behind everything else. Its own chain cannot be asked: PySide
    takes what ``nextInFocusChain`` gives for a child of the widget that was asked.

    Args:
        parts: From the top left to the lower right.
    """
    ordered = [w for part in parts for w in _within(part) if w.focusPolicy() != _NO_FOCUS]
    for before, after in pairwise(ordered):
        QWidget.setTabOrder(before, after)


def _within(widget: QWidget) -> Iterator[QWidget]:
    yield widget
    if isinstance(widget, QTabWidget):
        # Qt puts pages in front of their tabs, and those that are hidden in front of others.
        pages = (widget.widget(place) for place in range(widget.count()))
        children = [widget.tabBar(), *filter(None, pages)]
    elif isinstance(widget, QStackedWidget):
        pages = (widget.widget(place) for place in range(widget.count()))
        children = [*filter(None, pages)]
    else:
        children = [child for child in widget.children() if isinstance(child, QWidget)]
    for child in children:
        if not child.isWindow():
            yield from _within(child)
