"""Notices lie over the window, go by themselves, follow undo and leave the keyboard alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gui.user import User
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from waypost.domain.base.progress import Progress, Work
from waypost.services.jobs import JobState
from waypost.widgets import message_strip
from waypost.widgets.message_strip import Message, MessageLevel, reading_ms

pytestmark = pytest.mark.gui


def places(user: User) -> list[QRect]:
    """Where the parts of the window are."""
    window = user.window
    parts: list[QWidget] = [
        window.middle, window.below, window._left, window._right, window._status, window._bar,
    ]  # fmt: skip
    return [part.geometry() for part in parts]


def place_in_window(user: User, part: QWidget) -> QRect:
    return QRect(part.mapTo(user.window, part.rect().topLeft()), part.size())


@pytest.mark.parametrize("size", [(1280, 720), (960, 600)])
def test_a_notice_lies_over_every_workspace_and_moves_nothing(
    at_house: User, size: tuple[int, int]
) -> None:
    at_house.window.resize(*size)
    strip = at_house.window.notices.messages
    told = Message("Something was written where it was to be. " * 4, details="more\nof\nit")
    for workspace in ("Ctrl+1", "Ctrl+2", "Ctrl+4", "Ctrl+5"):
        strip.clear()
        at_house.press(workspace)
        assert not strip.isVisible()
        before, holder = places(at_house), QApplication.focusWidget()
        at_house.window.notices.say(told)
        at_house.settle()
        assert strip.isVisible()
        assert places(at_house) == before, workspace
        assert QApplication.focusWidget() is holder
        shown = place_in_window(at_house, strip)
        assert at_house.window.rect().contains(shown)
        assert strip.height() >= strip.heightForWidth(strip.width())
        assert not shown.intersects(place_in_window(at_house, at_house.window._status))


def test_details_are_read_and_closed_without_taking_the_keyboard(at_house: User) -> None:
    notices, holder = at_house.window.notices, QApplication.focusWidget()
    notices.say(Message("It failed.", MessageLevel.WARNING, details="errno 28"))
    at_house.settle()
    for name in ("Details", "Details"):
        at_house.click_widget(at_house.find(QPushButton, name, notices.messages))
        assert QApplication.focusWidget() is holder
    at_house.click_widget(at_house.find(QPushButton, "Close the message", notices.messages))
    assert not notices.messages.isVisible()
    assert QApplication.focusWidget() is holder


def test_who_came_by_tab_has_the_keys_of_the_stage_again(at_house: User) -> None:
    notices = at_house.window.notices
    notices.say("Something was written.")
    at_house.settle()
    close = at_house.find(QPushButton, "Close the message", notices.messages)
    close.setFocus()
    at_house.press("Space")
    assert not notices.messages.isVisible()
    assert at_house.window.middle.isAncestorOf(QApplication.focusWidget())


def test_a_notice_goes_when_it_has_been_read_and_comes_again_on_request(
    at_house: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices = at_house.window.notices
    with monkeypatch.context() as reading:
        reading.setattr(message_strip, "reading_ms", lambda _: 30)
        notices.say("Something was written.")
        at_house.wait(notices.messages.isHidden)
    assert at_house.message() == ""
    assert at_house.window.actions_set.trigger("help.notice")
    assert at_house.message() == "Something was written."


def test_what_is_not_saved_stays_and_long_texts_stay_longer() -> None:
    assert reading_ms(Message("NOT SAVED", MessageLevel.ERROR)) is None
    short = reading_ms(Message("Written."))
    assert short is not None
    assert short >= 5000
    for longer in (
        Message("Written. " * 10),
        Message("Written.", details="what"),
        Message("Written.", MessageLevel.WARNING),
    ):
        assert (reading_ms(longer) or 0) > short


def test_a_notice_follows_undo_and_redo(at_house: User) -> None:
    document = at_house.document
    document.edit("Earlier", replace(document.project, name="one"))
    document.edit("Take back", replace(document.project, name="another"))
    at_house.window.notices.say("It is called another.")
    at_house.press("Ctrl+Z")
    assert at_house.message() == ""
    at_house.press("Ctrl+Shift+Z")
    assert at_house.message() == "It is called another."
    at_house.press("Ctrl+Z")
    document.edit("Another way", replace(document.project, name="a third"))
    at_house.settle()
    assert at_house.message() == ""


def test_progress_lies_over_the_window_too(at_house: User) -> None:
    may_end: list[bool] = []

    def work() -> Work[None]:
        while not may_end:
            yield Progress(1, 4, "Reading what takes long")

    before = places(at_house)
    at_house.window._jobs.start("Reading", work())
    progress = at_house.window.notices.progress
    at_house.wait(progress.isVisible)
    at_house.window.notices.say("Something else was written.")
    at_house.settle()
    messages = at_house.window.notices.messages
    assert places(at_house) == before
    assert not progress.geometry().intersects(messages.geometry())
    view = at_house.window.stage.view
    foot = view.mapTo(progress.parentWidget(), view.rect().bottomLeft())
    assert progress.geometry().bottom() < foot.y()
    # Of two it is asked which is to stop.
    other = at_house.window._jobs.start("Measuring A & B", work())
    cancel = at_house.find(QPushButton, "Cancel: one of 2", progress)
    assert cancel.text() == "Cancel …"
    at_house.click_widget(cancel)
    (menu,) = progress.findChildren(QMenu)
    assert [one.text() for one in menu.actions()] == [
        "Cancel: Measuring A && B", "Cancel: Reading",
    ]  # fmt: skip
    menu.actions()[0].trigger()
    menu.close()
    at_house.wait(lambda: other.state is JobState.CANCELLED)
    at_house.wait(progress.isVisible)
    assert cancel.text() == "Cancel"
    at_house.find(QPushButton, "Cancel: Reading", progress)
    may_end.append(True)
    at_house.wait(progress.isHidden)
    at_house.settle()
    assert messages.geometry().bottom() > progress.geometry().top()
