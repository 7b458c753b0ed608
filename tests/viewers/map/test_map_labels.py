"""Labels of a map stay in its picture, off the goal and off each other."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QApplication

from waypost.domain.replay.map import MapMark, MarkRole
from waypost.services.appearance import DARK
from waypost.viewers.map.frame import MapFrame
from waypost.viewers.map.labels import mark_text, placed_labels
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


def mark(
    role: MarkRole, x_m: float, y_m: float, label: str = "", step: int | None = None
) -> MapMark:
    return MapMark(role, (x_m, y_m), label, step=step)


def placed(
    marks: list[MapMark], width_px: float = 400.0, font: QFont | None = None
) -> dict[str, QRectF]:
    paint = MapPaint(QPainter(), MapFrame(40, 0, 400), DARK, font or QFont(), 1.0, width_px)
    return {mark_text(found): QRectF(*box) for found, box in placed_labels(paint, marks)}


CROWDED = [
    mark(MarkRole.GOAL, 4.0, 5.0, "goal"),
    mark(MarkRole.START, 4.1, 5.1, "start"),
    mark(MarkRole.DEVIATION, 4.0, 5.1, "leaves the reference (step 2)", 2),
    mark(MarkRole.CHOSEN, 4.4, 5.2, "1"),
    mark(MarkRole.OPTION, 4.2, 4.7, "2"),
    mark(MarkRole.REVISIT, 4.1, 5.0, "×2", 4),
    mark(MarkRole.REVISIT, 3.9, 5.0, "×3", 6),
]
"""Start, goal, first deviation and visits within a few pixels of each other."""


@pytest.mark.parametrize("points", [7, 9, 10, 12])
def test_crowded_labels_cover_neither_goal_nor_each_other(qapp: QApplication, points: int) -> None:
    font = QFont()
    font.setPointSize(points)
    boxes = placed(CROWDED, font=font)
    assert {"goal", "start", "⚑ leaves the reference (step 2)"} <= set(boxes)
    for one, other in combinations(boxes.values(), 2):
        assert not one.intersects(other)
    star = QRectF(4.0 * 40 - 9, 400 - 5.0 * 40 - 9, 18, 18)
    assert not any(box.intersects(star) for box in boxes.values())


@given(
    st.lists(
        st.tuples(
            st.sampled_from([MarkRole.START, MarkRole.DEVIATION, MarkRole.REVISIT]),
            st.floats(1.0, 9.0),
            st.floats(1.0, 9.0),
        ),
        max_size=6,
    )
)
def test_wherever_places_are_the_goal_can_be_seen(
    qapp: QApplication, places: list[tuple[MarkRole, float, float]]
) -> None:
    marks = [mark(MarkRole.GOAL, 5.0, 5.0, "goal")]
    marks += [mark(role, x, y, f"{role} {n}", n) for n, (role, x, y) in enumerate(places)]
    star = QRectF(5.0 * 40 - 9, 400 - 5.0 * 40 - 9, 18, 18)
    assert not any(box.intersects(star) for box in placed(marks).values())


def test_what_stands_alone_stays_where_it_is_looked_for(qapp: QApplication) -> None:
    boxes = placed([mark(MarkRole.GOAL, 2.0, 2.0, "goal"), mark(MarkRole.START, 6.0, 6.0, "start")])
    assert boxes["goal"].left() == 2.0 * 40 + 11
    assert boxes["start"].left() == 6.0 * 40 + 8


def test_where_a_run_ends_its_arrow_covers_no_label(qapp: QApplication) -> None:
    goal, end = mark(MarkRole.GOAL, 5.0, 5.0, "goal"), mark(MarkRole.END, 5.6, 5.1, "end", 9)
    arrow = QRectF(5.6 * 40 - 15, 400 - 5.1 * 40 - 15, 30, 30)
    assert placed([goal])["goal"].intersects(arrow)
    assert not placed([goal, end])["goal"].intersects(arrow)


def test_of_goals_in_one_spot_one_has_a_label(qapp: QApplication) -> None:
    paint = MapPaint(QPainter(), MapFrame(40, 0, 400), DARK, QFont(), 1.0, 400.0)
    goals = [mark(MarkRole.GOAL, 5.0 + 0.01 * n, 5.0, "goal") for n in range(40)]
    found = [QRectF(*box) for _, box in placed_labels(paint, goals)]
    assert 1 <= len(found) < 40
    assert not any(a.intersects(b) for a, b in combinations(found, 2))
