"""Two to four runs of one episode beside each other, held together by one cursor."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from waypost.app.replay.desk import OpenedRun
from waypost.app.replay.turning_splitter import TurningSplitter
from waypost.domain.base.visible_text import one_line
from waypost.domain.replay.link import LinkKind, can_link, linked_step
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.step_words import (
    distance_words,
    event_words,
    reference_words,
    step_title,
)
from waypost.services.replay.cursor import ReplayCursor
from waypost.viewers.map.content import OtherRun
from waypost.viewers.map.painting import RUN_LETTERS
from waypost.viewers.map.sheet import MapBackground
from waypost.viewers.map.view import MapView
from waypost.viewers.strip.panorama_strip import PanoramaStrip
from waypost.widgets.choice_strip import ChoiceStrip
from waypost.widgets.empty_state import EmptyState
from waypost.widgets.parts import ElidedLabel, button, frame, label, scroll_panel

LINKS = {
    LinkKind.STEP: ("By step", "the same step of every run"),
    LinkKind.TIME: ("By time", "the same time since the start"),
    LinkKind.DISTANCE: ("By distance", "as near to the goal as the leading run has come by then"),
}
"""How runs are held together → short text and explanation."""

_NEEDS = {LinkKind.TIME: "times", LinkKind.DISTANCE: "known distance to the goal"}
"""What a way of linking needs of every run."""

_LEAST_MAP_PX = 110
_MOST_THOUGHT = 400
_MOST_NAME = 60


class RunComparison(QObject):
    """One row per run with its pictures and words, and one map with all of them.

    Args:
        cursor: Of the leading run.
        parent: Qt owner.
    """

    lead_wanted = Signal(str)
    """Name of the run that is to lead."""

    refused = Signal(str)
    """One sentence: why the runs are not held together as they were to be."""

    def __init__(self, cursor: ReplayCursor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cursor = cursor
        self._runs: tuple[OpenedRun, ...] = ()
        self._link = LinkKind.STEP
        self._rows = tuple(_RunRow(letter) for letter in RUN_LETTERS)
        self.map = MapView()
        # In a low window the runs above it need the height more.
        self.map.setMinimumHeight(_LEAST_MAP_PX)
        self.links = ChoiceStrip("Hold the runs together")
        self.links.set_choices((kind.value, title, "", tip) for kind, (title, tip) in LINKS.items())
        self.links.set_current(self._link)
        self.face = QWidget()
        self._lacking = label("", "muted")
        self._lacking.setContentsMargins(10, 4, 10, 0)
        self._lacking.hide()
        # Over the rows, which are empty then: the map beside them shows the one run there is.
        self.empty = EmptyState(self._lay_out())
        self.links.chosen.connect(lambda kind: self.set_link(LinkKind(kind)))
        for row in self._rows:
            row.lead.clicked.connect(lambda _=False, row=row: self.lead_wanted.emit(row.name))
        self.map.step_chosen.connect(cursor.move_to)
        cursor.moved.connect(self._on_moved)

    @property
    def steps(self) -> tuple[int, ...]:
        """The step at which each run stands, the leading one first."""
        step = self._cursor.step
        return tuple(
            linked_step(self._runs[0].shown.replay, step, run.shown.replay, self._link)
            if number
            else step
            for number, run in enumerate(self._runs)
        )

    def step_of(self, run: OpenedRun) -> int:
        """Where a run of the episode at hand stands now; 0 for any other."""
        here = (run.name, run.key)
        shown = zip(self._runs, self.steps if self._runs else (), strict=True)
        return next((step for each, step in shown if (each.name, each.key) == here), 0)

    def set_lacking(self, names: tuple[str, ...]) -> None:
        """Say which of the chosen runs do not have the episode."""
        told = ", ".join(one_line(name, _MOST_NAME) for name in names)
        self._lacking.setText(f"Without this episode: {told}" if told else "")
        is_alone = len(self._runs) == 1
        self._lacking.setVisible(bool(told) and not is_alone)
        if told and is_alone:
            self.empty.invite(
                "Only one of the chosen runs has this episode",
                f"Without it: {told}. Choose another episode, or Ctrl+click another run.",
            )

    def set_runs(
        self,
        runs: tuple[OpenedRun, ...],
        background: MapBackground | None,
        give_pictures: Callable[[PanoramaStrip, OpenedRun], None],
        told_of: Callable[[OpenedRun], str] = lambda _: "",
    ) -> None:
        """Show these runs of one episode, the leading one first.

        Args:
            runs: One to four; with one there is nothing to compare.
            background: Beneath the map.
            give_pictures: Gives a strip the pictures of the run it shows.
            told_of: What is known about a predicted route; empty for nothing.
        """
        self._runs = runs
        for number, row in enumerate(self._rows):
            run = runs[number] if number < len(runs) else None
            row.show_run(run if len(runs) > 1 else None, "" if run is None else told_of(run))
            is_same = run is not None and run.key == runs[0].key
            row.lead.setVisible(number > 0 and is_same)
            if run is not None:
                give_pictures(row.strip, run)
        self.map.set_replay(runs[0].shown.replay if runs else None, background)
        self.empty.invite(
            "" if len(runs) > 1 else "Choose two to four runs",
            "Ctrl+click in the list of runs; the first one leads.",
        )
        if told := self._lacks(self._link):
            self.refused.emit(f"The runs go by step again: {told}.")
            self._link = LinkKind.STEP
            self.links.set_current(self._link)
        self._on_moved(self._cursor.step)

    def set_link(self, kind: LinkKind) -> None:
        """Hold the runs together in another way, unless a run lacks what it needs."""
        if told := self._lacks(kind):
            self.refused.emit(f"The runs cannot go {LINKS[kind][0].lower()}: {told}.")
        else:
            self._link = kind
        self.links.set_current(self._link)
        self._on_moved(self._cursor.step)

    def catch_up(self) -> None:
        """Bring everything up to date that was hidden while time moved."""
        self._on_moved(self._cursor.step)

    def close(self) -> None:
        """End all loading."""
        for row in self._rows:
            row.strip.close_pictures()

    def _lacks(self, kind: LinkKind) -> str:
        """Which runs lack what a way of linking needs, and what; empty if none does."""
        lacking = (run.name for run in self._runs if not can_link((run.shown.replay,), kind))
        names = [one_line(name, _MOST_NAME) for name in lacking]
        if len(names) == len(self._runs) and names:
            return f"none has {_NEEDS[kind]}"
        has = "has" if len(names) == 1 else "have"
        return f"{', '.join(names)} {has} no {_NEEDS[kind]}" if names else ""

    def _on_moved(self, _step: int) -> None:
        if not self._runs or not self.face.isVisible():
            return
        if self._runs[0].shown.replay is not self._cursor.replay:
            # Another run has taken the lead; its companions are on their way.
            return
        steps = self.steps
        for row, run, step in zip(self._rows, self._runs, steps, strict=False):
            row.show_step(run.shown.replay, step)
        self.map.set_step(steps[0])
        self.map.set_others(
            [
                OtherRun(run.name, run.shown.replay, step)
                for run, step in zip(self._runs[1:], steps[1:], strict=True)
            ]
        )

    def _lay_out(self) -> QWidget:
        """Put everything into the face; gives what holds the rows."""
        column = QWidget()
        rows = QVBoxLayout(column)
        rows.setContentsMargins(8, 6, 8, 6)
        rows.setSpacing(6)
        for row in self._rows:
            rows.addWidget(row.frame)
        rows.addStretch(1)
        splitter = TurningSplitter()
        rows_side = _under_links(self.links, self._lacking, scroll_panel(column))
        splitter.addWidget(rows_side)
        splitter.addWidget(self.map)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setSizes([600, 400])
        splitter.setChildrenCollapsible(False)
        whole = QVBoxLayout(self.face)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(splitter)
        return rows_side


def _under_links(links: ChoiceStrip, note: QWidget, rows: QWidget) -> QWidget:
    """The rows, which scroll, under the buttons, which do not."""
    whole = QWidget()
    down = QVBoxLayout(whole)
    down.setContentsMargins(0, 6, 0, 0)
    down.setSpacing(0)
    down.addWidget(links)
    down.addWidget(note)
    down.addWidget(rows, 1)
    return whole


class _RunRow:
    """One run: its name, where it stands, what it did and thought, and its pictures."""

    def __init__(self, letter: str) -> None:
        self._letter = letter
        self.name = ""
        self.frame = frame("card")
        # The letter stands at the beginning, how the run ended at the end.
        self._title = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self._state = ElidedLabel()
        self._title.setProperty("role", "title")
        self._state.setProperty("role", "muted")
        self._truth, self._thought = ElidedLabel(), ElidedLabel()
        self.strip = PanoramaStrip()
        self.lead = button("Lead", role="link")
        self.lead.setToolTip("Time goes by the steps of the run that leads")
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self.lead)
        layout = QVBoxLayout(self.frame)
        layout.setContentsMargins(10, 6, 10, 6)
        layout.setSpacing(2)
        layout.addLayout(head)
        for part in (self._state, self._truth, self._thought, self.strip):
            layout.addWidget(part)
        self.frame.hide()

    def show_run(self, run: OpenedRun | None, told: str = "") -> None:
        self.frame.setVisible(run is not None)
        if run is None:
            return
        self.name = run.name
        self.lead.setAccessibleName(f"Let {one_line(run.name, _MOST_NAME)} lead")
        sign = {True: "✓", False: "✕", None: "?"}[run.shown.is_success]
        which = f", {run.which}" if run.which else ""
        self._title.set_full_text(f"{self._letter}  {run.name}{which}  {sign}")
        self._truth.set_full_text(f"Edges: {told}")
        self._truth.setVisible(bool(told))

    def show_step(self, replay: Replay, index: int) -> None:
        if index >= len(replay):
            self._state.set_full_text("no steps")
            self._thought.hide()
            self.strip.set_step(replay, index)
            return
        step, words = replay.step(index), reference_words(replay, index)
        self._state.set_full_text(
            " · ".join(
                part
                for part in (
                    step_title(replay, index),
                    f"{words.sign} {words.text}",
                    distance_words(step),
                    event_words(step),
                )
                if part.strip()
            )
        )
        said = " — ".join(part for part in (step.action, step.thought) if part)
        self._thought.set_full_text(one_line(said, _MOST_THOUGHT))
        self._thought.setVisible(bool(said))
        self.strip.set_step(replay, index)
