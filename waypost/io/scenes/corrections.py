"""What a user may say about a scene instead of what its file says."""

from __future__ import annotations

import math
from typing import Final, TypeGuard

from waypost.domain.base.errors import InputError, ReadError

UP_AXES: Final = ("Y", "Z")

UNIT_PLACE: Final = "metersPerUnit"
UP_AXIS_PLACE: Final = "upAxis"
"""Places of the errors of a file that states a unit or an axis that cannot be."""


def lacks_frame(error: Exception) -> TypeGuard[ReadError]:
    """Whether a scene could not be read for its unit or up axis, which a person can give."""
    return isinstance(error, ReadError) and error.place in (UNIT_PLACE, UP_AXIS_PLACE)


def check_corrections(up_axis: str | None, metres_per_unit: float | None) -> None:
    """Refuse an axis or a unit that makes no scene.

    Raises:
        InputError: If the axis is neither Y nor Z, or the unit not above 0.
    """
    if up_axis is not None and up_axis not in UP_AXES:
        raise InputError(f"up axis: {up_axis!r} is neither Y nor Z")
    if metres_per_unit is not None and not (0 < metres_per_unit < math.inf):
        raise InputError(f"metres per unit: {metres_per_unit:g} is not above 0")
