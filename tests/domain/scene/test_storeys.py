"""Storeys of a plan come from floors or from where most heights lie."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.scene.storeys import (
    STOREY_APART_M,
    Storeys,
    storeys_of_floors,
    storeys_of_heights,
)
from waypost.io.graphs.matterport_graphs import load_graph

HEIGHTS = st.lists(st.floats(-50, 50), max_size=30).map(lambda v: np.array(v, dtype=float))


def test_stairs_between_two_storeys_are_none() -> None:
    heights = np.array([1.5] * 10 + [1.6] * 3 + [4.4] * 6 + [2.2, 2.9, 3.6])
    storeys = storeys_of_heights(heights)
    assert storeys.levels_m == (1.5, 4.4)
    assert storeys.index_of(2.9) == 0
    assert storeys.index_of(3.1) == 1
    assert storeys.indices_of(np.array([0.0, 1.5, 2.9, 3.6, 9.0])).tolist() == [0, 0, 0, 1, 1]
    assert storeys.title(1) == "storey 2 of 2 (4.4 m)"


def test_above_a_floor_all_belongs_to_it() -> None:
    storeys = storeys_of_floors((3.0, 0.0))
    assert storeys.levels_m == (0.0, 3.0)
    heights = np.array([-9.0, 0.0, 2.4, 2.6, 3.0, 9.0, np.nan])
    assert storeys.indices_of(heights).tolist() == [0, 0, 0, 1, 1, 1, 0]
    assert [storeys.index_of(height) for height in heights[:-1]] == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("heights", [np.empty(0), np.array([np.nan, np.nan])])
def test_unknown_heights_are_one_storey(heights: np.ndarray) -> None:
    storeys = storeys_of_heights(heights)
    assert storeys.levels_m == (0.0,)
    assert storeys.index_of(float("nan")) == 0
    assert storeys.indices_of(heights).tolist() == [0] * len(heights)
    assert storeys_of_floors(()).levels_m == (0.0,)


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("scan", "levels", "counts"),
    [
        ("oLBMNvg9in8", (-0.9, 1.1, 4.3, 6.9), [22, 34, 29, 26]),
        ("TbHJrupSAjP", (-1.2, 1.4, 4.8), [32, 49, 33]),
        ("B6ByNegPMKs", (1.4,), [348]),
    ],
)
def test_storeys_of_real_scans(
    shared_data: Path, scan: str, levels: tuple[float, ...], counts: list[int]
) -> None:
    graph = load_graph(shared_data / "r2r" / "connectivity", scan)
    heights = graph.positions_m[graph.is_included, 2]
    storeys = storeys_of_heights(heights)
    assert storeys.levels_m == pytest.approx(levels)
    assert np.bincount(storeys.indices_of(heights)).tolist() == counts


@given(HEIGHTS)
def test_storeys_are_apart_and_every_height_has_one(heights: np.ndarray) -> None:
    storeys = storeys_of_heights(heights)
    assert (np.diff(storeys.levels_m) >= STOREY_APART_M - 1e-9).all()
    found = storeys.indices_of(heights)
    assert [storeys.index_of(height) for height in heights] == found.tolist()
    levels = np.array(storeys.levels_m)
    # Nothing is left out: what is no storey lies closer to one than storeys are apart.
    assert (np.abs(levels[found] - heights) < STOREY_APART_M + 0.1).all()


@given(HEIGHTS, st.lists(st.floats(-50, 50), min_size=1, max_size=5))
def test_floors_answer_alike_for_one_and_many(heights: np.ndarray, floors: list[float]) -> None:
    storeys = Storeys(tuple(sorted(set(floors))), are_floors=True)
    assert [storeys.index_of(h) for h in heights] == storeys.indices_of(heights).tolist()
