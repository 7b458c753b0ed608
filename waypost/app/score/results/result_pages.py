"""What the results of sheets and of pairs have in common: pages to choose from, and agreement."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from waypost.app.score.results.chart_page import ChartPage
from waypost.app.score.results.results_charts import agreement_cells, agreement_chart
from waypost.metrics.agreement.score_agreement import COEFFICIENTS, CriterionAgreement
from waypost.viewers.charts.chart_chips import ChartChips
from waypost.widgets.parts import label


class ResultPages(QWidget):
    """Pages under their titles, and a line over them.

    Args:
        name: What a screen reader says.
        titles: Of the pages.
        parent: Qt owner.
    """

    item_chosen = Signal(str)
    """An item, or a pair, that was clicked."""

    def __init__(self, name: str, titles: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self._titles = tuple(titles)
        self._told = label("", "muted")
        self.chips = ChartChips(self._titles)
        self._pages = QStackedWidget()
        self.chips.chosen.connect(self._pages.setCurrentIndex)
        layout = QVBoxLayout(self)
        layout.addWidget(self._told)
        layout.addWidget(self.chips)
        layout.addWidget(self._pages, 1)

    @property
    def told(self) -> str:
        """What stands over the results."""
        return self._told.text()

    def show_page(self, title: str) -> None:
        """Bring a page to the front by its title.

        Raises:
            ValueError: If there is no such page.
        """
        place = self._titles.index(title)
        self.chips.set_current(place)
        self._pages.setCurrentIndex(place)

    def _tell(self, told: str) -> None:
        self._told.setText(told)
        self._told.setVisible(bool(told))

    def _choose(self, keys: frozenset[str]) -> None:
        if len(keys) == 1:
            self.item_chosen.emit(next(iter(keys)))


class AgreementPage(ChartPage):
    """How far raters agree on each criterion."""

    def __init__(self) -> None:
        super().__init__(
            "Agreement on each criterion, with 95 % intervals",
            "Point at a coefficient, or choose its row, for its definition.",
        )

    def set_agreement(
        self,
        rows: Sequence[CriterionAgreement],
        titles: Sequence[str],
        empty: str,
        item_ids: tuple[str, ...] = (),
        noun: str = "instruction",
    ) -> None:
        """Show agreement on other criteria.

        Args:
            rows: Agreement on each criterion.
            titles: Of the criteria.
            empty: Said where there is none.
            item_ids: What raters differ about, which a click shows.
            noun: What an item is.
        """
        self.set_numbers(
            agreement_chart(rows, titles, item_ids, noun),
            *agreement_cells(rows, titles, noun),
            empty,
        )
        kinds = COEFFICIENTS.values()
        self.set_tips(1, [f"{k.title}: {k.definition}" for _ in rows for k in kinds])
        self.span_rows(len(kinds))
