"""A game controller without hardware: SDL's own virtual one, seen by the real code."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import sdl2

_AXES = {"left_x": 0, "left_y": 1, "right_x": 2, "right_y": 3}
_BUTTONS = {"A": 0, "B": 1, "Y": 3, "Start": 6, "Left": 13, "Right": 14}


class VirtualPad:
    """Plugged in from ``plug`` to ``unplug``; axes in [−1, 1], right and up positive."""

    def __init__(self) -> None:
        self._index = -1
        self._joystick = None

    def plug(self) -> None:
        self._index = sdl2.SDL_JoystickAttachVirtual(
            sdl2.SDL_JOYSTICK_TYPE_GAMECONTROLLER, 6, 15, 0
        )
        assert self._index >= 0, sdl2.SDL_GetError()
        self._joystick = sdl2.SDL_JoystickOpen(self._index)
        assert self._joystick

    def unplug(self) -> None:
        if self._index >= 0:
            sdl2.SDL_JoystickDetachVirtual(self._index)
            sdl2.SDL_JoystickClose(self._joystick)
            self._index = -1

    def tilt(self, **axes: float) -> None:
        for name, value in axes.items():
            raw = round(value * 32767) * (-1 if name.endswith("y") else 1)
            sdl2.SDL_JoystickSetVirtualAxis(self._joystick, _AXES[name], raw)

    def press(self, name: str, *, is_down: bool = True) -> None:
        number = _BUTTONS[name]
        sdl2.SDL_JoystickSetVirtualButton(self._joystick, number, ctypes.c_uint8(is_down))


@contextmanager
def virtual_pad(wait: Callable[[Callable[[], bool]], None]) -> Iterator[VirtualPad]:
    """Not plugged in yet; the library has to be at work before it can be.

    Args:
        wait: Runs the event loop until a condition holds.
    """
    wait(lambda: bool(sdl2.SDL_WasInit(sdl2.SDL_INIT_GAMECONTROLLER)))
    pad = VirtualPad()
    yield pad
    with suppress(RuntimeError):
        pad.unplug()
