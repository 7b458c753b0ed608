"""A game controller, where one is plugged in; a thread of its own asks it how it stands."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QThread, Signal

from waypost.services.input.pad_state import PAD_AT_REST, PadButton, PadState
from waypost.services.input.sdl_controllers import PadReading, SdlControllers, load_sdl

_ASK_EVERY_S = 0.01
_LOOK_EVERY_S = 0.5
"""How often it is looked for a controller while there is none."""


class Gamepad(QObject):
    """Tells what the controller does between ``start`` and ``stop``; silent where there is none."""

    moved = Signal(object)
    """The new `PadState`."""

    pressed = Signal(object)
    """The `PadButton` that went down."""

    plugged = Signal(str)
    """Name of a controller that is there now."""

    unplugged = Signal(str)
    """Name of the controller that is gone."""

    _told = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: _PadThread | None = None
        self._reading: PadReading | None = None
        self._told.connect(self._hear, Qt.ConnectionType.QueuedConnection)

    @property
    def is_plugged(self) -> bool:
        """Whether there is a controller."""
        return self._reading is not None

    @property
    def state(self) -> PadState:
        """Where its sticks are; at rest where there is none."""
        return PAD_AT_REST if self._reading is None else self._reading.state

    def is_held(self, button: PadButton) -> bool:
        """Whether a button is down."""
        return self._reading is not None and button in self._reading.held

    def start(self) -> None:
        """Begin to listen."""
        if self._thread is None:
            self._thread = _PadThread(self._told.emit)
            self._thread.start()

    def stop(self) -> None:
        """Listen no more; the thread is gone when this returns."""
        thread, self._thread, self._reading = self._thread, None, None
        if thread is not None:
            thread.is_over.set()
            thread.wait()

    def _hear(self, news: tuple[_PadThread, PadReading | None]) -> None:
        thread, reading = news
        if thread is not self._thread:
            # What was on its way when the thread ended.
            return
        before, self._reading = self._reading, reading
        if reading is None:
            if before is not None:
                self.unplugged.emit(before.name)
            return
        if before is None:
            self.plugged.emit(reading.name)
        if reading.state != (PAD_AT_REST if before is None else before.state):
            self.moved.emit(reading.state)
        # Buttons that were held when it was plugged in have not been pressed.
        for button in sorted(reading.held - (reading.held if before is None else before.held)):
            self.pressed.emit(button)


class _PadThread(QThread):
    """Owns the library, which wants to be asked from one thread only."""

    def __init__(self, tell: Callable[[tuple[_PadThread, PadReading | None]], None]) -> None:
        super().__init__()
        self.is_over = threading.Event()
        self._tell = tell

    def run(self) -> None:
        """Ask until it is over; say only what has changed."""
        sdl = load_sdl()
        if sdl is None:
            return
        controllers = SdlControllers(sdl)
        before: PadReading | None = None
        while not self.is_over.is_set():
            reading = controllers.read()
            if reading != before:
                before = reading
                self._tell((self, reading))
            self.is_over.wait(_LOOK_EVERY_S if reading is None else _ASK_EVERY_S)
        controllers.close()
