"""Averages of a study: each over what is defined, nobody weighs more than another."""

from __future__ import annotations

from itertools import count
from typing import Any

import pandas as pd
from fixtures.study_examples import GOOD, NOON

from waypost.domain.record.study import Take, TakeKey
from waypost.domain.record.take_rules import TakeRules
from waypost.tables.study_tables import (
    NOT_SCORED,
    means_of_means,
    participant_means,
    take_scores,
)

_numbers = count(1)


def take(participant: str, **scores: float | None) -> Take:
    notes = {name: "no goal" for name, value in scores.items() if value is None}
    key = TakeKey("r2r", "s0", "0_0", participant, next(_numbers))
    return Take(key, "t.csv", "ab" * 32, NOON, GOOD, TakeRules(), scores, notes)


TAKES = [
    take("P-A", SR=1.0, NE=0.5),
    take("P-A", SR=1.0, NE=1.5),
    take("P-A", SR=0.0, NE=None),
    take("P-A", SR=1.0),
    take("P-B", SR=0.25, NE=4.0),
]


def means(takes: list[Take]) -> dict[tuple[str, str], dict[Any, Any]]:
    rows = participant_means(take_scores(takes)).to_dict("records")
    return {(row["participant"], row["score"]): row for row in rows}


def overall(takes: list[Take], seed: int = 0) -> dict[str, dict[Any, Any]]:
    """Only what the takes were scored for: every take measures durations and lengths as well."""
    rows = means_of_means(participant_means(take_scores(takes)), seed).to_dict("records")
    return {row["score"]: row for row in rows if not row["score"].startswith("take.")}


def test_each_participant_is_averaged_over_what_is_defined() -> None:
    found = means(TAKES)
    assert found["P-A", "SR"]["mean"] == 0.75
    assert found["P-A", "NE"]["mean"] == 1.0
    assert found["P-A", "NE"]["n_takes"] == 2
    assert found["P-A", "NE"]["n_undefined"] == 2
    assert found["P-A", "NE"]["undefined"] == {"no goal": 1, NOT_SCORED: 1}
    assert found["P-B", "SR"]["mean"] == 0.25
    assert found["P-B", "take.path_length_m"]["mean"] == 12.5


def test_everyone_weighs_the_same_however_many_takes() -> None:
    sr, ne = overall(TAKES).values()
    assert (sr["score"], sr["mean_of_means"], sr["n_participants"], sr["n_takes"]) == (
        "SR", 0.5, 2, 5,
    )  # fmt: skip
    assert (ne["score"], ne["mean_of_means"], ne["n_takes"]) == ("NE", 2.5, 3)
    assert ne["undefined"] == {"no goal": 1, NOT_SCORED: 1}
    assert (sr["ci95_low"], sr["ci95_high"]) == (0.25, 0.75)


def test_intervals_are_seeded() -> None:
    takes = [take(f"P-{i}", SR=i / 10) for i in range(10)]

    def ends(seed: int) -> tuple[float, float]:
        row = overall(takes, seed)["SR"]
        return row["ci95_low"], row["ci95_high"]

    assert ends(3) == ends(3) != ends(4)
    assert ends(3)[0] < 0.45 < ends(3)[1]


def test_one_participant_has_no_interval_and_nobody_no_value() -> None:
    one = overall([take("P-A", SR=1.0)])["SR"]
    assert one["mean_of_means"] == 1.0
    assert pd.isna(one["ci95_low"])
    assert pd.isna(one["ci95_high"])
    none = overall([take("P-A", SPL=None)])["SPL"]
    assert pd.isna(none["mean_of_means"])
    assert (none["n_participants"], none["undefined"]) == (0, {"no goal": 1})
    assert overall([]) == {}
