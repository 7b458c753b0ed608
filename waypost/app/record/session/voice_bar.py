"""The controls of a spoken instruction, under its text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from waypost.app.record.session.instruction_voice import InstructionVoice
from waypost.widgets.parts import button, label


class VoiceBar(QWidget):
    """Play or pause, and again; what is wrong instead, if it cannot be played.

    Args:
        voice: What is played.
        parent: Qt owner.
    """

    def __init__(self, voice: InstructionVoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.voice = voice
        self._keys = ("", "")
        self.play, self.again = button(""), button("")
        self._problem = label("", "warning")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for made in (self.play, self.again):
            # The keyboard belongs to the drive.
            made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            row.addWidget(made)
        row.addWidget(self._problem, 1)
        self.play.clicked.connect(voice.toggle)
        self.again.clicked.connect(voice.again)
        voice.changed.connect(self.follow)
        self.follow()

    def set_keys(self, play: str, again: str) -> None:
        """Write the keys on the buttons."""
        self._keys = play, again
        self.follow()

    def follow(self) -> None:
        """Show how the voice stands."""
        voice, (play, again) = self.voice, self._keys
        self.setVisible(voice.has_voice)
        can_play = not voice.problem
        words = "❚❚ Pause the voice" if voice.is_playing else "▶ Hear the instruction"
        for made, text, key in ((self.play, words, play), (self.again, "↺ Again", again)):
            made.setText(f"{text}  ({key})" if key else text)
            made.setAccessibleName(text[2:].strip())
            made.setVisible(can_play)
        self._problem.setText(voice.problem)
        self._problem.setVisible(not can_play)
