"""Which question about a passage its label answers: the rule of a project."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from waypost.domain.base.errors import InputError


class AnswerBy(StrEnum):
    """Along which way an agent must get to the other node."""

    ANY_PATH = "any_path"
    """Along any path within the detour that passes no other node."""

    STRAIGHT = "straight"
    """Along the straight edge, where nothing may be touched."""


@dataclass(frozen=True, slots=True)
class PassageRule:
    """What a project means by “travels”; one for all its passages.

    Raises:
        InputError: If a value is out of range; the message starts with the field's name.
    """

    answer_by: AnswerBy = AnswerBy.ANY_PATH
    allows_furniture: bool = False
    """Whether agents may go over furniture that is low enough for them."""

    detour_factor: float = 1.5
    """A path is at most so many times as long as the straight edge, and …"""

    detour_extra_m: float = 1.0
    """… so much more."""

    def __post_init__(self) -> None:
        for name, low, high in (("detour_factor", 1.0, 10.0), ("detour_extra_m", 0.0, 100.0)):
            value = getattr(self, name)
            if not math.isfinite(value) or not low <= value <= high:
                raise InputError(f"{name}: {value:g} is outside {low:g} to {high:g}")


DEFAULT_PASSAGE_RULE = PassageRule()
"""Of projects in which nobody chose another."""
