"""Picks runs out of a folder of results by data set, split, model and setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from waypost.widgets.parts import button, label

AXES = ("dataset", "split", "model", "setting")
"""What runs are picked by, each a field of ``CatalogueRow``."""

_TITLES = {"dataset": "Data set", "split": "Split", "model": "Model", "setting": "Setting"}
_ANY = "Any"
_NOT_TOLD = "Not told"


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """One run to pick; what is not told of it is empty."""

    key: str
    """Reported when it is picked."""

    name: str
    format: str
    dataset: str = ""
    split: str = ""
    model: str = ""
    setting: str = ""


class CatalogueDialog(QDialog):
    """Lists below each choice narrow the runs; one to four can be picked.

    Args:
        rows: Every run found.
        note: What is to be said about the search; empty for nothing.
        most: So many runs can be picked.
        parent: Qt owner.
    """

    def __init__(
        self, rows: Sequence[CatalogueRow], note: str, most: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Runs in the folder")
        self.resize(620, 480)
        self._rows, self._most = tuple(rows), most
        self.choices = {axis: self._make_choice(axis) for axis in AXES}
        self.list = QListWidget()
        self.list.setAccessibleName("Runs")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._count = label("", "small")
        self.open_button = button("Replay", role="primary")
        buttons = QDialogButtonBox()
        buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(button("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout()
        for axis, choice in self.choices.items():
            form.addRow(_TITLES[axis], choice)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._count)
        if note:
            layout.addWidget(label(note, "warning"))
        layout.addWidget(buttons)
        for choice in self.choices.values():
            choice.currentIndexChanged.connect(self._narrow)
        self.list.itemSelectionChanged.connect(self._show_count)
        self.list.itemActivated.connect(lambda _: self._accept_if_possible())
        self._narrow()
        self.open_button.setDefault(True)

    @property
    def picked(self) -> tuple[str, ...]:
        """Keys of the runs picked, in the order of the list."""
        chosen = [self.list.item(place) for place in range(self.list.count())]
        return tuple(
            str(item.data(Qt.ItemDataRole.UserRole)) for item in chosen if item.isSelected()
        )

    def _make_choice(self, axis: str) -> QComboBox:
        made = QComboBox()
        made.setAccessibleName(_TITLES[axis])
        made.addItem(_ANY, None)
        for value in sorted({getattr(row, axis) for row in self._rows}):
            made.addItem(value or _NOT_TOLD, value)
        if made.count() == 2:
            # One thing to choose from is no choice.
            made.setCurrentIndex(1)
            made.setEnabled(False)
        return made

    def _narrow(self, *_: object) -> None:
        wanted = {axis: choice.currentData() for axis, choice in self.choices.items()}
        self.list.clear()
        for row in self._rows:
            if all(value is None or getattr(row, axis) == value for axis, value in wanted.items()):
                item = QListWidgetItem(row.name)
                item.setToolTip(row.format)
                item.setData(Qt.ItemDataRole.UserRole, row.key)
                self.list.addItem(item)
        if self.list.count():
            self.list.setCurrentRow(0)
        self._show_count()

    def _show_count(self) -> None:
        count = len(self.picked)
        self._count.setText(
            f"At most {self._most} runs can be compared."
            if count > self._most
            else f"{self.list.count()} of {len(self._rows)} runs · {count} picked"
        )
        self.open_button.setEnabled(0 < count <= self._most)

    def _accept_if_possible(self) -> None:
        if self.open_button.isEnabled():
            self.accept()
