"""Places and visits of runs that have few poses or none."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.replay.places import (
    is_arrival,
    places_of_positions,
    places_of_viewpoints,
    visit_numbers,
)


def test_no_poses_no_places() -> None:
    nowhere = places_of_positions(np.empty((0, 3)), 1.0, 1.5)
    assert len(nowhere) == 0
    assert len(visit_numbers(nowhere, is_arrival(nowhere))) == 0


@given(st.lists(st.sampled_from("ABCD"), max_size=20))
def test_visits_count_arrivals(walked: list[str]) -> None:
    places = places_of_viewpoints(walked)
    visits = visit_numbers(places, is_arrival(places)).tolist()
    seen: dict[str, int] = {}
    for step, name in enumerate(walked):
        if step == 0 or walked[step - 1] != name:
            seen[name] = seen.get(name, 0) + 1
        assert visits[step] == seen[name]


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=1, max_size=60))
def test_nobody_is_further_from_a_place_than_its_radius(points: list[tuple[float, float]]) -> None:
    positions = np.array([(x, y, 0.0) for x, y in points])
    places = places_of_positions(positions, 1.0, 1.5)
    for place in np.unique(places):
        centre = positions[np.flatnonzero(places == place)[0]]
        gaps = np.hypot(*(positions[places == place] - centre)[:, :2].T)
        assert gaps.max() <= 1.0


def test_another_storey_is_another_place() -> None:
    positions = np.array([[0, 0, 0], [0, 0, 1.4], [0, 0, 1.5], [0, 0, 0.0]])
    assert places_of_positions(positions, 1.0, 1.5).tolist() == [0, 0, 1, 0]
