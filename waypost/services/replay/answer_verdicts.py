"""Adds the analysts' verdicts on reasons to answers that were scored without them.

Scores of a run are kept on disk, verdicts change with every click: only what depends on them is
made anew.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from types import MappingProxyType

from waypost.domain.causes.reason_verdicts import Verdicts, reason_score, reason_verdicts
from waypost.domain.causes.replay_book import ReplayBook
from waypost.domain.replay.answer_tags import wrong_reason_tag
from waypost.domain.replay.run_rows import RunRow, RunRows
from waypost.domain.replay.tags import Tag, TagKind
from waypost.metrics.profiles.answers import NO_VERDICT, RV
from waypost.services.replay.loading import ReplayedEpisode, ReplayedRun


def with_verdicts(shown: ReplayedEpisode, verdicts: Verdicts) -> ReplayedEpisode:
    """An answer with RV as analysts judge its reason; the same object if nobody does."""
    given = verdicts.get(shown.replay.episode.episode_id)
    scores = shown.scores
    if not given or scores.reasons.get(RV) != NO_VERDICT:
        return shown
    value, why = reason_score(given)
    reasons = {key: text for key, text in scores.reasons.items() if key != RV}
    reasons |= {RV: why} if why else {}
    changed = dataclasses.replace(
        scores,
        values=MappingProxyType({**scores.values, RV: value}),
        reasons=MappingProxyType(reasons),
    )
    tags = _tags(shown.tags, value, is_right=bool(shown.is_success))
    return dataclasses.replace(shown, scores=changed, tags=tags)


def run_with_verdicts(run: ReplayedRun, verdicts: Verdicts) -> ReplayedRun:
    """A whole run; see ``with_verdicts``."""
    attempts = tuple(with_verdicts(shown, verdicts) for shown in run.attempts)
    return dataclasses.replace(run, attempts=attempts)


class JudgedRows:
    """Rows of runs with the verdicts on their reasons, made anew only when either changes."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[object, RunRows]] = {}

    def of(self, name: str, rows: RunRows, book: ReplayBook, analyst: str | None) -> RunRows:
        """The rows of a run of a book; see ``rows_with_verdicts`` and ``reason_verdicts``."""
        key = (rows, book.edge_verdicts, analyst)
        if name not in self._made or self._made[name][0] != key:
            verdicts = reason_verdicts(book, name, analyst)
            self._made[name] = key, rows_with_verdicts(rows, verdicts)
        return self._made[name][1]

    def forget(self, name: str) -> None:
        """Let go of the rows of a run."""
        self._made.pop(name, None)


def rows_with_verdicts(rows: RunRows, verdicts: Verdicts) -> RunRows:
    """The rows of a run; see ``with_verdicts``. The same object if nothing changes."""
    keys = [column.key for column in rows.columns]
    if not verdicts or RV not in keys:
        return rows
    place = keys.index(RV)
    changed = tuple(_row(row, verdicts, place) for row in rows.rows)
    if all(one is other for one, other in zip(changed, rows.rows, strict=True)):
        return rows
    return dataclasses.replace(rows, rows=changed, _by_key={}, _by_scene={})


def _row(row: RunRow, verdicts: Verdicts, place: int) -> RunRow:
    given = verdicts.get(row.episode_id)
    if not given or row.reasons[place] != NO_VERDICT:
        return row
    value, why = reason_score(given)
    return dataclasses.replace(
        row,
        values=(*row.values[:place], value, *row.values[place + 1 :]),
        reasons=(*row.reasons[:place], why, *row.reasons[place + 1 :]),
        tags=_tags(row.tags, value, is_right=bool(row.is_success)),
    )


def _tags(tags: Iterable[Tag], value: float | None, *, is_right: bool) -> tuple[Tag, ...]:
    if value != 0.0 or not is_right:
        return tuple(tags)
    order = list(TagKind)
    kept = [tag for tag in tags if tag.kind is not TagKind.PERFECT]
    kept.append(wrong_reason_tag("analysts call the reason invalid"))
    return tuple(sorted(kept, key=lambda tag: order.index(tag.kind)))
