"""Layouts that wrap cells into rows, so that narrow panels and large text cut nothing."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class RowLayout(QLayout):
    """Cells in rows that fill the width; subclasses say how many go into a row."""

    def __init__(self, parent: QWidget | None = None, *, spacing_px: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing_px)
        self.setContentsMargins(QMargins())

    def rows_for(self, width_px: int) -> list[list[tuple[QLayoutItem, int]]]:
        """Cells of each row with their widths in pixels."""
        raise NotImplementedError

    def addItem(self, item: QLayoutItem) -> None:
        """Add a cell at the end."""
        self._items.append(item)

    def count(self) -> int:
        """Number of cells, hidden ones included."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The cell at an index, or ``None``."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove the cell at an index and give it away."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Grows in neither direction by itself."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height in pixels needed at a width."""
        return self._place(QRect(0, 0, width, 0), is_dry_run=True)

    def sizeHint(self) -> QSize:
        """Half of the cells beside each other."""
        widths = [item.sizeHint().width() for item in self._shown()]
        width = max([*widths, (sum(widths) + self.spacing() * len(widths)) // 2])
        return QSize(width, self.heightForWidth(width))

    def minimumSize(self) -> QSize:
        """One cell."""
        items = self._shown()
        widest = max((item.minimumSize().width() for item in items), default=0)
        tallest = max((item.sizeHint().height() for item in items), default=0)
        return QSize(widest, tallest)

    def setGeometry(self, rect: QRect) -> None:
        """Place the cells."""
        super().setGeometry(rect)
        self._place(rect, is_dry_run=False)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _place(self, rect: QRect, *, is_dry_run: bool) -> int:
        y = rect.y()
        for row in self.rows_for(rect.width()):
            height = max(item.sizeHint().height() for item, _ in row)
            x = rect.x()
            for item, width in row:
                if not is_dry_run:
                    item.setGeometry(QRect(QPoint(x, y), QSize(width, height)))
                x += width + self.spacing()
            y += height + self.spacing()
        return max(y - self.spacing() - rect.y(), 0)


class EqualColumns(RowLayout):
    """Cells of the same width; as many columns as fit, up to a limit."""

    def __init__(
        self, max_columns: int, parent: QWidget | None = None, *, spacing_px: int = 6
    ) -> None:
        super().__init__(parent, spacing_px=spacing_px)
        self._max_columns = max_columns

    def columns_for(self, width_px: int) -> int:
        """How many columns fit into a width; at least one."""
        items = self._shown()
        widest = max((item.sizeHint().width() for item in items), default=1)
        most = max(1, min(self._max_columns, len(items)))
        for columns in range(most, 1, -1):
            if columns * widest + (columns - 1) * self.spacing() <= width_px:
                return columns
        return 1

    def rows_for(self, width_px: int) -> list[list[tuple[QLayoutItem, int]]]:
        """Rows of equally wide cells."""
        items, columns = self._shown(), self.columns_for(width_px)
        cell = (width_px - self.spacing() * (columns - 1)) // columns
        starts = range(0, len(items), columns)
        return [[(item, cell) for item in items[at : at + columns]] for at in starts]


class FlowRows(RowLayout):
    """Cells of their own width, as many as fit into a row, then stretched to fill it."""

    def rows_for(self, width_px: int) -> list[list[tuple[QLayoutItem, int]]]:
        """Rows of cells that share what room is left over."""
        rows: list[list[QLayoutItem]] = []
        used = 0
        for item in self._shown():
            needed = item.sizeHint().width()
            if rows and used + self.spacing() + needed <= width_px:
                rows[-1].append(item)
                used += self.spacing() + needed
            else:
                rows.append([item])
                used = needed
        return [self._filled(row, width_px) for row in rows]

    def _filled(self, row: list[QLayoutItem], width_px: int) -> list[tuple[QLayoutItem, int]]:
        widths = [item.sizeHint().width() for item in row]
        spare = width_px - sum(widths) - self.spacing() * (len(row) - 1)
        shares = [spare // len(row)] * len(row)
        shares[-1] += spare - sum(shares)
        return [(item, w + s) for item, w, s in zip(row, widths, shares, strict=True)]
