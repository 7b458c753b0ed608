"""Averages of a study: per participant, and over participants, so that nobody weighs more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from waypost.metrics.aggregate import interval

NOT_SCORED: Final = "the take was not scored"
"""Reason for a score that a take does not have at all."""


@dataclass(frozen=True, slots=True)
class ScoredTake:
    """The scores of one take that counts."""

    participant: str
    scores: Mapping[str, float | None]
    """Name → value; ``None`` where undefined."""

    notes: Mapping[str, str]
    """Name → why it is undefined."""


@dataclass(frozen=True, slots=True)
class ParticipantMean:
    """One score of one participant."""

    participant: str
    score: str
    value: float | None
    """Mean over the takes where it is defined; ``None`` where it is nowhere."""

    n: int
    """Takes in the mean."""

    undefined: Mapping[str, int]
    """Reason → takes left out of the mean."""


@dataclass(frozen=True, slots=True)
class MeanOfMeans:
    """One score of a study."""

    score: str
    value: float | None
    """Mean of the participants' means; ``None`` where nobody has one."""

    n_participants: int
    """Participants with a mean."""

    n_takes: int
    """Takes in all their means together."""

    undefined: Mapping[str, int]
    """Reason → takes left out."""

    ci95: tuple[float, float] | None
    """Percentile bootstrap interval by resampling participants; ``None`` with fewer than two."""


def participant_means(takes: Sequence[ScoredTake]) -> tuple[ParticipantMean, ...]:
    """Average every score of every participant, participants and scores in their first order."""
    people = dict.fromkeys(take.participant for take in takes)
    names = dict.fromkeys(name for take in takes for name in take.scores)
    means = []
    for person in people:
        own = [take for take in takes if take.participant == person]
        for name in names:
            found = [value for take in own if (value := take.scores.get(name)) is not None]
            reasons = (_reason(take, name) for take in own if take.scores.get(name) is None)
            value = float(np.mean(found)) if found else None
            means.append(ParticipantMean(person, name, value, len(found), dict(Counter(reasons))))
    return tuple(means)


def means_of_means(means: Sequence[ParticipantMean], seed: int = 0) -> tuple[MeanOfMeans, ...]:
    """Average the participants' means; each participant weighs the same.

    Args:
        means: From ``participant_means``.
        seed: Of the bootstrap; equal seeds give equal intervals.
    """
    results = []
    for name in dict.fromkeys(mean.score for mean in means):
        own = [mean for mean in means if mean.score == name]
        values = np.array([mean.value for mean in own if mean.value is not None], dtype=np.float64)
        undefined: Counter[str] = Counter()
        for mean in own:
            undefined.update(mean.undefined)
        results.append(
            MeanOfMeans(
                score=name,
                value=float(values.mean()) if len(values) else None,
                n_participants=len(values),
                n_takes=sum(mean.n for mean in own),
                undefined=dict(undefined.most_common()),
                ci95=interval(values, seed),
            )
        )
    return tuple(results)


def _reason(take: ScoredTake, name: str) -> str:
    return take.notes.get(name) or NOT_SCORED
