"""Keys and what each does, in as many rows as the width asks for."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from waypost.widgets.parts import keycap, label
from waypost.widgets.row_layouts import FlowRows


class KeyLegend(QWidget):
    """One cell for each key."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = FlowRows(self)
        self._cells: list[QWidget] = []

    @property
    def row_width_px(self) -> int:
        """How wide it is in a single row."""
        between_px = self._rows.spacing() * max(len(self._cells) - 1, 0)
        return sum(cell.sizeHint().width() for cell in self._cells) + between_px

    def set_keys(self, keys: tuple[tuple[str, str], ...]) -> None:
        """Show other keys: key and what it does."""
        for cell in self._cells:
            self._rows.removeWidget(cell)
            cell.hide()
            cell.deleteLater()
        self._cells = [_key_cell(key, meaning) for key, meaning in keys]
        for cell in self._cells:
            self._rows.addWidget(cell)


def _key_cell(key: str, meaning: str) -> QWidget:
    cell = QWidget()
    row = QHBoxLayout(cell)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    text = label(meaning, "muted")
    text.setWordWrap(False)
    row.addStretch(1)
    row.addWidget(keycap(key))
    row.addWidget(text)
    row.addStretch(1)
    return cell
