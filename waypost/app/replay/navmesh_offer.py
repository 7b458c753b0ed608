"""Offers straight lines for the navmesh where success of the chosen runs is unknown without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from waypost.app.replay.desk import ReplayDesk
from waypost.domain.base.visible_text import one_line
from waypost.domain.causes.replay_book import change_source
from waypost.services.replay.profiles import rows_navmesh_note, straight_key
from waypost.widgets.parts import button, label

_MOST_NAME: Final = 40


class NavmeshOffer(QFrame):
    """One sentence about the first chosen run of which that is so, and the button that helps.

    Args:
        desk: Gives the runs; scores one by the other profile as a step of undo.
        parent: Qt owner.
    """

    def __init__(self, desk: ReplayDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._run = desk, ""
        self.setProperty("role", "message")
        self._text = label("")
        self.accept = button("Use straight lines")
        self.accept.clicked.connect(self._use)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.addWidget(self._text, 1)
        row.addWidget(self.accept)
        self.hide()

    def show_runs(self, names: Sequence[str]) -> None:
        """Offer it for the first of some runs that needs it; hidden where none does."""
        notes = ((name, self._note(name)) for name in names)
        self._run, note = next(((name, note) for name, note in notes if note), ("", ""))
        told = one_line(self._run, _MOST_NAME)
        self._text.setText(f"{told}: {note}." if note else "")
        self.setVisible(bool(note))

    def _note(self, name: str) -> str:
        rows = self._desk.rows(name) if name in self._desk.book.sources else None
        return "" if rows is None else rows_navmesh_note(rows)

    def _use(self) -> None:
        name, rows = self._run, self._desk.rows(self._run)
        source = self._desk.book.sources.get(name)
        if rows is not None and source is not None:
            scored = replace(source, profile_key=straight_key(rows.profile_key))
            self._desk.change(
                f"Score {name} by straight lines", lambda book, _: change_source(book, name, scored)
            )
