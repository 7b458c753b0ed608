"""Which runs are looked at beside each other, and which of them leads."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from waypost.app.replay.desk import ReplayDesk
from waypost.domain.base.visible_text import one_line
from waypost.domain.replay.row_filter import MOST_RUNS
from waypost.widgets.grouped_list import GroupedList

_MOST_HEIGHT_PX = 190
_NO_BOUND_PX = 16_777_215
"""What Qt takes for a widget without a greatest height."""


class RunChoice(QObject):
    """The list of runs; as many as fit beside each other can be chosen in it.

    Args:
        desk: Has the runs.
        parent: Qt owner.
    """

    changed = Signal()
    """The user has chosen other runs, or another one to lead."""

    refused = Signal(str)
    """One sentence: why not all of what was chosen is."""

    def __init__(self, desk: ReplayDesk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._leading = ""
        self._before: tuple[str, ...] = ()
        self.list = GroupedList("run", "runs")
        self.set_bounded(is_bounded=True)
        self.list.selection_changed.connect(self._on_selected)

    @property
    def names(self) -> tuple[str, ...]:
        """The chosen runs: the leading one, then in the order of the project."""
        chosen = self._chosen()[:MOST_RUNS]
        return tuple(sorted(chosen, key=lambda name: name != self._leading))

    def lacking(self, episode_id: str, attempt: int, scene_id: str) -> tuple[str, ...]:
        """The chosen runs that have been read and have no attempt to stand beside this one."""
        read = ((name, self._desk.rows(name)) for name in self.names)
        return tuple(
            name
            for name, rows in read
            if rows is not None
            and rows.is_whole
            and rows.find_beside(episode_id, attempt, scene_id) is None
        )

    def set(self, names: Iterable[str]) -> None:
        """Choose runs from outside, of which the first leads; emits nothing."""
        names = tuple(names)
        self._leading = next(iter(names), "")
        self.list.set_selected(names)
        self._before = self.names

    def set_bounded(self, *, is_bounded: bool) -> None:
        """Leave room for episodes below the runs, or take the whole height."""
        self.list.setMaximumHeight(_MOST_HEIGHT_PX if is_bounded else _NO_BOUND_PX)

    def lead(self, name: str) -> None:
        """Let one of the chosen runs lead."""
        if name in self.names:
            self._leading = name
            self.changed.emit()

    def lead_next(self) -> None:
        """Let the run lead that follows the leading one in the project, round to the first."""
        chosen = self._chosen()[:MOST_RUNS]
        if chosen:
            self.lead(chosen[(chosen.index(self.names[0]) + 1) % len(chosen)])

    def _chosen(self) -> list[str]:
        return [name for name in self._desk.names if name in self.list.selected]

    def _on_selected(self, _selected: frozenset[str]) -> None:
        chosen = self._chosen()
        if len(chosen) > MOST_RUNS:
            wanted = sorted(chosen, key=lambda name: name not in self._before)
            self.list.set_selected(wanted[:MOST_RUNS])
            self.refused.emit(_too_many(wanted[MOST_RUNS:]))
        self._before = self.names
        self.changed.emit()


def _too_many(left_out: list[str]) -> str:
    who = f"{one_line(left_out[0])} is" if len(left_out) == 1 else f"{len(left_out):,} more are"
    return f"At most {MOST_RUNS} runs stand beside each other; {who} left out."
