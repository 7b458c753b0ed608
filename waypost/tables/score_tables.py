"""Frames of what people scored: a row per item, rater and criterion, and means per source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from waypost.domain.score.comparison_rows import ComparisonRow
from waypost.domain.score.score_rows import ScoreRow
from waypost.io.scores.comparison_csv import COMPARISON_CELLS
from waypost.io.scores.score_csv import CELLS
from waypost.metrics.score_means import ScoreMean
from waypost.tables.frames import Columns, frame_of

if TYPE_CHECKING:
    import pandas as pd


_KINDS: Final[Mapping[str, type]] = MappingProxyType(
    {
        "batch": str,
        "item": str,
        "rater": str,
        "criterion": str,
        "score": int,
        "cannot_judge": bool,
        "comment": str,
        "state": str,
        "round": int,
        "rubric": str,
        "rubric_version": int,
        "total": int,
        "is_flagged": bool,
        "skip_reason": str,
        "is_seeing": bool,
        "agreement_score": int,
        "active_s": float,
        "source": str,
        "task": str,
        "language": str,
        "text": str,
    }
)
"""Columns of ``CELLS`` that an analysis needs, and what they hold."""


def score_frame(rows: Iterable[ScoreRow]) -> pd.DataFrame:
    """One row per item, rater and criterion; the score is null where there is none."""
    columns: Columns[ScoreRow] = {name: (kind, CELLS[name]) for name, kind in _KINDS.items()}
    return frame_of(rows, columns)


_PAIR_KINDS: Final[Mapping[str, type]] = MappingProxyType(
    {
        "batch": str,
        "item": str,
        "rater": str,
        "criterion": str,
        "score": int,
        "better": str,
        "cannot_judge": bool,
        "on_left": str,
        "comment": str,
        "state": str,
        "round": int,
        "is_flagged": bool,
        "skip_reason": str,
        "is_seeing": bool,
        "agreement_score": int,
        "active_s": float,
        "first_item": str,
        "second_item": str,
        "first_source": str,
        "second_source": str,
    }
)
"""Columns of ``COMPARISON_CELLS`` that an analysis needs, and what they hold."""


def comparison_frame(rows: Iterable[ComparisonRow]) -> pd.DataFrame:
    """One row per pair, rater and criterion; score and better are null where there is none."""
    columns: Columns[ComparisonRow] = {
        name: (kind, COMPARISON_CELLS[name]) for name, kind in _PAIR_KINDS.items()
    }
    return frame_of(rows, columns)


def score_mean_frame(means: Iterable[ScoreMean]) -> pd.DataFrame:
    """One row per source, task and criterion."""
    columns: Columns[ScoreMean] = {
        "source": (str, lambda row: row.key.source),
        "task": (str, lambda row: row.key.task),
        "criterion": (str, lambda row: row.key.criterion),
        "mean": (float, lambda row: row.mean),
        "ci95_low": (float, lambda row: None if row.ci95 is None else row.ci95[0]),
        "ci95_high": (float, lambda row: None if row.ci95 is None else row.ci95[1]),
        "n_items": (int, lambda row: row.items),
        "n_scores": (int, lambda row: row.scores),
        "undefined": (str, lambda row: row.undefined),
    }
    return frame_of(means, columns)
