"""What is written comes back identical, any text and every round; what rater files do not tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType

import pytest
from fixtures.project_strategies import ODD_TEXTS
from fixtures.score_examples import NOON, RUBRIC, TEXTS, book_of, scored, whole_book
from hypothesis import example, given, settings
from hypothesis import strategies as st

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.rounds import RoundState
from waypost.domain.base.value_codec import decode, encode
from waypost.domain.score.batch import BatchItemKey
from waypost.domain.score.comparison import Better, ComparisonKey, PairComparison
from waypost.domain.score.comparison_edits import (
    return_comparison,
    set_better,
    submit_comparison,
)
from waypost.domain.score.fairness import scores_to_compare
from waypost.domain.score.rubric import Condition
from waypost.domain.score.score_book import NO_SCORES, ScoreBook, save_rubric
from waypost.domain.score.score_merging import OnConflict, merge, merge_scores, merge_sheets
from waypost.domain.score.score_rows import score_rows
from waypost.domain.score.sheet import Sheet, SheetKey
from waypost.domain.score.sheet_edits import (
    change_rubric,
    return_sheet,
    set_cannot_judge,
    set_comment,
    set_score,
    skip,
    submit,
    toggle_flag,
)
from waypost.io.scores.score_csv import (
    parse_score_csv,
    read_score_csv,
    write_score_csv,
)
from waypost.io.scores.score_history import history_text, parse_history, read_history, write_history
from waypost.io.scores.score_table import read_score_table

LONG = "走 ➜ \"quoted\", '=1+1' 🧭\r\n" * 250
EXAMPLES = [*TEXTS, LONG[:5000], "a,b;c\td", '"', "'", "''=", "\r", "\n", "\r\n", "a\0b", "-1"]


def with_texts(text: str, comment: str) -> ScoreBook:
    """A book in which that text is an instruction and that comment was made."""
    book = book_of()
    key = BatchItemKey("demo", "i0")
    worded = replace(book.items[key], instruction=replace(book.items[key].instruction, text=text))
    book = replace(book, items=MappingProxyType({**book.items, key: worded}))
    book = scored(book, "i0", "ana", 4, 5)
    for criterion in ("", "clarity"):
        book = set_comment(book, book.sheet("demo", "i0", "ana"), criterion, comment, NOON)
    return book


def by_key(sheets: Iterable[Sheet]) -> dict[SheetKey, Sheet]:
    return {sheet.key: sheet for sheet in sheets}


def current(book: ScoreBook) -> dict[SheetKey, Sheet]:
    return by_key(book.current_sheets("demo"))


texts = st.one_of(
    st.sampled_from([t for t in ODD_TEXTS if "\ud800" not in t]),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=40),
)


@settings(max_examples=60, deadline=None)
@given(text=texts, comment=texts)
@example(text=LONG[:5000], comment="=cmd|' /C calc'!A0")
def test_every_text_comes_back_from_both_forms(
    tmp_path_factory: pytest.TempPathFactory, text: str, comment: str
) -> None:
    book = with_texts(text, comment)
    file = tmp_path_factory.getbasetemp() / "s.csv"
    write_score_csv(file, score_rows(book, "demo", "lea"))
    table = read_score_csv(file)
    assert by_key(table.sheets) == current(book)
    assert table.texts["demo", "i0"] == text
    assert parse_history(history_text(book, ["demo"], "lea"), "x.jsonl") == book


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_text_comes_back_from_files(text: str, tmp_path: Path) -> None:
    book = with_texts(text, text)
    write_score_csv(tmp_path / "s.csv", score_rows(book, "demo", "lea"))
    write_history(tmp_path / "s.jsonl", history_text(book, ["demo"], "lea"))
    table = read_score_csv(tmp_path / "s.csv")
    assert (by_key(table.sheets), table.texts["demo", "i0"]) == (
        current(book), text,
    )  # fmt: skip
    assert read_history(tmp_path / "s.jsonl") == book


def test_no_cell_begins_like_a_formula(tmp_path: Path) -> None:
    write_score_csv(tmp_path / "s.csv", score_rows(with_texts("=1+1", "@SUM(A1)"), "demo", "lea"))
    text = (tmp_path / "s.csv").read_text(encoding="utf-8-sig")
    assert ",=" not in text
    assert ",@" not in text
    assert "'=1+1" in text


def test_half_characters_are_kept_in_json_lines_and_refused_in_tables(tmp_path: Path) -> None:
    book = with_texts("lone \ud800 surrogate", "")
    write_history(tmp_path / "s.jsonl", history_text(book, ["demo"], "lea"))
    assert read_history(tmp_path / "s.jsonl") == book
    with pytest.raises(InputError, match="holds half a character"):
        write_score_csv(tmp_path / "s.csv", score_rows(book, "demo", "lea"))


def test_every_round_and_state_is_in_the_history() -> None:
    book = whole_book()
    book = return_sheet(book, book.sheet("demo", "i0", "ana"), "lea", "again", NOON)
    book = skip(book, book.sheet("demo", "i1", "ben"), "no picture", NOON)
    book = set_cannot_judge(book, book.sheet("demo", "i2", "ben"), "accuracy", NOON)
    book = set_cannot_judge(book, book.sheet("demo", "i2", "ben"), "clarity", NOON)
    book = toggle_flag(book, book.sheet("demo", "i2", "ben"), NOON)
    assert parse_history(history_text(book, book.batches, "ben"), "x").sheets.keys() != (
        book.sheets.keys()
    )
    whole = {**parse_history(history_text(book, book.batches, "lea"), "x").sheets}
    own = parse_history(history_text(book, book.batches, "ben"), "x").sheets
    assert {**whole, **own} == {
        key: sheet for key, sheet in book.sheets.items() if key.rater != "ana" or key.round == 1
    }


def test_a_raters_file_tells_neither_sources_nor_checks_nor_others() -> None:
    book = book_of()
    key = BatchItemKey("demo", "i0")
    check = replace(book.items[key], expected=MappingProxyType({"clarity": (1,)}))
    book = replace(book, items=MappingProxyType({**book.items, key: check}))
    book = scored(book, "i0", "ana", 4, 5)
    told = history_text(book, ["demo"], "ben")
    assert "model A" not in told
    assert "expected" not in told
    assert '"ana", 1]' not in told
    assert not list(score_rows(book, "demo", "ben"))
    assert {row.source for row in score_rows(book, "demo", "ana")} == {""}
    assert {row.source for row in score_rows(book, "demo", "lea")} == {"model A"}


def test_scores_from_elsewhere_are_added_once_and_conflicts_refused() -> None:
    book = scored(book_of(), "i0", "ana", 4, 5)
    other = scored(scored(book_of(), "i0", "ana", 1, 1), "i0", "ben", 2, 2)
    assert merge_scores(NO_SCORES, book).book == book
    assert merge_scores(book, book).unchanged == 1
    with pytest.raises(InputError, match="that of ana on i0; choose --on-conflict"):
        merge_scores(book, other)
    kept = merge_scores(book, other, OnConflict.KEEP)
    assert (kept.sheets, kept.book.sheet("demo", "i0", "ana").scores["clarity"]) == (1, 4)
    taken = merge_scores(book, other, OnConflict.REPLACE)
    assert (taken.sheets, taken.book.sheet("demo", "i0", "ana").scores["clarity"]) == (2, 1)
    strange = replace(book.sheet("demo", "i0", "ana"), scores=MappingProxyType({"tone": 1}))
    with pytest.raises(InputError, match="has no criterion 'tone'"):
        merge_sheets(book_of(), [strange])


def test_what_was_returned_goes_on_elsewhere_as_seeing_what_others_say() -> None:
    book, asked = whole_book(), ("ana", "ben")
    pairs = replace(book.batches["pairs"], assigned=MappingProxyType(dict.fromkeys(asked, ("p",))))
    book = replace(book, batches=MappingProxyType({**book.batches, "pairs": pairs}))
    book = scored(book, "i0", "ben", 1, 1)
    keys = [ComparisonKey("pairs", "p", rater) for rater in asked]
    for key in keys:
        for criterion in ("clarity", "accuracy"):
            book = set_better(book, key, criterion, Better.FIRST, NOON)
        book = submit_comparison(book, key, NOON)
    for key in keys:
        book = return_comparison(book, key, "lea", "again", NOON)
        book = return_sheet(book, book.sheet("demo", "i0", key.rater), "lea", "again", NOON)
    assert all(said.is_seeing for said in book.comparisons.values())
    # A lead's file holds no round that is open.
    found = parse_history(history_text(book, book.batches, "lea"), "x")
    assert {said.state for said in found.comparisons.values()} == {RoundState.RETURNED}
    merged = merge_scores(NO_SCORES, found).book
    assert merged.comparisons == book.comparisons
    assert merged.sheets == book.sheets


def test_a_leads_files_have_what_agreement_counts_of_what_was_returned() -> None:
    """Ana was returned hers before ben said anything, ben after ana had: his first word counts."""
    book = scored(book_of(), "i0", "ana", 4, 5)
    book = return_sheet(book, book.sheet("demo", "i0", "ana"), "lea", "again", NOON)
    for rater, at in (("cem", 1), ("ben", 2)):
        book = scored(book, "i0", rater, 2, 3)
        given = book.sheet("demo", "i0", rater)
        late = replace(given, submitted_at=NOON + timedelta(minutes=at))
        book = replace(book, sheets=MappingProxyType({**book.sheets, given.key: late}))
    given = book.sheet("demo", "i0", "ben")
    book = return_sheet(book, given, "lea", "again", NOON + timedelta(minutes=3))
    counted = {tuple(given) for given in scores_to_compare(book, "demo", "lea")}
    assert {(rater, score) for _, rater, _, score in counted} == {
        ("ben", 2), ("ben", 3), ("cem", 2), ("cem", 3),
    }  # fmt: skip
    rows = [row for row in score_rows(book, "demo", "lea") if row.agreement_score is not None]
    assert {
        (row.sheet.key.item, row.sheet.key.rater, row.criterion, row.agreement_score)
        for row in rows
    } == counted
    found = parse_history(history_text(book, book.batches, "lea"), "x")
    merged = merge_scores(NO_SCORES, found).book
    assert [merged.sheet("demo", "i0", name).is_seeing for name in ("ana", "ben")] == [False, True]
    assert {tuple(given) for given in scores_to_compare(merged, "demo", "lea")} == counted


def test_a_table_has_every_score_that_agreement_counts(tmp_path: Path) -> None:
    """Also of a criterion that the last round does not ask any more."""
    why = replace(RUBRIC.criteria[1], key="why", only_if=Condition(criterion="clarity", at_least=3))
    second = replace(RUBRIC, version=2, criteria=(RUBRIC.criteria[0], why))
    book = change_rubric(save_rubric(book_of(), second), "demo", 2)
    said: tuple[tuple[str, tuple[int, ...]], ...] = (
        ("ana", (4, 4)),
        ("ben", (5, 2)),
        ("ana", (1,)),
    )
    for rater, scores in said:
        for criterion, score in zip(("clarity", "why"), scores, strict=False):
            sheet = book.sheet("demo", "i0", rater)
            book = set_score(book, sheet, criterion, score, NOON)
        book = submit(book, book.sheet("demo", "i0", rater), NOON)
    assert dict(book.sheet("demo", "i0", "ana").scores) == {"clarity": 1}
    counted = {tuple(given) for given in scores_to_compare(book, "demo", "lea")}
    assert ("i0", "ana", "why", 4.0) in counted
    write_score_csv(tmp_path / "s.csv", score_rows(book, "demo", "lea"))
    assert {tuple(given) for given in read_score_table(tmp_path / "s.csv").scores} == counted
    assert by_key(read_score_csv(tmp_path / "s.csv").sheets) == current(book)


HEAD = "batch,item,rater,criterion,score,rubric_version,state,active_s,submitted_utc\n"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("demo,i0,ana,clarity,4.5,1,,,", "line 2, score: '4.5' is no whole number"),
        ("demo,i0,,clarity,4,1,,,", "line 2, rater: is empty"),
        ("demo,i0,ana,clarity,4,1,done,,", "line 2, state: 'done' is none of open"),
        ("demo,i0,ana,clarity,4,1,,inf,", "line 2, active_s: 'inf' is no number of seconds"),
        ("demo,i0,ana,clarity,4,1,,-5,", "line 2, active_s: '-5' is no number of seconds"),
        ("demo,i0,ana,clarity,4,1,,,noon", "line 2, submitted_utc: 'noon' is no time"),
        ("demo,i0,ana,clarity,4,1,,,\n" * 2, "line 3, criterion: repeats the clarity of i0 by ana"),
    ],
)
def test_a_bad_table_is_refused_by_line_and_column(row: str, said: str) -> None:
    with pytest.raises(ReadError) as error:
        parse_score_csv(HEAD + row, "s.csv")
    assert said in str(error.value)


def test_a_time_without_its_zone_is_that_of_its_column(tmp_path: Path) -> None:
    """As other programs write a table again; what is here already has its zone."""
    book = scored(scored(book_of(), "i0", "ana", 4, 5), "i0", "ben", 1, 1)
    book = return_sheet(book, book.sheet("demo", "i0", "ana"), "lea", "again", NOON)
    write_score_csv(tmp_path / "s.csv", score_rows(book, "demo", "lea"))
    text = (tmp_path / "s.csv").read_text(encoding="utf-8-sig")
    found = parse_score_csv(text.replace("T12:00:00+00:00", " 12:00:00"), "s.csv")
    assert {sheet.decided_at for sheet in found.sheets} == {NOON, None}
    here = scored(book_of(), "i0", "ben", 1, 1)
    assert merge(here, found, OnConflict.KEEP).book.sheets == book.sheets


def test_a_score_of_blanks_is_none() -> None:
    (sheet,) = parse_score_csv(HEAD + "demo,i0,ana,clarity, ,1,,,", "s.csv").sheets
    assert dict(sheet.scores) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"waypost_scores": 2}', "line 1: waypost_scores is 2, newer than 1"),
        ('{"waypost_scores": 0}', "line 1: waypost_scores is 0, no version"),
        ('{"waypost_scores": NaN}', "line 1: waypost_scores is nan, no whole number"),
        ('{"waypost_scores": "1"}', "line 1: waypost_scores is '1', no whole number"),
        ("[" * 100_000, "line 1: does not begin with waypost_scores"),
        ('{"waypost_scores": 1}\n{"kind": []}', "line 2: its kind is none of rubric"),
        ('{"a": 1}', "line 1: does not begin with waypost_scores"),
        ('{"waypost_scores": 1}\n{"kind": "cat"}', "line 2: its kind is none of rubric"),
        ('{"waypost_scores": 1}\n{"kind": "batch", "value": {"name": 3}}', "line 2: batch: "),
    ],
)
def test_a_bad_history_is_refused_by_line(text: str, said: str) -> None:
    with pytest.raises(ReadError) as error:
        parse_history(text, "s.jsonl")
    assert said in str(error.value)


@pytest.mark.parametrize("folder", ["/home/lea/graphs", "C:\\scans\\graphs", "\\\\disk\\graphs"])
def test_a_folder_of_one_machine_is_in_no_export(folder: str) -> None:
    book = whole_book()
    batches = {**book.batches, "demo": replace(book.batches["demo"], graphs_path=folder)}
    here = replace(book, batches=MappingProxyType(batches))
    text = history_text(here, [*batches], "lea")
    assert "graphs" not in text.replace("graphs_path", "")
    found = parse_history(text, "x.jsonl")
    assert found.batches["demo"].graphs_path == ""
    # Where the batch is known its folder stays; elsewhere the next export says the same again.
    assert merge_scores(here, found).book == here
    assert history_text(merge_scores(NO_SCORES, found).book, [*batches], "lea") == text


def test_a_folder_in_that_of_the_project_comes_back(tmp_path: Path) -> None:
    book = whole_book()
    batches = {**book.batches, "demo": replace(book.batches["demo"], graphs_path="graphs/r2r")}
    here = replace(book, batches=MappingProxyType(batches))
    write_history(tmp_path / "x.jsonl", history_text(here, [*batches], "lea"))
    # Nobody's comparisons that are not in yet are in somebody else's file.
    assert read_history(tmp_path / "x.jsonl").batches == here.batches


@pytest.mark.parametrize(
    ("kept", "state"),
    [
        ({}, RoundState.OPEN),
        ({"submitted_at": NOON.isoformat()}, RoundState.SUBMITTED),
        ({"submitted_at": NOON.isoformat(), "skip_reason": "odd"}, RoundState.SKIPPED),
    ],
)
def test_a_comparison_of_before_it_had_a_state_tells_it(
    kept: dict[str, str], state: RoundState
) -> None:
    said = decode(PairComparison, {"key": ["b", "p", "ana"], **kept})
    assert (said.state, said.round, said.earlier) == (state, 1, ())
    assert decode(PairComparison, encode(said)) == said
