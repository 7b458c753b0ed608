"""Tables of a study: a row per take, and averages in which nobody weighs more than another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from waypost.domain.record.study import Study, Take
from waypost.domain.record.take_quality import (
    DEFAULT_LIMITS,
    FlagKind,
    QualityLimits,
    quality_flags,
)
from waypost.metrics.aggregate import interval
from waypost.tables.frames import Columns, frame_of, score_columns

if TYPE_CHECKING:
    import pandas as pd

NOT_SCORED: Final = "the take was not scored"
"""Reason for a score that a take does not have at all."""

_MEANS: Final[Mapping[str, type]] = {
    "participant": str,
    "score": str,
    "mean": float,
    "n_takes": int,
    "n_undefined": int,
    "undefined": dict,
}
_OVERALL: Final[Mapping[str, type]] = {
    "score": str,
    "mean_of_means": float,
    "ci95_low": float,
    "ci95_high": float,
    "n_participants": int,
    "n_takes": int,
    "n_undefined": int,
    "undefined": dict,
}


_RULES: Final[Columns[Take]] = {
    "rule_feedback": (str, lambda take: take.rules.feedback.value),
    "rule_scale_bar": (bool, lambda take: take.rules.shows_scale_bar),
    "rule_compass": (bool, lambda take: take.rules.shows_compass),
    "rule_map": (bool, lambda take: take.rules.shows_map),
    "rule_frames": (bool, lambda take: take.rules.shows_frames),
    "rule_time_limit_s": (float, lambda take: take.rules.time_limit_s),
    "rule_can_look": (bool, lambda take: take.rules.can_look),
    "rule_questions": (str, lambda take: "; ".join(q.value for q in take.rules.questions)),
}
"""Under which rules a take was made."""

_ANSWERS: Final[Columns[Take]] = {
    "answer_reached": (bool, lambda take: take.answers.reached if take.answers else None),
    "answer_sureness": (int, lambda take: take.answers.sureness if take.answers else None),
    "answer_unclear": (str, lambda take: take.answers.unclear if take.answers else None),
    "answered_utc": (str, lambda take: take.answers.answered_utc if take.answers else None),
}
"""What the participant answered after a take; null where nothing was asked or answered."""


def take_frame(
    study: Study, takes: Sequence[Take], limits: QualityLimits = DEFAULT_LIMITS
) -> pd.DataFrame:
    """One row per take: key, outcome, durations, flags, then each score and why it is undefined."""
    names = sorted({name for take in takes for name in take.scores})
    flags = {take.key: {f.kind for f in quality_flags(take.summary, limits)} for take in takes}

    def has_flag(kind: FlagKind, take: Take) -> bool:
        return kind in flags[take.key]

    columns: Columns[Take] = {
        "participant": (str, lambda take: take.key.participant),
        "dataset": (str, lambda take: take.key.dataset),
        "split": (str, lambda take: study.episodes[take.key.assignment.episode].split),
        "scene_id": (str, lambda take: take.key.scene_id),
        "episode_id": (str, lambda take: take.key.episode_id),
        "take": (int, lambda take: take.key.number),
        "place": (int, lambda take: study.assignments[take.key.assignment].place),
        "outcome": (str, lambda take: study.assignments[take.key.assignment].state.value),
        "reason": (str, lambda take: study.assignments[take.key.assignment].reason),
        "started_utc": (str, lambda take: take.started_utc),
        "duration_s": (float, lambda take: take.summary.duration_ns / 1e9),
        "wall_duration_s": (float, lambda take: take.summary.wall_duration_ns / 1e9),
        "pause_s": (float, lambda take: take.summary.pause_ns / 1e9),
        "active_s": (float, lambda take: take.summary.active_ns / 1e9),
        **_RULES,
        **_ANSWERS,
        "rows": (int, lambda take: take.summary.rows),
        "achieved_rate_hz": (float, lambda take: take.summary.achieved_rate_hz),
        "path_length_m": (float, lambda take: take.summary.path_length_m),
        "turned_rad": (float, lambda take: take.summary.turned_rad),
        "collision_count": (int, lambda take: take.summary.collision_count),
        "strict_collision_count": (int, lambda take: take.summary.strict_collision_count),
        "focus_lost_share": (float, lambda take: take.summary.focus_lost_share),
        "profile": (str, lambda take: take.profile or None),
        **{f"flag_{kind.value}": (bool, partial(has_flag, kind)) for kind in FlagKind},
        **score_columns(
            names,
            lambda number, take: take.scores.get(names[number]),
            lambda number, take: take.score_notes.get(names[number], NOT_SCORED),
        ),
        "sha256": (str, lambda take: take.content_hash),
    }
    return frame_of(takes, columns)


def take_scores(takes: Sequence[Take]) -> pd.DataFrame:
    """One row per take and score, what every take measures before them, in their first order."""
    found = [(take, {**_measures(take), **take.scores}) for take in takes]
    names = dict.fromkeys(name for _, scores in found for name in scores)
    cells = [(take, name, scores.get(name)) for take, scores in found for name in names]
    return frame_of(cells, {
        "participant": (str, lambda cell: cell[0].key.participant),
        "score": (str, lambda cell: cell[1]),
        "value": (float, lambda cell: cell[2]),
        "undefined": (str, lambda cell: _reason(*cell)),
    })  # fmt: skip


def participant_means(scores: pd.DataFrame) -> pd.DataFrame:
    """Average each score of each participant over the takes where it is defined.

    Args:
        scores: From ``take_scores``.

    Returns:
        One row per participant and score: ``mean``, null where it is undefined everywhere;
        ``n_takes`` in it; ``n_undefined`` left out, and by reason in ``undefined``.
    """
    rows = []
    for (participant, score), own in scores.groupby(["participant", "score"], sort=False):
        values = own["value"].dropna().to_numpy()
        reasons = Counter(own["undefined"].dropna())
        mean = float(np.mean(values)) if len(values) else None
        rows.append((participant, score, mean, len(values), reasons.total(), dict(reasons)))
    return _frame(rows, _MEANS)


def means_of_means(means: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Average the participants' means; each participant weighs the same.

    Args:
        means: From ``participant_means``.
        seed: Of the bootstrap; equal seeds give equal intervals.

    Returns:
        One row per score: ``mean_of_means`` over ``n_participants`` who have a mean, its 95 %
        interval by resampling participants (null with fewer than two), ``n_takes`` in all means
        together, ``n_undefined`` left out, and by reason in ``undefined``, most frequent first.
    """
    rows = []
    for score, own in means.groupby("score", sort=False):
        values = own["mean"].dropna().to_numpy()
        reasons: Counter[str] = Counter()
        for each in own["undefined"]:
            reasons.update(each)
        counts = len(values), int(own["n_takes"].sum()), reasons.total()
        mean = float(values.mean()) if len(values) else None
        ends = interval(values, seed) or (None, None)
        rows.append((score, mean, *ends, *counts, dict(reasons.most_common())))
    return _frame(rows, _OVERALL)


def _frame(rows: Sequence[tuple[Any, ...]], kinds: Mapping[str, type]) -> pd.DataFrame:
    places = enumerate(kinds.items())
    return frame_of(rows, {name: (kind, itemgetter(place)) for place, (name, kind) in places})


def _measures(take: Take) -> dict[str, float | None]:
    summary = take.summary
    return {
        "take.duration_s": summary.duration_ns / 1e9,
        "take.active_s": summary.active_ns / 1e9,
        "take.pause_s": summary.pause_ns / 1e9,
        "take.path_length_m": summary.path_length_m,
        "take.collision_count": float(summary.collision_count),
        "take.strict_collision_count": float(summary.strict_collision_count),
    }


def _reason(take: Take, name: str, value: float | None) -> str | None:
    return None if value is not None else take.score_notes.get(name) or NOT_SCORED
