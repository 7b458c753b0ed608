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
        self._file, self._problem = file, ""
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
        player.playbackStateChanged.connect(self._on_state)
        player.setSource(QUrl.fromLocalFile(str(file)))
        self._player = player

    def _drop(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            at_ms = player.position()
            player.stop()
            self._tell(at_ms, False)
            player.deleteLater()

    def _on_error(self, _error: object, words: str) -> None:
        _LOG.warning("%s is not played: %s", self._file, words)
        self._problem = NO_CODEC
        self.changed.emit()

    def _on_state(self, _state: object) -> None:
        player = self._player
        if player is not None:
            is_over = player.mediaStatus() is player.MediaStatus.EndOfMedia
            self._tell(player.duration() if is_over else player.position(), player.isPlaying())

    def _tell(self, at_ms: int, is_playing: bool) -> None:
        if is_playing != self._is_playing:
            self._is_playing = is_playing
            self.moved.emit(at_ms / 1000, is_playing)
            self.changed.emit()
