"""Rows are sorted, searched and filtered as one would by hand."""

from __future__ import annotations

import dataclasses

import pytest
from fixtures.row_examples import FOUR, make_row, make_rows
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.mark_state import MarkState
from waypost.domain.base.metric_range import MetricRange, RangeKind
from waypost.domain.replay.row_filter import (
    RUNS_DIFFER,
    RowFilter,
    SortKey,
    SortOrder,
)
from waypost.domain.replay.run_rows import FIRST_LETTERS, RunRow, RunRows, first_letters
from waypost.domain.replay.tags import TagKind
from waypost.tables.joined_runs import join_runs
from waypost.tables.row_table import RowTable

EVERY = RowFilter()
NEAR = MetricRange("NE", RangeKind.BELOW, 5)
FAR = MetricRange("NE", RangeKind.AT_LEAST, 4)


def table_of(*runs: RunRows) -> RowTable:
    table = RowTable()
    table.set_runs(runs)
    return table


def ids(table: RowTable, wanted: RowFilter = EVERY, order: SortOrder | None = None) -> list[str]:
    return [table.rows[n].episode_id for n in table.shown(wanted, order or SortOrder()).tolist()]


def test_runs_side_by_side_keep_to_their_scene() -> None:
    """Scenes may number alike; which comes first in a file, and has the bare id, is chance."""
    first = make_rows(
        make_row("1", scene="s"), make_row("t/1", scene="t"), make_row("2", scene="s")
    )
    second = make_rows(make_row("1", scene="t"), make_row("s/1", scene="s"), name="b")
    table = table_of(first, second)
    assert ids(table) == ["1", "t/1", "2"]
    beside = [row and row.episode_id for row in (table.row(place, 1) for place in range(3))]
    assert beside == ["s/1", "1", None]
    elsewhere = table_of(make_rows(make_row("1", scene="s")), make_rows(make_row("1", scene="t")))
    assert [elsewhere.row(place, 1) is None for place in range(2)] == [True, False]
    assert ids(elsewhere) == ["1", "t/1"], "each is found by a name of its own"
    found = elsewhere.runs[1].find("t/1")
    assert found is elsewhere.row(1, 1)
    spelt = table_of(
        make_rows(make_row("1", scene="a/s/s.glb")), make_rows(make_row("1", scene="s"))
    )
    assert ids(spelt) == ["1"]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (SortOrder(), ["100_0", "7_0", "12_1", "7_1"]),
        (SortOrder(SortKey.FILE, True), ["7_1", "12_1", "7_0", "100_0"]),
        (SortOrder(SortKey.ID), ["7_0", "7_1", "12_1", "100_0"]),
        (SortOrder(SortKey.ID, True), ["100_0", "12_1", "7_1", "7_0"]),
        (SortOrder(SortKey.SCENE), ["7_0", "100_0", "12_1", "7_1"]),
        (SortOrder(SortKey.STEPS, True), ["7_1", "100_0", "7_0", "12_1"]),
        (SortOrder(SortKey.INSTRUCTION), ["7_1", "100_0", "12_1", "7_0"]),
        # What has no value stands last, whichever way.
        (SortOrder(SortKey.METRIC, metric="NE"), ["100_0", "7_0", "7_1", "12_1"]),
        (SortOrder(SortKey.METRIC, True, metric="NE"), ["7_1", "7_0", "100_0", "12_1"]),
        (SortOrder(SortKey.SUCCESS), ["7_0", "7_1", "100_0", "12_1"]),
        (SortOrder(SortKey.SUCCESS, True), ["100_0", "7_0", "7_1", "12_1"]),
        (SortOrder(SortKey.METRIC, metric="CLS"), ["100_0", "7_0", "12_1", "7_1"]),
        (SortOrder(SortKey.TAGS), ["7_0", "12_1", "7_1", "100_0"]),
    ],
)
def test_sorting(order: SortOrder, expected: list[str]) -> None:
    assert ids(table_of(FOUR), order=order) == expected


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (RowFilter("sofa"), ["100_0", "7_0"]),
        (RowFilter("SOFA walk"), ["7_0"]),
        (RowFilter("attic"), ["7_0"]),
        (RowFilter("12_"), ["12_1"]),
        (RowFilter("sofa stairs"), []),
        (RowFilter("  "), ["100_0", "7_0", "12_1", "7_1"]),
        (RowFilter(tags=frozenset({TagKind.LATE_STOP})), ["7_0", "7_1"]),
        (RowFilter(tags=frozenset({TagKind.LOOPING, TagKind.FALL})), ["7_0"]),
        (RowFilter(outcomes=frozenset({"Success"})), ["100_0"]),
        (RowFilter(outcomes=frozenset({"Generation error"})), ["7_1"]),
        (RowFilter(outcomes=frozenset({"Incorrect navigation", "Unknown"})), ["7_0", "12_1"]),
        (RowFilter(scenes=frozenset({"line"})), ["100_0", "12_1", "7_1"]),
        (RowFilter(ids=frozenset({"7_0", "nobody"})), ["7_0"]),
        (RowFilter(ids=frozenset()), []),
        (RowFilter("sofa", scenes=frozenset({"line"})), ["100_0"]),
        (RowFilter(ranges=(NEAR,)), ["100_0", "7_0"]),
        (RowFilter("sofa", ranges=(FAR,)), ["7_0"]),
        (RowFilter(ranges=(NEAR, FAR)), ["7_0"]),
        (RowFilter(ranges=(MetricRange("nDTW", RangeKind.ABOVE, 0),)), []),
        (RowFilter(causes=frozenset({"Region"})), ["7_1"]),
    ],
)
def test_filtering(wanted: RowFilter, expected: list[str]) -> None:
    table = table_of(FOUR)
    table.set_causes({"7_1": ("Region", "Door"), "7_0": ("Door",)})
    assert ids(table, wanted) == expected


def test_takes_of_one_episode_are_marked_one_by_one() -> None:
    takes = (
        dataclasses.replace(make_row("7_0", attempt=number), participant=code, take=1)
        for number, code in enumerate(("P-1", "P-2"), start=1)
    )
    table = table_of(make_rows(*takes))
    table.set_causes({"7_0 · P-2, take 1": ("Door",)})
    table.set_marks({"7_0 · P-2, take 1": MarkState.MARKED})
    assert [table.mark_of(row) for row in table.rows] == [MarkState.UNMARKED, MarkState.MARKED]
    assert table.count_causes() == {"Door": 1}
    shown = table.shown(RowFilter(causes=frozenset({"Door"})), SortOrder())
    assert [table.rows[place].participant for place in shown] == ["P-2"]


def test_what_a_range_leaves_out_undefined_is_counted_among_what_else_is_shown() -> None:
    table = table_of(FOUR)
    assert table.count_undefined(RowFilter(ranges=(NEAR,)), NEAR) == 1
    assert table.count_undefined(RowFilter("sofa", ranges=(NEAR,)), NEAR) == 0
    other = MetricRange("NE", RangeKind.BELOW, 100, run=1)
    beside = table_of(FOUR, make_rows(make_row("7_1", (9.0, 0.0, 0.0)), name="other"))
    shown = beside.shown(RowFilter(ranges=(other,)), SortOrder())
    assert [beside.rows[place].episode_id for place in shown] == ["7_1"]
    assert beside.count_undefined(RowFilter(ranges=(other,)), other) == 3


def test_what_can_be_filtered_by_is_counted() -> None:
    table = table_of(FOUR)
    table.set_causes({"7_1": ("Region", "Door"), "7_0": ("Door",)})
    assert table.count_tags() == {
        TagKind.LOOPING: 1,
        TagKind.LATE_STOP: 2,
        TagKind.GENERATION_ERROR: 2,
    }
    assert table.count_outcomes() == {
        "Success": 1,
        "Incorrect navigation": 1,
        "Generation error": 1,
        "Unknown": 1,
    }
    assert table.count_scenes() == {"attic": 1, "line": 3}
    assert table.count_causes() == {"Door": 2, "Region": 1}


def test_runs_side_by_side_are_joined_by_episode() -> None:
    other = make_rows(
        make_row("7_0", (1.0, 1.0, 0.8), scene="attic"),
        make_row("9_9", (2.0, 1.0, 0.3)),
        name="other",
    )
    table = table_of(FOUR, other)
    assert ids(table) == ["100_0", "7_0", "12_1", "7_1", "9_9"]
    assert table.value(1, "SPL", 0) == (0.0, "")
    assert table.value(1, "SPL", 1) == (0.8, "")
    assert table.value(0, "SPL", 1) == (None, "other has no run of this episode")
    assert table.value(1, "CLS", 1) == (None, "the profile r2r has no CLS")
    assert table.row(4, 0) is None
    assert ids(table, order=SortOrder(SortKey.METRIC, True, 1, "SPL")) == [
        "7_0",
        "9_9",
        "100_0",
        "12_1",
        "7_1",
    ]
    assert ids(table, RowFilter(outcomes=frozenset({RUNS_DIFFER}))) == ["7_0"]
    assert table.count_outcomes()[RUNS_DIFFER] == 1


@pytest.mark.parametrize("key", [SortKey.METRIC, SortKey.SUCCESS])
def test_the_order_of_a_run_that_was_taken_away_sorts_nothing(key: SortKey) -> None:
    order = SortOrder(key, is_descending=True, run=1, metric="SPL")
    table = table_of(FOUR, FOUR)
    table.set_runs((FOUR,))
    assert ids(table, order=order) == [row.episode_id for row in FOUR.rows]
    table.set_runs(())
    assert ids(table, order=order) == []


def test_many_rows_are_joined_bit_by_bit_and_few_at_once() -> None:
    many = make_rows(*(make_row(str(number)) for number in range(5_000)))
    assert len(list(join_runs((many, many)))) >= 4
    assert list(join_runs((FOUR, FOUR))) == []


def test_five_runs_are_too_many() -> None:
    with pytest.raises(ValueError, match="5 runs are more than 4"):
        table_of(FOUR, FOUR, FOUR, FOUR, FOUR)


def test_ids_are_found_exactly_first() -> None:
    table = table_of(make_rows(*(make_row(name) for name in ("17_0", "7_00", "7_0", "Ab"))))
    assert table.place_of("7_0") == 2
    assert table.place_of(" 7_0 ") == 2
    assert table.place_of("ab") == 3
    assert table.place_of("7") == 1
    assert table.place_of("8") is None
    assert table.place_of("") is None


def test_more_rows_of_the_same_run_keep_what_was_there() -> None:
    table = table_of(dataclasses.replace(FOUR, rows=FOUR.rows[:2]))
    assert ids(table, RowFilter("sofa")) == ["100_0", "7_0"]
    assert (table.place_of_key(("7_0", 1)), table.place_of_key(("12_1", 1))) == (1, None)
    assert table.set_runs((FOUR,))
    assert ids(table, RowFilter("stairs")) == ["7_1"]
    assert (table.place_of_key(("7_0", 1)), table.place_of_key(("12_1", 1))) == (1, 2)
    assert not table.set_runs((make_rows(make_row("1")),))
    assert ids(table, RowFilter("stairs")) == []
    assert (table.place_of_key(("7_0", 1)), table.place_of_key(("1", 1))) == (None, 0)
    assert not table.set_runs(())
    assert ids(table) == []


def test_what_a_chart_opens_are_the_runs_that_it_counts() -> None:
    """A file that holds an episode twice: charts count the first, so the second stays out."""
    table = table_of(make_rows(make_row("1"), make_row("1", attempt=2), make_row("2")))
    shown = table.shown(RowFilter(ids=frozenset({"1"})), SortOrder())
    assert [table.rows[place].key for place in shown.tolist()] == [("1", 1)]
    assert len(table.shown(RowFilter("1"), SortOrder())) == 2


def test_rows_are_found_by_attempt_and_make_outcomes() -> None:
    rows = make_rows(make_row("1"), make_row("1", attempt=2, success=False))
    assert rows.find("1", 2) is rows.rows[1]
    assert rows.find("1", 3) is None
    (outcome,) = rows.outcomes({"1": ("Door",)})
    assert (outcome.outcome, outcome.causes, outcome.reference_m) == ("Success", ("Door",), 4.0)


def test_long_instructions_are_cut_at_a_word() -> None:
    assert first_letters(" two\n words ") == "two words"
    cut = first_letters("word " * 100)
    assert cut.endswith("word…")
    assert len(cut) <= FIRST_LETTERS


NAMES = st.from_regex(r"[0-9]{1,4}(_[0-9]{1,2})?|[a-c]{1,3}[0-9]{0,2}", fullmatch=True)
ROWS = st.lists(
    st.builds(
        make_row,
        NAMES,
        st.tuples(*[st.none() | st.floats(0, 9)] * 3),
        scene=st.sampled_from(["a", "b", ""]),
        instruction=st.text("kitchen ", max_size=12),
        success=st.none() | st.booleans(),
        tags=st.lists(st.sampled_from(TagKind), max_size=3, unique=True).map(tuple),
    ),
    max_size=12,
    unique_by=lambda row: row.episode_id,
)
ORDERS = st.builds(
    SortOrder, st.sampled_from(SortKey), st.booleans(), st.just(0), st.sampled_from(["NE", "SPL"])
)


def passes(row: RunRow, wanted: RowFilter) -> bool:
    """The filter, said once more in the plainest way."""
    text = f"{row.episode_id}\n{row.scene_id}\n{row.instruction}".casefold()
    return (
        all(word in text for word in wanted.query.casefold().split())
        and (not wanted.tags or bool(wanted.tags & {tag.kind for tag in row.tags}))
        and (not wanted.outcomes or row.outcome().outcome in wanted.outcomes)
        and (not wanted.scenes or row.scene_id in wanted.scenes)
        and (wanted.ids is None or row.episode_id in wanted.ids)
        and all(is_in(row.values[0 if r.metric == "NE" else 2], r) for r in wanted.ranges)
    )


def is_in(value: float | None, wanted: MetricRange) -> bool:
    """Only two of the comparisons, said in the plainest way."""
    if value is None:
        return False
    is_below = wanted.comparison is RangeKind.BELOW
    return value < wanted.bound if is_below else value >= wanted.bound


RANGES = st.builds(
    MetricRange,
    st.sampled_from(["NE", "SPL"]),
    st.sampled_from([RangeKind.BELOW, RangeKind.AT_LEAST]),
    st.integers(0, 9).map(float),
)


@given(
    ROWS,
    st.builds(
        RowFilter,
        st.text("kitchen 1_a", max_size=4),
        st.frozensets(st.sampled_from(TagKind), max_size=2),
        st.frozensets(st.sampled_from(["Success", "Unknown", "Generation error"]), max_size=2),
        st.frozensets(st.sampled_from(["a", ""]), max_size=1),
        st.just(frozenset()),
        st.none() | st.frozensets(NAMES, max_size=3),
        st.lists(RANGES, max_size=2).map(tuple),
    ),
    ORDERS,
    st.integers(0, 12),
)
def test_shown_rows_are_those_that_pass_in_a_stable_order(
    rows: list[RunRow], wanted: RowFilter, order: SortOrder, first: int
) -> None:
    table = table_of(make_rows(*rows[:first]))
    table.shown(wanted, order)
    table.set_runs((make_rows(*rows),))
    shown = [table.rows[n] for n in table.shown(wanted, order).tolist()]
    expected = [row for row in rows if passes(row, wanted)]
    assert sorted(map(id, shown)) == sorted(map(id, expected))
    if order.key is SortKey.METRIC:
        number = 0 if order.metric == "NE" else 2
        values = [row.values[number] for row in shown]
        known = [value for value in values if value is not None]
        assert values == known + [None] * (len(values) - len(known))
        assert known == sorted(known, reverse=order.is_descending)
        for value in set(known):
            tied = [row for row in shown if row.values[number] == value]
            assert tied == [row for row in expected if row.values[number] == value]
