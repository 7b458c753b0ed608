"""Wherever the keyboard was, the next keys score the sheet that is shown, and no other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from types import MappingProxyType

import pytest
from gui.score.test_scoring import go_to, plain, sheet
from gui.user import User
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    QTextEdit,
    QWidget,
)

from waypost.app.score.sheet_time import SheetTime
from waypost.app.score.workspace import ScoreWorkspace
from waypost.domain.score.sheet import SheetState
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui

Way = Callable[[User, ScoreWorkspace], object]


def _click(find: Callable[[ScoreWorkspace], QWidget]) -> Way:
    return lambda user, scoring: user.click_widget(find(scoring))


def _dialog(user: User, scoring: ScoreWorkspace) -> None:
    scoring.files.ask_new_batch()
    user.settle()
    user.press("Esc")
    user.take_keyboard()


def _type_comment(leave: str) -> Way:
    def way(user: User, scoring: ScoreWorkspace) -> None:
        user.press("C")
        user.wait(scoring.panel.comment.hasFocus)
        user.type("3 sofas")
        user.press(leave)

    return way


def _ask_to_skip(user: User, scoring: ScoreWorkspace) -> None:
    user.press("S")
    user.wait(scoring.panel.reason.hasFocus)
    user.type("2 doors")
    user.press("Esc")


def _search(user: User, scoring: ScoreWorkspace) -> None:
    user.press("Ctrl+F")
    user.wait(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    user.type("go")
    user.press("Esc")


WAYS: dict[str, Way] = {
    "after a dialog": _dialog,
    "after the palette": lambda user, _: user.press("Ctrl+Shift+P", "Esc"),
    "after a comment, left by Esc": _type_comment("Esc"),
    "after a comment, left by Ctrl+Enter": _type_comment("Ctrl+Return"),
    "after skipping was thought better of": _ask_to_skip,
    "after a search": _search,
    "after another workspace": lambda user, _: user.press("Ctrl+1", "Ctrl+4"),
    "after the results": lambda user, _: user.press("R", "R"),
    "after a click on a button": lambda user, scoring: [
        user.click_widget(scoring.panel.flag) for _ in range(2)
    ],
    "after a click into the text": _click(
        lambda scoring: scoring.face.findChild(QTextEdit).viewport()
    ),
    "from the list": lambda _, scoring: scoring.list.findChild(QTableView).setFocus(),
    "from the batches": lambda _, scoring: scoring.batches.setFocus(),
    "after a click on the path": _click(lambda scoring: scoring.face.path.sketch),
}


def test_keys_score_from_wherever_the_keyboard_was(user: User, scoring: ScoreWorkspace) -> None:
    whole = user.project
    followed = [item for item in plain(scoring) if item != scoring.desk.items[-1]]
    for item, (name, go) in zip(cycle(followed), WAYS.items(), strict=False):
        empty = replace(whole.scoring, sheets=MappingProxyType({}))
        user.document.edit("Empty the sheets", replace(whole, scoring=empty))
        go_to(user, scoring, item)
        go(user, scoring)
        user.settle()
        assert scoring.item == item, name
        user.press("4", "Tab", "5", ".", ",")
        assert scoring.item == item, name
        assert dict(sheet(user, item).scores) == {"clarity": 4, "accuracy": 5}, name
        assert len(user.project.scoring.sheets) == 1, name
        user.press("Return")
        assert sheet(user, item).state is SheetState.SUBMITTED, name
        assert scoring.item != item, name


def test_every_act_has_its_key_after_a_click_on_a_button(
    user: User, scoring: ScoreWorkspace
) -> None:
    item = plain(scoring)[0]
    go_to(user, scoring, item)
    user.click_widget(scoring.panel.flag)
    user.press("F")
    assert not sheet(user, item).is_flagged
    user.click_widget(scoring.panel.flag)
    user.press("X")
    assert sheet(user, item).cannot_judge == ("clarity",)
    user.press("N")
    assert scoring.item != item


def test_a_comment_is_kept_while_it_is_typed(
    user: User, scoring: ScoreWorkspace, batch_file: Path
) -> None:
    item = plain(scoring)[0]
    go_to(user, scoring, item)
    user.press("2", "C")
    user.wait(scoring.panel.comment.hasFocus)

    def kept() -> str:
        with closing(ProjectStore.open(batch_file)) as store:
            return store.load().scoring.sheet("demo", item, "ana").comments.get("clarity", "")

    user.type("left")
    user.wait(lambda: kept() == "left")
    user.type(" or right")
    user.wait(lambda: kept() == "left or right")
    assert scoring.panel.comment.hasFocus()
    user.press("Esc", "Ctrl+Z")
    # What was typed in one go is one step.
    assert not sheet(user, item).comments
    assert dict(sheet(user, item).scores) == {"clarity": 2}
    assert scoring.panel.comment.toPlainText() == ""


def test_idle_time_and_time_without_the_focus_do_not_count(
    user: User, scoring: ScoreWorkspace
) -> None:
    now = [1000.0]
    time = SheetTime(scoring, lambda: now[0])
    time.turn_to("a sheet")
    time.begin(user.window.windowHandle())

    def wait(seconds: float) -> None:
        now[0] += seconds

    wait(20.0)
    user.press(".")
    wait(300.0)
    user.press(",")
    # 20 s, and 60 of the 300 without a key.
    assert time.take() == pytest.approx(80.0)
    wait(10.0)
    dialog = QPlainTextEdit()
    dialog.show()
    dialog.activateWindow()
    user.wait(dialog.isActiveWindow)
    wait(50.0)
    dialog.close()
    user.take_keyboard()
    wait(5.0)
    assert time.take() == pytest.approx(15.0)
    time.turn_to("another")
    wait(7.0)
    time.turn_to("a sheet")
    assert time.take() == pytest.approx(0.0)
    time.turn_to("another")
    assert time.take() == pytest.approx(7.0)
    time.end()


def test_a_rater_is_not_told_the_time(user: User, scoring: ScoreWorkspace) -> None:
    item = plain(scoring)[0]
    go_to(user, scoring, item)
    user.press("4", "Tab", "5", "Return")
    go_to(user, scoring, item)
    told = [w.text() for w in scoring.right.findChildren(QWidget) if hasattr(w, "text")]
    assert not any("at work" in text for text in told)
    assert sheet(user, item).active_s > 0
