"""Comparing in pairs by keys: sides, what is missing, undo over a submit, skipping, blindness."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from fixtures.score_examples import RUBRIC
from gui.score.conftest import at_batch
from gui.user import User
from PySide6.QtWidgets import QPushButton

from waypost.app.score.batch_dialog import BatchDialog, BatchFields
from waypost.app.score.workspace import ScoreWorkspace
from waypost.charts.picture import ChartTone
from waypost.domain.base.rounds import RoundState
from waypost.domain.project import Project
from waypost.domain.score.batch_making import BatchWish
from waypost.domain.score.comparison import Better, PairComparison
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.pair_batches import make_pair_batch, same_path_pairs
from waypost.domain.score.score_book import NO_SCORES
from waypost.io.scores.instruction_files import read_instructions
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui

TEXTS = tuple(
    InstructionText(f"{episode} {source}", f"{source} says {episode}", source, episode_id=episode)
    for episode in ("e1", "e2", "e3")
    for source in ("human", "gpt")
)


@pytest.fixture
def pair_file(tmp_path: Path) -> Path:
    """Three pairs for two raters."""
    wish = BatchWish("duo", RUBRIC, ("ana", "ben"), 1.0, 0)
    book = make_pair_batch(NO_SCORES, wish, TEXTS, same_path_pairs(TEXTS))
    file = tmp_path / "duo.waypost"
    ProjectStore.create(file, Project("duo", scoring=book), "lea").close()
    return file


@pytest.fixture
def comparing(user: User, pair_file: Path) -> ScoreWorkspace:
    """The Score workspace at those pairs, at which ana sits."""
    return at_batch(user, pair_file, "ana")


def said(user: User, pair: str, rater: str = "ana") -> PairComparison:
    return user.project.scoring.comparison("duo", pair, rater)


def test_keys_answer_by_side_and_enter_goes_on(user: User, comparing: ScoreWorkspace) -> None:
    face, pair = comparing.pairs.face, comparing.item
    assert face.isVisible()
    assert not [b for b in face.findChildren(QPushButton) if b.isChecked()]
    assert "X\u00a0cannot\u00a0judge" in face._keys.text()
    is_swapped = said(user, pair).is_swapped
    on_left = user.project.scoring.batch("duo").pairs[pair][is_swapped]
    assert face.left.toPlainText() == user.project.scoring.instruction("duo", on_left).text
    user.press("J", "Tab", "K")
    left = Better.SECOND if is_swapped else Better.FIRST
    assert dict(said(user, pair).answers) == {"clarity": left, "accuracy": Better.NEITHER}
    assert not said(user, pair).is_settled
    user.press("Return")
    assert said(user, pair).is_settled
    assert said(user, pair).is_swapped is is_swapped
    assert comparing.item != pair
    assert face.current == "clarity"
    comparing.go_to_item(pair)
    before = user.project
    user.press("J")
    assert user.project is before, "the same answer again leaves it submitted"


def test_every_side_is_what_is_meant(user: User, comparing: ScoreWorkspace) -> None:
    found = set()
    for pair in comparing.desk.items:
        comparing.go_to_item(pair)
        user.press("L", "Return")
        item = user.project.scoring.batch("duo").pairs[pair]
        better = said(user, pair).answers["clarity"]
        right = comparing.desk.book.instruction("duo", item[better is Better.SECOND]).text
        comparing.go_to_item(pair)
        user.settle()
        assert comparing.pairs.face.right.toPlainText() == right
        found.add(said(user, pair).is_swapped)
    assert found == {True, False}, "the seed has both sides"


def test_submitting_names_what_is_missing(user: User, comparing: ScoreWorkspace) -> None:
    pair = comparing.item
    user.press("J", "Return")
    assert not said(user, pair).is_settled
    assert comparing.panel.problem.text() == "Missing: Accuracy"
    assert comparing.pairs.face.current == "accuracy"
    user.press("X", "Return")
    assert said(user, pair).cannot_judge == ("accuracy",)
    assert said(user, pair).is_settled


def test_undo_reaches_back_over_a_submit_and_is_kept(
    user: User, comparing: ScoreWorkspace, pair_file: Path
) -> None:
    pair = comparing.item
    user.press("J", "Tab", "J", "Return")
    assert comparing.item != pair
    user.press("Ctrl+Z")
    assert comparing.item == pair
    assert not said(user, pair).is_settled
    assert len(said(user, pair).answers) == 2
    with closing(ProjectStore.open(pair_file)) as store:
        kept = store.load().scoring.comparison("duo", pair, "ana")
    assert kept == said(user, pair)


def test_skip_flag_and_comment_are_as_on_a_sheet(user: User, comparing: ScoreWorkspace) -> None:
    first, second, _ = comparing.desk.items
    comparing.go_to_item(first)
    user.press("F", "C")
    user.wait(comparing.panel.comment.hasFocus)
    user.type("jk odd")
    user.wait(lambda: said(user, first).comment == "jk odd")
    user.press("Esc")
    assert (said(user, first).is_flagged, said(user, first).comment) == (True, "jk odd")
    assert not said(user, first).answers, "letters in a field are text"
    user.press("S")
    user.type("same text")
    user.press("Return")
    assert said(user, first).skip_reason == "same text"
    assert comparing.item == second
    assert comparing.panel.comment.toPlainText() == ""
    rows = {row.key: row.detail for row in comparing.list._model.rows}
    assert rows == {first: "skipped ⚑", second: "", comparing.desk.items[2]: ""}


def test_digits_score_nothing_and_letters_compare_nothing(
    user: User, comparing: ScoreWorkspace, batch_file: Path
) -> None:
    before = user.project
    user.press("4")
    assert user.project is before
    scoring = at_batch(user, batch_file, "ana")
    before = user.project
    user.press("J", "K", "L")
    assert user.project is before
    assert scoring.face.isVisible()


def test_others_and_sources_are_hidden_until_all_is_in(
    user: User, comparing: ScoreWorkspace, pair_file: Path
) -> None:
    for _ in comparing.desk.items:
        user.press("J", "Tab", "J", "Return")
    comparing = at_batch(user, pair_file, "ben")
    panel, face = comparing.panel, comparing.pairs.face
    user.press("R")
    user.wait(lambda: "hidden" in comparing.outcome.pairs.told)
    assert comparing.outcome.pairs.strengths.table.rowCount() == 0
    user.press("R")
    assert not any(row.key in f"{row.text} {row.tip}" for row in comparing.list._model.rows)
    assert panel._others.text() == ""
    assert [told.text() for told in face._sources] == ["", ""]
    for _ in comparing.desk.items:
        user.press("L", "Tab", "L", "Return")
    comparing.step(0)
    user.settle()
    assert panel._others.text().startswith("ana: Clarity ")
    assert {told.text() for told in face._sources} == {"human", "gpt"}


def test_results_have_strengths_and_open_a_disputed_pair(
    user: User, comparing: ScoreWorkspace, pair_file: Path
) -> None:
    for _ in comparing.desk.items:
        user.press("J", "Tab", "J", "Return")
    comparing = at_batch(user, pair_file, "ben")
    for _ in comparing.desk.items:
        user.press("L", "Tab", "J", "Return")
    user.press("R")
    face = comparing.outcome.pairs
    user.wait(lambda: face.strengths.table.rowCount() > 0)
    assert face.isVisible()
    assert face.told == ""
    cells = [[face.strengths.table.item(row, n).text() for n in range(4)] for row in range(2)]  # type: ignore[union-attr]
    assert {tuple(row[:2]) for row in cells} == {("Clarity", "source")}
    assert {row[2] for row in cells} == {"human", "gpt"}
    assert {row[3] for row in cells} == {"6"}
    bars = face.answers.chart.picture
    assert bars is not None
    assert sum(box.tone is ChartTone.PLAIN for box in bars.boxes) == 3
    face.show_page("Pairs")
    user.settle()
    assert face.disputed._model.rows
    pair = face.disputed._model.rows[0].key
    face.item_chosen.emit(pair)
    user.settle()
    assert comparing.item == pair
    assert comparing.pairs.face.isVisible()


def test_a_lead_returns_and_accepts_and_every_round_is_kept(
    user: User, comparing: ScoreWorkspace, pair_file: Path
) -> None:
    pair = comparing.item
    user.press("J", "Tab", "J", "Return")
    answers = said(user, pair).answers
    comparing = at_batch(user, pair_file, "lea")
    comparing.go_to_item(pair)
    user.settle()
    panel = comparing.panel
    assert comparing.desk.rater == "ana"
    user.click_widget(panel.give_back)
    assert panel.comment.hasFocus(), "without a comment nothing is returned"
    user.type("look again")
    user.wait(lambda: said(user, pair).decision_comment == "look again")
    assert not said(user, pair).is_locked
    other = next(name for name in comparing.desk.items if name != pair)
    comparing.go_to_item(other)
    assert panel.comment.toPlainText() == ""
    comparing.go_to_item(pair)
    assert panel.comment.toPlainText() == "look again"
    user.click_widget(panel.give_back)
    (first,), now = said(user, pair).earlier, said(user, pair)
    assert (first.state, first.decided_by, first.decision_comment, first.answers) == (
        RoundState.RETURNED, "lea", "look again", answers,
    )  # fmt: skip
    assert (now.round, now.state, now.answers) == (2, RoundState.OPEN, answers)
    assert panel.comment.toPlainText() == ""
    user.press("Esc", "Ctrl+Z")
    assert said(user, pair).state is RoundState.SUBMITTED
    assert panel.comment.toPlainText() == "look again"
    user.press("Ctrl+Shift+Z")
    comparing = at_batch(user, pair_file, "ana")
    comparing.go_to_item(pair)
    user.settle()
    told = {row.key: row.detail for row in comparing.list._model.rows}
    assert told[pair] == "returned"
    assert comparing.panel._progress.text() == "0 of 3 pairs done, 1 returned to you"
    assert comparing.panel.words.text() == "Returned by lea: look again"
    user.press("L", "Return")
    comparing = at_batch(user, pair_file, "lea")
    comparing.go_to_item(pair)
    user.settle()
    user.click_widget(comparing.panel.accept)
    assert said(user, pair).state is RoundState.ACCEPTED
    comparing = at_batch(user, pair_file, "ana")
    comparing.go_to_item(pair)
    user.settle()
    before = user.project
    user.press("J", "F", "Return")
    assert user.project is before, "what is accepted is locked"
    assert [entry.round for entry in said(user, pair).rounds] == [1, 2]


def test_the_form_makes_pairs(user: User, tmp_path: Path, batch_file: Path) -> None:
    scoring = at_batch(user, batch_file, "ana")
    file = tmp_path / "texts.csv"
    file.write_text("text,pair\nGo on.,1\nWalk on.,1\nStop.,2\n", encoding="utf-8")
    dialog = BatchDialog({"vlnverse-fine": "VLNVerse"}, str, str, user.window)
    dialog.paired.setChecked(True)
    assert dialog.values.is_paired
    dialog.deleteLater()
    fields = BatchFields("duo", "", "vlnverse-fine", "", ("ana",), 1.0, 0, "", "", is_paired=True)
    assert scoring.files.make(fields, read_instructions(file)) == ""
    user.settle()
    assert scoring.batch == "duo"
    assert scoring.pairs.face.isVisible()
    assert len(scoring.desk.items) == 1
    user.press("Ctrl+Z")
    assert "duo" not in user.project.scoring.batches
