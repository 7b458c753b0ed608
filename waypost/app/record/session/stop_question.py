"""Asks before an episode is stopped: nothing ends by accident."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.widgets.parts import QuietBar, label
from waypost.widgets.stage_card import StageCard

HOLD_MS: Final = 1000
"""Held for so long, the key that asked stops the episode."""

AGAIN_MS: Final = 400
"""A second press counts as an answer only so long after the first."""

FORGET_MS: Final = 4000
"""The question goes by itself; the next press asks anew."""

_LOOK_EVERY_MS: Final = 40
_MOST_AT_ONCE_MS: Final = 100
"""So much of the time between two looks counts as held: after a longer one the key may have been
let go, and the window does not know it yet."""

_WIDTH_PX, _GAP_PX = 380, 20


class StopQuestion(QObject):
    """Asked by the first press of a key, answered by the same key: held, or pressed again.

    Args:
        parent: Qt owner.
    """

    changed = Signal()
    """Asked, forgotten, or held longer."""

    confirmed = Signal()
    """Stop the episode."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.forget_ms = FORGET_MS
        self._since, self._looked = QElapsedTimer(), QElapsedTimer()
        self._held_ms = 0
        self._is_down: Callable[[], bool] = bool
        self._is_let_go: Callable[[], bool] = bool
        self._is_holding = False
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_EVERY_MS)
        self._look.timeout.connect(self._on_look)

    @property
    def is_asked(self) -> bool:
        """Whether it waits for an answer."""
        return self._look.isActive()

    @property
    def can_be_answered(self) -> bool:
        """Whether a press would be an answer by now."""
        return self.is_asked and self._since.elapsed() >= AGAIN_MS

    @property
    def held_share(self) -> float:
        """How much of the time the key has been held that stops the episode, 0 to 1."""
        return min(self._held_ms / HOLD_MS, 1.0) if self._is_holding else 0.0

    def press(self, is_down: Callable[[], bool], is_let_go: Callable[[], bool]) -> None:
        """The key of stopping was pressed: ask, or take it as the answer.

        Args:
            is_down: Whether it is down now, which it is not between two repeats.
            is_let_go: Whether it is up, and not only between two repeats.
        """
        if self.can_be_answered:
            self._confirm()
        elif not self.is_asked:
            self._is_down, self._is_let_go = is_down, is_let_go
            self._is_holding, self._held_ms = True, 0
            self._since.start()
            self._looked.start()
            self._look.start()
            self.changed.emit()

    def drop(self) -> None:
        """Ask no more."""
        if self.is_asked:
            self._look.stop()
            self._is_holding = False
            self.changed.emit()

    def _on_look(self) -> None:
        was_holding = self._is_holding
        self._is_holding = was_holding and not self._is_let_go()
        self._held_ms += min(self._looked.restart(), _MOST_AT_ONCE_MS)
        if self._is_holding and self._held_ms >= HOLD_MS and self._is_down():
            self._confirm()
        elif self._since.elapsed() >= self.forget_ms and not self._is_holding:
            self.drop()
        elif was_holding:
            self.changed.emit()

    def _confirm(self) -> None:
        self.drop()
        self.confirmed.emit()


class StopCard(StageCard):
    """Shows the question low in the middle of what is driven through.

    Args:
        stage: What it is shown over.
        question: What is asked.
    """

    def __init__(self, stage: QWidget, question: StopQuestion) -> None:
        super().__init__(stage)
        self._question = question
        self._title, self._text = label("Stop here?", "title"), label("")
        self._bar = QuietBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(8)
        self._bar.setAccessibleName("How long the key has been held")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 12, 18, 14)
        for part in (self._title, self._text, self._bar):
            layout.addWidget(part)
        question.changed.connect(self._follow)

    def set_key(self, key: str) -> None:
        """Name the key that answers."""
        self._text.setText(f"Hold {key}, or press it again, to stop. To go on, just drive.")
        self.setAccessibleName(f"{self._title.text()} {self._text.text()}")

    def place(self) -> None:
        """Take the size and the place that fit the stage and the text now."""
        width = min(_WIDTH_PX, self.stage.width() - 2 * _GAP_PX)
        layout = self.layout()
        height = layout.totalHeightForWidth(width) if layout else self.sizeHint().height()
        self.resize(width, height)
        self.move((self.stage.width() - width) // 2, self.stage.height() - height - _GAP_PX)
        self.raise_()

    def _follow(self) -> None:
        self._bar.show_share(round(100 * self._question.held_share), 100)
        if self._question.is_asked == self.isHidden():
            self.setVisible(self._question.is_asked)
            if self._question.is_asked:
                self.place()
