"""Layouts of charts: nothing on top of another, everything reachable, episodes add up."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.charts.bars import BarPart, BarRow, by_rate, count_rows, rate_rows, rows_picture
from waypost.charts.confusion import confusion_picture
from waypost.charts.flow import flow_picture
from waypost.charts.intervals import IntervalRow, IntervalScale, interval_picture
from waypost.charts.picture import (
    Band,
    Box,
    ChartPicture,
    ChartTarget,
    ChartTone,
    Words,
    share_text,
)
from waypost.domain.replay.charts import (
    Bar,
    EpisodeOutcome,
    confusion,
    flow_chart,
    success_by_scene,
    tag_bars,
)
from waypost.domain.replay.tags import Tag, TagKind


def measure(text: str, width: float) -> tuple[float, float]:
    """Letters of 7 × 16 pixels that break anywhere."""
    per_line = max(int(width // 7), 1)
    lines = max(math.ceil(len(text) / per_line), 1)
    return min(len(text), per_line) * 7.0, lines * 16.0


outcomes = st.lists(
    st.builds(
        lambda i, scene, success, kinds, causes: EpisodeOutcome(
            str(i), scene, success, 6.0, 1, tuple(Tag(k, 0, "") for k in kinds), tuple(causes)
        ),
        st.integers(0, 10_000),
        st.sampled_from(["2azQ1b91cZZ", "8194nk5LbLH", "x" * 60]),
        st.sampled_from([True, False, None]),
        st.lists(st.sampled_from(TagKind), max_size=3),
        st.lists(st.sampled_from(["Region recognition", "Stairs", "y" * 80]), max_size=2),
    ),
    min_size=1,
    max_size=40,
    unique_by=lambda entry: entry.episode_id,
)


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    wide = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    high = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return wide > 1e-6 and high > 1e-6


def check(picture: ChartPicture) -> None:
    for one, two in itertools.combinations(picture.words, 2):
        assert not overlap(one.rect, two.rect), (one, two)
    for shape in (*picture.boxes, *picture.words):
        x, y, wide, high = shape.rect
        assert min(x, y) >= -1e-6
        assert x + wide <= picture.width_px + 1e-6
        assert y + high <= picture.height_px + 1e-6
    for index in range(len(picture.targets)):
        x, y, wide, high = picture.place_of(index)
        assert wide > 0
        assert high > 0
    for word in picture.words:
        wide, high = measure(word.text, word.rect[3] if word.is_turned else max(word.rect[2], 1.0))
        room = (word.rect[3], word.rect[2]) if word.is_turned else (word.rect[2], word.rect[3])
        assert wide <= room[0] + 1e-6, word
        assert high <= room[1] + 1e-6, word


@settings(deadline=None, max_examples=40)
@given(outcomes, st.floats(360, 1400), st.floats(200, 900))
def test_flows_are_laid_out_without_overlap(run, width, height) -> None:
    chart = flow_chart(run)
    picture = flow_picture(chart, len(run), width, height, measure)
    check(picture)
    named = {target.title: set(target.episode_ids) for target in picture.targets}
    for flow in (*chart.outcome_to_behaviour, *chart.behaviour_to_cause):
        if any(bar.label != "No cause set" for bar in chart.causes):
            assert named[f"{flow.source} → {flow.target}"] == set(flow.episode_ids)
    nodes = [box for box in picture.boxes if box.target is not None]
    for band in picture.bands:
        start = [box.rect for box in nodes if box.rect[0] + box.rect[2] == band.left_px]
        assert any(
            rect[1] - 0.1 <= band.left_top_px
            and band.left_top_px + band.left_thickness_px <= rect[1] + rect[3] + 15
            for rect in start
        )


@settings(deadline=None, max_examples=40)
@given(outcomes, st.floats(300, 1200))
def test_rows_are_laid_out_without_overlap(run, width) -> None:
    check(rows_picture(rate_rows(success_by_scene(run)), width, measure))
    check(rows_picture(count_rows(tag_bars(run), len(run)), width, measure))


def interval_row(label: str, value: float | None, low: float, high: float) -> IntervalRow:
    words = "undefined: no variation" if value is None else f"{value:.2f} [{low:.2f}, {high:.2f}]"
    return IntervalRow(label, value, (low, high), words, ChartTarget(label, words, ("a",)))


scales = st.builds(
    lambda title, rows, ticks: IntervalScale(title, 0.0, 10.0, tuple(ticks), tuple(rows)),
    st.sampled_from(["Clarity, 0 to 10", "z" * 90]),
    st.lists(
        st.builds(
            interval_row,
            st.sampled_from(["all", "model A, casual", "x" * 70]),
            st.none() | st.floats(-1, 11),
            st.floats(-1, 5),
            st.floats(5, 11),
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([(0.0, 10.0), tuple(map(float, range(11)))]),
)


@settings(deadline=None, max_examples=40)
@given(st.lists(scales, min_size=1, max_size=3), st.floats(300, 1200))
def test_intervals_are_laid_out_without_overlap(shown, width) -> None:
    picture = interval_picture(shown, width, measure)
    check(picture)
    assert len(picture.targets) == sum(len(scale.rows) for scale in shown)


def test_a_point_stands_where_its_value_is_on_the_scale() -> None:
    rows = (interval_row("low", 1.0, 1.0, 2.0), interval_row("none", None, 0.0, 0.0))
    scale = IntervalScale("Clarity", 1.0, 5.0, (1.0, 5.0), (*rows, interval_row("mid", 3, 2, 4)))
    picture = interval_picture([scale], 600, measure)
    shapes = [box for box in picture.boxes if box.tone is ChartTone.PLAIN]
    low_line, low_point, mid_line, mid_point = (box.rect for box in shapes)
    rail = next(box.rect for box in picture.boxes if box.tone is ChartTone.RAIL)
    left, span = rail[0], rail[2]
    assert low_point[0] + low_point[2] / 2 == pytest.approx(left)
    assert low_line[2] == pytest.approx(span / 4)
    assert mid_point[0] + mid_point[2] / 2 == pytest.approx(left + span / 2)
    assert (mid_line[0], mid_line[2]) == pytest.approx((left + span / 4, span / 2))
    assert {box.target for box in shapes} == {0, 2}


def test_headings_stand_over_the_rows_that_follow() -> None:
    row = BarRow("1", ChartTarget("1", "", ("a",)), (BarPart(1.0, ChartTone.PLAIN),), "1", "")
    rows = [replace(row, heading="Clarity"), row, replace(row, heading="Accuracy")]
    picture = rows_picture(rows, 400, measure)
    check(picture)
    tops = [word.rect[1] for word in picture.words if word.text in {"Clarity", "1", "Accuracy"}]
    assert tops == sorted(tops)


@settings(deadline=None, max_examples=40)
@given(outcomes, outcomes, st.floats(500, 1400))
def test_two_runs_are_laid_out_without_overlap(one, two, width) -> None:
    result = confusion(one, two)
    picture = confusion_picture(result, ("gpt", "msnav"), width, measure)
    check(picture)
    assert [len(target.episode_ids) for target in picture.targets[:4]] == [
        len(result.both),
        len(result.first_only),
        len(result.second_only),
        len(result.neither),
    ]
    if result.left_out:
        assert picture.targets[-1].episode_ids == result.left_out


def test_a_rate_leaves_unknown_out_and_says_so() -> None:
    bar = Bar("r", ("1", "2", "3", "4", "5"), ("2",), ("5",))
    (row,) = rate_rows([bar, Bar("empty", ())])
    assert (row.value, row.note) == ("25.0 %", "n = 4, 1 unknown")
    assert row.target.episode_ids == ("1", "2", "3", "4", "5")
    success, failure = row.parts
    assert success.target is not None
    assert failure.target is not None
    assert (success.share, success.target.episode_ids) == (0.25, ("2",))
    assert (failure.share, failure.target.episode_ids) == (0.75, ("1", "3", "4"))
    assert failure.target.detail == "3 of 4 episodes (75.0 %)"
    (none,) = rate_rows([Bar("?", ("1",), (), ("1",))])
    assert (none.value, none.note) == ("—", "n = 0, 1 unknown")
    assert rows_picture([none], 400, measure).targets == (none.target,)


def test_the_worst_scenes_stand_first() -> None:
    bars = [Bar("b", ("1",), ("1",)), Bar("c", ("1",), (), ("1",)), Bar("a", ("1",))]
    assert [bar.label for bar in by_rate(bars)] == ["a", "b", "c"]


def test_counts_are_on_the_scale_of_the_largest() -> None:
    rows = count_rows([Bar("Looping", ("1", "2")), Bar("Fall", ("1",))], 8)
    assert [(row.parts[0].share, row.value, row.note) for row in rows] == [
        (1.0, "2", "25.0 %"),
        (0.5, "1", "12.5 %"),
    ]
    picture = rows_picture(rows, 400, measure)
    assert [target.episode_ids for target in picture.targets] == [("1", "2"), ("1",)]
    assert picture.target_at(2, 30) == 1
    assert picture.target_at(2, 300) is None


def test_bands_are_hit_where_they_are_drawn() -> None:
    band = Band(0, 100, 0, 100, 20, 10, ChartTone.FAILURE, 0)
    assert band.holds(0, 10)
    assert band.holds(100, 105)
    assert band.holds(50, 57)
    assert not band.holds(50, 40)
    assert not band.holds(0, 30)
    assert not band.holds(-1, 10)
    thin = Band(0, 100, 0, 0, 0.5, 0.5, ChartTone.FAILURE, 0)
    assert thin.holds(50, 2)
    assert not thin.holds(50, 5)
    assert band.start == (0, 0, 6.0, 20)


def test_the_thin_one_of_two_crossing_bands_is_hit() -> None:
    thick = Band(0, 100, 0, 0, 50, 50, ChartTone.FAILURE, 0)
    thin = Band(0, 100, 20, 20, 5, 5, ChartTone.FAILURE, 1)
    targets = (ChartTarget("thick", "", ("1",)), ChartTarget("thin", "", ("2",)))
    for bands in ((thick, thin), (thin, thick)):
        picture = ChartPicture(100, 50, targets, (), bands, ())
        assert picture.target_at(50, 22) == 1
        assert picture.target_at(50, 40) == 0


def test_arrows_lead_to_the_nearest_target() -> None:
    targets = tuple(ChartTarget(name, "", (name,)) for name in "abcd")
    places = [(0, 0), (40, 0), (0, 40), (44, 43)]
    boxes = tuple(Box((x, y, 10, 10), ChartTone.PLAIN, i) for i, (x, y) in enumerate(places))
    picture = ChartPicture(60, 60, targets, boxes, (), (Words("w", (0, 0, 7, 16)),))
    assert picture.neighbour(0, 1, 0) == 1
    assert picture.neighbour(0, 0, 1) == 2
    assert picture.neighbour(1, 0, 1) == 3
    assert picture.neighbour(3, -1, 0) == 2
    assert picture.neighbour(0, -1, 0) == 0
    assert picture.target_at(45, 5) == 1
    assert picture.target_at(30, 30) is None
    with pytest.raises(KeyError):
        picture.place_of(9)


def test_a_flow_fills_its_room_and_no_more() -> None:
    run = [
        EpisodeOutcome(str(i), "s", i % 3 == 0, 6.0, 1, (Tag(list(TagKind)[i % 9], 0, ""),))
        for i in range(200)
    ]
    picture = flow_picture(flow_chart(run), len(run), 640, 480, measure)
    assert picture.height_px == pytest.approx(480, abs=0.01)


def test_shares_in_words() -> None:
    assert share_text(1, 1) == "1 of 1 episode (100.0 %)"
    assert share_text(0, 0) == "0 of 0 episodes"
