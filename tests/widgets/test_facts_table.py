"""Facts in panels of every width: what has no room beside goes below."""

from __future__ import annotations

import pytest
from cut_text import cut_texts
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from waypost.widgets.facts_table import Fact, FactsTable

FACTS = (
    Fact("reached", "3.15 m short", "within 0.30 m", is_enough=False),
    Fact("narrowest clearance", "1.57 m"),
    Fact("highest step taken", "0.0 cm", "at most 30.0 cm", is_enough=True),
)


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_no_fact_is_cut(qtbot: QtBot, lines: int) -> None:
    place = QWidget()
    qtbot.addWidget(place)
    place.resize(900, 500)
    table = FactsTable(place)
    table.set_facts(FACTS)
    place.show()
    columns = [
        max(label.sizeHint().width() for label in table.findChildren(QLabel)[at::3])
        for at in range(3)
    ]
    widest = {1: sum(columns) + 16, 2: sum(columns[:2]) + 8, 3: max(columns)}[lines]
    table.resize(widest, 400)
    QApplication.processEvents()
    assert cut_texts(place) == []
    name, found, needed = table.findChildren(QLabel)[:3]
    below = (lines > 2, lines > 1)
    assert (found.y() > name.y(), needed.y() > found.y()) == below
    # What needs nothing has no empty line.
    shown = [label for label in table.findChildren(QLabel) if label.text()]
    assert len({label.y() for label in shown}) == {1: 3, 2: 5, 3: 8}[lines]
    line_px = max(label.sizeHint().height() for label in shown) + 2
    assert table.sizeHint().height() <= {1: 3, 2: 5, 3: 8}[lines] * line_px


def test_a_long_fact_that_needs_nothing_leaves_the_others_their_line(qtbot: QtBot) -> None:
    table = FactsTable()
    qtbot.addWidget(table)
    table.set_facts((Fact("episodes", "4", "practice 1"), Fact("feedback", "after each episode")))
    _, count, practice, name, feedback, _ = table.findChildren(QLabel)
    table.resize(name.sizeHint().width() + feedback.sizeHint().width() + 8, 200)
    table.show()
    QApplication.processEvents()
    assert practice.y() == count.y()
    assert cut_texts(table) == []
