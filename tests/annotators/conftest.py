"""The small house, indexed once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from annotators.small_house import ToolPlayer, house_scene, make_player

from waypost.geometry.ray_index import RayIndex


@pytest.fixture(scope="session")
def house() -> RayIndex:
    return RayIndex.build(house_scene())


@pytest.fixture
def player(house: RayIndex) -> Callable[..., ToolPlayer]:
    """Makes a player: a tool, and nodes at the given places, cut at 1.5 m."""
    return partial(make_player, house)
