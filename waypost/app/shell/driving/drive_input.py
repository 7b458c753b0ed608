"""Joins keys and game controller to one steering; a stick counts once it has been let go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from waypost.app.shell.driving.drive_keys import DriveKeys
from waypost.domain.traverse.agent import DriveType
from waypost.services.input.gamepad import Gamepad
from waypost.services.input.key_driving import DriveKey, KeyState
from waypost.services.input.pad_state import PadState
from waypost.services.input.steering import REST_STEERING, Steering


class DriveInput(QObject):
    """What the driver asks for while it listens; held keys go before sticks.

    Args:
        gamepad: Started and stopped by others.
        parent: Qt owner.
    """

    changed = Signal(object)
    """The new `Steering`."""

    focus_lost = Signal()
    pad_lost = Signal()
    """The controller is gone that was used last; its sticks count as let go."""

    def __init__(self, gamepad: Gamepad, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._gamepad = gamepad
        self._keys = DriveKeys(self)
        self._held = KeyState()
        self._drive = DriveType.HOLONOMIC
        self._is_listening = False
        self._is_stick_free = self._is_pad_used = False
        self._steering = REST_STEERING
        self._keys.changed.connect(self._on_keys)
        self._keys.focus_lost.connect(self._on_focus_lost)
        gamepad.plugged.connect(self._on_plugged)
        gamepad.moved.connect(self._on_pad)
        gamepad.unplugged.connect(self._on_unplugged)

    def start(
        self, keys: Mapping[str, DriveKey], passed_on: frozenset[str], drive: DriveType
    ) -> None:
        """Begin to listen; see `DriveKeys.start`.

        Args:
            keys: Name of a key → what it does.
            passed_on: Keys left to commands that work while driving.
            drive: Of the agent; says what the left stick does.
        """
        self._drive, self._is_listening = drive, True
        self._is_stick_free = self._gamepad.state.is_at_rest
        self._keys.start(keys, passed_on)

    def stop(self) -> None:
        """Listen no more; keys and sticks count as let go."""
        self._is_listening = self._is_stick_free = False
        self._keys.stop()
        self._tell()

    def _on_keys(self, keys: KeyState) -> None:
        self._held = keys
        self._tell()

    def _on_plugged(self, _name: str) -> None:
        self._is_stick_free = self._gamepad.state.is_at_rest

    def _on_pad(self, state: PadState) -> None:
        if self._is_listening:
            is_still_free = self._is_stick_free and _has_focus()
            self._is_stick_free = state.is_at_rest or is_still_free
            self._tell()

    def _on_focus_lost(self) -> None:
        self._is_stick_free = self._gamepad.state.is_at_rest
        self._tell()
        self.focus_lost.emit()

    def _on_unplugged(self, _name: str) -> None:
        if self._is_listening:
            self._tell()
            if self._is_pad_used:
                self._is_pad_used = False
                self.pad_lost.emit()

    def _tell(self) -> None:
        steering = self._asked()
        if not steering.is_at_rest:
            self._is_pad_used = self._held.steering().is_at_rest
        if steering != self._steering:
            self._steering = steering
            self.changed.emit(steering)

    def _asked(self) -> Steering:
        keys = self._held.steering()
        if not keys.is_at_rest:
            return keys
        # A controller is heard by every program at once, unlike a keyboard.
        if not self._is_stick_free or not _has_focus():
            return REST_STEERING
        return replace(self._gamepad.state.steering(self._drive), slow_share=keys.slow_share)


def _has_focus() -> bool:
    return QGuiApplication.focusWindow() is not None
