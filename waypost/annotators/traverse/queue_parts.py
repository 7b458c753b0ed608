"""What the queue of passages can be narrowed to."""

from __future__ import annotations

from enum import StrEnum


class QueuePart(StrEnum):
    """What the queue can be narrowed to; a passage may be in several parts."""

    UNDECIDED = "undecided"
    PROPOSED = "proposed"
    """Without an answer, and measured for certain."""

    UNCERTAIN = "uncertain"
    """Answered so, or without an answer and measured so."""

    STALE = "stale"
    CONTRADICTING = "contradicting"
    """The answer is not what was measured."""

    DISAGREEING = "disagreeing"
    """Two have labelled it, and do not agree; nobody has decided."""

    RETURNED = "returned"
    """One of two is to label it again."""
