"""Frames of what people scored: a row per item, rater and criterion, and means per source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from waypost.domain.score.score_rows import ScoreRow
from waypost.metrics.score_means import ScoreMean
from waypost.tables.frames import Columns, frame_of

if TYPE_CHECKING:
    import pandas as pd


def score_frame(rows: Iterable[ScoreRow]) -> pd.DataFrame:
    """One row per item, rater and criterion; the score is null where there is none."""
    columns: Columns[ScoreRow] = {
        "batch": (str, lambda row: row.sheet.key.batch),
        "item": (str, lambda row: row.sheet.key.item),
        "rater": (str, lambda row: row.sheet.key.rater),
        "criterion": (str, lambda row: row.criterion),
        "score": (int, lambda row: row.score),
        "cannot_judge": (bool, lambda row: row.cannot_judge),
        "comment": (str, lambda row: row.comment),
        "state": (str, lambda row: row.sheet.state.value),
        "round": (int, lambda row: row.sheet.key.round),
        "rubric": (str, lambda row: row.rubric),
        "rubric_version": (int, lambda row: row.sheet.rubric_version),
        "total": (int, lambda row: row.total),
        "is_flagged": (bool, lambda row: row.sheet.is_flagged),
        "skip_reason": (str, lambda row: row.sheet.skip_reason),
        "active_s": (float, lambda row: row.sheet.active_s),
        "source": (str, lambda row: row.source),
        "task": (str, lambda row: row.instruction.task),
        "language": (str, lambda row: row.instruction.language),
        "text": (str, lambda row: row.instruction.text),
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
    }
    return frame_of(means, columns)
