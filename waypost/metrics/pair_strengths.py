"""How strong what was compared in pairs is, after Bradley and Terry, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

import choix
import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from waypost.domain.score.comparison import Better, PairComparison
from waypost.metrics.aggregate import LEVEL, RESAMPLES

NO_COMPARISON: Final = "nothing was compared"
NOT_CONNECTED: Final = "some never won, or never lost, against the others"

_LEAST_DEFINED: Final = 0.5
"""Share of the resamples that must have strengths for an interval to say anything."""

Floats = NDArray[np.float64]


class Strength(NamedTuple):
    """How strong one of those compared is."""

    value: float
    """Log strength, of mean 0 over all of them: the first of a pair is better with probability
    1 / (1 + exp(second − first))."""

    ci95: tuple[float, float] | None
    """Percentile bootstrap interval over pairs; ``None`` with fewer than two pairs, or where
    fewer than half of the resamples have strengths."""


@dataclass(frozen=True, slots=True)
class PairStrengths:
    """Strengths on one criterion."""

    criterion: str
    comparisons: int
    """Answers that they rest on: those about two of different names."""

    strengths: Mapping[str, Strength] | None
    """Name → strength, the strongest first. ``None`` where ``undefined`` says why."""

    undefined: str = ""


class ComparedPair(NamedTuple):
    """What one rater says about two names."""

    said: PairComparison
    first: str
    second: str


def pair_strengths(
    compared: Iterable[ComparedPair], criterion: str, seed: int = 0
) -> PairStrengths:
    """Strengths by all answers on a criterion; a tie counts half a win for each side.

    Args:
        compared: Comparisons that count; of two with the same name nothing is learned.
        criterion: Key.
        seed: Of the bootstrap; equal seeds give equal intervals.

    Source:
        Bradley and Terry 1952, Rank analysis of incomplete block designs; by choix
        (github.com/lucasmaystre/choix, ``ilsr_pairwise_dense``).
    """
    own = [c for c in compared if criterion in c.said.answers and c.first != c.second]
    names = sorted({name for entry in own for name in (entry.first, entry.second)})
    if not names:
        return PairStrengths(criterion, 0, None, NO_COMPARISON)
    wins = _wins_by_pair(own, criterion, names)
    found = _strengths(wins.sum(axis=0))
    if found is None:
        return PairStrengths(criterion, len(own), None, NOT_CONNECTED)
    intervals = _intervals(wins, seed)
    order = sorted(range(len(names)), key=lambda place: (-found[place], names[place]))
    strengths = {
        names[place]: Strength(float(found[place]), intervals[place] if intervals else None)
        for place in order
    }
    return PairStrengths(criterion, len(own), MappingProxyType(strengths))


def _wins_by_pair(compared: Sequence[ComparedPair], criterion: str, names: Sequence[str]) -> Floats:
    """(pairs, names, names) how often one was better than the other, of each pair of the batch."""
    places = {name: place for place, name in enumerate(names)}
    pairs = {entry.said.key.pair: 0 for entry in compared}
    pairs = {pair: number for number, pair in enumerate(sorted(pairs))}
    wins = np.zeros((len(pairs), len(names), len(names)))
    for entry in compared:
        first, second = places[entry.first], places[entry.second]
        said, own = entry.said.answers[criterion], wins[pairs[entry.said.key.pair]]
        own[first, second] += {Better.FIRST: 1.0, Better.NEITHER: 0.5, Better.SECOND: 0.0}[said]
        own[second, first] += {Better.FIRST: 0.0, Better.NEITHER: 0.5, Better.SECOND: 1.0}[said]
    return wins


def _strengths(wins: Floats) -> Floats | None:
    """Log strengths of mean 0; ``None`` where the most likely ones are infinite."""
    if connected_components(wins > 0, connection="strong", return_labels=False) > 1:
        return None
    found: Floats = np.asarray(choix.ilsr_pairwise_dense(wins), dtype=np.float64)
    found -= found.mean()
    return found


def _intervals(wins: Floats, seed: int) -> list[tuple[float, float]] | None:
    pairs = len(wins)
    if pairs < 2:
        return None
    flat = wins.reshape(pairs, -1)
    weights = np.random.default_rng(seed).multinomial(
        pairs, np.full(pairs, 1 / pairs), size=RESAMPLES
    )
    found = []
    for weight in weights:
        strengths = _strengths((weight @ flat).reshape(wins.shape[1:]))
        if strengths is not None:
            found.append(strengths)
    if len(found) < _LEAST_DEFINED * RESAMPLES:
        return None
    low, high = np.quantile(np.stack(found), [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return [(float(a), float(b)) for a, b in zip(low, high, strict=True)]
