"""Brings a chart to the front as people do."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from waypost.viewers.charts.chart_chips import ChartChips
from waypost.viewers.charts.outcome_charts import ChartKind, OutcomeCharts


def show_chart(charts: OutcomeCharts, kind: ChartKind) -> None:
    """Press the chip of a chart."""
    chips = charts.findChild(ChartChips).findChildren(QPushButton)
    chips[list(ChartKind).index(kind)].click()
