"""In a session one press of a key is one act, however the window system repeats it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from waypost.app.shell.actions import takes_text
from waypost.services.input.key_presses import KeyPresses, moment_now
from waypost.services.input.shortcuts import key_of_event

_ALWAYS = frozenset({"Space", "Return"})
"""They press whatever button has the keyboard."""


class PressGuard(QObject):
    """While it watches, repeats of the guarded keys reach nothing; text fields keep theirs.

    Args:
        parent: Qt owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keys: frozenset[str] = _ALWAYS
        self._presses = KeyPresses()
        self._is_passing = True
        self._is_watching = self._is_hearing = False

    def set_keys(self, keys: Iterable[str]) -> None:
        """Guard these keys, without what is held beside them, and Space and Enter."""
        self._keys = _ALWAYS | frozenset(map(_twin, keys))

    def start(self) -> None:
        """Begin to watch."""
        application = QApplication.instance()
        self._is_watching = True
        if application is not None and not self._is_hearing:
            self._is_hearing = True
            application.installEventFilter(self)

    def stop(self) -> None:
        """Watch no more, once the key that ended it is let go: else it would be held for good."""
        self._is_watching = False
        self._end_when_free()

    def _end_when_free(self) -> None:
        application = QApplication.instance()
        is_free = not any(map(self._presses.is_down, self._keys))
        if application is not None and self._is_hearing and is_free and not self._is_watching:
            self._is_hearing = False
            application.removeEventFilter(self)

    def is_down(self, key: str) -> bool:
        """Whether a key is down, as far as is known."""
        return self._presses.is_down(_twin(key))

    def is_free(self, key: str) -> bool:
        """Whether a key has been let go, so that a press of it would count."""
        return self._presses.is_free(_twin(key), moment_now())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take presses that are none."""
        kind = event.type()
        if kind == QEvent.Type.WindowDeactivate:
            self._presses.lose(moment_now())
            self._end_when_free()
        elif kind == QEvent.Type.WindowActivate:
            self._presses.regain(moment_now())
        if not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        key = _twin(key_of_event(event))
        if key not in self._keys:
            return super().eventFilter(watched, event)
        at, is_repeat = moment_now(event.timestamp()), event.isAutoRepeat()
        if kind == QEvent.Type.KeyRelease:
            if watched.isWindowType():
                self._presses.release(key, at, is_auto_repeat=is_repeat)
                self._end_when_free()
            return super().eventFilter(watched, event)
        # A press is asked about first of all, and only the window of the system is asked first.
        if kind == QEvent.Type.ShortcutOverride and watched.isWindowType():
            self._is_passing = self._presses.press(key, at, is_auto_repeat=is_repeat)
        if self._is_passing or takes_text(QApplication.focusWidget()):
            return super().eventFilter(watched, event)
        event.accept()
        return True


def _twin(key: str) -> str:
    """The key that does the same on the main part of the keyboard."""
    return "Return" if key == "Enter" else key
