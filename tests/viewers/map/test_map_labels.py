"""Labels of a map stay in its picture as long as their places do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QApplication

from waypost.services.appearance import DARK
from waypost.viewers.map.frame import MapFrame
from waypost.viewers.map.painting import MapPaint, label_box

TEXT = "⚑ leaves the reference (step 2)"


def box(width_px: float, x_px: float, offset_px: tuple[float, float]) -> tuple[float, float]:
    paint = MapPaint(QPainter(), MapFrame(40, 0, 0), DARK, QFont(), 1.0, width_px)
    found = label_box(paint, TEXT, QPointF(x_px, 50), offset_px, is_bold=True)
    return found.left(), found.right()


@pytest.mark.parametrize("offset_px", [(11.0, 14.0), (-7.0, -11.0), (0.0, 0.0)])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_no_edge_cuts_a_label(
    qapp: QApplication, share: float, offset_px: tuple[float, float]
) -> None:
    left, right = box(300, 300 * share, offset_px)
    assert left >= 0
    assert right <= 300


def test_labels_of_places_beside_the_picture_stay_there(qapp: QApplication) -> None:
    assert box(300, -400, (11.0, 14.0))[1] < 0
    assert box(300, 900, (-7.0, 14.0))[0] > 300


def test_the_beginning_shows_where_a_picture_is_too_narrow(qapp: QApplication) -> None:
    assert box(100, 60, (11.0, 14.0))[0] == 0


@pytest.mark.parametrize("offset_px", [(11.0, 14.0), (-7.0, -11.0)])
def test_a_label_moved_over_its_place_stands_above_it(
    qapp: QApplication, offset_px: tuple[float, float]
) -> None:
    paint = MapPaint(QPainter(), MapFrame(40, 0, 0), DARK, QFont(), 1.0, 230)
    found = label_box(paint, TEXT, QPointF(115, 50), offset_px, is_bold=True)
    assert found.left() < 115 < found.right()
    assert found.bottom() == 38
