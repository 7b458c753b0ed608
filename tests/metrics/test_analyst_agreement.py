"""Agreement between analysts: values published by Krippendorff and Cohen, and hand counts."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.causes.blind_marks import BlindCount
from waypost.domain.causes.failure import Axis, Category, CauseKey, CauseMark, Taxonomy
from waypost.domain.causes.reason_verdicts import REASON_PLACE
from waypost.domain.causes.replay_book import EdgeVerdict, EdgeVerdictKey, RouteVerdict
from waypost.metrics.analyst_agreement import (
    DEFINITIONS,
    NO_ANALYST,
    NO_OVERLAP,
    NOT_TWO,
    ONE_ANALYST,
    ONE_CATEGORY,
    AnalystAnswer,
    agreement,
    blind_agreement,
    krippendorff_alpha,
    reason_agreement,
    taxonomy_agreement,
    verdict_agreement,
)


def table(*rows: str) -> dict[str, dict[str, str]]:
    """One row of answers per analyst, ``*`` for a missing one."""
    columns = zip(*(row.split() for row in rows), strict=True)
    return {
        f"u{i}": {f"a{k}": value for k, value in enumerate(column) if value != "*"}
        for i, column in enumerate(columns, start=1)
    }


@pytest.mark.parametrize(
    ("rows", "alpha", "told"),
    [
        (("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"), 2 / 21, "0.095"),
        (("a a b b d c c c e d d a", "b a b b b c c c e d d d"), 155 / 224, "0.692"),
        (
            (
                "1 2 3 3 2 1 4 1 2 * * *",
                "1 2 3 3 2 2 4 1 2 5 * 3",
                "* 3 3 3 2 3 4 2 2 5 1 *",
                "1 2 3 3 2 4 4 1 2 5 1 *",
            ),
            113 / 152,
            "0.743",
        ),
    ],
)
def test_krippendorffs_own_examples(rows: tuple[str, ...], alpha: float, told: str) -> None:
    found = krippendorff_alpha(table(*rows))
    assert found == pytest.approx(alpha, abs=1e-12)
    assert f"{found:.3f}" == told


def test_cohens_kappa_of_a_table_counted_by_hand() -> None:
    """20 both yes, 5 and 10 apart, 15 both no: 0.7 observed, 0.5 by chance."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    found = agreement("q", table(" ".join(first), " ".join(second)))
    assert found.percent == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    assert (len(found.agreed_ids), len(found.disputed_ids), found.n) == (35, 15, 50)
    assert found.disputed_ids[0] == "u21"
    assert found.reasons == {}


def test_three_analysts_by_pairs() -> None:
    found = agreement("q", table("a a b *", "a b b *", "a b * c"))
    assert found.percent == pytest.approx((3 + 1 + 1) / (3 + 3 + 1))
    assert found.kappa is None
    assert found.reasons == {"kappa": NOT_TWO}
    assert (found.agreed_ids, found.disputed_ids) == (("u1", "u3"), ("u2",))
    assert found.analysts == ("a0", "a1", "a2")
    # Coincidences: a–a 3 + 0, b–b 1 + 2, n = 8 with 4 a and 4 b.
    assert found.alpha == pytest.approx((7 * 6 - 24) / (56 - 24))


@pytest.mark.parametrize(
    ("answers", "reasons"),
    [
        ({}, dict.fromkeys(("percent", "kappa", "alpha"), NO_ANALYST)),
        (table("a b"), dict.fromkeys(("percent", "kappa", "alpha"), ONE_ANALYST)),
        (table("a *", "* b"), dict.fromkeys(("percent", "kappa", "alpha"), NO_OVERLAP)),
        (table("a a", "a a"), dict.fromkeys(("kappa", "alpha"), ONE_CATEGORY)),
    ],
)
def test_what_cannot_be_told_says_why(answers, reasons) -> None:
    found = agreement("q", answers)
    assert found.reasons == reasons
    assert {name for name in ("percent", "kappa", "alpha") if getattr(found, name) is None} == set(
        reasons
    )


@pytest.mark.parametrize(
    ("rows", "percent", "kappa", "alpha"),
    [
        # Missing answers. Of 6 shared, 4 equal; κ: 3·2 + 1·3 + 2·1 = 11 of 36 by chance; α: 5 a,
        # 4 b, 3 c.
        (("a b c a * b c a", "a b b a c * c b"), 4 / 6, 13 / 25, 50 / 94),
        # Three analysts who miss some: 10 of 16 pairs; 6 a, 8 b, 6 c.
        (("a b c a * b c a", "a b b a c * c b", "* b c b c b * a"), 10 / 16, None, 150 / 264),
        (("a a b b", "b b a a"), 0.0, -1.0, -3 / 4),
        (("a a a a", "a a b a"), 3 / 4, 0.0, 0.0),
        (("a b a b", "a b a b"), 1.0, 1.0, 1.0),
    ],
)
def test_counted_by_hand_and_by_other_programs(
    rows: tuple[str, ...], percent: float, kappa: float | None, alpha: float
) -> None:
    """The same come from scikit-learn 1.9.1, ``cohen_kappa_score`` and krippendorff 0.9.0."""
    found = agreement("q", table(*rows))
    assert found.percent == pytest.approx(percent, abs=1e-12)
    assert found.kappa == (None if kappa is None else pytest.approx(kappa, abs=1e-12))
    assert found.alpha == pytest.approx(alpha, abs=1e-12)


@given(
    st.lists(
        st.dictionaries(st.sampled_from("xyz"), st.sampled_from("abc"), max_size=3), max_size=8
    )
)
def test_bounds_and_names_do_not_matter(units: list[dict[str, str]]) -> None:
    answers = {f"u{i}": unit for i, unit in enumerate(units)}
    swapped = {
        name: {person: {"a": "c", "c": "a"}.get(v, v) for person, v in unit.items()}
        for name, unit in reversed(answers.items())
    }
    one, two = agreement("q", answers), agreement("q", swapped)
    assert dict(one.reasons) == dict(two.reasons)
    for name in ("percent", "kappa", "alpha"):
        value = getattr(one, name)
        assert value == (
            None if getattr(two, name) is None else pytest.approx(getattr(two, name), abs=1e-9)
        )
        assert value is None or -1 - 1e-9 <= value <= 1 + 1e-9


TAXONOMY = Taxonomy(
    "t",
    "Test",
    2,
    (
        Axis("how", "How", (Category("loop", "Loop"), Category("stop", "Stop"))),
        Axis("why", "Why", (Category("room", "Room"), Category("stair", "Stair")), False, True),
    ),
)


def mark(
    episode: str,
    analyst: str,
    version: int = 2,
    run: str = "gpt",
    is_blind: bool | None = True,
    **choices,
) -> CauseMark:
    key = CauseKey(run, episode, analyst, "t")
    return CauseMark(key, version, MappingProxyType(choices), is_blind=is_blind)


def test_axes_of_a_taxonomy_apart_and_other_versions_left_out() -> None:
    marks = [
        mark("1", "ana", how=("loop",), why=("stair", "room")),
        mark("1", "ben", how=("stop",), why=("room", "stair")),
        mark("2", "ana", how=("stop",), why=("room",)),
        mark("2", "ben", how=("stop",)),
        mark("3", "ana", how=("loop",)),
        mark("3", "ben", version=1, how=("loop",)),
        mark("1", "ana", run="msnav", how=("loop",)),
        mark("1", "ben", run="msnav", how=("loop",)),
    ]
    how, why = taxonomy_agreement(marks, TAXONOMY, "gpt")
    assert (how.title, how.percent, how.n) == ("How", 0.5, 2)
    assert (how.agreed_ids, how.disputed_ids) == (("2",), ("1",))
    assert (why.percent, why.n) == (1.0, 1)
    both = taxonomy_agreement(marks, TAXONOMY)[0]
    assert both.percent == pytest.approx(2 / 3)
    assert both.disputed_ids == ("gpt: 1",)


def test_several_causes_count_as_one_answer_in_any_order() -> None:
    """Of 5 shared, 3 equal; κ 5 of 25 by chance; α: 2 r+s, 2 r, 3 s, 1 l+r, 2 l of 10.

    scikit-learn 1.9.1 (0.5) and krippendorff 0.9.0 (0.5385) say the same.
    """
    taxonomy = Taxonomy(
        "t", "Test", 2, (Axis("why", "Why", tuple(Category(k, k) for k in "rsl"), True, True),)
    )
    ana = ("rs", "r", "s", "lr", "l", "l", "")
    ben = ("sr", "s", "s", "r", "l", "", "l")
    marks = [
        mark(str(place), analyst, why=tuple(chosen))
        for analyst, row in (("ana", ana), ("ben", ben))
        for place, chosen in enumerate(row)
    ]
    (found,) = taxonomy_agreement(marks, taxonomy, "gpt")
    assert (found.n, found.percent, found.kappa) == (5, 0.6, 0.5)
    assert found.alpha == pytest.approx(42 / 78)
    assert found.disputed_ids == ("1", "3")


def test_answers_that_are_not_blind_are_left_out_and_counted() -> None:
    """Blind: 1 and 4 are answered by both, 1 alike; of all, 1 to 4 are, 1 and 2 alike."""
    marks = [
        mark("1", "ana", how=("loop",)),
        mark("1", "ben", how=("loop",)),
        mark("2", "ana", how=("loop",)),
        mark("2", "ben", how=("loop",), is_blind=False),
        mark("3", "ana", how=("stop",), is_blind=None),
        mark("3", "ben", how=("loop",)),
        mark("4", "ana", how=("loop",)),
        mark("4", "ben", how=("stop",)),
        mark("5", "ana", is_blind=None),
    ]
    how, why = taxonomy_agreement(marks, TAXONOMY, "gpt")
    assert how.given == BlindCount(blind=6, seeing=1, unknown=1)
    assert how.left_out == "1 seeing others' marks, 1 unknown"
    assert (how.n, how.percent, how.agreed_ids, how.disputed_ids) == (2, 0.5, ("1",), ("4",))
    # ana says loop twice, ben loop and stop: p_e = 1/2, p_o = 1/2.
    assert how.kappa == 0.0
    # loop 3, stop 1 of 4: D_o = 2/4, D_e = 6/12.
    assert how.alpha == 0.0
    over_all = how.over_all
    assert over_all is not None
    assert (over_all.n, over_all.percent, over_all.left_out) == (4, 0.5, "")
    # ana: l l s l, ben: l l l s; p_o = 1/2, p_e = (3·3 + 1·1) / 16.
    assert over_all.kappa == pytest.approx((1 / 2 - 10 / 16) / (1 - 10 / 16))
    assert (why.given, why.over_all) == (BlindCount(), None)


def test_where_nothing_is_blind_the_reason_says_so_beside_the_values_over_all() -> None:
    marks = [
        mark("1", who, how=(said,), is_blind=None)
        for who, said in (("ana", "loop"), ("ben", "stop"), ("cy", "loop"))
    ]
    how, _ = taxonomy_agreement(marks, TAXONOMY, "gpt")
    assert (how.percent, how.reasons["percent"]) == (None, NO_ANALYST)
    assert how.left_out == "3 unknown"
    assert how.over_all is not None
    assert how.over_all.percent == pytest.approx(1 / 3)


@given(
    st.lists(
        st.tuples(
            st.sampled_from("123"),
            st.sampled_from("ab"),
            st.sampled_from("xy"),
            st.sampled_from((True, False, None)),
        )
    )
)
def test_blind_answers_compare_as_if_there_were_no_others(rows) -> None:
    said = [AnalystAnswer(*row) for row in {row[:2]: row for row in rows}.values()]
    found = blind_agreement("q", said)
    alone = blind_agreement("q", [entry for entry in said if entry.is_blind])
    assert (found.percent, found.kappa, found.alpha) == (alone.percent, alone.kappa, alone.alpha)
    assert alone.over_all is None
    assert sum(found.given) == len(said)
    everything = blind_agreement("q", [entry._replace(is_blind=True) for entry in said])
    beside = found.over_all or found
    assert (beside.percent, beside.alpha) == (everything.percent, everything.alpha)


def test_verdicts_that_are_not_blind_are_left_out() -> None:
    def verdict(analyst: str, answer: RouteVerdict, is_blind: bool | None) -> EdgeVerdict:
        key = EdgeVerdictKey("gpt", "7", "a", "b", analyst)
        return EdgeVerdict(key, answer, is_blind=is_blind)

    found = verdict_agreement(
        [verdict("ana", RouteVerdict.VALID, True), verdict("ben", RouteVerdict.VALID, False)], "gpt"
    )
    assert found is not None
    assert (found.n, found.given, found.reasons["alpha"]) == (0, (1, 1, 0), ONE_ANALYST)
    assert found.over_all is not None
    assert (found.over_all.percent, found.over_all.episodes["7: a → b"]) == (1.0, "7")


def test_every_value_has_a_definition() -> None:
    assert set(DEFINITIONS) == {"percent", "kappa", "alpha", "blind"}


def test_verdicts_on_edges() -> None:
    def verdict(to_id: str, analyst: str, answer: RouteVerdict, run: str = "gpt") -> EdgeVerdict:
        return EdgeVerdict(EdgeVerdictKey(run, "7", "a", to_id, analyst), answer, is_blind=True)

    # On the reason of the answer, which is no edge.
    reasons = [
        EdgeVerdict(EdgeVerdictKey("gpt", episode, *REASON_PLACE, analyst), answer, is_blind=True)
        for episode, analyst, answer in (
            ("7", "ana", RouteVerdict.VALID),
            ("7", "ben", RouteVerdict.UNSURE),
            ("8", "ana", RouteVerdict.VALID),
            ("8", "ben", RouteVerdict.VALID),
        )
    ]
    found = verdict_agreement(
        [
            verdict("c", "ana", RouteVerdict.VALID),
            verdict("b", "ben", RouteVerdict.INVALID),
            verdict("b", "ana", RouteVerdict.INVALID),
            verdict("c", "ben", RouteVerdict.UNSURE),
            verdict("c", "ben", RouteVerdict.VALID, run="msnav"),
            *reasons,
        ],
        "gpt",
    )
    assert found is not None
    assert found.percent == 0.5
    assert (found.agreed_ids, found.disputed_ids) == (("7: a → b",), ("7: a → c",))
    assert found.episodes_of((*found.agreed_ids, *found.disputed_ids)) == ("7",)
    judged = reason_agreement(reasons, "gpt")
    assert judged is not None
    assert (judged.n, judged.percent, judged.disputed_ids) == (2, 0.5, ("7",))
    assert verdict_agreement(reasons, "gpt") is None
    assert reason_agreement([], "gpt") is None
