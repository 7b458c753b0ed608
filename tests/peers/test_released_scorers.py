"""Every number that released scorers printed for a folder is what Waypost gives, to 1e-9.

Adding a folder is adding a folder: here, or where the real data is.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from peers.comparison import TOLERANCE, Expected, compare, find_expected, measured_row
from peers.released_names import own_names

from waypost.app.main import main

pytestmark = pytest.mark.heavy

OWN = Path(__file__).parent
REAL = OWN.parents[2] / "shared" / "data" / "peers"


TABLE = OWN.parents[1] / "scripts" / "public_scorers.json"
NOISE = 1e-12
"""What another processor may add to a difference."""


def check(expected: Expected) -> None:
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


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("hamt-r2r/expected_repeats", {"nDTW": "nDTW", "SDTW": "SDTW", "steps": "steps"}),
        ("reverie-official/expected", {"SPL_REVERIE": "spl", "RGSPL_REVERIE": "rgspl"}),
        ("vlnce-rxr/expected", {"SR": "success", "SPL": "spl", "nDTW_fastdtw": "ndtw_fastdtw"}),
    ],
)
def test_the_command_prints_them(
    shared_data: Path, capsys: pytest.CaptureFixture[str], name: str, wanted: dict[str, str]
) -> None:
    expected = Expected(shared_data / "peers" / f"{name}.json")
    source = expected.source
    words = ["evaluate", "--profile", expected.profile, "--results", *map(str, source.results)]
    words += ["--annotations", *map(str, source.annotations)]
    if source.connectivity is None:
        words += ["--goal-distance", "straight-line", "--assume-stop"]
    else:
        words += ["--connectivity", str(source.connectivity)]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    own = own_names(expected.scorer, expected.content["names"])
    for metric, released in wanted.items():
        mean = expected.content["means"][released] / own[released].divisor
        assert found["metrics"][metric]["value"] == pytest.approx(mean, abs=TOLERANCE)
    assert main(words) == 0
    shown = capsys.readouterr().out
    for metric in wanted:
        assert f"{metric} {found['metrics'][metric]['value']:.4f}" in " ".join(shown.split())


@pytest.mark.realdata
def test_the_table_in_the_page_is_what_is_measured(shared_data: Path) -> None:
    """``python scripts/public_scorers.py FOLDER`` writes it anew."""
    stated = {row["folder"]: row for row in json.loads(TABLE.read_text(encoding="utf-8"))}
    found = {expected.name: expected for expected in find_expected(shared_data / "peers")}
    assert stated.keys() == found.keys()
    for name, expected in found.items():
        row, _ = measured_row(expected)
        largest = stated[name].pop("largest_difference")
        assert row.pop("largest_difference") <= max(largest, NOISE), name
        assert largest <= TOLERANCE
        assert row == stated[name]


def test_a_number_that_differs_and_one_that_nothing_is_for_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "row"
    shutil.copytree(OWN / "row", folder)
    expected = json.loads((folder / "expected.json").read_text())
    expected["means"] |= {"spl": 0.5, "comfort": 1.0}
    expected["per_episode"]["1_0"]["length"] += 2 * TOLERANCE
    (folder / "expected.json").write_text(json.dumps(expected))
    (found,) = find_expected(tmp_path)
    told = [str(number) for number in compare(found) if not number.is_equal]
    assert told == [
        "spl: released 0.5, here 0.25555555555555554",
        "comfort: released 1.0, here None",
        "length of 1_0: released 6.000000002, here 6.0",
    ]
