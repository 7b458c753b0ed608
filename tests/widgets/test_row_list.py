"""Rows of a list: where they lie at any width, and after any change."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from waypost.app.replay.cards.row_list import RowList, TextRow

ROWS = tuple(
    TextRow(
        f"k{n}",
        f"Row {n} " + "of some length " * (n % 4),
        text="what it says " * (n % 3),
        note="aside" if n % 2 else "",
        detail="a definition that is long enough to wrap " * 2,
        sign="✓" if n == 5 else "",
    )
    for n in range(8)
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    changes=st.lists(
        st.one_of(
            st.tuples(st.just("rows"), st.lists(st.sampled_from(ROWS), unique=True, max_size=6)),
            st.tuples(st.just("width"), st.integers(80, 400)),
            st.tuples(st.just("open"), st.integers(0, 5)),
        ),
        max_size=12,
    )
)
def test_rows_lie_as_in_a_list_made_anew(
    qtbot: QtBot, changes: list[tuple[str, int | list[TextRow]]]
) -> None:
    followed = RowList("Rows")
    qtbot.addWidget(followed)
    followed.resize(200, 400)
    opened: set[str] = set()
    for _, change in changes:
        if isinstance(change, list):
            followed.set_rows(tuple(change))
        elif change >= 80:
            followed.resize(change, 400)
        elif change < len(followed._rows):
            followed.toggle(change)
            opened ^= {followed._rows[change].key}
        # As a layout does, which asks at widths that are not taken afterwards.
        followed.heightForWidth(followed.width() + 10)
        assert places(followed) == places(made_anew(qtbot, followed, opened))


def made_anew(qtbot: QtBot, like: RowList, opened: set[str]) -> RowList:
    made = RowList("Rows")
    qtbot.addWidget(made)
    made.resize(like.size())
    made.set_rows(like._rows)
    for index, row in enumerate(like._rows):
        if row.key in opened:
            made.toggle(index)
    return made


def places(rows: RowList) -> tuple[list[tuple[int, int]], int]:
    """Top and height of every row, and the height of all."""
    rects = [rows.row_rect(index) for index in range(len(rows._rows))]
    return [(rect.top(), rect.height()) for rect in rects], rows.heightForWidth(rows.width())
