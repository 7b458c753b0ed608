"""Whether there is a display that Qt can open a window on; told before Qt is loaded."""

from __future__ import annotations

import os
import sys
from typing import Final

from waypost.domain.base.errors import InputError

_NAMED_BY: Final = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def check_display(what: str) -> None:
    """Refuse to go on without a display; Qt would end the process.

    Args:
        what: What needs it: ``pictures need``.

    Raises:
        InputError: If there is none.
    """
    if sys.platform.startswith("linux") and not any(map(os.environ.get, _NAMED_BY)):
        raise InputError(f"{what} a display; xvfb-run gives one to machines without")
