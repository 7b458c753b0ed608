"""The line over a replay: which run of which episode, the instruction, and what is shown below."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from waypost.widgets.choice_strip import ChoiceStrip
from waypost.widgets.parts import ElidedLabel

FACES: Mapping[str, tuple[str, str]] = {
    "table": ("Table", "every episode of the run"),
    "charts": ("Charts", "what went wrong in the whole run"),
    "map": ("Map", "plan of the storey with path and reference"),
    "scene": ("3D", "the scene around the path"),
    "first_person": ("Eyes", "the scene with the eyes of the agent"),
    "compare": ("Compare", "the same episode in several runs"),
}
"""Face → its title and what it shows."""


class ReplayHeader(QFrame):
    """Says what is replayed and offers the faces; never takes the keyboard."""

    face_chosen = Signal(str)
    """One of ``FACES``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._title, self._instruction = ElidedLabel(), ElidedLabel()
        self._title.setProperty("role", "title")
        self.faces = ChoiceStrip("Show")
        self.faces.chosen.connect(self.face_chosen)
        row = QHBoxLayout()
        row.addWidget(self._title, 1)
        row.addWidget(self.faces)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 4, 6, 4)
        layout.setSpacing(2)
        layout.addLayout(row)
        layout.addWidget(self._instruction)
        self.set_content("", "")

    @property
    def title(self) -> str:
        """Which run of which episode it says."""
        return self._title.full_text

    def set_keys(self, keys: Mapping[str, str]) -> None:
        """Write the key of each face on its button; face → key."""
        self.faces.set_choices(
            (face, title, keys.get(face, ""), tip) for face, (title, tip) in FACES.items()
        )

    def set_face(self, face: str) -> None:
        """Show a face as chosen; emits nothing."""
        self.faces.set_current(face)

    def set_content(self, title: str, instruction: str) -> None:
        """Say what is replayed; an empty instruction takes its line away."""
        self._title.set_full_text(title)
        self._instruction.set_full_text(" ".join(instruction.split()))
        self._instruction.setVisible(bool(instruction))
