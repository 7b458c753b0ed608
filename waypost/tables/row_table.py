"""Sort, search and filter the rows of one to four runs: quick with 100,000 rows, without a window.

Columns are made when first asked for, so that rows that only have to be shown need none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, starmap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.domain.base.mark_state import MarkState
from waypost.domain.base.metric_range import MetricRange
from waypost.domain.base.progress import exhaust
from waypost.domain.replay.charts import outcome_title
from waypost.domain.replay.row_filter import (
    OUTCOMES,
    RUNS_DIFFER,
    RowFilter,
    SortKey,
    SortOrder,
)
from waypost.domain.replay.run_rows import RunRow, RunRows
from waypost.domain.replay.tags import TagKind
from waypost.tables.frames import column
from waypost.tables.joined_runs import JoinedRuns, join_runs

if TYPE_CHECKING:
    import pandas as pd

Indices = NDArray[np.int64]

_BITS: Final = {kind: 1 << place for place, kind in enumerate(TagKind)}
_NUMBER: Final = re.compile(r"\d+")


class RowTable:
    """Rows of runs side by side, and what is worked out about them when first asked for.

    The tags, the scene and the instruction of a row are those of the first run that has it.
    """

    def __init__(self) -> None:
        self._causes: Mapping[str, tuple[str, ...]] = MappingProxyType({})
        self._marks: Mapping[str, MarkState] = MappingProxyType({})
        self._joined = JoinedRuns()
        self._columns: dict[Hashable, pd.Series[Any]] = {}
        self._orders: dict[SortOrder, Indices] = {}
        self._places: dict[tuple[str, int], int] = {}
        self._placed = 0
        """Rows whose places are in there: a run that is read on has more behind them."""

    @property
    def runs(self) -> tuple[RunRows, ...]:
        """What is shown side by side."""
        return self._joined.runs

    @property
    def rows(self) -> Sequence[RunRow]:
        """The row of the first run that has it; of two with one id, the second as ``SCENE/ID``."""
        return self._joined.rows

    def __len__(self) -> int:
        return len(self.rows)

    def set_runs(self, runs: Sequence[RunRows]) -> bool:
        """Put runs side by side and show them; see ``show``.

        Raises:
            ValueError: If there are more than ``MOST_RUNS``.
        """
        return self.show(exhaust(join_runs(tuple(runs))))

    def show(self, joined: JoinedRuns) -> bool:
        """Show other runs, or more rows of the same ones.

        Returns:
            Whether the rows that were there stay, with more behind them.
        """
        before, is_one = self.rows, len(self.runs) == len(joined.runs) == 1
        self._joined = joined
        self._columns.clear()
        self._orders.clear()
        is_grown = bool(before) and _begins_with(self.rows, before)
        if not (is_one and is_grown):
            self._places = joined.places
            self._placed = len(self.rows) if joined.places else 0
        return is_grown

    def set_causes(self, causes: Mapping[str, tuple[str, ...]]) -> None:
        """Titles of root causes by episode, as analysts set them."""
        self._causes = causes

    def set_marks(self, marks: Mapping[str, MarkState]) -> None:
        """How far episodes are marked by whoever looks; those left out are unmarked."""
        self._marks = marks
        for order in [order for order in self._orders if order.key is SortKey.MARK]:
            del self._orders[order]

    def mark_of(self, row: RunRow) -> MarkState:
        """How far a row is marked."""
        return self._marks.get(row.chart_id, MarkState.UNMARKED)

    def row(self, place: int, run: int = 0) -> RunRow | None:
        """The row of one run; ``None`` where that run has no such episode."""
        return self._joined.columns[run][place]

    def value(self, place: int, metric: str, run: int = 0) -> tuple[float | None, str]:
        """A metric of one run and, where it has no value, why."""
        row = self._joined.columns[run][place]
        if row is None:
            return None, f"{self.runs[run].name} has no run of this episode"
        number = self._metric_place(metric, run)
        if number is None:
            return None, f"the profile {self.runs[run].profile_key} has no {metric}"
        return row.values[number], row.reasons[number]

    def place_of_key(self, key: tuple[str, int]) -> int | None:
        """Where the row of an episode and attempt stands; ``None`` if there is none."""
        new = range(self._placed, len(self.rows))
        self._places.update((self.rows[place].key, place) for place in new)
        self._placed = len(self.rows)
        return self._places.get(key)

    def place_of(self, text: str) -> int | None:
        """Where an id stands: the exact one, else regardless of case, else one that begins so."""
        wanted = text.strip()
        if not wanted:
            return None
        ids = [row.episode_id for row in self.rows]
        if wanted in ids:
            return ids.index(wanted)
        folded, wanted = [name.casefold() for name in ids], wanted.casefold()
        if wanted in folded:
            return folded.index(wanted)
        return next((n for n, name in enumerate(folded) if name.startswith(wanted)), None)

    def shown(self, wanted: RowFilter, order: SortOrder) -> Indices:
        """Places of the rows that pass a filter, sorted."""
        places = self._order(order)
        return places if wanted.is_empty else places[self._passes(wanted)[places]]

    def count_tags(self) -> dict[TagKind, int]:
        """Tag → rows that have it, in the order of ``TagKind``; those of none left out."""
        counts = {kind: int(self._has_tag((kind,)).sum()) for kind in TagKind}
        return {kind: count for kind, count in counts.items() if count}

    def count_outcomes(self) -> dict[str, int]:
        """Outcome → rows, those of none left out."""
        counts = {**self._outcomes().value_counts(), RUNS_DIFFER: self._differing().sum()}
        return {name: int(counts[name]) for name in (*OUTCOMES, RUNS_DIFFER) if counts.get(name)}

    def count_scenes(self) -> dict[str, int]:
        """Scene → rows, by name."""
        return dict(sorted(Counter(row.scene_id for row in self.rows).items()))

    def count_causes(self) -> dict[str, int]:
        """Root cause → rows, most frequent first."""
        causes = (self._causes.get(row.chart_id, ()) for row in self.rows)
        return dict(Counter(chain.from_iterable(causes)).most_common())

    def count_marks(self) -> dict[MarkState, int]:
        """How far rows are marked → rows, those of none left out."""
        counts = Counter(map(self.mark_of, self.rows))
        return {state: counts[state] for state in MarkState if counts[state]}

    def count_undefined(self, wanted: RowFilter, each: MetricRange) -> int:
        """Rows that one range leaves out because its metric is undefined.

        Those that searching, or another filter than ranges, leaves out are not counted.
        """
        is_undefined = self._metric(each.metric, each.run).isna()
        return int(is_undefined[self._passes(replace(wanted, ranges=()))].sum())

    def _passes(self, wanted: RowFilter) -> NDArray[np.bool_]:
        everything = np.ones(len(self.rows), dtype=bool)
        masks = (np.asarray(mask, dtype=bool) for mask in self._masks(wanted))
        return np.asarray(np.all([everything, *masks], axis=0))

    def _masks(self, wanted: RowFilter) -> Iterator[ArrayLike]:
        """Which rows pass each field of a filter that is set."""
        if wanted.tags:
            yield self._has_tag(wanted.tags)
        if wanted.outcomes:
            is_chosen = self._outcomes().isin(wanted.outcomes)
            yield is_chosen | self._differing() if RUNS_DIFFER in wanted.outcomes else is_chosen
        if wanted.scenes:
            yield [row.scene_id in wanted.scenes for row in self.rows]
        if wanted.ids is not None:
            yield [row.chart_id in wanted.ids and row.counts for row in self.rows]
        if wanted.causes:
            having = {name for name, set_ in self._causes.items() if wanted.causes & {*set_}}
            yield [row.chart_id in having for row in self.rows]
        if wanted.marks:
            yield [self.mark_of(row) in wanted.marks for row in self.rows]
        for each in wanted.ranges:
            yield each.holds(self._metric(each.metric, each.run).to_numpy())
        if words := wanted.query.casefold().split():
            texts = (f"{row.episode_id}\n{row.scene_id}\n{row.instruction}" for row in self.rows)
            folded = self._column("texts", str, (text.casefold() for text in texts))
            yield from ([word in text for text in folded] for word in words)

    def _order(self, order: SortOrder) -> Indices:
        if order.key is SortKey.FILE:
            places = np.arange(len(self.rows))
            return places[::-1] if order.is_descending else places
        if order not in self._orders:
            self._orders[order] = np.array(self._sorted(order), dtype=np.int64)
        return self._orders[order]

    def _sorted(self, order: SortOrder) -> Sequence[int]:
        """Rows without a value come last; equal ones stay in the order of the file."""
        rows, is_descending = self.rows, order.is_descending
        match order.key:
            case SortKey.ID:
                return _sorted_texts(_padded([row.episode_id for row in rows]), is_descending)
            case SortKey.SCENE:
                return _sorted_texts([row.scene_id for row in rows], is_descending)
            case SortKey.INSTRUCTION:
                return _sorted_texts([row.instruction.casefold() for row in rows], is_descending)
            case SortKey.STEPS:
                numbers = self._column("steps", float, (row.step_count for row in rows))
            case SortKey.TAGS:
                bits = self._tag_bits()
                numbers = bits.where(bits > 0)
            case SortKey.MARK:
                states = list(MarkState)
                places_of = [states.index(self.mark_of(row)) for row in rows]
                return sorted(range(len(rows)), key=places_of.__getitem__, reverse=is_descending)
            case SortKey.SUCCESS:
                numbers = self._success(order.run)
            case _:
                numbers = self._metric(order.metric, order.run)
        places: list[int] = numbers.sort_values(
            ascending=not is_descending, kind="stable"
        ).index.tolist()
        return places

    def _column(self, name: Hashable, kind: type, cells: Iterable[Any]) -> pd.Series[Any]:
        if name not in self._columns:
            self._columns[name] = column(cells, kind)
        return self._columns[name]

    def _success(self, run: int) -> pd.Series[Any]:
        """1 solved, 0 not, NaN unknown."""
        return self._of_run(run, "", lambda row: row.is_success)

    def _metric(self, metric: str, run: int) -> pd.Series[Any]:
        number = self._metric_place(metric, run)
        if number is None:
            return self._of_run(run, metric, lambda _: None)
        return self._of_run(run, metric, lambda row: row.values[number])

    def _of_run(
        self, run: int, name: str, cell: Callable[[RunRow], float | None]
    ) -> pd.Series[Any]:
        rows = self._joined.columns[run] if run < len(self.runs) else [None] * len(self.rows)
        cells = (None if row is None else cell(row) for row in rows)
        return self._column((run, name), float, cells)

    def _metric_place(self, metric: str, run: int) -> int | None:
        if run >= len(self.runs):
            return None
        keys = [column.key for column in self.runs[run].columns]
        return keys.index(metric) if metric in keys else None

    def _tag_bits(self) -> pd.Series[Any]:
        cells = (sum({_BITS[tag.kind] for tag in row.tags}) for row in self.rows)
        return self._column("tags", int, cells).astype("int64")

    def _has_tag(self, kinds: Iterable[TagKind]) -> pd.Series[Any]:
        return (self._tag_bits() & sum(_BITS[kind] for kind in kinds)) > 0

    def _outcomes(self) -> pd.Series[Any]:
        kinds = ((row.is_success, tuple([tag.kind for tag in row.tags])) for row in self.rows)
        return self._column("outcomes", str, starmap(outcome_title, kinds))

    def _differing(self) -> NDArray[np.bool_]:
        """Rows that one run solves and another does not."""
        solved = np.stack([self._success(run) for run in range(len(self.runs) or 1)])
        return np.asarray((solved == 1).any(axis=0) & (solved == 0).any(axis=0))


def _begins_with(rows: Sequence[RunRow], start: Sequence[RunRow]) -> bool:
    last = len(start) - 1
    return len(rows) > last and rows[0] is start[0] and rows[last] is start[last]


def _padded(names: list[str]) -> list[str]:
    """Texts that sort as ids do, numbers in them as numbers: 7_0, 12_1, 100_0."""
    if all(name.replace("_", "", 1).isdecimal() for name in names):
        parts = (name.partition("_") for name in names)
        return [f"{head:0>20}{between}{tail:0>20}" for head, between, tail in parts]
    return [_NUMBER.sub(lambda found: found[0].zfill(20), name.casefold()) for name in names]


def _sorted_texts(texts: Sequence[str], is_descending: bool) -> list[int]:
    # A fifth of the time that a column of texts takes.
    return sorted(range(len(texts)), key=texts.__getitem__, reverse=is_descending)
