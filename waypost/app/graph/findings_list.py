"""What looks wrong in the graph, with counts; a click goes there."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from waypost.widgets.parts import button, label, set_property
from waypost.widgets.shared_height import SharesHeight
from waypost.widgets.theme import tokens_in_force

_ROW_ROLE = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One problem."""

    group: str
    """What kind it is, e.g. ``Edge through a wall``."""

    text: str
    """One sentence that names the place."""

    payload: object
    """Handed back when the row is chosen."""


class FindingsList(SharesHeight, QWidget):
    """Problems under headings with counts."""

    finding_activated = Signal(object)
    """Payload of the problem to go to."""

    remedy_chosen = Signal()
    """The button that is offered was pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._remedy = button("")
        self._remedy.clicked.connect(self.remedy_chosen)
        self._remedy.hide()
        self._summary = label("")
        self._list = QListWidget()
        self._list.setAccessibleName("Problems of the graph")
        self._list.setWordWrap(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self._list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self._list.itemClicked.connect(self._on_item)
        self._list.itemActivated.connect(self._on_item)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        layout.addWidget(self._summary)
        layout.addWidget(self._remedy)
        layout.addWidget(self._list, 1)
        self.set_findings(())

    def set_findings(self, rows: tuple[FindingRow, ...]) -> None:
        """Show other problems."""
        self._list.clear()
        groups: dict[str, list[FindingRow]] = {}
        for row in rows:
            groups.setdefault(row.group, []).append(row)
        for group, members in groups.items():
            title = QListWidgetItem(f"{group} ({len(members):,})")
            title.setForeground(QColor(tokens_in_force().uncertain))
            title.setFlags(Qt.ItemFlag.NoItemFlags)
            self._list.addItem(title)
            for row in members:
                item = QListWidgetItem(row.text)
                item.setData(_ROW_ROLE, row)
                self._list.addItem(item)
        count = len(rows)
        noun = "problem" if count == 1 else "problems"
        self._summary.setText(f"⚠ {count:,} {noun}" if rows else "✓ No problems found")
        set_property(self._summary, "role", "warning" if rows else "good")
        self._list.setVisible(bool(rows))
        # Without problems the lists above have the room.
        policy = QSizePolicy.Policy.Ignored if rows else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, policy)

    def offer_remedy(self, text: str) -> None:
        """Show a button that does something about some of the problems; empty takes it away."""
        self._remedy.setText(text)
        self._remedy.setAccessibleName(text)
        self._remedy.setVisible(bool(text))

    def changeEvent(self, event: QEvent) -> None:
        """Show headings in the colour of another theme."""
        if event.type() == QEvent.Type.PaletteChange:
            colour = QColor(tokens_in_force().uncertain)
            for number in range(self._list.count()):
                item = self._list.item(number)
                if item.data(_ROW_ROLE) is None:
                    item.setForeground(colour)
        super().changeEvent(event)

    def _on_item(self, item: QListWidgetItem) -> None:
        row = item.data(_ROW_ROLE)
        if isinstance(row, FindingRow):
            self.finding_activated.emit(row.payload)
