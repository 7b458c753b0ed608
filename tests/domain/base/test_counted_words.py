from __future__ import annotations

import pytest

from waypost.domain.base.counted_words import counted


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, "0 edges"), (1, "1 edge"), (2, "2 edges"), (2500, "2,500 edges")],
)
def test_one_is_one(count: int, expected: str) -> None:
    assert counted(count, "edge") == expected


def test_a_plural_of_its_own() -> None:
    assert counted(1, "mesh", "meshes") == "1 mesh"
    assert counted(2, "mesh", "meshes") == "2 meshes"
