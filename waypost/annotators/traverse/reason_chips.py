"""The reasons why an agent cannot travel, one chip each, with their keys."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from waypost.annotators.traverse.label_keys import LabelKeys
from waypost.domain.traverse.traversability import REASON_TITLES, Reason
from waypost.widgets.parts import button
from waypost.widgets.row_layouts import FlowRows


class ReasonChips(QWidget):
    """Shows the chosen reason and reports the one that is clicked."""

    reason_chosen = Signal(object)
    """The ``Reason`` whose chip was pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips: dict[Reason, QPushButton] = {}
        rows = FlowRows(self, spacing_px=3)
        for reason in Reason:
            chip = button("", role="chip")
            chip.setProperty("level", "small")
            chip.setCheckable(True)
            chip.clicked.connect(lambda _=False, reason=reason: self.reason_chosen.emit(reason))
            rows.addWidget(chip)
            self._chips[reason] = chip
        self.set_keys(LabelKeys())

    def set_keys(self, keys: LabelKeys) -> None:
        """Write other keys on the chips."""
        for key, (reason, chip) in zip(keys.reasons, self._chips.items(), strict=True):
            chip.setText(f"{key}  {REASON_TITLES[reason]}" if key else REASON_TITLES[reason])
            chip.setAccessibleName(f"Reason: {REASON_TITLES[reason]}, key {key}")

    def set_reason(self, reason: Reason | None) -> None:
        """Show a reason as chosen; emits nothing."""
        for candidate, chip in self._chips.items():
            chip.setChecked(candidate is reason)
