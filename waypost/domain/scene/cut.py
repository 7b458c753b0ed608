"""Where a cut hides a scene: one answer for what is drawn and what can be picked."""

from __future__ import annotations

from typing import Final

_HIDDEN_BELOW_M: Final = 0.001
"""A surface that lies in the cut would be half drawn, other pixels of it in every picture. It is
hidden with what is above, so that a cut in a ceiling shows the room below."""


def hidden_from_m(cut_z_m: float) -> float:
    """The height, in the frame of the cut, from which on nothing is seen: a little below it."""
    return cut_z_m - _HIDDEN_BELOW_M
