"""Chips that narrow the queue to a part of it, each with how many passages are in it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from waypost.annotators.traverse.queue_parts import QueuePart
from waypost.widgets.parts import button
from waypost.widgets.row_layouts import FlowRows


class QueuePartStrip(QWidget):
    """A chip for every part that is not empty; once the chosen one is, everything is shown."""

    part_chosen = Signal(object)
    """The ``QueuePart`` to show, or ``None`` for the whole queue."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen: QueuePart | None = None
        self._counts: Mapping[QueuePart, int] = MappingProxyType({})
        self._chips: dict[QueuePart, QPushButton] = {}
        rows = FlowRows(self, spacing_px=4)
        for part in QueuePart:
            chip = button("", role="chip")
            chip.setCheckable(True)
            chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            chip.clicked.connect(lambda _=False, part=part: self.toggle(part))
            rows.addWidget(chip)
            self._chips[part] = chip
        self._show()

    @property
    def chosen(self) -> QueuePart | None:
        """The part that is shown; ``None`` for the whole queue."""
        return self._chosen

    def set_counts(self, counts: Mapping[QueuePart, int]) -> None:
        """Show how many passages each part has; an empty one is left. Emits nothing."""
        self._counts = counts
        if self._chosen is not None and not counts.get(self._chosen):
            self._chosen = None
        self._show()

    def toggle(self, part: QueuePart) -> None:
        """Show only a part, or the whole queue again if it is shown already."""
        self._choose(None if part is self._chosen else part)

    def step(self) -> None:
        """Show the next part that is not empty; after the last one the whole queue."""
        offered = [part for part in QueuePart if self._counts.get(part)]
        order: list[QueuePart | None] = [None, *offered]
        at = order.index(self._chosen) if self._chosen in order else 0
        self._choose(order[(at + 1) % len(order)])

    def _choose(self, part: QueuePart | None) -> None:
        self._chosen = part
        self._show()
        self.part_chosen.emit(part)

    def _show(self) -> None:
        for part, chip in self._chips.items():
            count = self._counts.get(part, 0)
            chip.setText(f"{part.value} {count:,}")
            chip.setAccessibleName(f"Only what is {part.value}: {count:,}")
            chip.setToolTip(f"Show only what is {part.value}, or everything again")
            chip.setChecked(part is self._chosen)
            chip.setVisible(bool(count))
        self.setVisible(any(self._counts.values()))
