"""Coefficients of agreement over scores of items by raters, each over many resamples at once.

Every function takes the scores as a table (items × raters, NaN where a rater gave none) and how
often each item counts in each resample. One row of ones gives the value itself; rows of resampled
counts give its bootstrap distribution. A result is NaN where the coefficient is undefined.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_NOTHING = 1e-12
"""Share of the largest term up to which a difference of sums is rounding."""


class ScoreDistance(StrEnum):
    """Level of measurement: how far apart two different scores are."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


def percentage(table: Floats, weights: Floats) -> Floats:
    """Equal pairs of scores of the same item, among all such pairs; a share in [0, 1].

    Args:
        table: (items, raters) scores, NaN where there is none.
        weights: (resamples, items) how often each item counts.

    Returns:
        (resamples,) shares.
    """
    counts = _counts(table)[0]
    sizes = counts.sum(axis=1)
    equal = weights @ (counts * (counts - 1)).sum(axis=1)
    return _ratio(equal, weights @ (sizes * (sizes - 1)))


def quadratic_kappa(table: Floats, weights: Floats) -> Floats:
    """Cohen's kappa with quadratic weights; of more than two raters the mean over their pairs.

    Disagreement is the squared difference of the scores themselves, not of their places among
    those that happen to occur. Pairs of raters without a common item, or who gave all of them one
    and the same score, are left out of the mean.

    Args:
        table: (items, raters) scores, NaN where there is none.
        weights: (resamples, items) how often each item counts.

    Source:
        Cohen 1968, Weighted kappa; the mean over pairs: Light 1971, Measures of response
        agreement for qualitative data.
    """
    found = []
    for first, second in combinations(range(table.shape[1]), 2):
        both = ~np.isnan(table[:, first]) & ~np.isnan(table[:, second])
        if both.any():
            found.append(_pair_kappa(table[both][:, [first, second]], weights[:, both]))
    if not found:
        return np.full(len(weights), np.nan)
    kappas = np.stack(found)
    defined = ~np.isnan(kappas)
    return _ratio(np.where(defined, kappas, 0.0).sum(axis=0), defined.sum(axis=0))


def _pair_kappa(pair: Floats, weights: Floats) -> Floats:
    x, y = (pair - pair.mean()).T
    n = weights.sum(axis=1)
    means = _ratio(weights @ np.stack([x, y], axis=1), n[:, None])
    squares = _ratio(weights @ np.stack([x**2, y**2], axis=1), n[:, None])
    observed = _ratio(weights @ (x - y) ** 2, n)
    # The mean of (x - y)² over all pairs of one score of each rater.
    expected = squares.sum(axis=1) - 2 * means[:, 0] * means[:, 1]
    return 1 - _ratio(observed, _without_rounding(expected, squares.sum(axis=1)))


def krippendorff_alpha(table: Floats, weights: Floats, distance: ScoreDistance) -> Floats:
    """Krippendorff's alpha: 1 − D_o / D_e, over the items that two or more have scored.

    Args:
        table: (items, raters) scores, NaN where there is none.
        weights: (resamples, items) how often each item counts.
        distance: How far apart two scores are. On the ordinal level by their ranks among all scores
            of the resample; on the ratio level scores must not be below 0.

    Source:
        Krippendorff 2011, Computing Krippendorff's Alpha-Reliability.
    """
    counts, values = _counts(table)
    sizes = counts.sum(axis=1)
    shared = sizes > 1
    counts, sizes, weights = counts[shared], sizes[shared], weights[:, shared]
    if not len(counts):
        return np.full(len(weights), np.nan)
    totals = weights @ counts
    if distance is ScoreDistance.NOMINAL:
        within = sizes**2 - (counts**2).sum(axis=1)
        observed = weights @ (within / (sizes - 1))
        expected = totals.sum(axis=1) ** 2 - (totals**2).sum(axis=1)
    elif distance is ScoreDistance.RATIO:
        distances = _ratio_distances(values)
        within = ((counts @ distances) * counts).sum(axis=1)
        observed = weights @ (within / (sizes - 1))
        expected = ((totals @ distances) * totals).sum(axis=1)
    elif distance is ScoreDistance.INTERVAL:
        places = np.broadcast_to(values - values.mean(), totals.shape)
        observed, expected = _squared_distances(counts, sizes, weights, totals, places)
    else:
        places = np.cumsum(totals, axis=1) - totals / 2
        places = places - places.mean(axis=1, keepdims=True)
        observed, expected = _squared_distances(counts, sizes, weights, totals, places)
    n = totals.sum(axis=1)
    has_variation = (totals > 0).sum(axis=1) > 1
    return np.where(has_variation, 1 - _ratio((n - 1) * observed, expected), np.nan)


def _squared_distances(
    counts: Floats, sizes: Floats, weights: Floats, totals: Floats, places: Floats
) -> tuple[Floats, Floats]:
    """Squared distances of scores on a line: those within items, and those of all pairs."""
    observed = np.empty(len(weights))
    for row, (weight, place) in enumerate(zip(weights, places, strict=True)):
        sums, squares = counts @ place, counts @ place**2
        observed[row] = weight @ (2 * (sizes * squares - sums**2) / (sizes - 1))
    sums, squares = (totals * places).sum(axis=1), (totals * places**2).sum(axis=1)
    return observed, 2 * (totals.sum(axis=1) * squares - sums**2)


def _ratio_distances(values: Floats) -> Floats:
    sums = values[:, None] + values[None, :]
    differences = values[:, None] - values[None, :]
    return np.divide(differences, sums, out=np.zeros_like(sums), where=sums != 0) ** 2


def intraclass_correlation(table: Floats, weights: Floats, *, is_average: bool) -> Floats:
    """ICC(2,1), or ICC(2,k) of the mean of all raters, over the items that all have scored.

    Two-way random effects, absolute agreement. NaN where fewer than two items were scored by
    every rater, or nothing varies between items beyond what raters and chance account for.

    Args:
        table: (items, raters) scores, NaN where there is none.
        weights: (resamples, items) how often each item counts.
        is_average: ICC(2,k) instead of ICC(2,1).

    Source:
        Shrout and Fleiss 1979, Intraclass correlations: uses in assessing rater reliability.
    """
    whole = ~np.isnan(table).any(axis=1)
    scores, weights = table[whole], weights[:, whole]
    if not len(scores) or scores.shape[1] < 2:
        return np.full(len(weights), np.nan)
    scores = scores - scores.mean()
    k = scores.shape[1]
    n = weights.sum(axis=1)
    grand = _ratio(weights @ scores.mean(axis=1), n)
    of_raters = _ratio(weights @ scores, n[:, None])
    square = weights @ (scores**2).sum(axis=1)
    between = k * (weights @ scores.mean(axis=1) ** 2 - n * grand**2)
    raters = n * ((of_raters - grand[:, None]) ** 2).sum(axis=1)
    rest = square - k * n * grand**2 - between - raters
    rows = _ratio(_without_rounding(between, square), n - 1)
    columns = _without_rounding(raters, square) / (k - 1)
    error = _ratio(_without_rounding(rest, square), (n - 1) * (k - 1))
    spread = _ratio(columns - error, n)
    whole_spread = rows + spread if is_average else rows + (k - 1) * error + k * spread
    defined = (n > 1) & (whole_spread > _NOTHING * np.maximum(rows, columns))
    return np.where(defined, _ratio(rows - error, whole_spread), np.nan)


def _counts(table: Floats) -> tuple[Floats, Floats]:
    """How often each item was given each score, and the scores in ascending order."""
    values = np.unique(table[~np.isnan(table)])
    counts = np.empty((len(table), len(values)))
    for place, value in enumerate(values):
        counts[:, place] = (table == value).sum(axis=1)
    return counts, values


def _ratio(numerator: Floats, denominator: NDArray[np.generic]) -> Floats:
    out = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out


def _without_rounding(difference: Floats, scale: Floats) -> Floats:
    return np.where(np.abs(difference) <= _NOTHING * np.abs(scale), 0.0, difference)
