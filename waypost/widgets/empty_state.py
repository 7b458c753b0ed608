"""What to do first, written over a stage on which there is nothing yet."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.widgets.parts import button, label
from waypost.widgets.stage_card import StageCard

_WIDTH_PX = 560
"""Wide and low: a card of few lines leaves room for the scene below."""

_TOP_PX = 50
_GAP_PX = 12


class EmptyState(StageCard):
    """A card that says what comes first; without a button the mouse goes through it.

    Args:
        stage: What it is shown over.
    """

    action_chosen = Signal()
    """The button was pressed."""

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self._title = label("", "title")
        self._text = label("", "muted")
        self._action = button("", role="primary")
        self._action.clicked.connect(self.action_chosen)
        self._layout = layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.setSpacing(4)
        for widget in (self._title, self._text):
            widget.setAlignment(Qt.AlignmentFlag.AlignCenter)
            layout.addWidget(widget)
        layout.addWidget(self._action, 0, Qt.AlignmentFlag.AlignCenter)

    def invite(self, title: str, text: str = "", action: str = "") -> None:
        """Say what comes first; an empty title takes the card away.

        Args:
            title: In the imperative.
            text: What happens then.
            action: Text of a button that does it; empty for none.
        """
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._action.setText(action)
        self._action.setAccessibleName(action)
        self._action.setVisible(bool(action))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not action)
        self.setAccessibleName(f"{title}. {text}")
        self.setVisible(bool(title))
        self.place()

    def place(self) -> None:
        """Take the size and the place that fit the stage and the text now."""
        most = min(self.stage.width() - 2 * _GAP_PX, self.room_px - _GAP_PX)
        width = min(max(_WIDTH_PX, self.sizeHint().width()), most)
        self.resize(width, self._layout.totalHeightForWidth(width))
        self.move(min((self.stage.width() - width) // 2, self.room_px - width), _TOP_PX)
        self.raise_()
