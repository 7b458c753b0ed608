"""Results of a batch: agreement on each criterion, means by source, and the worst items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Progress, Work
from waypost.domain.score.fairness import scores_to_compare
from waypost.domain.score.score_book import ScoreBook
from waypost.metrics.agreement.score_agreement import (
    COEFFICIENTS,
    CriterionAgreement,
    score_agreement,
)
from waypost.metrics.score_means import (
    TOTAL,
    ScoreMean,
    WorstItem,
    counted_rows,
    score_means,
    worst_items,
)
from waypost.widgets.grouped_list import GroupedList, ListRow
from waypost.widgets.parts import column, heading, label

_SHOWN = (
    "alpha_ordinal", "kappa_quadratic", "percentage", "icc_2_1", "icc_2_k", "alpha_interval",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BatchResults:
    """What came of a batch, as somebody may see it."""

    agreement: Mapping[str, CriterionAgreement]
    means: tuple[ScoreMean, ...]
    worst: tuple[WorstItem, ...]
    titles: Mapping[str, str]
    """Criterion → title; item → its first words."""


def batch_results(book: ScoreBook, batch: str, viewer: str) -> Work[BatchResults]:
    """Compute what came of a batch, in steps."""
    yield Progress(0, 3, "Comparing scores")
    agreed = score_agreement(scores_to_compare(book, batch, viewer))
    yield Progress(2, 3, "Means")
    rubric, rows = book.rubric_of(batch), counted_rows(book, batch, viewer)
    titles = {entry.key: entry.title for entry in rubric.criteria}
    titles |= {entry.key.item: " ".join(entry.instruction.text.split())[:80]
               for entry in book.items_of(batch)}  # fmt: skip
    return BatchResults(agreed, score_means(rows), worst_items(rows, rubric), titles)


class ResultsFace(QWidget):
    """Shows results; says which item was clicked."""

    item_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Results")
        self._told = label("", "muted")
        self.agreement = _table("Agreement on each criterion")
        self.means = _table("Means by source and task")
        self.worst = GroupedList("scored instruction", "scored instructions")
        self.worst.selection_changed.connect(self._on_item)
        tables = QSplitter(Qt.Orientation.Vertical)
        tables.addWidget(column(heading("Agreement"), self.agreement, margin_px=0))
        tables.addWidget(column(heading("Means, with 95 % intervals"), self.means, margin_px=0))
        sides = QSplitter(Qt.Orientation.Horizontal)
        sides.addWidget(tables)
        sides.addWidget(column(heading("Worst first"), self.worst, margin_px=0))
        sides.setStretchFactor(0, 2)
        sides.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.addWidget(self._told)
        layout.addWidget(sides, 1)

    def set_results(self, results: BatchResults | None, told: str) -> None:
        """Show results, or none while they are computed.

        Args:
            results: What came of the batch.
            told: One line over them, e.g. what is hidden from the viewer.
        """
        self._told.setText(told)
        self._told.setVisible(bool(told))
        if results is None:
            _fill(self.agreement, (), ())
            _fill(self.means, (), ())
            self.worst.set_rows(())
            return
        titles = results.titles
        self._show_agreement(results)
        _fill(
            self.means,
            ("source", "task", "criterion", "mean", "95 %", "items"),
            [_mean_cells(mean, titles) for mean in results.means],
        )
        self.worst.set_rows(
            ListRow(
                entry.item,
                f"{'⚑ ' if entry.is_flagged else ''}{titles.get(entry.item, entry.item)}",
                f"{100 * entry.mean:.0f} %",
                tip=f"{entry.item}: {100 * entry.mean:.0f} % of the scales by {entry.raters},"
                f" at most {100 * entry.spread:.0f} % apart",
            )
            for entry in results.worst
        )

    def _show_agreement(self, results: BatchResults) -> None:
        table, each = self.agreement, len(_SHOWN)
        cells = []
        for name, row in results.agreement.items():
            told = f"n = {row.overlapping_items}, {counted(row.raters, 'rater')}"
            titles = [f"{results.titles.get(name, name)}\n{told}", *[""] * (each - 1)]
            cells += [
                (title, COEFFICIENTS[key].title, row.coefficients[key].words)
                for title, key in zip(titles, _SHOWN, strict=True)
            ]
        _fill(table, ("criterion", "coefficient", "value, 95 % interval"), cells)
        for number in range(len(cells)):
            coefficient = table.item(number, 1)
            if coefficient is not None:
                coefficient.setToolTip(COEFFICIENTS[_SHOWN[number % each]].definition)
        for first in range(0, len(cells), each):
            table.setSpan(first, 0, each, 1)

    def _on_item(self, keys: frozenset[str]) -> None:
        if len(keys) == 1:
            self.item_chosen.emit(next(iter(keys)))


def _mean_cells(mean: ScoreMean, titles: Mapping[str, str]) -> tuple[str, ...]:
    ci = "–" if mean.ci95 is None else f"{mean.ci95[0]:.2f} to {mean.ci95[1]:.2f}"
    criterion = "sum" if mean.key.criterion == TOTAL else titles.get(mean.key.criterion, "")
    return (
        mean.key.source or "–",
        mean.key.task or "–",
        criterion,
        f"{mean.mean:.2f}",
        ci,
        str(mean.items),
    )


def _table(name: str) -> QTableWidget:
    table = QTableWidget()
    table.setAccessibleName(name)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    # The last column takes what room there is, and wraps rather than being cut off.
    table.horizontalHeader().setStretchLastSection(True)
    return table


def _fill(table: QTableWidget, heads: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    table.clear()
    table.clearSpans()
    table.setColumnCount(len(heads))
    table.setRowCount(len(cells))
    table.setHorizontalHeaderLabels(list(heads))
    for number, row in enumerate(cells):
        for place, text in enumerate(row):
            made = QTableWidgetItem(text)
            made.setToolTip(text)
            table.setItem(number, place, made)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
