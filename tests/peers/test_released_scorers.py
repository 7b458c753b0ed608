"""Every number that released scorers printed for a folder is what Waypost gives, to 1e-9.

Adding a folder is adding a folder: here, or where the real data is.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from peers.comparison import Expected, compare, find_expected

OWN = Path(__file__).parent
REAL = OWN.parents[2] / "shared" / "data" / "peers"


def check(expected: Expected) -> None:
    if not expected.profile:
        pytest.skip("scores without a path have no profile")
    numbers = compare(expected)
    assert len(numbers) > len(expected.content["per_episode"])
    unequal = [str(number) for number in numbers if not number.is_equal]
    assert not unequal, f"{len(unequal)} of {len(numbers)} differ, first {unequal[:5]}"


@pytest.mark.parametrize("expected", find_expected(OWN), ids=lambda expected: expected.name)
def test_own_folders(expected: Expected) -> None:
    check(expected)


@pytest.mark.realdata
@pytest.mark.parametrize("expected", find_expected(REAL), ids=lambda expected: expected.name)
def test_folders_of_the_real_data(expected: Expected) -> None:
    check(expected)
