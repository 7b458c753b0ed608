"""Runs side by side: which of their rows are attempts of one episode, and what each goes by."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from waypost.domain.episode.episode import may_be_one_scene
from waypost.domain.episode.run_ids import own_id, scene_and_id
from waypost.domain.replay.row_filter import MOST_RUNS
from waypost.domain.replay.run_rows import RunRow, RunRows

_AT_ONCE: Final = 2_000
"""Rows between two pauses: a few milliseconds."""


@dataclass(frozen=True, eq=False, slots=True)
class JoinedRuns:
    """One to four runs, or none, and their rows line by line."""

    runs: tuple[RunRows, ...] = ()
    rows: Sequence[RunRow] = ()
    """The row of the first run that has it; of two with one id, the second as ``SCENE/ID``."""

    columns: tuple[Sequence[RunRow | None], ...] = ()
    """Each run's own rows, as many as there are lines; ``None`` where it has no such episode."""

    places: dict[tuple[str, int], int] = field(default_factory=dict)
    """Episode and attempt of ``rows`` → line; empty where that was not worked out."""


def join_runs(runs: tuple[RunRows, ...]) -> Generator[None, None, JoinedRuns]:
    """Put runs side by side; yields wherever the rest may wait.

    Scenes may number their episodes alike: rows of one id stand beside each other only where
    their scenes may be one.

    Raises:
        ValueError: If there are more than ``MOST_RUNS``.
    """
    if len(runs) > MOST_RUNS:
        raise ValueError(f"{len(runs)} runs are more than {MOST_RUNS}")
    if len(runs) <= 1:
        rows = runs[0].rows if runs else ()
        return JoinedRuns(runs, rows, (rows,) * len(runs))
    joining = _Joining(len(runs))
    for place, run in enumerate(runs):
        for number, row in enumerate(run.rows, start=1):
            joining.add(place, row)
            if number % _AT_ONCE == 0:
                yield
    joined = JoinedRuns(runs, joining.rows, joining.columns, joining.places)
    del joining  # to let go of it takes as long as some steps
    if len(joined.rows) > _AT_ONCE:
        yield
    return joined


class _Joining:
    """Lines of an attempt of an episode each; several of one id where scenes number alike.

    Args:
        run_count: How many runs come, one after the other.
    """

    def __init__(self, run_count: int) -> None:
        self.rows: list[RunRow] = []
        self.places: dict[tuple[str, int], int] = {}
        self.columns: tuple[list[RunRow | None], ...] = tuple([] for _ in range(run_count))
        self._lines: dict[tuple[str, int], list[int]] = {}

    def add(self, place: int, row: RunRow) -> None:
        """Put a row of a run beside those of the runs before, or on a line of its own."""
        key = own_id(row.episode_id, row.scene_id), row.attempt
        alike = self._lines.setdefault(key, [])
        line = next((line for line in alike if self._fits(line, place, row)), None)
        if line is None:
            line = len(self.rows)
            alike.append(line)
            self.rows.append(self._told_apart(row))
            for column in self.columns:
                column.append(None)
        self.columns[place][line] = row

    def _fits(self, line: int, place: int, row: RunRow) -> bool:
        if self.columns[place][line] is not None:
            return False
        beside = (column[line] for column in self.columns[:place])
        return all(one is None or may_be_one_scene(one.scene_id, row.scene_id) for one in beside)

    def _told_apart(self, row: RunRow) -> RunRow:
        """The row; one of another scene than an earlier one of its id goes by ``SCENE/ID``."""
        if row.key in self.places and row.scene_id:
            row = replace(row, episode_id=scene_and_id(row.episode_id, row.scene_id))
        self.places[row.key] = len(self.rows)
        return row
