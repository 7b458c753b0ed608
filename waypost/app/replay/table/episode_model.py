"""The episodes of one to four runs as a table that several views may share."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor

from waypost.app.replay.table.tag_signs import TAG_SIGNS
from waypost.domain.base.mark_state import MarkState
from waypost.domain.base.visible_text import plain_tip, visible_text
from waypost.domain.replay.row_filter import RowFilter, SortKey, SortOrder
from waypost.domain.replay.run_rows import MetricColumn, RunRow, RunRows
from waypost.domain.replay.tags import TAG_TITLES, Tag
from waypost.services.appearance import MARK_SIGNS, SUCCESS_SIGNS
from waypost.services.pieces import Pieces, Steps
from waypost.services.replay.profiles import REPLAY_PROFILES
from waypost.tables.joined_runs import JoinedRuns, join_runs
from waypost.tables.row_table import RowTable
from waypost.widgets.theme import tokens_in_force

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

UNDEFINED: Final = "–"
"""Stands for a value that is undefined; the tool tip says why."""

_MARK_TIP: Final = "Whether you have marked the episode with a root cause"
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ColumnKind(StrEnum):
    """What a column shows."""

    ID = "id"
    SUCCESS = "success"
    METRIC = "metric"
    CHOSEN_METRIC = "chosen metric"
    """The one metric of the narrow table."""

    TAG_MARKS = "tag marks"
    """The tags as one character each, for the narrow table."""

    MARK = "mark"
    """Whether whoever looks has marked the episode with root causes."""

    TAGS = "tags"
    STEPS = "steps"
    SCENE = "scene"
    INSTRUCTION = "instruction"


@dataclass(frozen=True, slots=True)
class EpisodeColumn:
    """One column."""

    kind: ColumnKind
    title: str
    tip: str
    run: int = 0
    metric: str = ""
    unit: str = ""


class EpisodeTableModel(QAbstractTableModel):
    """Rows, sorted and filtered in one go; indices are of the rows that are shown."""

    filter_changed = Signal()
    """Another ``filter`` or ``filter_title`` is in force."""

    order_changed = Signal()
    """Another ``order`` is in force."""

    columns_changed = Signal()
    """Other runs or another chosen metric: other columns."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = RowTable()
        """The rows of all runs, shown or not."""

        self.columns: tuple[EpisodeColumn, ...] = ()
        self.filter = RowFilter()
        """What is shown; change it with ``set_filter``."""

        self.filter_title = ""
        """Name of the set of ids in the filter, e.g. ``Late stop``."""

        self.order = SortOrder()
        self.metric = ""
        """Key of the metric that the narrow table and several runs show."""

        self.has_marks = False
        """Whether whoever looks has marked an episode of the leading run."""

        self._wanted: tuple[RunRows, ...] = ()
        self._joining = Pieces(self)
        self._shown: Sequence[int] = ()
        self._numbers: dict[int, int] | None = None

    @property
    def runs(self) -> tuple[RunRows, ...]:
        """What is shown side by side."""
        return self.table.runs

    def set_runs(self, runs: tuple[RunRows, ...]) -> None:
        """Show other runs (at most four), or more rows of the same while they are read.

        Some ten thousand rows of several runs are there a few turns of the event loop later.

        Raises:
            ValueError: If there are too many.
        """
        if runs and runs == self._wanted:
            return  # the very same rows: a reset would only paint them anew
        self._wanted = runs
        if not runs:
            self._joining.cancel()
        self._joining.start(lambda: self._join(runs))

    def _join(self, runs: tuple[RunRows, ...]) -> Steps:
        self._show_joined((yield from join_runs(runs)))

    def _show_joined(self, joined: JoinedRuns) -> None:
        runs = joined.runs
        before = [(run.source, run.columns) for run in self.runs]
        self.beginResetModel()
        is_grown = self.table.show(joined)
        self._show()
        now = [(run.source, run.columns) for run in runs]
        is_same = before == now
        if not is_same:
            keys = [column.key for column in self._metrics()]
            if self.metric not in keys:
                self.metric = next((k for k in ("SPL", "SR", *keys) if k in keys), "")
            self.columns = self._make_columns()
        wanted = self.filter if is_grown or is_same else RowFilter()
        # The same rows may lead, and another run stand beside them.
        kept = tuple(
            r for r in wanted.ranges if before[r.run : r.run + 1] == now[r.run : r.run + 1]
        )
        wanted = wanted if kept == wanted.ranges else dataclasses.replace(wanted, ranges=kept)
        if wanted is not self.filter:
            self.filter_title = self.filter_title if wanted.ids is not None else ""
            self.filter = wanted
            self._show()
        self.endResetModel()
        if not is_same:
            self.columns_changed.emit()
        self.filter_changed.emit()

    def set_causes(self, causes: Mapping[str, tuple[str, ...]]) -> None:
        """Titles of root causes by episode, as analysts set them; they can be filtered by."""
        self.table.set_causes(causes)
        if self.filter.causes:
            self._rebuild()

    def set_marks(self, marks: Mapping[str, MarkState]) -> None:
        """How far episodes are marked by whoever looks."""
        had_marks, self.has_marks = self.has_marks, bool(marks)
        self.table.set_marks(marks)
        if had_marks is not self.has_marks:
            self.columns_changed.emit()
        if self.filter.marks or self.order.key is SortKey.MARK:
            self._rebuild()
            return
        for number, column in enumerate(self.columns):
            if column.kind is ColumnKind.MARK and self._shown:
                last = self.index(len(self._shown) - 1, number)
                self.dataChanged.emit(self.index(0, number), last)

    def next_row(
        self, after: tuple[str, int] | None, is_wanted: Callable[[RunRow], bool]
    ) -> RunRow | None:
        """The next wanted row of the leading run, round to the first; no filter by marks counts.

        Args:
            after: Episode and attempt to begin behind; the first row without.
            is_wanted: Says which.
        """
        wanted = dataclasses.replace(self.filter, marks=frozenset())
        places = self.table.shown(wanted, self.order).tolist()
        rows = [self.table.rows[place] for place in places if self.table.row(place) is not None]
        here = next((n for n, row in enumerate(rows) if row.key == after), -1)
        return next(filter(is_wanted, (*rows[here + 1 :], *rows[: here + 1])), None)

    def set_metric(self, key: str) -> None:
        """Choose the metric of the narrow table and of several runs side by side."""
        if key == self.metric:
            return
        self.beginResetModel()
        self.metric = key
        self.columns = self._make_columns()
        self.endResetModel()
        self.columns_changed.emit()

    def set_filter(self, wanted: RowFilter, title: str = "") -> None:
        """Show only some rows; ``title`` names the set of ids, if there is one."""
        if wanted == self.filter and title == self.filter_title:
            return
        self.filter, self.filter_title = wanted, title
        self._rebuild()

    def _rebuild(self) -> None:
        self.beginResetModel()
        self._show()
        self.endResetModel()
        self.filter_changed.emit()

    def _show(self) -> None:
        shown = self.table.shown(self.filter, self.order)
        self._shown = shown.tolist()
        self._numbers = None

    def row_at(self, number: int) -> RunRow | None:
        """The row shown at a number; ``None`` beyond the end."""
        if not 0 <= number < len(self._shown):
            return None
        return self.table.rows[self._shown[number]]

    def number_of(self, episode_id: str, attempt: int = 1) -> int | None:
        """Where the row of an episode is shown; ``None`` if it is not."""
        place = self.table.place_of_key((episode_id, attempt))
        if self._numbers is None:
            self._numbers = {shown: number for number, shown in enumerate(self._shown)}
        return None if place is None else self._numbers.get(place)

    def _metrics(self) -> tuple[MetricColumn, ...]:
        return self.runs[0].columns if self.runs else ()

    def _make_columns(self) -> tuple[EpisodeColumn, ...]:
        runs, metrics = self.runs, self._metrics()
        kind = ColumnKind
        made = [EpisodeColumn(kind.ID, "Id", "Id of the episode, and how many-th run of it")]
        is_alone = len(runs) <= 1
        for place, run in enumerate(runs):
            title = "✓" if is_alone else f"✓{place + 1}"
            tip = f"Success under {run.profile_title or 'the profile'}"
            made.append(
                EpisodeColumn(kind.SUCCESS, title, tip if is_alone else f"{run.name}: {tip}", place)
            )
        chosen = next((m for m in metrics if m.key == self.metric), None)
        if chosen is not None:
            for place, run in enumerate(runs):
                made.append(_metric_column(kind.CHOSEN_METRIC, chosen, place, run, is_alone))
        made.append(EpisodeColumn(kind.TAG_MARKS, "Tags", "Computed tags as signs"))
        if is_alone and runs:
            made += [_metric_column(kind.METRIC, m, 0, runs[0], is_alone) for m in metrics]
        made += [
            EpisodeColumn(kind.MARK, "Mark", _MARK_TIP),
            EpisodeColumn(kind.TAGS, "Tags", "Computed tags and the step that each starts at"),
            EpisodeColumn(kind.STEPS, "Steps", "Number of steps of the run"),
            EpisodeColumn(kind.SCENE, "Scene", "Scan or scene"),
            EpisodeColumn(kind.INSTRUCTION, "Instruction", "First words of the instruction"),
        ]
        return tuple(made)

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of rows that are shown."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns, for wide and narrow tables together."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by the order of the file if there is no such column."""
        key, run, metric = SortKey.FILE, 0, ""
        if 0 <= column < len(self.columns):
            chosen = self.columns[column]
            key, run, metric = _SORT_KEYS[chosen.kind], chosen.run, chosen.metric
        wanted = SortOrder(key, order == Qt.SortOrder.DescendingOrder, run, metric)
        if wanted == self.order:
            return
        self.order = wanted
        self.beginResetModel()
        self._show()
        self.endResetModel()
        self.order_changed.emit()

    def is_sorted_by(self, column: int) -> bool:
        """Whether the rows are sorted by what a column shows."""
        wanted, chosen = self.order, self.columns[column]
        return (
            wanted.key is _SORT_KEYS[chosen.kind]
            and wanted.run == chosen.run
            and wanted.metric == chosen.metric
        )

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> object:
        """Titles; the tool tip is the definition."""
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == Role.DisplayRole:
            return column.title
        if role in (Role.ToolTipRole, Role.AccessibleDescriptionRole):
            return plain_tip(column.tip) if role == Role.ToolTipRole else column.tip
        if role == Role.AccessibleTextRole:
            return "Success" if column.kind is ColumnKind.SUCCESS else column.title
        if role == Role.TextAlignmentRole:
            return _RIGHT if column.kind in _NUMERIC else _LEFT
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        """Text, words, colour and tool tip of a cell."""
        if role == Role.TextAlignmentRole:
            return _RIGHT if self.columns[index.column()].kind in _NUMERIC else _LEFT
        if role not in (
            Role.DisplayRole, Role.ToolTipRole, Role.AccessibleTextRole, Role.ForegroundRole
        ):  # fmt: skip
            return None
        told = self._cell(self._shown[index.row()], self.columns[index.column()], role)
        if not isinstance(told, str):
            return told
        told = visible_text(told)
        return plain_tip(told) if role == Role.ToolTipRole else told

    def _why_unknown(self, place: int, run: int) -> str:
        """Why the profile does not say whether a run succeeded; empty where that is known."""
        row = self.table.row(place, run)
        profile = REPLAY_PROFILES.get(self.table.runs[run].profile_key)
        if row is None or row.is_success is not None or profile is None:
            return ""
        value, why = self.table.value(place, profile.success_key, run)
        return why if value is None else ""

    def _cell(self, place: int, column: EpisodeColumn, role: int) -> object:
        if column.kind in (ColumnKind.METRIC, ColumnKind.CHOSEN_METRIC):
            return _metric_cell(column, *self.table.value(place, column.metric, column.run), role)
        if column.kind is ColumnKind.MARK:
            row = self.table.rows[place]
            return _mark_cell(row, self.table.mark_of(row), role)
        if column.kind is ColumnKind.SUCCESS:
            why = self._why_unknown(place, column.run) if role == Role.ToolTipRole else ""
            return _success_cell(self.table.row(place, column.run), role, why)
        return _row_cell(column.kind, self.table.rows[place], role)


_SORT_KEYS: Final[Mapping[ColumnKind, SortKey]] = {
    ColumnKind.ID: SortKey.ID,
    ColumnKind.SUCCESS: SortKey.SUCCESS,
    ColumnKind.METRIC: SortKey.METRIC,
    ColumnKind.CHOSEN_METRIC: SortKey.METRIC,
    ColumnKind.TAG_MARKS: SortKey.TAGS,
    ColumnKind.TAGS: SortKey.TAGS,
    ColumnKind.MARK: SortKey.MARK,
    ColumnKind.STEPS: SortKey.STEPS,
    ColumnKind.SCENE: SortKey.SCENE,
    ColumnKind.INSTRUCTION: SortKey.INSTRUCTION,
}
_NUMERIC: Final = {ColumnKind.METRIC, ColumnKind.CHOSEN_METRIC, ColumnKind.STEPS}


def _metric_column(
    kind: ColumnKind, metric: MetricColumn, place: int, run: RunRows, is_alone: bool
) -> EpisodeColumn:
    # Runs beside each other may be scored by several profiles, which define a name otherwise.
    own = next((column for column in run.columns if column.key == metric.key), None)
    unit = "" if metric.unit in {"fraction", "count"} else f" ({metric.unit})"
    told = "not in this profile." if own is None else own.definition
    tip = f"{metric.key}{unit}: {told} Profile: {run.profile_title}."
    title = metric.key if is_alone else f"{metric.key} {place + 1}"
    tip = tip if is_alone else f"{run.name}: {tip}"
    return EpisodeColumn(kind, title, tip, place, metric.key, metric.unit)


def format_value(value: float | None, unit: str) -> str:
    """A metric as tables show it; ``–`` where it is undefined."""
    if value is None:
        return UNDEFINED
    return f"{value:,.0f}" if unit == "count" else f"{value:.2f}"


def _metric_cell(column: EpisodeColumn, value: float | None, reason: str, role: int) -> object:
    text = format_value(value, column.unit)
    if role == Role.DisplayRole:
        return text
    if role == Role.AccessibleTextRole:
        return f"{column.metric} {text}" if value is not None else f"{column.metric} undefined"
    if role == Role.ToolTipRole:
        return f"Undefined: {reason}" if value is None else f"{column.metric} {value!r}"
    return QColor(tokens_in_force().muted) if value is None else None


def _success_cell(row: RunRow | None, role: int, why_unknown: str) -> object:
    if row is None:
        mark, word, colour = UNDEFINED, "this run lacks the episode", "muted"
    else:
        sign = SUCCESS_SIGNS[row.is_success]
        mark, word, colour = sign.mark, sign.word, sign.colour
    if role == Role.DisplayRole:
        return mark
    if role == Role.ForegroundRole:
        return QColor(getattr(tokens_in_force(), colour))
    if role == Role.ToolTipRole and row is not None:
        why = f": {why_unknown}" if why_unknown else ""
        return f"{word.capitalize()}{why}; ended by: {row.ended_by}"
    return word


def _mark_cell(row: RunRow, state: MarkState, role: int) -> object:
    """Of what did not fail, only whether it is marked: nobody waits for a mark there."""
    is_due = state is not MarkState.UNMARKED or row.is_success is False
    sign = MARK_SIGNS[state]
    if role == Role.ForegroundRole:
        return QColor(getattr(tokens_in_force(), sign.colour))
    if not is_due:
        return ""
    return sign.mark if role == Role.DisplayRole else sign.word


def _row_cell(kind: ColumnKind, row: RunRow, role: int) -> object:
    if role == Role.ForegroundRole:
        is_quiet = kind in (ColumnKind.SCENE, ColumnKind.STEPS)
        return QColor(tokens_in_force().muted) if is_quiet else None
    if kind is ColumnKind.ID:
        return _id_cell(row, is_short=role == Role.DisplayRole)
    if kind in (ColumnKind.TAGS, ColumnKind.TAG_MARKS):
        return _tags_cell(kind, row.tags, role)
    if kind is ColumnKind.STEPS:
        return str(row.step_count) if role == Role.DisplayRole else f"{row.step_count} steps"
    return row.scene_id if kind is ColumnKind.SCENE else row.instruction


def _id_cell(row: RunRow, *, is_short: bool) -> str:
    """The episode, and whose take of it or the how many-th run of it this is."""
    if row.take is not None:
        return row.chart_id
    again = f" ·{row.attempt}" if is_short else f", run {row.attempt} of this episode"
    return row.episode_id if row.attempt == 1 else f"{row.episode_id}{again}"


def _tags_cell(kind: ColumnKind, tags: tuple[Tag, ...], role: int) -> str:
    if role == Role.ToolTipRole:
        return "\n".join(_told(tag) for tag in tags)
    if role == Role.AccessibleTextRole:
        return ", ".join(TAG_TITLES[tag.kind] for tag in tags) or "no tags"
    if kind is ColumnKind.TAG_MARKS:
        return "".join(TAG_SIGNS[tag.kind].mark for tag in tags)
    signs = (TAG_SIGNS[tag.kind] for tag in tags)
    return "  ".join(f"{sign.mark} {sign.word}" for sign in signs)


def _told(tag: Tag) -> str:
    step = "" if tag.step is None else f", from step {tag.step}"
    return f"{TAG_TITLES[tag.kind]}{step}: {tag.reason}"
