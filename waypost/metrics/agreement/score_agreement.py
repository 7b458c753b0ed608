"""Agreement of raters on each criterion, every coefficient with its interval or its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from waypost.domain.score.given_score import GivenScore
from waypost.metrics.aggregate import LEVEL, RESAMPLES
from waypost.metrics.agreement.coefficients import (
    Floats,
    ScoreDistance,
    intraclass_correlation,
    krippendorff_alpha,
    percentage,
    quadratic_kappa,
)

NO_OVERLAP: Final = "no overlap"
NO_VARIATION: Final = "no variation"
NOT_COMPLETE: Final = "fewer than two items were scored by every rater"

_CELLS_AT_ONCE: Final = 2_000_000
"""Resamples × items held in memory."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient of agreement."""

    value: float | None
    """``None`` where ``undefined`` says why."""

    ci95: tuple[float, float] | None
    """Percentile bootstrap interval over items; ``None`` with fewer than two that overlap."""

    undefined: str = ""
    """Why there is no value; empty where there is one."""

    @property
    def words(self) -> str:
        """``0.815 [0.412, 0.954]``, or ``undefined: no variation``."""
        if self.value is None:
            return f"undefined: {self.undefined}"
        words = f"{self.value:z.3f}"
        if self.ci95 is not None:
            words += f" [{self.ci95[0]:z.3f}, {self.ci95[1]:z.3f}]"
        return words.replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """How far raters agree on one criterion."""

    criterion: str
    items: int
    """Scored by anybody."""

    overlapping_items: int
    """Scored by two or more."""

    raters: int
    """Who gave any score."""

    coefficients: Mapping[str, Coefficient]
    """By the names of ``COEFFICIENTS``."""


class CoefficientKind(NamedTuple):
    """A coefficient as people and programs know it."""

    title: str
    compute: Callable[[Floats, Floats], Floats]
    definition: str


def _alpha(distance: ScoreDistance) -> CoefficientKind:
    return CoefficientKind(
        f"Krippendorff's α ({distance})",
        partial(krippendorff_alpha, distance=distance),
        f"1 − D_o / D_e with the {distance} distance, over items scored by two or more raters"
        " (Krippendorff 2011).",
    )


COEFFICIENTS: Final[Mapping[str, CoefficientKind]] = MappingProxyType(
    {
        "percentage": CoefficientKind(
            "Equal pairs",
            percentage,
            "Equal pairs of scores of the same item among all such pairs, as a share of 1.",
        ),
        "kappa_quadratic": CoefficientKind(
            "Weighted κ",
            quadratic_kappa,
            "Cohen's kappa with squared differences of the scores as weights (Cohen 1968); of"
            " more than two raters the mean over their pairs (Light 1971).",
        ),
        "alpha_nominal": _alpha(ScoreDistance.NOMINAL),
        "alpha_ordinal": _alpha(ScoreDistance.ORDINAL),
        "alpha_interval": _alpha(ScoreDistance.INTERVAL),
        "icc_2_1": CoefficientKind(
            "ICC(2,1)",
            partial(intraclass_correlation, is_average=False),
            "Two-way random effects, absolute agreement, one rater, over the items that every"
            " rater scored (Shrout and Fleiss 1979).",
        ),
        "icc_2_k": CoefficientKind(
            "ICC(2,k)",
            partial(intraclass_correlation, is_average=True),
            "The same for the mean of all k raters (Shrout and Fleiss 1979).",
        ),
    }
)
"""In the order in which they are shown."""


def score_agreement(
    scores: Iterable[GivenScore], seed: int = 0
) -> Mapping[str, CriterionAgreement]:
    """Compare the scores of raters, criterion by criterion, in the order they first come.

    Args:
        scores: At most one of each rater, item and criterion; of several the last counts.
        seed: Of the bootstrap; equal seeds give equal intervals.
    """
    by_criterion: dict[str, list[GivenScore]] = {}
    for given in scores:
        by_criterion.setdefault(given.criterion, []).append(given)
    return MappingProxyType(
        {name: _criterion_agreement(name, own, seed) for name, own in by_criterion.items()}
    )


def _criterion_agreement(
    criterion: str, scores: Sequence[GivenScore], seed: int
) -> CriterionAgreement:
    # Sorted, so that intervals do not depend on the order in which scores come.
    rows = {item: row for row, item in enumerate(sorted({given.item for given in scores}))}
    columns = {name: place for place, name in enumerate(sorted({given.rater for given in scores}))}
    table = np.full((len(rows), len(columns)), np.nan)
    for given in scores:
        table[rows[given.item], columns[given.rater]] = given.score
    shared = table[(~np.isnan(table)).sum(axis=1) > 1]
    return CriterionAgreement(
        criterion,
        len(rows),
        len(shared),
        len(columns),
        MappingProxyType(_coefficients(shared, seed)),
    )


def _coefficients(shared: Floats, seed: int) -> dict[str, Coefficient]:
    if not len(shared):
        return dict.fromkeys(COEFFICIENTS, Coefficient(None, None, NO_OVERLAP))
    once = np.ones((1, len(shared)))
    values = {name: float(kind.compute(shared, once)[0]) for name, kind in COEFFICIENTS.items()}
    resampled: dict[str, list[Floats]] = {name: [] for name in COEFFICIENTS}
    for weights in _resamples(len(shared), seed):
        for name, kind in COEFFICIENTS.items():
            if not np.isnan(values[name]):
                resampled[name].append(kind.compute(shared, weights))
    return {
        name: _coefficient(value, resampled[name], _reason(name, shared))
        for name, value in values.items()
    }


def _coefficient(value: float, resampled: Sequence[Floats], reason: str) -> Coefficient:
    if np.isnan(value):
        return Coefficient(None, None, reason)
    found = np.concatenate(resampled) if resampled else np.empty(0)
    defined = found[~np.isnan(found)]
    if not len(defined):
        return Coefficient(value, None)
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Coefficient(value, (float(low), float(high)))


def _reason(name: str, shared: Floats) -> str:
    """Why a coefficient that is undefined is so."""
    complete = int((~np.isnan(shared).any(axis=1)).sum())
    return NOT_COMPLETE if name.startswith("icc") and complete < 2 else NO_VARIATION


def _resamples(n: int, seed: int) -> Iterator[Floats]:
    """(some resamples, n) how often each item counts, ``RESAMPLES`` in all; none of one item."""
    if n < 2:
        return
    generator = np.random.default_rng(seed)
    left = RESAMPLES
    while left:
        some = min(left, max(1, _CELLS_AT_ONCE // n))
        yield generator.multinomial(n, np.full(n, 1 / n), size=some).astype(np.float64)
        left -= some
