"""What a step of a replay lays out and paints in the real window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gui.runs import add_run, asked, open_episode, write_line
from gui.user import User
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from waypost.app.replay.cards.id_chain import IdChain
from waypost.app.replay.workspace import ReplayWorkspace

pytestmark = pytest.mark.gui


class Watch(QObject):
    """Counts what widgets are asked to do."""

    def __init__(self) -> None:
        super().__init__()
        self.laid_out: Counter[QWidget] = Counter()
        self.painted_px: Counter[QWidget] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt names it
        """Count and let pass."""
        if isinstance(watched, QWidget) and event.type() == QEvent.Type.LayoutRequest:
            self.laid_out[watched] += 1
        if isinstance(watched, QWidget) and isinstance(event, QPaintEvent):
            rects = list(event.region())
            self.painted_px[watched] += sum(rect.width() * rect.height() for rect in rects)
        return False


@contextmanager
def watching() -> Iterator[Watch]:
    watch, application = Watch(), QApplication.instance()
    assert application is not None
    application.installEventFilter(watch)
    try:
        yield watch
    finally:
        application.removeEventFilter(watch)


@pytest.fixture
def looping(user: User, house: Path, tmp_path: Path) -> ReplayWorkspace:
    """The map of the episode that goes back and forth, with its curves."""
    user.open(house)
    user.press("Ctrl+5")
    line = write_line(tmp_path / "line")
    add_run(user, asked(line, "gpt", line.results.parent / "pictures"))
    open_episode(user, "7_0")
    replay = user.window.replay
    replay.show_face("map")
    user.press("K")
    user.wait(lambda: replay.views.plot.isVisible() and len(replay.views.plot._panels) > 0)
    # The age of the last save would be told in the middle of a step.
    user.window._status_timer.stop()
    for step in (1, 2, 3, 2):
        replay.views.cursor.move_to(step)
        user.wait(lambda: replay.views.strip.rows[0].aspect is not None)
        wait_for_quiet(user)
    return replay


def wait_for_quiet(user: User) -> None:
    """Wait until the pictures of this step and its neighbours are there, and all is painted."""
    strip = user.window.replay.views.strip
    feed = strip._feed
    assert feed is not None

    def is_quiet() -> bool:
        with watching() as watch:
            for _ in range(6):
                user.settle()
        return not watch.laid_out and not watch.painted_px

    user.wait(lambda: all(feed.shown(strip._wish(step)) for step in strip._wanted_steps()))
    user.wait(is_quiet)


def test_a_step_lays_out_the_card_and_nothing_around_it(
    user: User, looping: ReplayWorkspace
) -> None:
    views = looping.views
    with watching() as watch:
        views.cursor.move_to(3)
        for _ in range(6):
            user.settle()
    assert views.card.title.text().startswith("Step 3 ")
    assert watch.laid_out
    assert all(views.card.isAncestorOf(widget) for widget in watch.laid_out)


def test_a_step_paints_parts_of_the_views(user: User, looping: ReplayWorkspace) -> None:
    views = looping.views
    with watching() as watch:
        views.cursor.move_to(3)
        for _ in range(6):
            user.settle()

    def share(widget: QWidget) -> float:
        return watch.painted_px[widget] / (widget.width() * widget.height())

    assert share(views.map) > 0
    # The scale, the flags and the buttons of the timeline stay; so do all curves.
    assert 0 < share(views.timeline.strip) < 0.5
    assert watch.painted_px[views.timeline.play] == 0
    for panel in views.plot._panels:
        assert 0 < share(panel._plot.viewport()) < 0.1
    for chain in views.card.findChildren(IdChain):
        assert share(chain) <= 1.0
    assert watch.painted_px[views.header] == 0
    assert watch.painted_px[looping.left] == 0


def test_hidden_curves_are_not_kept_in_step(user: User, looping: ReplayWorkspace) -> None:
    views = looping.views
    panel = views.plot._panels[0]
    user.press("K")
    user.wait(lambda: not views.plot.isVisible())
    at = panel._plot._x
    views.cursor.move_to(3)
    assert panel._plot._x == at
    user.press("K")
    user.wait(views.plot.isVisible)
    assert panel._plot._x is not None
    assert round(panel._plot._x) == 3
