"""What the style sheet draws stands beside text, never on it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QStandardItemModel
from PySide6.QtWidgets import QApplication, QHeaderView, QTableView

from waypost.widgets.theme import apply_theme


@pytest.fixture(params=["dark", "light"])
def heading(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[QHeaderView]:
    """One narrow column of numbers, as metrics have them."""
    apply_theme(qapp, request.param)
    view = QTableView()
    model = QStandardItemModel(1, 1)
    model.setHorizontalHeaderLabels(["NDTW"])
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    model.setHeaderData(0, Qt.Orientation.Horizontal, right, Qt.ItemDataRole.TextAlignmentRole)
    view.setModel(model)
    view.setColumnWidth(0, 60)
    view.horizontalHeader().setSortIndicatorShown(True)
    view.resize(200, 100)
    view.show()
    yield view.horizontalHeader()
    view.close()
    apply_theme(qapp, "dark")


def drawn(heading: QHeaderView, column: int, order: Qt.SortOrder) -> np.ndarray:
    heading.setSortIndicator(column, order)
    image = heading.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    shape = image.height(), image.bytesPerLine()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(shape)[:, : 60 * 3]
    return rows.reshape(image.height(), 60, 3).astype(int)


@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
def test_the_arrow_of_the_order_leaves_the_title_free(
    heading: QHeaderView, order: Qt.SortOrder
) -> None:
    plain, sorted_by = drawn(heading, -1, order), drawn(heading, 0, order)
    background = plain[3, 3]
    text = (abs(plain - background).sum(2) > 60).any(1)
    text[-3:] = False  # the line below the heading
    arrow = (abs(sorted_by - plain).sum(2) > 60).any(1)
    assert arrow.any()
    assert not (text & arrow).any()
