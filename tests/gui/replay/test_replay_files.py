"""Opening results that the project has already: the run takes what is given, and only that."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from cut_text import cut_texts
from fixtures.replay_files import RunFiles
from gui.runs import add_run, asked, at_hand, open_episode, shown_ids, wait_for_rows, write_line
from gui.user import User
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from waypost.app.replay.run_dialog import RunDialog
from waypost.app.replay.workspace import ReplayWorkspace
from waypost.domain.episode.run_source import RunSource
from waypost.widgets.empty_state import EmptyState

pytestmark = pytest.mark.gui


@pytest.fixture
def line(tmp_path: Path) -> RunFiles:
    """Results with everything that goes with them in one folder."""
    return write_line(tmp_path / "line")


@pytest.fixture
def other_split(line: RunFiles) -> Path:
    """Episodes that none of the runs is of."""
    path = line.annotations.parent.parent / "R2R_other.json"
    (record,) = json.loads(line.annotations.read_text())
    path.write_text(json.dumps([{**record, "path_id": 8}]))
    return path


@pytest.fixture
def replay(user: User, house: Path) -> ReplayWorkspace:
    user.open(house)
    user.press("Ctrl+5")
    return user.window.replay


def failed(user: User, line: RunFiles, other_split: Path) -> RunSource:
    """A run that was opened with the episodes of another split."""
    files = dataclasses.replace(asked(line, "gpt"), annotations=(other_split,))
    add_run(user, files)
    assert user.window.replay.desk.failure("gpt")
    return files


def opened_form(user: User, line: RunFiles) -> RunDialog:
    user.window.replay.files.propose(line.results)
    user.wait(lambda: user.window.findChildren(RunDialog))
    dialog: RunDialog = user.find(RunDialog)
    return dialog


def confirm(user: User, dialog: RunDialog) -> RunSource:
    """Open the run as the form says; how the project has it then."""
    replay, wanted = user.window.replay, dialog.values
    user.click_widget(dialog.open_button)
    user.wait(lambda: not user.window.findChildren(RunDialog))
    wait_for_rows(user, replay, wanted.name)
    return replay.desk.book.sources[wanted.name]


def test_a_run_opened_with_wrong_episodes_is_mended_by_opening_it_again(
    user: User, replay: ReplayWorkspace, line: RunFiles, other_split: Path
) -> None:
    """Nothing but the default button is needed: what was found beside it stands in the form."""
    failed(user, line, other_split)
    assert replay.empty._title.text() == "This run cannot be read"
    assert "R2R_other.json" in replay.empty.accessibleName()
    user.press("2")
    (narrow,) = (card for card in replay.table.findChildren(EmptyState) if card.isVisible())
    assert narrow.accessibleName() == replay.empty.accessibleName()
    user.wait(lambda: cut_texts(replay.table) == [])
    user.press("1")
    dialog = opened_form(user, line)
    assert dialog.name.text() == "gpt"
    assert dialog.episodes.text() == "R2R_val.json"
    source = confirm(user, dialog)
    assert source.annotations == (line.annotations,)
    assert not replay.desk.failure("gpt")
    assert not replay.empty.isVisible()
    assert replay.desk.names == ("gpt",)
    assert shown_ids(replay) == ["7_0", "7_1", "7_2"]
    user.window.bench.undo()
    assert replay.desk.book.sources["gpt"].annotations == (other_split,)


def test_the_form_of_a_run_that_is_there_begins_as_it_is_and_is_followed_whole(
    user: User, replay: ReplayWorkspace, line: RunFiles
) -> None:
    pictures = line.results.parent / "pictures"
    add_run(user, asked(line, "gpt", pictures))
    dialog = opened_form(user, line)
    assert dataclasses.replace(dialog.values, scene=None) == asked(line, "gpt", pictures)
    dialog.pictures.setText("")
    dialog.name.setText("without pictures")
    source = confirm(user, dialog)
    assert source.pictures is None
    assert source.connectivity == line.connectivity
    assert replay.desk.names == ("without pictures",)


def test_a_name_that_is_taken_is_not_given_without_a_word(
    user: User, replay: ReplayWorkspace, line: RunFiles, tmp_path: Path
) -> None:
    """Neither to results that are there already, nor to others."""
    add_run(user, asked(write_line(tmp_path / "other"), "nav"))
    add_run(user, asked(line, "gpt"))
    dialog = opened_form(user, line)
    dialog.name.setText("nav")
    user.click_widget(dialog.open_button)
    user.wait(user.message)
    assert user.message() == "The name nav is another run's: this one is called gpt."
    assert replay.desk.names == ("nav", "gpt")
    assert replay.chosen_runs == ("gpt",)
    user.window.notices.put_away()
    further = write_line(tmp_path / "further")
    dialog = opened_form(user, further)
    dialog.name.setText("gpt")
    user.click_widget(dialog.open_button)
    user.wait(user.message)
    assert user.message() == "The name gpt is another run's: this one is called gpt 2."
    wait_for_rows(user, replay, "gpt 2")
    user.window.notices.put_away()
    confirm(user, opened_form(user, further))
    assert user.message() == ""


def test_episodes_that_were_found_can_be_left_out(
    user: User, replay: ReplayWorkspace, line: RunFiles
) -> None:
    dialog = opened_form(user, line)
    assert dialog.episodes.text() == "R2R_val.json"
    user.click_widget(user.find(QPushButton, "None: episodes", dialog))
    assert (dialog.episodes.text(), dialog.values.annotations) == ("", ())
    dialog.name.setText("bare")
    assert confirm(user, dialog).annotations == ()
    assert [row.is_success for row in replay.desk.rows("bare").rows] == [None] * 3


def test_where_no_curve_can_be_drawn_a_sentence_says_why(
    user: User, replay: ReplayWorkspace, line: RunFiles
) -> None:
    add_run(user, dataclasses.replace(asked(line, "bare"), annotations=()))
    below, sentence = user.window.below, replay.views.no_curve
    open_episode(user, "7_0")
    height_px = below.height()
    user.press("K")
    assert sentence.isVisible()
    assert "the goal of this episode is not known" in sentence.text()
    user.wait(lambda: below.height() > height_px)
    assert sentence.sizeHint().height() >= sentence.fontMetrics().height()
    user.wait(lambda: sentence.height() >= sentence.sizeHint().height())
    user.wait(lambda: cut_texts(below) == [])
    user.press("K")
    assert not sentence.isVisible()
    user.wait(lambda: below.height() == height_px)


def test_what_is_given_at_the_start_replaces_that_of_the_run_and_nothing_else(
    user: User, replay: ReplayWorkspace, line: RunFiles, other_split: Path
) -> None:
    """As ``waypost RESULTS --annotations A`` opens it, beside a run without pictures."""
    failed(user, line, other_split)
    added: list[tuple[str, ...]] = []
    user.window.replay.files.added.connect(added.append)
    given = RunSource((line.results,), (line.annotations,))
    user.window.replay.files.open_at_once(given)
    user.wait(lambda: added)
    wait_for_rows(user, replay, "gpt")
    source = replay.desk.book.sources["gpt"]
    assert source.annotations == (line.annotations,)
    assert source.pictures is None
    user.window.replay.files.open_at_once(RunSource((line.results,)))
    user.wait(lambda: added == [("gpt",), ("gpt",)])
    assert replay.desk.book.sources == {"gpt": source}


def test_another_profile_in_the_form_goes_to_the_run_of_that_profile(
    user: User, replay: ReplayWorkspace, line: RunFiles
) -> None:
    add_run(user, asked(line, "gpt"))
    add_run(user, dataclasses.replace(asked(line, "gpt"), profile_key="duet"))
    assert replay.desk.names == ("gpt", "gpt 2")
    dialog = opened_form(user, line)
    dialog.profile.setCurrentIndex(dialog.profile.findData("duet"))
    user.click_widget(dialog.open_button)
    user.wait(lambda: replay.chosen_runs == ("gpt 2",))
    assert replay.desk.names == ("gpt", "gpt 2")


def test_the_table_has_the_keyboard_as_soon_as_a_run_is_open(
    user: User, replay: ReplayWorkspace, line: RunFiles
) -> None:
    user.press("Ctrl+1")
    user.window.replay.files.open_at_once(asked(line, "gpt"))
    user.wait(lambda: replay.chosen_runs == ("gpt",))
    wait_for_rows(user, replay, "gpt")
    user.wait(lambda: user.window.middle.face.isAncestorOf(QApplication.focusWidget()))
    user.press("Return")
    user.wait(lambda: replay.face == "map" and replay.has_episode())
    assert at_hand(replay) == ("7_0", 1)
    user.wait(replay.views.map.hasFocus)


@pytest.mark.parametrize("place", ["left", "middle"])
@pytest.mark.parametrize("key", ["Return", "Escape"])
def test_a_search_that_ends_gives_the_keyboard_to_what_is_shown(
    user: User, replay: ReplayWorkspace, line: RunFiles, place: str, key: str
) -> None:
    """A hidden stage would lose every key after it."""
    add_run(user, asked(line, "gpt"))
    table = replay.table if place == "left" else replay.wide_table
    table.focus_search()
    user.type("zzz")
    assert shown_ids(replay) == []
    user.press(key)
    user.wait(lambda: not isinstance(QApplication.focusWidget(), QLineEdit))
    assert user.window.middle.face.isAncestorOf(QApplication.focusWidget())
    assert shown_ids(replay) == ([] if key == "Return" else ["7_0", "7_1", "7_2"])
    user.press("Ctrl+F", "Escape", "Down")
    user.wait(replay.has_episode)
    assert replay.face == "table"
