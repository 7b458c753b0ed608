"""How strong what was compared in pairs is, after Bradley and Terry, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from waypost.domain.score.comparison import Better, PairComparison
from waypost.metrics.aggregate import LEVEL, RESAMPLES

NO_COMPARISON: Final = "nothing was compared"
NOT_CONNECTED: Final = "some never won, or never lost, against the others"

MOST_RESAMPLED_NAMES: Final = 100
"""Beyond, strengths have no interval: resampling them takes minutes."""

_LEAST_DEFINED: Final = 0.5
"""Share of the resamples that must have strengths for an interval to say anything."""

_MOST_STEPS: Final = 1000
_EXACT: Final = 1e-9
"""Of a log strength."""

Floats = NDArray[np.float64]


class Strength(NamedTuple):
    """How strong one of those compared is."""

    value: float
    """Log strength, of mean 0 over all of them: the first of a pair is better with probability
    1 / (1 + exp(second − first))."""

    ci95: tuple[float, float] | None
    """Percentile bootstrap interval over pairs; ``None`` with fewer than two pairs, with more than
    ``MOST_RESAMPLED_NAMES``, or where fewer than half of the resamples have strengths."""

    @property
    def words(self) -> str:
        """``+0.42 [−0.10, +0.73]``, wherever people read it."""
        if self.ci95 is None:
            return _signed(self.value)
        return f"{_signed(self.value)} [{', '.join(map(_signed, self.ci95))}]"


def _signed(value: float) -> str:
    """With two digits and a sign, of which what is rounded to 0 has none."""
    rounded = round(value, 2)
    return f"{rounded:+.2f}".replace("-", "\N{MINUS SIGN}") if rounded else "0.00"


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
    wins = _wins(own, criterion, names)
    found = _strengths(wins, np.ones(wins.pairs))
    if found is None:
        return PairStrengths(criterion, len(own), None, NOT_CONNECTED)
    intervals = _intervals(wins, seed)
    order = sorted(range(len(names)), key=lambda place: (-found[place], names[place]))
    strengths = {
        names[place]: Strength(float(found[place]), intervals[place] if intervals else None)
        for place in order
    }
    return PairStrengths(criterion, len(own), MappingProxyType(strengths))


class _Wins(NamedTuple):
    """Which name won against which in which pair, and how much: a tie is half a win for each."""

    names: int
    pairs: int
    pair: NDArray[np.int64]
    winner: NDArray[np.int64]
    loser: NDArray[np.int64]
    share: Floats


def _wins(compared: Sequence[ComparedPair], criterion: str, names: Sequence[str]) -> _Wins:
    places = {name: place for place, name in enumerate(names)}
    pairs = {pair: n for n, pair in enumerate(sorted({c.said.key.pair for c in compared}))}
    rows = []
    for entry in compared:
        first, second = places[entry.first], places[entry.second]
        said, pair = entry.said.answers[criterion], pairs[entry.said.key.pair]
        share = 0.5 if said is Better.NEITHER else 1.0
        if said is not Better.SECOND:
            rows.append((pair, first, second, share))
        if said is not Better.FIRST:
            rows.append((pair, second, first, share))
    pair_of, winner, loser, shares = zip(*rows, strict=True)
    return _Wins(
        len(names),
        len(pairs),
        np.array(pair_of, dtype=np.int64),
        np.array(winner, dtype=np.int64),
        np.array(loser, dtype=np.int64),
        np.array(shares, dtype=np.float64),
    )


def _strengths(wins: _Wins, weights: Floats) -> Floats | None:
    """Log strengths of mean 0; ``None`` where the most likely ones are infinite.

    Args:
        wins: Of all pairs.
        weights: (pairs,) how often each pair counts.
    """
    import choix  # noqa: PLC0415 - brings scipy.stats; only strengths need it

    count = weights[wins.pair] * wins.share
    counts = csr_array((count, (wins.winner, wins.loser)), shape=(wins.names, wins.names))
    counts.eliminate_zeros()
    if connected_components(counts, connection="strong", return_labels=False) > 1:
        return None
    try:
        found: Floats = np.asarray(choix.ilsr_pairwise_dense(counts.toarray()), dtype=np.float64)
    except RuntimeError:
        # It creeps where raters nearly always agree, and gives up.
        found = _by_newton(counts.toarray())
    found -= found.mean()
    return found


def _by_newton(wins: Floats) -> Floats:
    """Log strengths by steps of Newton, each shortened so that it leads upwards.

    Args:
        wins: (names, names) how often the one of the row won against the one of the column; the
            most likely strengths are finite.
    """
    both = wins + wins.T
    found = np.zeros(len(wins))
    for _ in range(_MOST_STEPS):
        expected = both / (1 + np.exp(found[None, :] - found[:, None]))
        weights = expected * expected.T / np.where(both > 0, both, 1)
        # The ones hold the mean, which wins say nothing of.
        curvature = np.diag(weights.sum(axis=1)) - weights + 1
        step = np.linalg.solve(curvature, wins.sum(axis=1) - expected.sum(axis=1))
        found += step / (1 + np.ptp(step))
        if np.abs(step).max() < _EXACT:
            break
    return found


def _intervals(wins: _Wins, seed: int) -> list[tuple[float, float]] | None:
    if wins.pairs < 2 or wins.names > MOST_RESAMPLED_NAMES:
        return None
    weights = np.random.default_rng(seed).multinomial(
        wins.pairs, np.full(wins.pairs, 1 / wins.pairs), size=RESAMPLES
    )
    found = []
    for weight in weights:
        strengths = _strengths(wins, weight.astype(np.float64))
        if strengths is not None:
            found.append(strengths)
    if len(found) < _LEAST_DEFINED * RESAMPLES:
        return None
    low, high = np.quantile(np.stack(found), [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return [(float(a), float(b)) for a, b in zip(low, high, strict=True)]
