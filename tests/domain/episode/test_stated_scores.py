"""Means of scores that a source states: by the rule of its released code, or over what is known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.episode.stated_scores import (
    StatedRule,
    StatedSum,
    TotalCheck,
    add_stated,
    check_totals,
    stated_scores,
    total_faults,
)

AS_ZERO = StatedRule("analyze_results.py", "a/b:analyze_results.py", counts_unknown_as_zero=True)
SPREADING = StatedRule(
    "eval.py", "a/b:eval.py", totals={"sucs_all": "success"}, count_name="length"
)


def scores(rows, rule):
    sums = {}
    for row in rows:
        add_stated(sums, row)
    return stated_scores(sums, len(rows), rule)


ROWS = [{"success": 1.0, "spl": 0.5}, {"success": 0.0, "spl": None}, {"success": 0.0, "spl": 0.25}]


@pytest.mark.parametrize(
    ("rule", "value", "n"), [(None, 0.375, 2), (AS_ZERO, 0.25, 3), (SPREADING, None, 0)]
)
def test_what_is_unknown_counts_as_the_rule_says(rule, value, n):
    spl = scores(ROWS, rule)["spl"]
    assert (spl.value, spl.n) == (value, n)
    assert (spl.known_mean, spl.known, spl.unknown) == (0.375, 2, 1)
    assert scores(ROWS, rule)["success"].value == pytest.approx(1 / 3)


def test_the_reason_names_the_code_that_lets_nan_spread():
    reason = scores(ROWS, SPREADING)["spl"].reason
    assert reason == ("1 of 3 runs state NaN or infinity, which eval.py lets spread to the mean")


@pytest.mark.parametrize("rule", [AS_ZERO, SPREADING])
def test_a_score_that_a_run_lacks_has_no_released_mean(rule):
    found = scores([{"success": 1.0}, {"success": 1.0, "spl": 0.5}], rule)["spl"]
    assert (found.value, found.reason) == (None, "1 of 2 runs do not state it")
    assert found.known_mean == 0.5


def test_nothing_known_is_undefined_and_not_zero():
    found = scores([{"spl": None}], None)["spl"]
    assert (found.value, found.n, found.reason) == (None, 0, "no run states a finite number")


@given(values=st.lists(st.one_of(st.none(), st.floats(0, 10)), min_size=2, max_size=20))
def test_parts_add_up_to_the_whole(values):
    parts = [{}, {}]
    for place, value in enumerate(values):
        add_stated(parts[place % 2], {"x": value})
    whole = StatedSum()
    for part in parts:
        whole.add(part["x"])
    rows = [{"x": value} for value in values]
    for rule in (None, AS_ZERO, SPREADING):
        ours, theirs = stated_scores({"x": whole}, len(values), rule)["x"], scores(rows, rule)["x"]
        assert ours.value == pytest.approx(theirs.value, abs=1e-12)
        assert (ours.n, ours.known, ours.unknown) == (theirs.n, theirs.known, theirs.unknown)


@pytest.mark.parametrize(
    ("stated", "agrees"),
    [
        (0.333, True), (0.33333334, True), (1 / 3, True), (0.3, True),
        (0.34, False), (0.334, False), (0.5, False), (None, False),
    ],
)  # fmt: skip
def test_a_total_is_compared_as_exactly_as_it_is_written(stated, agrees):
    found = check_totals({"sucs_all": stated}, scores(ROWS, SPREADING), 3, SPREADING)
    assert found["sucs_all"].agrees is agrees


def test_32_bit_sums_agree():
    assert TotalCheck(0.44999998807907104, 0.45, is_comparable=True).agrees


def test_an_unknown_total_is_that_of_unknown_runs():
    rule = StatedRule("eval.py", "a/b", totals={"spls_all": "spl"})
    assert check_totals({"spls_all": None}, scores(ROWS, rule), 3, rule)["spls_all"].agrees
    checks = check_totals({"spls_all": 0.4}, scores(ROWS, rule), 3, rule)
    ((name, message),) = total_faults(checks)
    assert name == "spls_all"
    assert message == "the file states spls_all as 0.4, but its runs give NaN or infinity"


def test_the_count_and_what_nobody_can_compare():
    checks = check_totals({"length": 4, "mood": 1.0}, scores(ROWS, SPREADING), 3, SPREADING)
    assert [check.agrees for check in checks.values()] == [False, None]
    assert list(total_faults(checks)) == [
        ("length", "the file states length as 4, but its runs give 3")
    ]
    alone = check_totals({"length": 4}, {}, 0, SPREADING)
    assert alone["length"].agrees is None
