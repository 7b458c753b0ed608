"""Hears the drive keys of a window while an agent is driven, and nothing at other times."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from waypost.services.input.key_driving import DriveKey, KeyState
from waypost.services.input.key_presses import moment_now
from waypost.services.input.shortcuts import key_of_event


class DriveKeys(QObject):
    """Held drive keys, by physical position; deaf to auto-repeat, cleared when focus is lost.

    A key that is still held when the focus is back counts only after its release.

    While it listens every key press of the application ends here, except Esc and the keys in
    ``passed_on``: no drive key can run a command.
    """

    changed = Signal(object)
    """The new `KeyState`."""

    focus_lost = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = KeyState()
        self._keys: Mapping[str, DriveKey] = {}
        self._passed_on: frozenset[str] = frozenset()
        self._is_listening = False

    def start(self, keys: Mapping[str, DriveKey], passed_on: frozenset[str]) -> None:
        """Begin to listen.

        Args:
            keys: Name of a key (as ``key_of_event`` names it) → what it does.
            passed_on: Keys left to commands that work while driving.
        """
        self._keys, self._passed_on = keys, passed_on
        self._state = KeyState()
        application = QApplication.instance()
        if isinstance(application, QApplication) and not self._is_listening:
            self._is_listening = True
            application.installEventFilter(self)
            application.applicationStateChanged.connect(self._on_application_state)

    def stop(self) -> None:
        """Listen no more; every key counts as released."""
        application = QApplication.instance()
        if isinstance(application, QApplication) and self._is_listening:
            self._is_listening = False
            application.removeEventFilter(self)
            application.applicationStateChanged.disconnect(self._on_application_state)
        self._set(self._state.clear())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take key events before anything else can."""
        kind = event.type()
        if kind == QEvent.Type.WindowDeactivate:
            self._lose_focus()
        elif kind == QEvent.Type.WindowActivate:
            self._set(self._state.regain(moment_now()))
        if not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        name = key_of_event(event)
        if name in self._passed_on:
            return super().eventFilter(watched, event)
        if kind == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        drive_key = self._keys.get(name)
        if kind in {QEvent.Type.KeyPress, QEvent.Type.KeyRelease}:
            self._hear(event, drive_key)
            return True
        return super().eventFilter(watched, event)

    def _hear(self, event: QKeyEvent, drive_key: DriveKey | None) -> None:
        physical, at = _physical(event), moment_now(event.timestamp())
        is_repeat = event.isAutoRepeat()
        if event.type() == QEvent.Type.KeyRelease:
            if drive_key or physical in self._state.held:
                self._set(self._state.release(physical, at, is_auto_repeat=is_repeat))
        elif drive_key:
            self._set(self._state.press(physical, drive_key, at, is_auto_repeat=is_repeat))

    def _on_application_state(self, state: Qt.ApplicationState) -> None:
        if state is not Qt.ApplicationState.ApplicationActive:
            self._lose_focus()

    def _lose_focus(self) -> None:
        self._set(self._state.lose(moment_now()))
        self.focus_lost.emit()

    def _set(self, state: KeyState) -> None:
        if state != self._state:
            self._state = state
            self.changed.emit(state)


def _physical(event: QKeyEvent) -> int:
    return event.nativeScanCode() or event.key()
