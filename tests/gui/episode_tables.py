"""The table of episodes alone, with rows known by hand, and what it shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fixtures.row_examples import FOUR
from pytestqt.qtbot import QtBot

from waypost.app.replay.table.episode_table import EpisodeTable
from waypost.app.window.startup import make_application
from waypost.widgets.theme import apply_theme


@pytest.fixture
def table(qtbot: QtBot) -> Iterator[EpisodeTable]:
    """A wide table of four rows, with the keyboard; the dark theme is back afterwards."""
    apply_theme(make_application(), "dark")
    made = EpisodeTable()
    qtbot.addWidget(made)
    made.resize(1200, 400)
    made.set_rows(FOUR)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    yield made
    apply_theme(make_application(), "dark")


def shown(table: EpisodeTable) -> list[str]:
    """Ids of the rows, from above."""
    rows = (table.model.row_at(n) for n in range(table.model.rowCount()))
    return [row.episode_id for row in rows if row is not None]
