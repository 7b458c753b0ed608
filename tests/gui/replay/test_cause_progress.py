"""Marking a whole run: how far one is, what comes next, what is proposed, and what is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from gui.runs import add_run, asked, at_hand, open_episode, shown_ids, write_line
from gui.user import User
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton
from shown_parts import chip_texts

from waypost.app.replay.table.episode_filters import FilterButton, FilterChips
from waypost.app.replay.table.episode_model import ColumnKind
from waypost.app.replay.workspace import ReplayWorkspace
from waypost.domain.causes.failure import CauseKey, CauseMark
from waypost.io.taxonomy_files import shipped_taxonomies

pytestmark = pytest.mark.gui

WALKED = {"7_0": "ABABCDE", "7_1": "ABC", "7_2": "ABCDE"}
"""Loops and passes the goal; succeeds; passes the goal."""


@pytest.fixture
def replay(user: User, house: Path, tmp_path: Path) -> ReplayWorkspace:
    """A run of two failures and a success, at the first failure, with the keys in the panel."""
    user.open(house)
    user.press("Ctrl+5")
    line = write_line(tmp_path / "line", WALKED)
    add_run(user, asked(line, "gpt"))
    open_episode(user, "7_0")
    user.press("X")
    user.wait(user.window.replay.causes.panel.hasFocus)
    return user.window.replay


def mark(user: User, episode_id: str) -> CauseMark | None:
    me = user.window.bench.annotator
    return user.project.replay.causes.marks.get(CauseKey("gpt", episode_id, me, "vln-mme"))


def said(replay: ReplayWorkspace) -> str:
    words = replay.causes.panel.findChildren(QLabel)
    return "\n".join(label.text() for label in words if label.isVisible())


def proposed(replay: ReplayWorkspace) -> list[str]:
    """Chips that look like a proposal."""
    chips = replay.causes.panel.findChildren(QPushButton)
    shown = (c for c in chips if c.isVisible() and c.property("level") == "proposed")
    return [chip.text() for chip in shown]


def marks_shown(replay: ReplayWorkspace) -> list[object]:
    model = replay.table.model
    kinds = [column.kind for column in model.columns]
    place = kinds.index(ColumnKind.MARK)
    return [model.data(model.index(row, place)) for row in range(model.rowCount())]


def test_tags_propose_and_only_taking_it_marks(user: User, replay: ReplayWorkspace) -> None:
    assert proposed(replay) == ["1  Incorrect navigation", "Q  Looping"]
    assert "proposed for Looping, step 2" in said(replay)
    assert "Proposed, not marked yet." in said(replay)
    assert not any(c.isChecked() for c in replay.causes.panel.findChildren(QPushButton)
                   if c.property("level") == "proposed")  # fmt: skip
    assert mark(user, "7_0") is None
    assert user.project.replay.causes.marks == {}
    user.press("Return")
    assert mark(user, "7_0").choices == {
        "outcome": ("incorrect_navigation",),
        "behaviour": ("looping",),
    }
    assert proposed(replay) == []
    assert replay.causes.panel.hasFocus()
    user.press("Ctrl+Z")
    assert mark(user, "7_0") is None
    assert proposed(replay) == ["1  Incorrect navigation", "Q  Looping"]


def test_an_own_answer_stands_beside_what_is_still_proposed(
    user: User, replay: ReplayWorkspace
) -> None:
    user.press("R")
    assert mark(user, "7_0").choices == {"behaviour": ("late_stop",)}
    assert proposed(replay) == ["1  Incorrect navigation"]
    user.click_widget(user.find(QPushButton, "Take the proposed answers"))
    assert mark(user, "7_0").choices == {
        "outcome": ("incorrect_navigation",),
        "behaviour": ("late_stop",),
    }


def test_a_success_is_asked_about_before_it_is_marked(user: User, replay: ReplayWorkspace) -> None:
    open_episode(user, "7_1")
    assert proposed(replay) == []
    user.press("1")
    assert mark(user, "7_1") is None
    assert "This episode succeeded. Mark it as a failure, “Incorrect navigation”?" in said(replay)
    user.press("Escape")
    assert "succeeded" not in said(replay)
    user.press("Return")
    assert mark(user, "7_1") is None
    user.press("1", "Return")
    assert mark(user, "7_1").choices == {"outcome": ("incorrect_navigation",)}
    user.press("R")
    assert mark(user, "7_1").choices["behaviour"] == ("late_stop",)
    assert "succeeded" not in said(replay)
    user.press("Ctrl+Z", "Ctrl+Z", "1")
    assert mark(user, "7_1") is None
    open_episode(user, "7_2")
    assert "succeeded" not in said(replay)
    open_episode(user, "7_1")
    assert "succeeded" not in said(replay)


def test_it_says_how_far_one_is_and_one_key_goes_on(user: User, replay: ReplayWorkspace) -> None:
    assert "0 of 2 failures marked" in said(replay)
    user.press("Return", "G")
    assert "1 of 2 failures marked" in said(replay)
    user.press("U")
    user.wait(lambda: at_hand(replay) == ("7_2", 1) and replay.opening.is_there)
    user.settle()
    assert replay.causes.panel.hasFocus()
    user.press("Return", "G")
    assert "2 of 2 failures marked" in said(replay)
    user.press("U")
    assert at_hand(replay) == ("7_2", 1)
    assert user.message() == "All done: 2 of 2 failures marked."
    user.press("Ctrl+Z")
    assert "1 of 2 failures marked" in said(replay)


def test_column_and_filter_show_what_is_left(user: User, replay: ReplayWorkspace) -> None:
    assert marks_shown(replay) == ["○", "", "○"]
    user.press("Return")
    assert marks_shown(replay) == ["◐", "", "○"]
    user.press("G")
    assert marks_shown(replay) == ["●", "", "○"]
    menu = replay.table.findChild(FilterButton).menu()
    menu.aboutToShow.emit()
    column = next(a.menu() for a in menu.actions() if a.text() == "Your mark")
    assert isinstance(column, QMenu)
    assert [a.text() for a in column.actions()] == ["●  Marked  (1)", "○  Unmarked  (2)"]
    column.actions()[1].trigger()
    assert shown_ids(replay) == ["7_1", "7_2"]
    assert chip_texts(replay.table.findChild(FilterChips)) == ("Unmarked ×",)
    user.press("U")
    user.wait(lambda: at_hand(replay) == ("7_2", 1) and replay.opening.is_there)
    user.settle()
    user.press("Return", "G")
    assert shown_ids(replay) == ["7_1"]
    user.press("Ctrl+Z", "Ctrl+Z")
    assert shown_ids(replay) == ["7_1", "7_2"]


def test_the_next_one_is_opened_without_the_panel_having_the_keys(
    user: User, replay: ReplayWorkspace
) -> None:
    user.press("S")
    user.window.middle.take_keyboard()
    holder = QApplication.focusWidget()
    user.press("U")
    user.wait(lambda: at_hand(replay) == ("7_2", 1))
    assert QApplication.focusWidget() is holder
    user.press("U")
    user.wait(lambda: at_hand(replay) == ("7_0", 1))


def test_every_shipped_category_that_is_proposed_has_a_key() -> None:
    for taxonomy in shipped_taxonomies().values():
        for axis in taxonomy.axes:
            assert all(entry.shortcut for entry in axis.categories if entry.tags)
