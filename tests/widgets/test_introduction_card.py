from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize

from waypost.app.window.start.introduction_card import IntroductionPage, KeyRow, place_beside

ROOM = QRect(0, 0, 1000, 600)
CARD = QSize(300, 200)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (QRect(0, 0, 200, 600), QPoint(214, 199)),
        (QRect(800, 0, 200, 600), QPoint(486, 199)),
        (QRect(200, 0, 500, 40), QPoint(700, 0)),
        (QRect(0, 0, 1000, 40), QPoint(0, 54)),
        (QRect(0, 560, 1000, 40), QPoint(0, 346)),
    ],
)
def test_it_stands_where_it_covers_nothing(target: QRect, expected: QPoint) -> None:
    assert place_beside(CARD, [target], ROOM) == (expected, 0)


def test_it_covers_none_of_several() -> None:
    targets = [QRect(900, 0, 100, 40), QRect(0, 560, 100, 40)]
    spot, covered_px2 = place_beside(CARD, targets, ROOM)
    assert covered_px2 == 0
    assert not any(QRect(spot, CARD).intersects(target) for target in targets)


def test_without_a_target_it_stands_in_the_middle() -> None:
    assert place_beside(CARD, [], ROOM) == (QPoint(350, 200), 0)


def test_it_says_how_much_it_covers_where_there_is_no_room() -> None:
    assert place_beside(CARD, [ROOM], ROOM)[1] == 300 * 200


def test_a_page_is_read_out_with_its_keys() -> None:
    row = KeyRow(("PgUp", "PgDown"), "Storey above, below")
    page = IntroductionPage(2, 5, "The scene", "Drag to turn.", (row,))
    assert page.spoken == "2 of 5. The scene. Drag to turn. PgUp or PgDown: Storey above, below."
