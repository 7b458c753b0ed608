"""A score as agreement needs it, whatever it was given for."""

from __future__ import annotations

from typing import NamedTuple


class GivenScore(NamedTuple):
    """One score of one rater."""

    item: str
    rater: str
    criterion: str
    score: float
    """Finite."""
