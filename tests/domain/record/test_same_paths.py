"""Episodes along the same path: other instructions, the way back, a way planned anew."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.route import EMPTY_ROUTE, Route, route
from waypost.domain.record.same_paths import SAME_M, path_ids


def episode(own_id: str, reference: Route, scene: str = "s", source: str = "") -> Episode:
    return Episode(
        "r2r", "val", own_id, scene, Instruction("go"), reference=reference, source_id=source
    )


def named(*names: str) -> Route:
    return route(names)


def line(points: Sequence[tuple[float, float]]) -> Route:
    return route(positions_m=[(x, y, 0.0) for x, y in points])


def grouped(*routes: Route) -> list[str]:
    return path_ids([episode(str(place), told) for place, told in enumerate(routes)])


def test_other_instructions_and_the_way_back_are_the_same_path() -> None:
    forth, back, other = named("a", "b", "c"), named("c", "b", "a"), named("a", "b", "d")
    assert grouped(forth, other, forth, back, other) == ["0", "1", "0", "0", "1"]


def test_turns_in_place_make_no_other_path() -> None:
    assert grouped(named("a", "a", "b"), named("b", "a")) == ["0", "0"]


def test_a_part_of_a_path_is_another_path() -> None:
    assert grouped(named("a", "b", "c"), named("a", "b")) == ["0", "1"]


def test_paths_of_other_scenes_are_others() -> None:
    told = named("a", "b")
    assert path_ids([episode("0", told), episode("1", told, "t")]) == ["0", "1"]


def test_without_a_path_episodes_of_one_record_are_the_same() -> None:
    sources = {"a": "1", "b": "1", "c": "2"}
    asked = [episode(own, EMPTY_ROUTE, source=source) for own, source in sources.items()]
    assert path_ids(asked) == ["a", "a", "c"]
    assert path_ids([episode("a", EMPTY_ROUTE), episode("b", EMPTY_ROUTE)]) == ["a", "b"]


def test_the_way_back_may_be_planned_anew() -> None:
    forth = line([(0, 0), (2, 0), (4, 0), (4, 3)])
    back = line([(4.1, 3.2), (4.3, 1.5), (4.2, 0.2), (1.0, 0.3), (-0.2, 0.1)])
    assert grouped(forth, back) == ["0", "0"]


def test_two_ways_between_the_same_ends_are_two_paths() -> None:
    left, right = line([(0, 0), (0, 3), (3, 3)]), line([(0, 0), (3, 0), (3, 3)])
    assert grouped(left, right) == ["0", "1"]


def test_a_longer_path_is_another_one() -> None:
    assert grouped(line([(0, 0), (3, 0)]), line([(0, 0), (3, 0), (3, 2)])) == ["0", "1"]


def test_another_storey_is_another_path() -> None:
    here = route(positions_m=[(0, 0, 0), (3, 0, 0)])
    above = route(positions_m=[(0, 0, 2.8), (3, 0, 2.8)])
    assert grouped(here, above) == ["0", "1"]


@pytest.mark.parametrize(
    ("gap_m", "ids"), [(SAME_M - 0.01, ["0", "0"]), (SAME_M + 0.01, ["0", "1"])]
)
def test_ends_may_differ_by_the_limit(gap_m: float, ids: list[str]) -> None:
    assert grouped(line([(0, 0), (5, 0)]), line([(0, gap_m), (5, gap_m)])) == ids


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_any_order_of_any_walk_finds_its_own_way_back(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    walks = [random.uniform(-20, 20, (count, 3)) for _ in range(3)]
    told = [route(positions_m=points) for points in walks]
    told += [route(positions_m=points[::-1]) for points in walks]
    order = random.permutation(6)
    ids = path_ids([episode(str(place % 3), told[place]) for place in order])
    assert ids == [str(place % 3) for place in order]
