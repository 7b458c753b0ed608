"""Game controllers as SDL sees them; the one module that knows the library, which may be absent."""

from __future__ import annotations

import warnings
from types import ModuleType
from typing import Any, NamedTuple

from waypost.services.input.pad_state import PadButton, PadState, stick_share

_FULL = 32767.0
_HINTS = (
    # Ctrl+C belongs to the program, and windows to Qt.
    (b"SDL_NO_SIGNAL_HANDLERS", b"1"),
    (b"SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", b"1"),
    (b"SDL_JOYSTICK_THREAD", b"1"),
)
_BUTTONS = {
    PadButton.GO: "A",
    PadButton.STOP: "B",
    PadButton.LOST: "Y",
    PadButton.PAUSE: "START",
    PadButton.PREVIOUS: "DPAD_LEFT",
    PadButton.NEXT: "DPAD_RIGHT",
}


class PadReading(NamedTuple):
    """A controller at one moment."""

    name: str
    state: PadState
    held: frozenset[PadButton]


def load_sdl() -> ModuleType | None:
    """The library with its game controllers ready; ``None`` where there is none.

    Everything about it has to happen in the thread that called this.
    """
    try:
        with warnings.catch_warnings():
            # It says which binary it uses.
            warnings.simplefilter("ignore")
            import sdl2  # noqa: PLC0415 - an extra, and only loaded where it is needed
    except (ImportError, OSError, RuntimeError):
        return None
    for name, value in _HINTS:
        sdl2.SDL_SetHint(name, value)
    if sdl2.SDL_InitSubSystem(sdl2.SDL_INIT_GAMECONTROLLER) != 0:
        return None
    # States are asked for; events that nobody fetches would pile up.
    sdl2.SDL_GameControllerEventState(sdl2.SDL_IGNORE)
    sdl2.SDL_JoystickEventState(sdl2.SDL_IGNORE)
    loaded: ModuleType = sdl2
    return loaded


class SdlControllers:
    """The first controller that is plugged in, as long as it stays.

    Args:
        sdl: Of ``load_sdl``.
    """

    def __init__(self, sdl: ModuleType) -> None:
        self._sdl: Any = sdl
        self._pad: Any = None
        self._name = ""
        self._buttons = {
            meaning: getattr(sdl, f"SDL_CONTROLLER_BUTTON_{name}")
            for meaning, name in _BUTTONS.items()
        }

    def read(self) -> PadReading | None:
        """Where its sticks and buttons are now; ``None`` while none is plugged in."""
        sdl = self._sdl
        sdl.SDL_GameControllerUpdate()
        sdl.SDL_FlushEvents(sdl.SDL_FIRSTEVENT, sdl.SDL_LASTEVENT)
        if self._pad is not None and not sdl.SDL_GameControllerGetAttached(self._pad):
            self._let_go()
        if self._pad is None and not self._find():
            return None
        held = frozenset(
            meaning
            for meaning, number in self._buttons.items()
            if sdl.SDL_GameControllerGetButton(self._pad, number)
        )
        state = PadState(
            self._axis(sdl.SDL_CONTROLLER_AXIS_LEFTX),
            -self._axis(sdl.SDL_CONTROLLER_AXIS_LEFTY),
            self._axis(sdl.SDL_CONTROLLER_AXIS_RIGHTX),
            -self._axis(sdl.SDL_CONTROLLER_AXIS_RIGHTY),
        )
        return PadReading(self._name, state, held)

    def close(self) -> None:
        """Let go of the controller and of the library."""
        self._let_go()
        self._sdl.SDL_QuitSubSystem(self._sdl.SDL_INIT_GAMECONTROLLER)

    def _find(self) -> bool:
        sdl = self._sdl
        for index in range(sdl.SDL_NumJoysticks()):
            if sdl.SDL_IsGameController(index):
                pad = sdl.SDL_GameControllerOpen(index)
                if pad:
                    name = sdl.SDL_GameControllerName(pad) or b"game controller"
                    self._pad, self._name = pad, name.decode("utf-8", "replace")
                    return True
        return False

    def _let_go(self) -> None:
        if self._pad is not None:
            self._sdl.SDL_GameControllerClose(self._pad)
            self._pad = None

    def _axis(self, axis: int) -> float:
        return stick_share(self._sdl.SDL_GameControllerGetAxis(self._pad, axis) / _FULL)
