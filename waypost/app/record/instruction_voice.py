"""Plays the spoken form of an instruction, where there is one and something to play it with."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal

if TYPE_CHECKING:
    from PySide6.QtMultimedia import QMediaPlayer

_LOG = logging.getLogger(__name__)

NO_PLAYER = "The spoken instruction cannot be played here: sound is not installed. Please read it."
NO_OUTPUT = "The spoken instruction cannot be heard: there is no sound output. Please read it."
NO_CODEC = "The spoken instruction cannot be played. Please read it."


class InstructionVoice(QObject):
    """One recording at a time: play, pause, again.

    Args:
        parent: Qt owner.
    """

    changed = Signal()
    """It plays, stands still, or cannot be played."""

    moved = Signal(float, bool)
    """Place in the audio, seconds, and whether it plays from there or stopped there."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file: Path | None = None
        self._player: QMediaPlayer | None = None
        self._is_playing = False
        self._problem = ""
        self._at_s = 0.0

    @property
    def has_voice(self) -> bool:
        """Whether the instruction at hand is spoken somewhere."""
        return self._file is not None

    @property
    def is_playing(self) -> bool:
        """Whether it is heard now."""
        return self._is_playing

    @property
    def problem(self) -> str:
        """One sentence for the participant if it cannot be played; empty otherwise."""
        return self._problem

    def load(self, file: Path | None) -> None:
        """Take another recording; ``None`` for an instruction that is only written."""
        self._drop()
        self._file, self._problem, self._at_s = file, "", 0.0
        if file is not None:
            self._prepare(file)
        self.changed.emit()

    def toggle(self) -> None:
        """Play on from where it stands, or pause."""
        if self._is_playing:
            self.pause()
        elif self._player is not None and not self._problem:
            self._player.play()

    def again(self) -> None:
        """Play from the beginning."""
        if self._player is not None and not self._problem:
            self.pause()
            self._player.setPosition(0)
            self._player.play()

    def pause(self) -> None:
        """Stand still."""
        if self._player is not None:
            self._player.pause()

    def _prepare(self, file: Path) -> None:
        try:
            # The larger half of PySide6, and only for studies with spoken instructions.
            from PySide6.QtMultimedia import (  # noqa: PLC0415
                QAudioOutput,
                QMediaDevices,
                QMediaPlayer,
            )
        except ImportError as error:
            _LOG.warning("%s is not played: %s; install waypost[voice]", file, error)
            self._problem = NO_PLAYER
            return
        device = QMediaDevices.defaultAudioOutput()
        if device.isNull():
            _LOG.warning("%s is not played: no audio output", file)
            self._problem = NO_OUTPUT
            return
        player = QMediaPlayer(self)
        player.setAudioOutput(QAudioOutput(device, player))
        player.errorOccurred.connect(self._on_error)
        player.positionChanged.connect(self._on_position)
        player.playbackStateChanged.connect(self._on_state)
        player.setSource(QUrl.fromLocalFile(str(file)))
        self._player = player

    def _drop(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            player.stop()
            self._tell(is_playing=False)
            player.deleteLater()

    def _on_error(self, _error: object, words: str) -> None:
        _LOG.warning("%s is not played: %s", self._file, words)
        self._problem = NO_CODEC
        self.changed.emit()

    def _on_position(self, position_ms: int) -> None:
        # Whoever has come to the end is at 0 again by the time that this is told.
        if self._player is not None and self._player.isPlaying():
            self._at_s = position_ms / 1000

    def _on_state(self, _state: object) -> None:
        player = self._player
        if player is not None:
            if player.isPlaying():
                self._at_s = player.position() / 1000
            self._tell(is_playing=player.isPlaying())

    def _tell(self, *, is_playing: bool) -> None:
        if is_playing != self._is_playing:
            self._is_playing = is_playing
            self.moved.emit(self._at_s, is_playing)
            self.changed.emit()
