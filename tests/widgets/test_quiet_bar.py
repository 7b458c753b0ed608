from __future__ import annotations

from PySide6.QtGui import QPaintEvent

from waypost.widgets.parts import QuietBar


class CountingBar(QuietBar):
    """Counts how often it is painted."""

    painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - the name is fixed by Qt
        self.painted += 1
        super().paintEvent(event)


def test_a_new_value_is_painted_with_the_next_picture_and_not_before(qtbot):
    bar = CountingBar()
    qtbot.addWidget(bar)
    bar.show()
    qtbot.waitExposed(bar)
    qtbot.waitUntil(lambda: bar.painted > 0)
    before = bar.painted
    for done in range(1, 8):
        bar.show_share(done, 10)
    bar.show_busy()
    bar.show_share(8, 10)
    assert bar.painted == before
    assert (bar.value(), bar.maximum()) == (8, 10)
    qtbot.waitUntil(lambda: bar.painted > before)


def test_nothing_of_nothing_is_an_empty_bar(qtbot):
    bar = QuietBar()
    qtbot.addWidget(bar)
    bar.show_share(0, 0)
    assert (bar.value(), bar.minimum(), bar.maximum()) == (0, 0, 1)
