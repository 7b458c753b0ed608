"""Scores that a source states itself: what they come to over its runs, and by whose rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from waypost.domain.base.counted_words import counted

_SINGLE: Final = 1e-5
"""Released totals are often sums of 32-bit numbers."""

_NO_TOTALS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class StatedRule:
    """How the released code of a form takes the mean of the scores that it states."""

    scorer: str
    """Its file, for people: ``analyze_results.py``."""

    source: str
    """``owner/repo:path``."""

    counts_unknown_as_zero: bool = False
    """Whether NaN and infinities count as 0; else one of them makes the mean unknown."""

    totals: Mapping[str, str] = field(default_factory=lambda: _NO_TOTALS)
    """Total that the file may state → score of which it is the mean."""

    count_name: str = ""
    """Total that is the number of runs."""

    @property
    def words(self) -> str:
        """What it does with NaN and infinities."""
        told = "count as 0" if self.counts_unknown_as_zero else "make the mean unknown"
        return f"NaN and infinities {told}"


@dataclass(slots=True)
class StatedSum:
    """One score over the runs so far."""

    total: float = 0.0
    known: int = 0
    unknown: int = 0
    """Runs for which the source states no finite number."""

    def add(self, other: StatedSum) -> None:
        """Take further runs into account."""
        self.total += other.total
        self.known += other.known
        self.unknown += other.unknown


@dataclass(frozen=True, slots=True)
class StatedScore:
    """One score over all runs of a file."""

    value: float | None
    """Mean by the rule of the released code, where one is known; else over the known ones."""

    n: int
    """Runs in it."""

    reason: str
    """Why there is none; empty where there is."""

    known_mean: float | None
    """Mean over the runs that state a finite number, as all of our own means."""

    known: int
    unknown: int


@dataclass(frozen=True, slots=True)
class TotalCheck:
    """A total that the source states beside its runs."""

    stated: float | None
    """``None`` for NaN and infinities."""

    from_runs: float | None
    """What its runs come to; ``None`` where that is unknown."""

    is_comparable: bool
    """Whether it is known what it is the total of."""

    @property
    def agrees(self) -> bool | None:
        """Whether both are the same, as exactly as the total is written; ``None`` if unknown."""
        if not self.is_comparable:
            return None
        if self.stated is None or self.from_runs is None:
            return self.stated is self.from_runs
        decimals = len(repr(float(self.stated)).partition(".")[2])
        allowed = max(_SINGLE * max(1.0, abs(self.stated)), 0.51 * 10.0**-decimals)
        return abs(self.stated - self.from_runs) <= allowed


def add_stated(sums: dict[str, StatedSum], reported: Mapping[str, float | None]) -> None:
    """Add the scores that one run states to the sums of all."""
    for name, value in reported.items():
        one = sums.setdefault(name, StatedSum())
        if value is None:
            one.unknown += 1
        else:
            one.total += value
            one.known += 1


def stated_scores(
    sums: Mapping[str, StatedSum], runs: int, rule: StatedRule | None
) -> dict[str, StatedScore]:
    """What the scores come to over all runs.

    Args:
        sums: By the names of the source.
        runs: How many runs there are.
        rule: Of the released code; ``None`` if there is none, or it is not known.
    """
    return {name: _score(one, runs, rule) for name, one in sums.items()}


def _score(one: StatedSum, runs: int, rule: StatedRule | None) -> StatedScore:
    known_mean = one.total / one.known if one.known else None
    value, n, reason = known_mean, one.known, ""
    if value is None:
        reason = "no run states a finite number"
    lacking = runs - one.known - one.unknown
    if rule is not None and lacking:
        value, n, reason = None, 0, f"{lacking} of {counted(runs, 'run')} do not state it"
    elif rule is not None and rule.counts_unknown_as_zero:
        value, n, reason = one.total / runs, runs, ""
    elif rule is not None and one.unknown:
        told = f"{one.unknown} of {counted(runs, 'run')} state NaN or infinity"
        value, n, reason = None, 0, f"{told}, which {rule.scorer} lets spread to the mean"
    return StatedScore(value, n, reason, known_mean, one.known, one.unknown)


def check_totals(
    totals: Mapping[str, float | None],
    scores: Mapping[str, StatedScore],
    runs: int,
    rule: StatedRule | None,
) -> dict[str, TotalCheck]:
    """Every stated total beside what the runs of the same file come to."""
    found = {}
    for name, stated in totals.items():
        if rule is not None and name == rule.count_name:
            found[name] = TotalCheck(stated, float(runs), is_comparable=runs > 0)
            continue
        score = scores.get(rule.totals.get(name, "")) if rule is not None else None
        from_runs = None if score is None else score.value
        found[name] = TotalCheck(stated, from_runs, is_comparable=score is not None)
    return found


def total_faults(checks: Mapping[str, TotalCheck]) -> Iterable[tuple[str, str]]:
    """Name of each total that its runs do not give, and what to say."""
    for name, check in checks.items():
        if check.agrees is False:
            stated, given = (_shown(one) for one in (check.stated, check.from_runs))
            yield name, f"the file states {name} as {stated}, but its runs give {given}"


def _shown(value: float | None) -> str:
    return "NaN or infinity" if value is None else f"{value:.6g}"
