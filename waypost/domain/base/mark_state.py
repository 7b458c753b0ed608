"""How far one analyst has marked an episode; rows are filtered by it, marks say it."""

from __future__ import annotations

from enum import StrEnum


class MarkState(StrEnum):
    """Of one episode, under one taxonomy."""

    MARKED = "marked"
    BEGUN = "begun"
    """Answers are missing on axes that need one."""

    UNMARKED = "unmarked"
