from __future__ import annotations

import pytest

from waypost.domain.base.counted_words import counted, few_of


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, "0 edges"), (1, "1 edge"), (2, "2 edges"), (2500, "2,500 edges")],
)
def test_one_is_one(count: int, expected: str) -> None:
    assert counted(count, "edge") == expected


def test_a_plural_of_its_own() -> None:
    assert counted(1, "mesh", "meshes") == "1 mesh"
    assert counted(2, "mesh", "meshes") == "2 meshes"


def test_many_names_are_cut_short() -> None:
    assert few_of(["a", "b", "c", "d", "e"]) == "a, b, c, d, e"
    assert few_of(["a", "b", "c", "d", "e", "f", "g"]) == "a, b, c, d, e and 2 more"
    assert few_of(["a", "b"], 1) == "a and 1 more"
    assert few_of([]) == ""
