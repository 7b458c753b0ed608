"""Scoring by keys: what is missing, undo over a submit, quick steps, comments, skipping, leads."""

from __future__ import annotations

import itertools
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from fixtures.score_examples import NOON, RUBRIC, batch_of, items_of
from gui.score.conftest import at_batch
from gui.user import User
from patience import PATIENCE_S
from PySide6.QtWidgets import QPushButton, QTableView

from waypost.app.score.results import results_work
from waypost.app.score.workspace import ScoreWorkspace
from waypost.domain.base.progress import Progress, Work
from waypost.domain.score.given_score import GivenScore
from waypost.domain.score.score_book import add_batch
from waypost.domain.score.sheet import Sheet, SheetState
from waypost.domain.score.sheet_edits import return_sheet
from waypost.metrics.agreement.score_agreement import COEFFICIENTS, score_agreement
from waypost.metrics.batch_results import BatchResults
from waypost.services import score_news
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui

THREE_RATERS = [
    GivenScore("i0", "ana", "clarity", 1.0),
    GivenScore("i0", "ben", "clarity", 1.0),
    GivenScore("i0", "cem", "clarity", 4.0),
    GivenScore("i2", "ana", "clarity", 5.0),
    GivenScore("i2", "ben", "clarity", 4.0),
]
"""Two items, the second without cem."""


def sheet(user: User, item: str, rater: str = "ana") -> Sheet:
    return user.project.scoring.sheet("demo", item, rater)


def plain(scoring: ScoreWorkspace) -> list[str]:
    """Items of two required criteria, in the order of the rater."""
    return [item for item in scoring.desk.items if item != "i1"]


def go_to(user: User, scoring: ScoreWorkspace, item: str) -> None:
    scoring.go_to_item(item)
    user.settle()


def test_nothing_is_chosen_before_somebody_chooses(user: User, scoring: ScoreWorkspace) -> None:
    checked = [b for b in scoring.face.findChildren(QPushButton) if b.isChecked()]
    assert checked == []
    assert scoring.item == scoring.desk.items[0]
    assert not user.project.scoring.sheets


def test_digits_score_and_enter_submits_and_goes_on(user: User, scoring: ScoreWorkspace) -> None:
    first = plain(scoring)[0]
    go_to(user, scoring, first)
    user.press("4", "Tab", "5")
    assert not scoring.face.row("clarity")._state.isVisible(), "4 has no words, and moves nothing"
    assert dict(sheet(user, first).scores) == {"clarity": 4, "accuracy": 5}
    user.press("Return")
    assert sheet(user, first).state is SheetState.SUBMITTED
    assert scoring.item != first
    assert scoring.face.current == "clarity"
    assert not sheet(user, scoring.item).has_content


def test_submitting_names_what_is_missing_and_goes_there(
    user: User, scoring: ScoreWorkspace
) -> None:
    item = plain(scoring)[0]
    go_to(user, scoring, item)
    user.press("4", "Return")
    assert sheet(user, item).state is SheetState.OPEN
    assert scoring.panel.problem.text() == "Missing: Accuracy"
    assert scoring.face.current == "accuracy"
    bench = user.window.bench
    mine = bench.settings
    bench.change_settings(replace(mine, annotator="lea"))
    assert scoring.panel.problem.text() == "", "a lead fills in nothing"
    bench.change_settings(mine)
    user.press("X", "Return")
    assert sheet(user, item).state is SheetState.SUBMITTED
    assert sheet(user, item).cannot_judge == ("accuracy",)


def test_undo_reaches_back_over_a_submit_and_shows_where(
    user: User, scoring: ScoreWorkspace, batch_file: Path
) -> None:
    item = plain(scoring)[0]
    go_to(user, scoring, item)
    user.press("4", "Tab", "5", "Return")
    assert scoring.item != item
    user.press("Ctrl+Z")
    assert scoring.item == item
    assert sheet(user, item).state is SheetState.OPEN
    assert dict(sheet(user, item).scores) == {"clarity": 4, "accuracy": 5}
    with closing(ProjectStore.open(batch_file)) as store:
        kept = store.load().scoring.sheet("demo", item, "ana")
    assert (kept.state, dict(kept.scores)) == (SheetState.OPEN, {"clarity": 4, "accuracy": 5})
    user.press("Ctrl+Z")
    assert dict(sheet(user, item).scores) == {"clarity": 4}
    user.press("Tab", "5", "Return")
    bench = user.window.bench
    bench.change_settings(replace(bench.settings, annotator="ben"))
    user.press("Ctrl+Z")
    assert sheet(user, item).state is SheetState.SUBMITTED, "it is not his to take back"
    go_to(user, scoring, item)
    user.press("1", "Tab", "1", "Return")
    user.press("Ctrl+Z")
    assert sheet(user, item, "ben").state is SheetState.SUBMITTED, "he has seen hers by now"
    assert "Left as changed since" in user.message()


def test_no_score_moves_to_another_item_however_quickly_one_steps(
    user: User, scoring: ScoreWorkspace
) -> None:
    items = scoring.desk.items
    go_to(user, scoring, items[0])
    for place in range(len(items)):
        user.press(str(1 + place % 5))
        for _ in range(10):
            user.press(".")
        for _ in range(10):
            user.press(",")
        if place + 1 < len(items):
            for _ in range(place + 1):
                user.press(".")
    found = {key.item: dict(entry.scores) for key, entry in user.project.scoring.sheets.items()}
    assert found == {item: {"clarity": 1 + place % 5} for place, item in enumerate(items)}


def test_a_comment_stays_with_its_item_and_criterion(user: User, scoring: ScoreWorkspace) -> None:
    first, second = plain(scoring)[:2]
    go_to(user, scoring, first)
    user.press("C")
    user.wait(scoring.panel.comment.hasFocus)
    user.type("odd 5 words")
    scoring.go_to_item(second)
    user.settle()
    assert dict(sheet(user, first).comments) == {"clarity": "odd 5 words"}
    assert scoring.panel.comment.toPlainText() == ""
    assert not sheet(user, second).has_content
    go_to(user, scoring, first)
    assert scoring.panel.comment.toPlainText() == "odd 5 words"
    assert not sheet(user, first).scores, "digits in a field are text"


def test_skipping_asks_why_and_a_flag_is_shown(user: User, scoring: ScoreWorkspace) -> None:
    item, reason = plain(scoring)[0], scoring.panel.reason
    go_to(user, scoring, item)
    user.press("F", "S")
    user.wait(reason.hasFocus)
    user.type("no pict")
    user.wait(lambda: sheet(user, item).skip_reason == "no pict")
    assert sheet(user, item).state is SheetState.OPEN, "half a reason skips nothing"
    go_to(user, scoring, plain(scoring)[1])
    assert (reason.isVisible(), reason.text()) == (False, "")
    user.press("4")
    assert dict(sheet(user, plain(scoring)[1]).scores) == {"clarity": 4}
    go_to(user, scoring, item)
    assert (reason.isVisible(), reason.text()) == (True, "no pict")
    user.press("S")
    user.type("less")
    user.press("Esc")
    assert (reason.isVisible(), reason.text()) == (True, "no pict")
    user.press("S")
    user.type("ure")
    user.press("Return")
    assert (sheet(user, item).state, sheet(user, item).skip_reason) == (
        SheetState.SKIPPED, "no picture",
    )  # fmt: skip
    assert sheet(user, item).is_flagged
    assert scoring.item != item


def test_a_click_scores_what_is_clicked(user: User, scoring: ScoreWorkspace) -> None:
    item = scoring.item
    user.click_widget(user.find(QPushButton, "Accuracy: 2", scoring.face))
    assert dict(sheet(user, item).scores) == {"accuracy": 2}
    assert scoring.face.current == "accuracy"


def test_a_half_filled_sheet_is_there_again(
    user: User, scoring: ScoreWorkspace, batch_file: Path
) -> None:
    item = plain(scoring)[1]
    go_to(user, scoring, item)
    user.press("3")
    with closing(ProjectStore.open(batch_file)) as store:
        assert dict(store.load().scoring.sheet("demo", item, "ana").scores) == {"clarity": 3}
    user.press("Ctrl+1", "Ctrl+4")
    assert scoring.item == item


def test_a_lead_returns_with_a_comment_and_its_rater_reads_it(
    user: User, scoring: ScoreWorkspace, batch_file: Path
) -> None:
    item = plain(scoring)[0]
    go_to(user, scoring, item)
    user.press("1", "Tab", "1", "Return")
    scoring = at_batch(user, batch_file, "lea")
    go_to(user, scoring, item)
    user.press("5")
    assert dict(sheet(user, item).scores) == {"clarity": 1, "accuracy": 1}
    assert scoring.desk.rater == "ana"
    scoring.panel.comment.setPlainText("look again")
    user.click_widget(scoring.panel.give_back)
    assert sheet(user, item).key.round == 2
    scoring = at_batch(user, batch_file, "ana")
    go_to(user, scoring, item)
    user.press("5", "Return")
    first, second = user.project.scoring.rounds("demo", item, "ana")
    assert (first.decision_comment, first.decided_by) == ("look again", "lea")
    assert (second.state, dict(second.scores)) == (
        SheetState.SUBMITTED, {"clarity": 5, "accuracy": 1},
    )  # fmt: skip


def test_results_open_the_worst_item(
    user: User, scoring: ScoreWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for item, score in zip(plain(scoring)[:3], ("4", "1", "3"), strict=True):
        go_to(user, scoring, item)
        user.press(score, "Tab", score, "Return")
    cancelled_results_say_so(user, scoring, monkeypatch)
    user.press("R")
    user.wait(lambda: scoring.results.means.table.rowCount() > 0)
    assert scoring.results.isVisible()
    assert scoring.panel.results.text() == "Leave the results  R"
    assert scoring.results.told == (
        "Others' scores of 3 instructions are hidden until your own are in."
        " Where instructions come from is shown once all of yours are in."
    )
    results_follow_who_looks_and_the_batch(user, scoring)
    worst = plain(scoring)[1]
    scoring.results.show_page("Instructions")
    user.settle()
    table = user.find(QTableView, "List of scored instructions", scoring.results)
    user.click_widget(table.viewport(), table.visualRect(table.model().index(0, 0)).center())
    assert scoring.item == worst
    assert scoring.face.isVisible()
    assert scoring.panel.results.text() == "Results  R"


def cancelled_results_say_so(
    user: User, scoring: ScoreWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_cancelled = Event()

    def waiting(*_: object) -> Work[BatchResults]:
        yield Progress(0, 1, "Comparing scores")
        is_cancelled.wait(PATIENCE_S)
        yield Progress(0, 1, "Comparing scores")
        return BatchResults(RUBRIC, {}, (), (), (), {})

    with monkeypatch.context() as patched:
        patched.setattr(results_work, "batch_results", waiting)
        user.press("R")
    (job,) = (job for job in user.window._jobs.jobs if job.title == "Comparing scores")
    job.cancel()
    is_cancelled.set()
    user.wait(lambda: scoring.results.told.startswith("Cancelled."))
    user.press("R")


def results_follow_who_looks_and_the_batch(user: User, scoring: ScoreWorkspace) -> None:
    table, told = scoring.results.means.table, scoring.results.told
    bench = user.window.bench
    ana, lea = bench.settings, replace(bench.settings, annotator="lea")
    bench.change_settings(lea)
    user.wait(lambda: table.rowCount() > 0 and scoring.results.told == "")
    bench.change_settings(ana)
    user.wait(lambda: table.rowCount() > 0 and scoring.results.told == told)
    assert scoring.desk.change_book(
        "Another batch", lambda book: add_batch(book, batch_of("empty"), items_of("empty"))
    )
    for batch, has_rows in (("empty", False), ("demo", True)):
        scoring.batches.textActivated.emit(batch)
        user.wait(lambda: not scoring.results.told.startswith("Comparing"))
        assert (scoring.batch, scoring.results.isVisible()) == (batch, True)
        assert (table.rowCount() > 0) is has_rows


def test_a_click_on_a_chart_shows_the_instructions_behind_it(
    user: User, scoring: ScoreWorkspace
) -> None:
    for item, score in zip(plain(scoring)[:3], ("4", "1", "4"), strict=True):
        go_to(user, scoring, item)
        user.press(score, "Tab", score, "Return")
    user.press("R")
    results = scoring.results
    user.wait(lambda: results.counts.chart.picture is not None)
    results.show_page("Scores given")
    user.settle()
    chart = results.counts.chart
    picture = chart.picture
    assert picture is not None
    four = next(n for n, t in enumerate(picture.targets) if t.title == "Clarity: 4")
    assert picture.targets[four].detail == "2 of 3 scores 67 %"
    chart.setFocus()
    user.press("Home", *["Right"] * four, "Return")
    assert results.worst.isVisible()
    found = {row.key for row in results.worst._model.rows}
    assert found == {plain(scoring)[0], plain(scoring)[2]}
    user.click_widget(user.find(QPushButton, "Show all scored instructions again"))
    assert len(results.worst._model.rows) == 3


def test_the_agreement_table_is_as_wide_as_its_room(user: User, scoring: ScoreWorkspace) -> None:
    user.press("R")
    scoring.results.show_page("Agreement")
    table = scoring.results.agreement.table
    user.wait(lambda: scoring.results.isVisible() and table.isVisible())
    found = BatchResults(RUBRIC, score_agreement(THREE_RATERS), (), (), (), {})
    scoring.results.set_results(found, "")
    count = len(COEFFICIENTS)
    user.wait(lambda: table.rowCount() == count)
    user.settle()
    assert table.horizontalHeader().length() <= table.viewport().width()
    assert table.rowSpan(0, 0) == count
    line = "2 of 2 instructions"
    assert line in table.item(0, 0).text().splitlines()  # type: ignore[union-attr]
    assert table.columnWidth(0) > table.fontMetrics().horizontalAdvance(line)
    values = {
        table.item(row, 1).text(): table.item(row, 2).text()  # type: ignore[union-attr]
        for row in range(count)
    }
    # Three pairs on the first item, one on the second; one of the four is equal.
    assert values["Equal pairs"].startswith("0.250 [")
    for row, kind in enumerate(COEFFICIENTS.values()):
        table.setCurrentCell(row, 1)
        assert kind.definition in scoring.results.agreement.said


def test_buttons_name_the_keys_in_force(user: User, scoring: ScoreWorkspace) -> None:
    panel = scoring.panel
    texts = [made.text() for made in (panel.submit, panel.flag, panel.skip, panel.results)]
    assert texts == ["Submit  Enter", "Flag  F", "Skip …  S", "Results  R"]
    user.press("F")
    assert panel.flag.text() == "Take the flag back  F"


def test_without_a_batch_nothing_can_be_pressed(user: User, house: Path) -> None:
    user.open(house)
    user.press("Ctrl+4")
    user.settle()
    scoring = user.window.workspaces.current
    assert isinstance(scoring, ScoreWorkspace)
    offered = scoring.panel.findChildren(QPushButton), (scoring.batches, scoring.panel.comment)
    assert not [made for made in itertools.chain(*offered) if made.isVisible()]
    assert scoring.panel.comment.isReadOnly()


def test_a_rater_is_told_what_another_window_on_the_file_returns(
    user: User, batch_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score_news, "EVERY_S", 0.1)
    scoring = at_batch(user, batch_file, "ana")
    first, second = plain(scoring)[:2]
    go_to(user, scoring, first)
    user.press("4", "Tab", "5", "Return")
    go_to(user, scoring, second)
    scoring.panel.comment.setPlainText("half a com")
    with closing(ProjectStore.open(batch_file)) as store:
        before = store.load()
        book = return_sheet(
            before.scoring, before.scoring.sheet("demo", first, "ana"), "lea", "look again", NOON
        )
        store.save(before, replace(before, scoring=book), "lea")
    user.wait(lambda: "look again" in user.message())
    assert sheet(user, first).state is SheetState.OPEN
    assert (scoring.item, scoring.panel.comment.toPlainText()) == (second, "half a com")
    assert not user.document.save_state.is_conflict
