"""The map of a report: its labels keep off the goal and off each other."""

from __future__ import annotations

import re
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.replay.map import MapMark, MarkRole, ReplayMap
from waypost.report.map_svg import map_svg

_TEXT = re.compile(r'<text x="([-\d.]+)" y="([-\d.]+)" text-anchor="(\w+)"[^>]*>([^<]*)<')


def boxes(marks: list[MapMark]) -> dict[str, tuple[float, float, float, float]]:
    """Left, top, right and bottom of every label, at 7 px a letter and 14 px a line."""
    svg = map_svg(ReplayMap((), tuple(marks), (0.0, 0.0), (10.0, 10.0)), "a run")
    found = {}
    for x, y, anchor, text in _TEXT.findall(svg):
        wide, left = 7.0 * len(text), float(x)
        left -= wide if anchor == "end" else 0.0
        found[text] = (left, float(y) - 11, left + wide, float(y) + 3)
    return found


def meet(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@given(st.lists(st.tuples(st.floats(4.0, 6.0), st.floats(4.0, 6.0)), max_size=8))
def test_labels_keep_off_the_goal_and_each_other(places: list[tuple[float, float]]) -> None:
    marks = [MapMark(MarkRole.GOAL, (5.0, 5.0), "goal")]
    marks += [MapMark(MarkRole.REVISIT, at, f"{n}. visit", step=n) for n, at in enumerate(places)]
    found = boxes(marks)
    assert all(not meet(a, b) for a, b in combinations(found.values(), 2))
    x = y = 5.0 * 52.0
    star = (x - 8, y - 8, x + 8, y + 8)
    assert not any(meet(box, star) for box in found.values())


def test_the_first_deviation_is_always_told_and_stays_inside() -> None:
    for x_m in (0.2, 5.0, 9.8):
        told = "leaves the reference"
        (box,) = boxes([MapMark(MarkRole.DEVIATION, (x_m, 5.0), told, step=2)]).values()
        assert box[0] >= 0
        assert box[2] <= 520
