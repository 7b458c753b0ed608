"""The list of the runs of a project: how each did, and what is wrong with it."""

from __future__ import annotations

from waypost.app.replay.desk import ReplayDesk
from waypost.domain.base.counted_words import counted
from waypost.domain.base.visible_text import one_line
from waypost.domain.replay.run_rows import RunRows
from waypost.widgets.grouped_list import ListRow

_MOST_PROBLEMS = 4


def run_list_rows(desk: ReplayDesk) -> tuple[ListRow, ...]:
    """One row per run: its success rate, and what is wrong."""
    made = []
    for name in desk.names:
        rows, source = desk.rows(name), desk.book.sources.get(name)
        told = str(source.file) if source else "Recorded by participants of the study"
        made.append(
            ListRow(
                name,
                one_line(name),
                _detail(rows, is_reading=desk.is_reading(name)),
                "Runs",
                warning=desk.failure(name) or "; ".join(desk.problems(name)[:_MOST_PROBLEMS]),
                tip=told if rows is None else _tip(told, rows),
            )
        )
    return tuple(made)


def _detail(rows: RunRows | None, *, is_reading: bool) -> str:
    if rows is None:
        return "…" if is_reading else ""
    told = [row.is_success for row in rows.rows if row.counts]
    known = len(told) - told.count(None)
    share = f"{100 * told.count(True) / known:.1f} %" if known else "–"
    return f"{share}{' …' if is_reading else ''}"


def _tip(told: str, rows: RunRows) -> str:
    count = sum([row.counts for row in rows.rows])
    return f"Success rate of {counted(count, 'episode')} under {rows.profile_title}; {told}"
