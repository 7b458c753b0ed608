"""Agreement of scores against published tables and hand computations; what is undefined and why."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.score.given_score import GivenScore
from waypost.metrics import analyst_agreement
from waypost.metrics.agreement.coefficients import (
    Floats,
    ScoreDistance,
    intraclass_correlation,
    krippendorff_alpha,
    quadratic_kappa,
)
from waypost.metrics.agreement.score_agreement import (
    COEFFICIENTS,
    NO_OVERLAP,
    NO_VARIATION,
    NOT_COMPLETE,
    Coefficient,
    CriterionAgreement,
    score_agreement,
)

_ = math.nan
FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
).T
"""Krippendorff 2011, section C: twelve units, four observers, missing data."""

SIX_TARGETS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
)
"""Shrout and Fleiss 1979, Table 2: six targets, four judges."""


def scores_of(table: Floats, criterion: str = "clarity") -> list[GivenScore]:
    """A table as scores; NaN is none."""
    return [
        GivenScore(f"item {row}", f"rater {column}", criterion, float(value))
        for (row, column), value in np.ndenumerate(table)
        if not math.isnan(value)
    ]


def agreement_of(table: Floats) -> CriterionAgreement:
    return score_agreement(scores_of(np.asarray(table, float)))["clarity"]


def once(table: Floats) -> Floats:
    return np.ones((1, len(table)))


@pytest.mark.parametrize(
    ("level", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_of_krippendorffs_four_observers(level: str, published: float) -> None:
    (found,) = krippendorff_alpha(FOUR_OBSERVERS, once(FOUR_OBSERVERS), ScoreDistance(level))
    assert found == pytest.approx(published, abs=5e-4)


def test_icc_of_shrout_and_fleiss() -> None:
    one, mean = (
        intraclass_correlation(SIX_TARGETS, once(SIX_TARGETS), is_average=is_average)[0]
        for is_average in (False, True)
    )
    assert (round(one, 2), round(mean, 2)) == (0.29, 0.62)
    # From the mean squares of their Table 3, 11.24, 32.49 and 1.02, more exactly.
    assert one == pytest.approx(0.28976, abs=1e-5)
    assert mean == pytest.approx(0.62005, abs=1e-5)


def test_weighted_kappa_by_hand() -> None:
    # Squared differences 0, 1, 0, 1 give 0.5; over all 16 pairs of one score each, 1.375.
    table = np.array([[1.0, 1.0], [2.0, 3.0], [3.0, 3.0], [3.0, 2.0]])
    assert quadratic_kappa(table, once(table))[0] == pytest.approx(1 - 0.5 / 1.375)


def test_weighted_kappa_of_three_raters_is_the_mean_over_their_pairs() -> None:
    table = np.array([[1.0, 1.0, 2.0], [2.0, 3.0, 2.0], [3.0, 3.0, 5.0], [3.0, 2.0, _]])
    pairs = [table[:, [a, b]] for a, b in ((0, 1), (0, 2), (1, 2))]
    by_pair = [quadratic_kappa(pair, once(pair))[0] for pair in pairs]
    assert quadratic_kappa(table, once(table))[0] == pytest.approx(sum(by_pair) / 3)


def test_every_coefficient_of_the_four_observers_has_an_interval_around_it() -> None:
    found = agreement_of(FOUR_OBSERVERS)
    assert (found.items, found.overlapping_items, found.raters) == (12, 11, 4)
    assert list(found.coefficients) == list(COEFFICIENTS)
    for coefficient in found.coefficients.values():
        assert coefficient.value is not None
        assert coefficient.ci95 is not None
        assert coefficient.ci95[0] <= coefficient.value <= coefficient.ci95[1]
    assert found.coefficients["alpha_ordinal"].value == pytest.approx(0.815, abs=5e-4)
    pairs = equal = 0
    for row in FOUR_OBSERVERS:
        own = row[~np.isnan(row)]
        for a in range(len(own)):
            for b in range(a):
                pairs, equal = pairs + 1, equal + (own[a] == own[b])
    assert found.coefficients["percentage"].value == pytest.approx(equal / pairs)


def test_intervals_do_not_depend_on_the_order_of_rows_and_are_the_same_again() -> None:
    scores = scores_of(FOUR_OBSERVERS)
    assert score_agreement(scores) == score_agreement(scores[::-1])


@pytest.mark.parametrize(
    ("table", "reasons"),
    [
        pytest.param([[1, _], [_, 2]], dict.fromkeys(COEFFICIENTS, NO_OVERLAP), id="no overlap"),
        pytest.param([[1], [2]], dict.fromkeys(COEFFICIENTS, NO_OVERLAP), id="one rater"),
        pytest.param(
            [[3, 3], [3, 3], [3, 3]],
            {name: NO_VARIATION for name in COEFFICIENTS if name != "percentage"},
            id="always the same",
        ),
        pytest.param(
            [[1, 2, _], [_, 2, 3], [1, _, 2]],
            dict.fromkeys(("icc_2_1", "icc_2_k"), NOT_COMPLETE),
            id="no item of all raters",
        ),
        pytest.param([[1, 2]], dict.fromkeys(("icc_2_1", "icc_2_k"), NOT_COMPLETE), id="one item"),
    ],
)
def test_what_is_undefined_has_a_reason_and_no_value(
    table: list[list[float]], reasons: dict[str, str]
) -> None:
    found = agreement_of(np.array(table, float)).coefficients
    undefined = {name: entry.undefined for name, entry in found.items() if entry.value is None}
    if len(table) == 3 and reasons.get("icc_2_1") == NOT_COMPLETE:
        undefined.pop("kappa_quadratic", None)  # each pair shares one item only
    assert undefined == reasons
    assert all(found[name] == Coefficient(None, None, why) for name, why in reasons.items())


def test_one_item_has_values_without_intervals() -> None:
    found = agreement_of(np.array([[1.0, 2.0]])).coefficients["percentage"]
    assert found == Coefficient(0.0, None)
    assert found.words == "0.000"


def test_words_of_a_coefficient() -> None:
    assert Coefficient(None, None, NO_VARIATION).words == "undefined: no variation"
    assert Coefficient(0.81532, (0.4, 0.95)).words == "0.815 [0.400, 0.950]"


tables = st.lists(
    st.lists(st.one_of(st.none(), st.integers(1, 3)), min_size=3, max_size=3),
    min_size=1,
    max_size=6,
).map(lambda rows: np.array([[_ if v is None else v for v in row] for row in rows], float))


@given(tables)
def test_nominal_alpha_is_the_one_that_analysts_are_compared_by(table: Floats) -> None:
    answers = {
        str(row): {str(c): str(v) for c, v in enumerate(values) if not math.isnan(v)}
        for row, values in enumerate(table)
    }
    found = krippendorff_alpha(table, once(table), ScoreDistance.NOMINAL)[0]
    known = analyst_agreement.agreement("", answers).alpha
    assert math.isnan(found) if known is None else found == pytest.approx(known, abs=1e-12)
    told = nominal_alpha_by_pairs(table)
    assert math.isnan(found) if told is None else found == pytest.approx(told, abs=1e-12)


def nominal_alpha_by_pairs(table: Floats) -> float | None:
    """Krippendorff's definition, every ordered pair of scores counted one by one."""
    items = [[v for v in row if not math.isnan(v)] for row in table]
    items = [item for item in items if len(item) > 1]
    every = [v for item in items for v in item]
    expected = sum(a != b for a, b in permutations(every, 2))
    observed = sum(sum(a != b for a, b in permutations(i, 2)) / (len(i) - 1) for i in items)
    return 1 - (len(every) - 1) * observed / expected if expected else None


@given(tables)
def test_a_weight_counts_an_item_as_often_as_it_says(table: Floats) -> None:
    doubled = np.concatenate([table, table[:1]])
    weights = np.ones((1, len(table)))
    weights[0, 0] = 2
    for kind in COEFFICIENTS.values():
        twice, weighted = kind.compute(doubled, once(doubled))[0], kind.compute(table, weights)[0]
        if len(table) > 1:
            assert weighted == pytest.approx(twice, abs=1e-9, nan_ok=True)


def test_what_is_rounded_to_0_has_no_sign() -> None:
    assert Coefficient(-0.0001, (-0.0, 0.5)).words == "0.000 [0.000, 0.500]"
    assert Coefficient(-0.25, None).words == "\N{MINUS SIGN}0.250"
