"""What rows of runs are shown and in which order, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from waypost.domain.base.mark_state import MarkState
from waypost.domain.base.metric_range import MetricRange
from waypost.domain.replay.tags import TagKind

MOST_RUNS: Final = 4
"""Runs that are shown side by side."""

RUNS_DIFFER: Final = "Runs differ"
"""Outcome of an episode that one run solves and another does not."""

OUTCOMES: Final = ("Success", "Incorrect navigation", "Generation error", "Unknown")


class SortKey(StrEnum):
    """What rows can be sorted by."""

    FILE = "file"
    """Their order in the file."""

    ID = "id"
    """Numbers in ids count as numbers: 7_0, 12_1, 100_0."""

    SCENE = "scene"
    SUCCESS = "success"
    METRIC = "metric"
    TAGS = "tags"
    STEPS = "steps"
    INSTRUCTION = "instruction"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class SortOrder:
    """How rows are sorted; rows without a value come last in both directions."""

    key: SortKey = SortKey.FILE
    is_descending: bool = False
    run: int = 0
    """Of success and metric."""

    metric: str = ""


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Which rows are shown: any choice within a field, all fields together."""

    query: str = ""
    """Every word must occur in the id, the scene or the instruction."""

    tags: frozenset[TagKind] = frozenset()
    outcomes: frozenset[str] = frozenset()
    """Of ``OUTCOMES`` and ``RUNS_DIFFER``."""

    scenes: frozenset[str] = frozenset()
    causes: frozenset[str] = frozenset()
    marks: frozenset[MarkState] = frozenset()
    """As whoever looks has marked them."""

    ids: frozenset[str] | None = None
    """Only what charts count, by ``RunRow.chart_id``; ``None`` for all."""

    ranges: tuple[MetricRange, ...] = ()
    """All of these must hold."""

    @property
    def is_empty(self) -> bool:
        """Whether every row passes."""
        return self.ids is None and not any(
            (
                self.query.strip(),
                self.tags,
                self.outcomes,
                self.scenes,
                self.causes,
                self.marks,
                self.ranges,
            )
        )
