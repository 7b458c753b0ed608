"""The line over a replay: which run of which episode, the instruction, and what is shown below."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy, QVBoxLayout, QWidget

from waypost.domain.base.visible_text import one_line
from waypost.widgets.choice_strip import ChoiceStrip
from waypost.widgets.parts import ElidedLabel

FACES: Mapping[str, tuple[str, str]] = {
    "table": ("Table", "every episode of the run"),
    "charts": ("Charts", "what went wrong in the whole run"),
    "map": ("Map", "one storey from above, with path and reference"),
    "scene": ("3D", "the scene around the path"),
    "first_person": ("Eyes", "the scene with the eyes of the agent"),
    "compare": ("Compare", "the same episode in several runs"),
}
"""Face → its title and what it shows."""


def face_action(face: str) -> str:
    """Id of the action that shows a face."""
    return f"replay.{face}"


_MOST_INSTRUCTION = 600
_TITLE_LETTERS = 24
"""Of the title that must be read beside the faces."""


class ReplayHeader(QFrame):
    """Says what is replayed and offers the faces; never takes the keyboard."""

    face_chosen = Signal(str)
    """One of ``FACES``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._is_told_elsewhere = False
        self._title, self._instruction = ElidedLabel(), ElidedLabel()
        self._title.setProperty("role", "title")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.faces = ChoiceStrip("Show")
        self.faces.chosen.connect(self.face_chosen)
        self.faces.content_changed.connect(self._fit)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.addWidget(self._title, 1)
        self._row.addWidget(self.faces)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 4, 6, 4)
        layout.setSpacing(2)
        layout.addLayout(self._row)
        layout.addWidget(self._instruction)
        self.set_content("", "")

    def set_keys(self, keys: Mapping[str, str]) -> None:
        """Write the key of each face on its button where there is room; face → key."""
        self.faces.set_choices(
            (face, title, keys.get(face, ""), tip) for face, (title, tip) in FACES.items()
        )
        self._fit()

    def set_told_elsewhere(self, *, is_told: bool) -> None:
        """Take the instruction away while it is to be read in the step card."""
        if is_told != self._is_told_elsewhere:
            self._is_told_elsewhere = is_told
            self._fit()

    def set_face(self, face: str) -> None:
        """Show a face as chosen; emits nothing."""
        self.faces.set_current(face)

    def set_content(self, title: str, instruction: str) -> None:
        """Say what is replayed; an empty instruction takes its line away."""
        self._title.set_full_text(title)
        self._instruction.set_full_text(one_line(instruction, _MOST_INSTRUCTION))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the faces a line of their own where there is less room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.contentsRect().width() - 16
        title_px = self.fontMetrics().averageCharWidth() * _TITLE_LETTERS
        is_beside = self.faces.sizeHint().width() + title_px <= room
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if is_beside else ways.TopToBottom)
        # With large text the room below is needed more.
        is_wanted = is_beside and not self._is_told_elsewhere
        self._instruction.setVisible(is_wanted and bool(self._instruction.full_text))
