"""From scores of episodes to what is reported: means, coverage, intervals, comparisons."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from waypost.metrics.profile import Summary
from waypost.metrics.undefined import UndefinedScoreError

RESAMPLES = 1000
"""Bootstrap samples behind each interval."""

MOST_RESAMPLED = 5_000
"""Episodes up to which intervals are resampled; beyond, the normal limit is as exact."""

LEVEL = 0.95
_NORMAL_QUANTILE = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One number of a report, with what stands behind it."""

    value: float | None
    """Mean over the episodes where the score is defined; ``None`` where it is nowhere."""

    n: int
    """Episodes in the mean."""

    undefined: Mapping[str, int]
    """Reason → episodes left out of the mean."""

    ci95: tuple[float, float] | None
    """Percentile bootstrap interval of the mean; ``None`` with fewer than two episodes."""


def aggregate(
    values: NDArray[np.float64], undefined: Mapping[str, int], seed: int = 0
) -> Aggregate:
    """Mean, count and interval of one score.

    Args:
        values: (N,) NaN where undefined.
        undefined: Reason → how many values are undefined for it.
        seed: Of the bootstrap; equal seeds give equal intervals.
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return Aggregate(None, 0, undefined, None)
    return Aggregate(float(np.mean(defined)), len(defined), undefined, interval(values, seed))


def interval(values: NDArray[np.float64], seed: int = 0) -> tuple[float, float] | None:
    """The 95 % bootstrap interval of the mean over episodes, those undefined resampled too.

    Up to ``MOST_RESAMPLED`` episodes by 1,000 resamples and percentiles; beyond by the normal
    distribution that those percentiles then approach.
    """
    is_defined = ~np.isnan(values)
    defined = values[is_defined]
    if len(defined) < 2:
        return None
    if len(values) > MOST_RESAMPLED:
        half = _NORMAL_QUANTILE * float(np.std(defined)) / math.sqrt(len(defined))
        middle = float(np.mean(defined))
        return middle - half, middle + half
    weights = _resampling_weights(len(values), seed)
    if is_defined.all():
        means = weights @ values / len(values)
        return _percentiles(means)
    sums = weights @ np.where(is_defined, values, 0.0)
    sizes = weights @ is_defined.astype(np.float64)
    return _percentiles(sums[sizes > 0] / sizes[sizes > 0])


def summarise(
    summary: Summary, columns: Mapping[str, NDArray[np.float64]], seed: int = 0
) -> Aggregate:
    """One score of a whole run, with the percentile bootstrap interval over its episodes.

    Resamples on which the score is undefined are left out of the interval; above
    ``MOST_RESAMPLED`` episodes there is none.

    Args:
        summary: The score.
        columns: (N,) values per metric of the profile, NaN where undefined.
        seed: Of the bootstrap; equal seeds give equal intervals.
    """
    count = len(columns[summary.counted])
    n = int((~np.isnan(columns[summary.counted])).sum())
    try:
        value = summary.score(columns)
    except UndefinedScoreError as error:
        return Aggregate(None, 0, {str(error): count}, None)
    found = []
    generator = np.random.default_rng(seed)
    for _ in range(RESAMPLES if 1 < count <= MOST_RESAMPLED else 0):
        picks = generator.integers(0, count, size=count)
        try:
            found.append(summary.score({key: column[picks] for key, column in columns.items()}))
        except UndefinedScoreError:
            continue
    left_out = {"not scored, see the metrics": count - n} if count > n else {}
    return Aggregate(value, n, left_out, _percentiles(np.array(found)) if found else None)


def _percentiles(means: NDArray[np.float64]) -> tuple[float, float]:
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


@lru_cache(maxsize=2)
def _resampling_weights(n: int, seed: int) -> NDArray[np.float64]:
    """(RESAMPLES, n) how often each episode stands in each resample."""
    generator = np.random.default_rng(seed)
    picks = generator.integers(0, n, size=(RESAMPLES, n), dtype=np.int64)
    picks += n * np.arange(RESAMPLES, dtype=np.int64)[:, None]
    counts = np.bincount(picks.ravel(), minlength=RESAMPLES * n)
    return counts.reshape(RESAMPLES, n).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One score of two runs on the episodes where both have it."""

    n: int
    """Episodes shared."""

    difference: float | None
    """Mean of second minus first."""

    ci95: tuple[float, float] | None
    """Of the difference, by resampling episodes."""

    higher: int
    """Episodes where the second run scores higher."""

    lower: int
    equal: int


def compare(gaps: NDArray[np.float64], seed: int = 0) -> Comparison:
    """Compare two runs by their differences, episode by episode.

    Args:
        gaps: (N,) second minus first where both are defined.
        seed: Of the bootstrap.
    """
    if not len(gaps):
        return Comparison(0, None, None, 0, 0, 0)
    return Comparison(
        len(gaps),
        float(gaps.mean()),
        interval(gaps, seed),
        int((gaps > 0).sum()),
        int((gaps < 0).sum()),
        int((gaps == 0).sum()),
    )
