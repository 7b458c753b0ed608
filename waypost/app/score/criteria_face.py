"""A face with the criteria that are asked, one of which is current."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.app.score.criterion_card import CriterionCard
from waypost.domain.score.rubric import Criterion
from waypost.widgets.parts import scroll_panel

_Card = TypeVar("_Card", bound=CriterionCard)


class CriteriaFace(QWidget, Generic[_Card]):
    """Has a card for each criterion, below each other; keys are about the current one.

    Args:
        name: What a screen reader says.
        parent: Qt owner.
    """

    criterion_chosen = Signal(str)
    """Criterion that keys are about now."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.current = ""
        """Criterion that keys are about; empty for none."""

        self._rows: dict[str, _Card] = {}
        criteria = QWidget()
        self._column = QVBoxLayout(criteria)
        self._column.setContentsMargins(10, 10, 10, 10)
        self._column.setSpacing(8)
        self._column.addStretch(1)
        self._area = scroll_panel(criteria)

    @property
    def asked(self) -> tuple[str, ...]:
        """Keys of the criteria that are shown, from above."""
        return tuple(self._rows)

    def row(self, criterion: str) -> _Card:
        """The card of a criterion that is shown.

        Raises:
            KeyError: If it is not.
        """
        return self._rows[criterion]

    def set_current(self, criterion: str) -> None:
        """Let keys be about this criterion."""
        if criterion not in self._rows:
            return
        self.current = criterion
        for key, row in self._rows.items():
            row.set_current(is_current=key == criterion)
        self._area.ensureWidgetVisible(self._rows[criterion], 0, 20)
        self.criterion_chosen.emit(criterion)

    def step_criterion(self, places: int) -> None:
        """Let keys be about the next criterion, or the one before; from the last the first."""
        keys = self.asked
        if keys:
            self.set_current(keys[(keys.index(self.current) + places) % len(keys)])

    def _keep_current(self) -> None:
        """Let keys be about the same criterion as before, else about the first."""
        self.set_current(self.current if self.current in self._rows else next(iter(self._rows), ""))

    def _shows(self, asked: tuple[Criterion, ...]) -> bool:
        return tuple(row.criterion for row in self._rows.values()) == asked

    def _set_rows(self, rows: Iterable[_Card]) -> None:
        for row in self._rows.values():
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = {row.criterion.key: row for row in rows}
        for row in self._rows.values():
            self._column.insertWidget(self._column.count() - 1, row)
            row.chosen.connect(self.set_current)
