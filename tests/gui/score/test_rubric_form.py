"""The form of a rubric: mistakes as they are made, a new version in one step, TOML in and out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.score_examples import RUBRIC
from gui.user import User
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QTableWidgetItem
from pytestqt.qtbot import QtBot

from waypost.app.score.batch_dialog import BatchDialog
from waypost.app.score.rubric_dialog import RubricDialog
from waypost.app.score.workspace import ScoreWorkspace
from waypost.app.shell.kept_form import form_file
from waypost.domain.score.rubric import Condition, Criterion, Level, Rubric, ScaleKind
from waypost.domain.score.score_book import save_rubric
from waypost.domain.score.sheet import SheetState
from waypost.io.scores.rubric_files import read_rubric, shipped_rubrics
from waypost.widgets.form_dialog import FormDialog

pytestmark = pytest.mark.gui


@pytest.fixture
def form(user: User, scoring: ScoreWorkspace) -> RubricDialog:
    """The form, at the rubric of the batch."""
    dialog = scoring.rubrics.ask()
    user.settle()
    return dialog


def type_in(field: object, text: str) -> None:
    """As if it were typed."""
    field.setText(text)  # type: ignore[attr-defined]
    field.textEdited.emit(text)  # type: ignore[attr-defined]


def test_the_form_says_what_it_was_given(form: RubricDialog) -> None:
    assert form.rubric == RUBRIC
    assert form.problems == ()
    assert form.news == "This is version 1 as it is."
    assert not form.primary.isEnabled()
    for rubric in shipped_rubrics().values():
        form.set_rubric(rubric)
        for place in range(len(rubric.criteria)):
            form.criteria.setCurrentRow(place)
            assert form.form.criterion == rubric.criteria[place]
        assert form.rubric == rubric


def test_mistakes_are_found_as_they_are_made(form: RubricDialog) -> None:
    own = form.form
    type_in(own.title, " ")
    assert own._fields["title"].problem == "Is empty."
    assert form.criteria.item(0).text().startswith("⚠")
    assert not form.primary.isEnabled()
    type_in(own.title, "Clear words")
    assert own._fields["title"].problem == ""
    own.most.setValue(1)
    assert own._fields["most"].problem == "1 is not above 1."
    own.most.setValue(4)
    assert own._fields["levels"].problem == "5 is not on the scale."
    own.levels.item(4, 1).setText("")
    assert form.problems == ()
    type_in(own.key, "accuracy")
    form.criteria.setCurrentRow(1)
    assert own._fields["key"].problem == "The key 'accuracy' is used twice."
    form.criteria.setCurrentRow(0)
    type_in(own.key, "clarity")
    form.total.setValue(99)
    assert "the scales add up to" in form._fields["total"].problem
    form.total.setValue(-1)
    assert form.primary.isEnabled()


def test_a_new_version_is_one_step_and_says_what_is_new_to_score(
    user: User, scoring: ScoreWorkspace
) -> None:
    item = next(item for item in scoring.desk.items if item != "i1")
    scoring.go_to_item(item)
    user.press("4", "Tab", "5", "Return")
    assert user.project.scoring.sheet("demo", item, "ana").state is SheetState.SUBMITTED
    before = user.project.scoring
    form = scoring.rubrics.ask()
    form.form.most.setValue(7)
    form.add.click()
    type_in(form.form.title, "Style")
    assert form.news.startswith("Version 2; new to score: Clarity, Style.")
    assert form.adopt.text() == "Score demo by it from now on"
    form.adopt.setChecked(True)
    user.click_widget(form.primary)
    book = user.project.scoring
    assert book.batch("demo").rubric.version == 2
    assert book.rubric_of("demo").criteria[-1].title == "Style"
    sheet = book.sheet("demo", item, "ana")
    assert (sheet.rubric_version, dict(sheet.scores)) == (1, {"clarity": 4, "accuracy": 5})
    details = {row.key: row.detail for row in scoring.list._model.rows}
    assert details[item] == "new to score"
    user.press("Ctrl+Z")
    assert user.project.scoring.batch("demo").rubric.version == 1
    assert user.project.scoring.rubrics == before.rubrics


def test_a_rubric_of_ones_own_is_made_saved_and_read(
    user: User, scoring: ScoreWorkspace, form: RubricDialog, tmp_path: Path
) -> None:
    form.base.setCurrentIndex(0)
    assert [entry.sentence for entry in form.problems] == [
        "title: is empty", "key: is empty", "criteria: are missing",
    ]  # fmt: skip
    type_in(form.key, "own-points")
    type_in(form.title, "Own points")
    own = form.form
    form.add.click()
    type_in(own.key, "steps")
    type_in(own.title, "Steps")
    own.scale.setCurrentIndex(own.scale.findData(ScaleKind.POINTS.value))
    own.most.setValue(3)
    own.levels.setItem(0, 1, QTableWidgetItem("None"))
    own.levels.setItem(3, 1, QTableWidgetItem("All"))
    form.add.click()
    type_in(own.key, "order")
    type_in(own.title, "Order")
    own.scale.setCurrentIndex(own.scale.findData(ScaleKind.YES_NO.value))
    own.most.setValue(1)
    own.required.setChecked(False)
    own.asked.setCurrentIndex(own.asked.findData("scored"))
    own.other.setCurrentIndex(0)
    own.at_least.setValue(2)
    form.total.setValue(4)
    assert form.problems == ()
    wanted = Rubric(
        "own-points", 1, "Own points",
        (
            Criterion("steps", "Steps", ScaleKind.POINTS, 0, 3,
                      (Level(0, "None"), Level(3, "All"))),
            Criterion("order", "Order", ScaleKind.YES_NO, 0, 1, is_required=False,
                      only_if=Condition(criterion="steps", at_least=2)),
        ),
        total=4,
    )  # fmt: skip
    assert form.rubric == wanted
    file = tmp_path / "own.toml"
    form._ask_save = lambda: str(file)
    form.save_file.click()
    assert read_rubric(file) == wanted
    form.base.setCurrentIndex(1)
    form._ask_open = lambda: str(file)
    form.open_file.click()
    assert form.rubric == wanted
    file.write_text("key = 1", encoding="utf-8")
    form.open_file.click()
    assert str(file) in form._failure.text().replace("\u200b", "")
    user.click_widget(form.primary)
    assert user.project.scoring.rubrics[wanted.identity] == wanted


def esc(form: FormDialog, *, is_held: bool = False) -> None:
    kind, key = QEvent.Type.KeyPress, Qt.Key.Key_Escape
    form.keyPressEvent(QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, "", is_held))


def test_work_is_dropped_on_the_second_esc_and_not_by_holding_it(
    form: RubricDialog, tmp_path: Path
) -> None:
    # A file where a folder must be: nothing can be kept.
    (tmp_path / "config" / "forms").write_text("")
    form.add.click()
    form.findChild(QTimer).timeout.emit()
    esc(form)
    esc(form, is_held=True)
    assert form.isVisible()
    assert "is not saved" in form._failure.text()
    esc(form)
    assert not form.isVisible()


def test_what_is_entered_is_there_again_until_it_is_saved_or_begun_anew(
    user: User, scoring: ScoreWorkspace, form: RubricDialog
) -> None:
    form.add.click()
    type_in(form.title, "Ours")
    entered = form.rubric
    esc(form)
    assert not form.isVisible()
    again = scoring.rubrics.ask()
    assert again.rubric == entered
    user.find(QPushButton, "Start over", again).click()
    assert again.rubric == RUBRIC
    esc(again)
    once_more = scoring.rubrics.ask()
    assert once_more.rubric == RUBRIC
    assert not [b for b in once_more.findChildren(QPushButton) if b.text() == "Start over"]
    type_in(once_more.title, "Our better one")
    once_more.primary.click()
    saved = user.project.scoring.rubrics[RUBRIC.key, 2]
    file = form_file(user.window.bench, "rubric")
    for damaged in ("", "not JSON", "[]", '{"rubric": 3}', '{"rubric": ["", 3]}'):
        file.write_text(damaged)
        asked = scoring.rubrics.ask()
        assert asked.rubric == saved
        esc(asked)
    begun = scoring.rubrics.ask()
    type_in(begun.title, "Mine")
    esc(begun)
    assert json.loads(file.read_text())["rubric"][0] == RUBRIC.key
    theirs = replace(saved, version=3, title="Theirs")
    scoring.desk.change_book("Save a rubric", lambda book: save_rubric(book, theirs))
    late = scoring.rubrics.ask()
    assert (late.rubric.title, late.rubric.version) == ("Mine", 4)
    assert "new since version 2 is not in it" in late.news
    esc(late)
    bench = user.window.bench
    me = bench.settings
    bench.change_settings(replace(me, annotator="another lead"))
    theirs_to_fill = scoring.rubrics.ask()
    assert theirs_to_fill.rubric == theirs
    esc(theirs_to_fill)
    bench.change_settings(me)
    late = scoring.rubrics.ask()
    assert late.rubric.title == "Mine"
    user.find(QPushButton, "Start over", late).click()
    assert late.rubric == theirs
    assert "since" not in late.news


def test_a_batch_whose_form_is_left_while_its_file_is_read_is_not_made(
    user: User, scoring: ScoreWorkspace, tmp_path: Path
) -> None:
    file = tmp_path / "texts.csv"
    file.write_text("item,text\na,Go to the door.\n")
    scoring.files.ask_new_batch()
    dialog = user.window.findChild(BatchDialog)
    assert isinstance(dialog, BatchDialog)
    type_in(dialog.name, "late")
    dialog.raters.setText("ana")
    dialog._file.line.setText(str(file))
    dialog.primary.click()
    (job,) = scoring.files._jobs.jobs
    esc(dialog)
    user.wait(lambda: job.state.is_final)
    assert "late" not in user.project.scoring.batches
    assert json.loads(form_file(user.window.bench, "batch").read_text())["Name"] == "late"


def test_a_batch_with_typed_words_asks_and_one_without_does_not(qtbot: QtBot) -> None:
    for typed, is_asked in (("", False), ("Pilot", True)):
        dialog = BatchDialog({"own": "Own"}, str, str)
        qtbot.addWidget(dialog)
        dialog.show()
        dialog.raters.setText("ada")
        qtbot.keyClicks(dialog.name, typed)
        dialog.reject()
        assert dialog.isVisible() is is_asked


def test_a_dialog_of_many_fields_ends_on_the_screen(qtbot: QtBot) -> None:
    dialog = BatchDialog({"own": "Own"}, str, str)
    qtbot.addWidget(dialog)
    screen = dialog.screen().availableGeometry()
    dialog.show()
    dialog.move(dialog.x(), screen.bottom() - 50)
    dialog.fit()
    assert dialog.frameGeometry().bottom() <= screen.bottom()
