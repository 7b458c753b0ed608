"""Valid, invalid or unsure for every edge of a predicted route."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from waypost.app.replay.causes.cause_question import (
    ALIKE,
    APART,
    UNCOMPARED,
    VERDICT_SIGNS,
    EdgeQuestion,
)
from waypost.domain.base.visible_text import breakable
from waypost.domain.causes.replay_book import RouteVerdict
from waypost.widgets.parts import button, heading, label, set_property


class EdgeVerdicts(QWidget):
    """A row per edge; pressing the verdict that stands takes it back."""

    verdict_chosen = Signal(str, str, object)
    """From, to, and the ``RouteVerdict`` or ``None``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[tuple[str, str], EdgeRow] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self._told = label("")
        self._layout.addWidget(heading("ROUTE, EDGE BY EDGE"))
        self._layout.addWidget(self._told)

    def set_edges(self, edges: tuple[EdgeQuestion, ...], told: str = "") -> None:
        """Show the edges of a route; emits nothing. An edge driven twice is asked about once.

        Args:
            edges: In order.
            told: What stands above them.
        """
        _say(self._told, told)
        wanted = {(edge.from_id, edge.to_id): edge for edge in edges}
        if list(wanted) != list(self._rows):
            for row in self._rows.values():
                self._layout.removeWidget(row)
                row.hide()
                row.deleteLater()
            self._rows = {}
            for place in wanted:
                row = EdgeRow()
                row.chosen.connect(
                    lambda verdict, place=place: self.verdict_chosen.emit(*place, verdict)
                )
                self._layout.addWidget(row)
                self._rows[place] = row
        for place, edge in wanted.items():
            self._rows[place].set_edge(edge)
        self.setVisible(bool(wanted) or bool(told))


class EdgeRow(QWidget):
    """One edge with its three verdicts, what is true, and what others say."""

    chosen = Signal(object)
    """The ``RouteVerdict``, or ``None`` to take it back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verdict: RouteVerdict | None = None
        self._title = label("")
        self._truth = label("", "small")
        self._others = label("", "small")
        self._buttons: dict[RouteVerdict, QPushButton] = {}
        line = QHBoxLayout()
        line.setSpacing(5)
        for verdict, sign in VERDICT_SIGNS.items():
            made = button(f"{sign} {verdict.value}", role="chip")
            made.setCheckable(True)
            made.clicked.connect(lambda _=False, verdict=verdict: self._choose(verdict))
            line.addWidget(made)
            self._buttons[verdict] = made
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(3)
        for part in (self._title, self._truth):
            rows.addWidget(part)
        rows.addLayout(line)
        rows.addWidget(self._others)

    def set_edge(self, edge: EdgeQuestion) -> None:
        """Show an edge, and what others say as far as the question carries it."""
        self._verdict = edge.verdict
        self._title.setText(breakable(edge.title))
        _say(self._truth, edge.truth)
        for verdict, made in self._buttons.items():
            made.setChecked(verdict is edge.verdict)
            made.setAccessibleName(f"{edge.title}: {verdict.value}")
        told = []
        for other in edge.others:
            is_alike = other.verdict is edge.verdict
            sign = UNCOMPARED if edge.verdict is None else ALIKE if is_alike else APART
            note = f" – {other.note}" if other.note else ""
            told.append(f"{sign} {other.key.analyst}: {other.verdict.value}{note}")
        _say(self._others, "\n".join(told))
        set_property(self._others, "role", "differs" if any(APART in t for t in told) else "small")

    def _choose(self, verdict: RouteVerdict) -> None:
        self.chosen.emit(None if verdict is self._verdict else verdict)


def _say(words: QLabel, text: str) -> None:
    words.setText(breakable(text))
    words.setVisible(bool(text))
