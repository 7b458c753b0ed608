"""Sort, search and filter the rows of one to four runs: quick with 100,000 rows, without a window.

Rows may grow while a run is read; what was worked out about the first of them is kept.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.metric_range import MetricRange
from waypost.domain.replay.charts import OUTPUT_ERRORS
from waypost.domain.replay.run_rows import RunRow, RunRows
from waypost.domain.replay.tags import TagKind

MOST_RUNS: Final = 4
"""Runs that are shown side by side."""

RUNS_DIFFER: Final = "Runs differ"
"""Outcome of an episode that one run solves and another does not."""

OUTCOMES: Final = ("Success", "Incorrect navigation", "Generation error", "Unknown")

_BITS: Final = {kind: 1 << place for place, kind in enumerate(TagKind)}
_NUMBER: Final = re.compile(r"\d+")
_LONG: Final = 40
"""Ids of so many letters are no numbers."""

_LARGEST_HEAD: Final = 1e9
_TAILS: Final = 1e6
"""A head below 10⁹ times this, plus a tail below this, is exact in a float."""

Indices = NDArray[np.int64]


class SortKey(StrEnum):
    """What rows can be sorted by."""

    FILE = "file"
    """Their order in the file."""

    ID = "id"
    """Numbers in ids count as numbers: 7_0, 12_1, 100_0."""

    SCENE = "scene"
    SUCCESS = "success"
    METRIC = "metric"
    TAGS = "tags"
    STEPS = "steps"
    INSTRUCTION = "instruction"


@dataclass(frozen=True, slots=True)
class SortOrder:
    """How rows are sorted; rows without a value come last in both directions."""

    key: SortKey = SortKey.FILE
    is_descending: bool = False
    run: int = 0
    """Of success and metric."""

    metric: str = ""


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Which rows are shown: any choice within a field, all fields together."""

    query: str = ""
    """Every word must occur in the id, the scene or the instruction."""

    tags: frozenset[TagKind] = frozenset()
    outcomes: frozenset[str] = frozenset()
    """Of ``OUTCOMES`` and ``RUNS_DIFFER``."""

    scenes: frozenset[str] = frozenset()
    causes: frozenset[str] = frozenset()
    ids: frozenset[str] | None = None
    """Only the first attempt at each of these episodes, as charts count; ``None`` for all."""

    ranges: tuple[MetricRange, ...] = ()
    """All of these must hold."""

    @property
    def is_empty(self) -> bool:
        """Whether every row passes."""
        return self.ids is None and not any(
            (self.query.strip(), self.tags, self.outcomes, self.scenes, self.causes, self.ranges)
        )


class RowTable:
    """Rows of runs side by side, and what is worked out about them when first asked for.

    The tags, the scene and the instruction of a row are those of the first run that has it.
    """

    def __init__(self) -> None:
        self._runs: tuple[RunRows, ...] = ()
        self._causes: Mapping[str, tuple[str, ...]] = MappingProxyType({})
        self._joined: list[Sequence[RunRow | None]] = []
        self._texts: list[str] = []
        self._cache: dict[Any, NDArray[Any]] = {}
        self.rows: Sequence[RunRow] = ()
        """The row of the first run that has it."""

    @property
    def runs(self) -> tuple[RunRows, ...]:
        """What is shown side by side."""
        return self._runs

    def __len__(self) -> int:
        return len(self.rows)

    def set_runs(self, runs: Sequence[RunRows]) -> bool:
        """Show other runs, or more rows of the same ones.

        Returns:
            Whether the rows that were there stay, with more behind them.

        Raises:
            ValueError: If there are more than ``MOST_RUNS``.
        """
        if len(runs) > MOST_RUNS:
            raise ValueError(f"{len(runs)} runs are more than {MOST_RUNS}")
        before = self.rows
        self._runs = tuple(runs)
        self._join()
        is_grown = bool(before) and _begins_with(self.rows, before)
        if not is_grown:
            self._texts = []
        self._cache.clear()
        return is_grown

    def _join(self) -> None:
        if len(self._runs) <= 1:
            self.rows = self._runs[0].rows if self._runs else ()
            self._joined = [self.rows]
            return
        keys = dict.fromkeys(row.key for run in self._runs for row in run.rows)
        self._joined = [[run.find(*key) for key in keys] for run in self._runs]
        self.rows = [
            next(row for row in rows if row is not None) for rows in zip(*self._joined, strict=True)
        ]

    def set_causes(self, causes: Mapping[str, tuple[str, ...]]) -> None:
        """Titles of root causes by episode, as analysts set them."""
        self._causes = causes

    def row(self, place: int, run: int = 0) -> RunRow | None:
        """The row of one run; ``None`` where that run has no such episode."""
        return self._joined[run][place]

    def value(self, place: int, metric: str, run: int = 0) -> tuple[float | None, str]:
        """A metric of one run and, where it has no value, why."""
        row = self._joined[run][place]
        if row is None:
            return None, f"{self._runs[run].name} has no run of this episode"
        number = self._metric_place(metric, run)
        if number is None:
            return None, f"the profile {self._runs[run].profile_key} has no {metric}"
        return row.values[number], row.reasons[number]

    def place_of(self, text: str) -> int | None:
        """Where an id stands: the exact one, else regardless of case, else one that begins so."""
        wanted = text.strip()
        if not wanted:
            return None
        ids = [row.episode_id for row in self.rows]
        if wanted in ids:
            return ids.index(wanted)
        folded = wanted.casefold()
        starting = None
        for place, name in enumerate(ids):
            here = name.casefold()
            if here == folded:
                return place
            if starting is None and here.startswith(folded):
                starting = place
        return starting

    def shown(self, wanted: RowFilter, order: SortOrder) -> Indices:
        """Places of the rows that pass a filter, sorted."""
        sorted_places = self._order(order)
        if wanted.is_empty:
            return sorted_places
        return sorted_places[self._passes(wanted)[sorted_places]]

    def count_tags(self) -> dict[TagKind, int]:
        """Tag → rows that have it, in the order of ``TagKind``; those of none left out."""
        bits = self._tag_bits()
        counts = {kind: int(((bits & bit) != 0).sum()) for kind, bit in _BITS.items()}
        return {kind: count for kind, count in counts.items() if count}

    def count_outcomes(self) -> dict[str, int]:
        """Outcome → rows, those of none left out."""
        codes = np.bincount(self._outcome_codes(), minlength=len(OUTCOMES)).tolist()
        found = {name: n for name, n in zip(OUTCOMES, codes, strict=True) if n}
        if len(self._runs) > 1 and (differing := int(self._differing().sum())):
            found[RUNS_DIFFER] = differing
        return found

    def count_scenes(self) -> dict[str, int]:
        """Scene → rows, by name."""
        return dict(sorted(Counter(row.scene_id for row in self.rows).items()))

    def count_causes(self) -> dict[str, int]:
        """Root cause → rows, most frequent first."""
        causes = self._causes
        return dict(
            Counter(
                title for row in self.rows for title in causes.get(row.episode_id, ())
            ).most_common()
        )

    def count_undefined(self, wanted: RowFilter, each: MetricRange) -> int:
        """Rows that one range leaves out because its metric is undefined.

        Those that searching, or another filter than ranges, leaves out are not counted.
        """
        passes = self._passes(replace(wanted, ranges=()))
        return int((passes & np.isnan(self._values(each))).sum())

    def _values(self, each: MetricRange) -> NDArray[np.float64]:
        return self._metric(each.metric, each.run)

    def _passes(self, wanted: RowFilter) -> NDArray[np.bool_]:
        passes = np.ones(len(self.rows), dtype=bool)
        if wanted.tags:
            bits = sum(_BITS[kind] for kind in wanted.tags)
            passes &= (self._tag_bits() & bits) != 0
        if wanted.outcomes:
            codes = [OUTCOMES.index(name) for name in wanted.outcomes if name in OUTCOMES]
            chosen = np.isin(self._outcome_codes(), codes)
            passes &= (chosen | self._differing()) if RUNS_DIFFER in wanted.outcomes else chosen
        if wanted.scenes:
            passes &= self._flags(row.scene_id in wanted.scenes for row in self.rows)
        if wanted.ids is not None:
            passes &= self._flags(
                row.episode_id in wanted.ids and row.attempt == 1 for row in self.rows
            )
        if wanted.causes:
            having = {name for name, set_ in self._causes.items() if wanted.causes & set(set_)}
            passes &= self._flags(row.episode_id in having for row in self.rows)
        for each in wanted.ranges:
            passes &= each.holds(self._values(each))
        for word in wanted.query.casefold().split():
            passes &= self._flags(word in text for text in self._search_texts())
        return passes

    def _flags(self, flags: Any) -> NDArray[np.bool_]:
        return np.fromiter(flags, dtype=bool, count=len(self.rows))

    def _search_texts(self) -> list[str]:
        self._texts += [
            f"{row.episode_id}\n{row.scene_id}\n{row.instruction}".casefold()
            for row in itertools.islice(self.rows, len(self._texts), None)
        ]
        return self._texts

    def _order(self, order: SortOrder) -> Indices:
        if order not in self._cache:
            self._cache[order] = self._sorted(order)
        return self._cache[order]

    def _sorted(self, order: SortOrder) -> Indices:
        if order.key is SortKey.FILE:
            places = np.arange(len(self.rows))
            return places[::-1] if order.is_descending else places
        numbers = self._numbers(order)
        # NaN sorts last either way, and rows that are equal stay in the order of the file.
        return np.argsort(-numbers if order.is_descending else numbers, kind="stable")

    def _numbers(self, order: SortOrder) -> NDArray[np.float64]:
        """One number per row that sorts as the column does; NaN where there is no value."""
        rows = self.rows
        if order.key is SortKey.ID:
            numbers = _id_numbers([row.episode_id for row in rows])
        elif order.key is SortKey.SCENE:
            numbers = _ranks([row.scene_id for row in rows])
        elif order.key is SortKey.INSTRUCTION:
            numbers = _ranks([row.instruction.casefold() for row in rows])
        elif order.key is SortKey.STEPS:
            numbers = np.array([row.step_count for row in rows], dtype=np.float64)
        elif order.key is SortKey.TAGS:
            bits = self._tag_bits().astype(np.float64)
            numbers = np.where(bits > 0, bits, np.nan)
        elif order.key is SortKey.SUCCESS:
            numbers = self._success(order.run)
        else:
            numbers = self._metric(order.metric, order.run)
        return numbers

    def _success(self, run: int) -> NDArray[np.float64]:
        if run >= len(self._runs):
            return np.full(len(self.rows), np.nan)
        return _floats(None if row is None else row.is_success for row in self._joined[run])

    def _metric(self, metric: str, run: int) -> NDArray[np.float64]:
        number = self._metric_place(metric, run)
        if number is None:
            return np.full(len(self.rows), np.nan)
        return _floats(None if row is None else row.values[number] for row in self._joined[run])

    def _metric_place(self, metric: str, run: int) -> int | None:
        if run >= len(self._runs):
            return None
        keys = [column.key for column in self._runs[run].columns]
        return keys.index(metric) if metric in keys else None

    def _tag_bits(self) -> Indices:
        if "tags" not in self._cache:
            self._cache["tags"] = np.fromiter(
                (sum({_BITS[tag.kind] for tag in row.tags}) for row in self.rows),
                dtype=np.int64,
                count=len(self.rows),
            )
        return self._cache["tags"]

    def _outcome_codes(self) -> Indices:
        if "outcomes" not in self._cache:
            success = _floats(row.is_success for row in self.rows)
            errors = sum(_BITS[kind] for kind in OUTPUT_ERRORS)
            is_error = (self._tag_bits() & errors) != 0
            codes = np.where(is_error, 2, 1)
            self._cache["outcomes"] = np.where(
                np.isnan(success), 3, np.where(success > 0, 0, codes)
            )
        return self._cache["outcomes"]

    def _differing(self) -> NDArray[np.bool_]:
        """Rows that one run solves and another does not."""
        columns = np.stack([self._success(run) for run in range(len(self._runs))])
        flags: NDArray[np.bool_] = (columns == 1).any(axis=0) & (columns == 0).any(axis=0)
        return flags


def _begins_with(rows: Sequence[RunRow], start: Sequence[RunRow]) -> bool:
    last = len(start) - 1
    return len(rows) > last and rows[0] is start[0] and rows[last] is start[last]


def _id_numbers(names: list[str]) -> NDArray[np.float64]:
    """Numbers that sort as ids do: ``12_1`` by 12, then 1; others with their digits padded."""
    if all(len(name) < _LONG and name.replace("_", "", 1).isdecimal() for name in names):
        pairs = [name.partition("_") for name in names]
        heads = np.array([int(head or -1) for head, _, _ in pairs], dtype=np.float64)
        tails = np.array([int(tail or -1) for _, _, tail in pairs], dtype=np.float64)
        if heads.max(initial=0) < _LARGEST_HEAD and tails.max(initial=0) < _TAILS:
            return heads * _TAILS + tails
    return _ranks([_NUMBER.sub(_padded, name.casefold()) for name in names])


def _padded(found: re.Match[str]) -> str:
    return found[0].zfill(20)


def _ranks(keys: list[str]) -> NDArray[np.float64]:
    """The place of each key among all, equal ones with equal places."""
    rank = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([rank[key] for key in keys], dtype=np.float64)


def _floats(values: Any) -> NDArray[np.float64]:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
