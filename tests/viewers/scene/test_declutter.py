"""No label hides another, and the important ones stay."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from waypost.viewers.scene.declutter import LabelBox, PlacedLabel, place_labels


def label(index: int, x: float, y: float, priority: int = 0, flipped_y: float = 1e6) -> LabelBox:
    return LabelBox(index, x, y, 60.0, 16.0, flipped_y, priority)


def overlap(a: PlacedLabel, b: PlacedLabel) -> bool:
    return (
        a.x < b.x + b.width
        and b.x < a.x + a.width
        and a.y < b.y + b.height
        and b.y < a.y + a.height
    )


def test_the_higher_priority_stays() -> None:
    placed = place_labels([label(0, 100, 100), label(1, 110, 105, priority=5)])
    assert [p.index for p in placed] == [1, 0]
    crowded = [label(0, 100, 100, flipped_y=100), label(1, 110, 105, 5, flipped_y=105)]
    assert [p.index for p in place_labels(crowded)] == [1]


def test_a_taken_place_is_left_for_the_other_side() -> None:
    placed = place_labels([label(0, 100, 100, 5), label(1, 100, 100, flipped_y=140)])
    assert [(p.index, p.y) for p in placed] == [(0, 92.0), (1, 132.0)]


def test_what_must_be_shown_is_shown() -> None:
    boxes = [label(0, 100, 100, 100, 100), label(1, 100, 100, 100, 100)]
    assert len(place_labels(boxes)) == 2


@given(
    st.lists(
        st.tuples(st.floats(0, 400), st.floats(0, 300), st.integers(0, 9)), min_size=1, max_size=40
    )
)
def test_shown_labels_never_overlap(spots: list[tuple[float, float, int]]) -> None:
    boxes = [label(i, x, y, p, y + 40) for i, (x, y, p) in enumerate(spots)]
    placed = place_labels(boxes)
    assert placed
    assert not any(overlap(a, b) for i, a in enumerate(placed) for b in placed[i + 1 :])
