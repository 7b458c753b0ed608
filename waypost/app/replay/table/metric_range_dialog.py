"""The form that shows only episodes whose metric is in a range."""

from __future__ import annotations

import dataclasses
from typing import Final

from PySide6.QtWidgets import QWidget

from waypost.app.replay.table.episode_model import EpisodeTableModel
from waypost.domain.base.counted_words import counted
from waypost.domain.base.metric_range import MetricRange, RangeKind
from waypost.domain.base.visible_text import one_line, visible_text
from waypost.domain.replay.row_filter import RowFilter
from waypost.domain.replay.run_rows import MetricColumn
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, choice_box, decimal_box
from waypost.widgets.parts import label

_LARGEST: Final = 1e6
_DECIMALS: Final = 2
"""As in the table."""

_FIRST_BOUNDS: Final = {"fraction": 0.5, "m": 3.0}
"""Unit → what is asked about most: half of the best, and the distance within which it succeeds."""


class MetricRangeDialog(FormDialog):
    """Asks for a metric and its bounds, and says at once how many episodes that shows.

    Args:
        model: What is filtered; its first range is changed, if it has one.
        parent: Qt owner.
    """

    def __init__(self, model: EpisodeTableModel, parent: QWidget | None = None) -> None:
        super().__init__("Filter by a metric's range", "Show these", parent)
        self.setMinimumWidth(420)
        self._model = model
        runs = {str(place): one_line(run.name) for place, run in enumerate(model.runs)}
        self.run_box, self.metric_box = choice_box(runs), choice_box({})
        self.comparison_box = choice_box({each: each.value for each in RangeKind})
        self.bound_box, self.other_box = (decimal_box(-_LARGEST, _LARGEST, 0) for _ in range(2))
        self._metric = Field("Metric", self.metric_box)
        self._other = Field("And", self.other_box)
        run = Field("Run", self.run_box)
        self._outcome = label("")
        rows = (run,), (self._metric,), (Field("Is", self.comparison_box),)
        self.lay_out((*rows, (Field("Value", self.bound_box), self._other), (self._outcome,)))
        run.setHidden(len(runs) == 1)
        self._begin()
        self.run_box.currentIndexChanged.connect(self._on_run)
        self.metric_box.currentIndexChanged.connect(self._on_metric)
        self.comparison_box.currentIndexChanged.connect(self._show_outcome)
        for box in (self.bound_box, self.other_box):
            box.valueChanged.connect(self._show_outcome)
        # Other runs have other metrics.
        model.columns_changed.connect(self.reject)
        self.primary.setDefault(True)
        self.primary.clicked.connect(self.accept)
        self._show_outcome()

    @property
    def value(self) -> MetricRange:
        """The range as it is given now."""
        return MetricRange(
            self.metric_box.currentData(),
            RangeKind(self.comparison_box.currentData()),
            self.bound_box.value(),
            self.other_box.value() if not self._other.isHidden() else 0.0,
            self._place,
        )

    @property
    def wanted(self) -> RowFilter:
        """The filter with this range in it, in the place of another one of the same metric."""
        value, now = self.value, self._model.filter
        kept = (r for r in now.ranges if (r.metric, r.run) != (value.metric, value.run))
        return dataclasses.replace(now, ranges=(*kept, value))

    @property
    def _place(self) -> int:
        return int(self.run_box.currentData())

    @property
    def _column(self) -> MetricColumn:
        columns = self._model.runs[self._place].columns
        return next(c for c in columns if c.key == self.metric_box.currentData())

    def _begin(self) -> None:
        """Begin with the range in force, else with the metric of the narrow table."""
        ranges = self._model.filter.ranges
        first = ranges[0] if ranges else None
        self.run_box.setCurrentIndex(first.run if first else 0)
        self._offer(first.metric if first else self._model.metric)

    def _offer(self, metric: str) -> None:
        box = self.metric_box
        box.blockSignals(True)
        box.clear()
        for column in self._model.runs[self._place].columns:
            box.addItem(column.key, column.key)
        box.setCurrentIndex(max(box.findData(metric), 0))
        box.blockSignals(False)
        self._begin_metric()

    def _begin_metric(self) -> None:
        """Begin with the range of this metric, else with what is likely wanted: the failures."""
        column, key = self._column, (self.metric_box.currentData(), self._place)
        known = (r for r in self._model.filter.ranges if (r.metric, r.run) == key)
        worse = RangeKind.ABOVE if column.is_higher_better is False else RangeKind.BELOW
        first = _FIRST_BOUNDS.get(column.unit, 1.0)
        shown = next(known, MetricRange(column.key, worse, first, first, self._place))
        self.comparison_box.setCurrentIndex(list(RangeKind).index(shown.comparison))
        unit = "" if column.unit in {"fraction", "count"} else f" {column.unit}"
        for box, bound in ((self.bound_box, shown.bound), (self.other_box, shown.other)):
            box.setDecimals(0 if column.unit == "count" else _DECIMALS)
            box.setSuffix(unit)
            box.setSingleStep(0.1 if column.unit == "fraction" else 1.0)
            box.setValue(bound)
        profile = self._model.runs[self._place].profile_title
        self._metric.set_hint(f"{column.definition} Profile: {profile}.")

    def _on_run(self) -> None:
        self._offer(self.metric_box.currentData())
        self._show_outcome()

    def _on_metric(self) -> None:
        self._begin_metric()
        self._show_outcome()

    def _show_outcome(self, *_: object) -> None:
        is_between = self.comparison_box.currentData() == RangeKind.BETWEEN
        self._other.setVisible(is_between)
        value, wanted, table = self.value, self.wanted, self._model.table
        shown = len(table.shown(wanted, self._model.order))
        undefined = table.count_undefined(wanted, value)
        text = f"Shows {shown:,} of {counted(len(table), 'episode')}."
        if undefined:
            are = "is" if undefined == 1 else "are"
            text += f" {undefined:,} {are} left out: {value.metric} is undefined there."
        self._outcome.setText(text)


def can_ask_range(model: EpisodeTableModel) -> bool:
    """Whether there is a metric to ask about."""
    return bool(model.runs) and bool(model.runs[0].columns)


def ask_range(model: EpisodeTableModel, parent: QWidget) -> None:
    """Ask for a range of a metric and show only the episodes in it, beside all other filters."""
    if not can_ask_range(model):
        return
    dialog = MetricRangeDialog(model, parent.window())
    dialog.accepted.connect(lambda: model.set_filter(dialog.wanted, model.filter_title))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def range_text(model: EpisodeTableModel, each: MetricRange) -> str:
    """What a chip says of a range: its words, run and profile, and what it leaves out undefined."""
    run = model.runs[each.run]
    unit = next((column.unit for column in run.columns if column.key == each.metric), "")
    # Titles of profiles are sentences; a chip has room for the key.
    place = run.profile_key
    place = f"{place}, {one_line(run.name)}" if len(model.runs) > 1 else place
    undefined = model.table.count_undefined(model.filter, each)
    left_out = f", {undefined:,} undefined left out" if undefined else ""
    return visible_text(f"{each.words(unit)} ({place}){left_out}")
