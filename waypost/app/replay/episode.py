"""One replayed episode in all its views, which follow one cursor."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QWidget

from waypost.app.replay.cards.memory_panel import MemoryPanel
from waypost.app.replay.cards.metrics_card import MetricsCard
from waypost.app.replay.cards.step_card import StepCard
from waypost.app.replay.desk import OpenedRun
from waypost.app.replay.replay_header import ReplayHeader
from waypost.app.replay.timeline import timeline_of
from waypost.domain.replay.cursor_curves import cursor_curves
from waypost.domain.replay.replay import Replay
from waypost.services.replay.cursor import ReplayCursor
from waypost.viewers.curves.curve import Curve
from waypost.viewers.curves.plot import CurvePlot
from waypost.viewers.map.sheet import MapBackground
from waypost.viewers.map.view import MapView
from waypost.viewers.strip.panorama_strip import PanoramaStrip
from waypost.widgets.parts import ElidedLabel, button, column, frame, scroll_panel
from waypost.widgets.timeline import Timeline
from waypost.widgets.timeline_content import TimelineContent

_CURVES = ("to_goal", "ndtw")
"""Drawn under the timeline; the rest stands in the metrics."""


class EpisodeViews(QObject):
    """The header, pictures, map, cards, timeline and curves of the run at hand.

    Only what can be seen is kept in step; a page catches up when it is turned to.

    Args:
        parent: Qt owner.
    """

    height_changed = Signal()
    """The strip below needs another height."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cursor = ReplayCursor(self)
        self.header, self.strip, self.map = ReplayHeader(), PanoramaStrip(), MapView()
        self.timeline, self.plot = Timeline(), CurvePlot()
        self.curves = button("Curves", "Show the values at every step as curves", "chip")
        self.curves.setCheckable(True)
        self.curves.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.curves.toggled.connect(self._show_curves)
        self.above = column(self.header, self.strip, margin_px=0, spacing_px=0)
        self.no_curve = ElidedLabel()
        self.no_curve.setProperty("role", "muted")
        self._without = column(self.no_curve)
        row = _row(self.timeline, self.curves)
        self.below = column(row, self.plot, self._without, margin_px=0, spacing_px=0)
        self.tabs, self._pages = QTabBar(), QStackedWidget()
        self.tabs.setAccessibleName("About the episode")
        self.tabs.setDrawBase(False)
        self.right = column(self.tabs, self._pages, margin_px=0, spacing_px=0)
        self._run: OpenedRun | None = None
        self._showing: list[Callable[[], None]] = []

    def add_pages(self) -> None:
        """Make the pages at right that every episode has; once, before anything is shown."""
        self.card, self.memory, self.metrics = StepCard(), MemoryPanel(), MetricsCard()
        self.card.installEventFilter(self)
        for title, page, show in (
            ("Step", self.card, self._show_card),
            ("Memory", self.memory, self._show_memory),
            ("Metrics", self.metrics, self._show_metrics),
        ):
            self.add_page(title, page, show)
        self.tabs.currentChanged.connect(self._on_page)
        self._connect()

    @property
    def run(self) -> OpenedRun | None:
        """What is shown."""
        return self._run

    @property
    def page(self) -> str:
        """Title of the page at right."""
        return self.tabs.tabText(self.tabs.currentIndex())

    def add_page(self, title: str, page: QWidget, show: Callable[[], None]) -> None:
        """Put a page beside the step card; ``show`` is called when it is seen and time moves."""
        # The tab bar tells of its first tab at once.
        self._showing.append(show)
        self._pages.addWidget(scroll_panel(page))
        self.tabs.addTab(title)

    def show_page(self, title: str) -> None:
        """Turn to a page by its title."""
        for place in range(self.tabs.count()):
            if self.tabs.tabText(place) == title:
                self.tabs.setCurrentIndex(place)

    def show_run(
        self, run: OpenedRun | None, background: MapBackground | None = None, step: int = 0
    ) -> None:
        """Show another run or episode, or none."""
        self._run = run
        replay = run.shown.replay if run else None
        tags = run.shown.tags if run else ()
        self.map.set_replay(replay, background)
        self.timeline.set_content(timeline_of(replay, tags) if replay else TimelineContent(0))
        self.plot.set_x_title("s" if replay and replay.times_s is not None else "step")
        self.plot.set_curves(_curves_of(replay) if replay else ())
        self.cursor.set_replay(replay, step)
        self._show_curves()

    def show_scores(self, run: OpenedRun) -> None:
        """Show other scores and tags of the same run."""
        self._run = run
        self.timeline.set_content(timeline_of(run.shown.replay, run.shown.tags))
        self.catch_up()

    def set_keys(self, faces: Mapping[str, str], play: str, curves: str) -> None:
        """Write keys on the controls: of each face, of playing and of the curves."""
        self.header.set_keys(faces)
        self.timeline.set_play_key(play)
        self.curves.setText(f"Curves  {curves}" if curves else "Curves")

    def show_pictures(self, *, is_wanted: bool, room_px: int) -> None:
        """Show the pictures if they, the map and time fit into the height of the window's room."""
        parts = (self.header, self.strip, self.map)
        needed = sum(max(part.minimumSizeHint().height(), part.minimumHeight()) for part in parts)
        is_shown = is_wanted and needed + self.below.sizeHint().height() <= room_px
        self.strip.setVisible(is_shown)

    def set_theme(self, *, dark: bool) -> None:
        """Use the dark or the light theme where the style sheet does not reach."""
        self.plot.set_theme(dark)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Have the instruction stand once: in the step card, else over the pictures."""
        if watched is self.card and event.type() in {QEvent.Type.Show, QEvent.Type.Hide}:
            self.header.set_told_elsewhere(is_told=event.type() is QEvent.Type.Show)
        return super().eventFilter(watched, event)

    def close(self) -> None:
        """End all loading."""
        self.cursor.pause()
        self.strip.close_pictures()

    def _connect(self) -> None:
        cursor = self.cursor
        cursor.moved.connect(self._on_moved)
        cursor.playing_changed.connect(self.timeline.set_playing)
        cursor.speed_changed.connect(self.timeline.set_speed)
        self.timeline.moved.connect(cursor.move_to)
        self.timeline.play_chosen.connect(cursor.toggle_play)
        self.timeline.speed_chosen.connect(cursor.set_speed)
        self.plot.cursor_moved.connect(self._on_plot)
        for view in (self.map, self.card, self.metrics):
            view.step_chosen.connect(cursor.move_to)
        self.map.viewpoint_chosen.connect(self._go_to_viewpoint)
        self.strip.option_chosen.connect(self._go_to_viewpoint)

    def _on_moved(self, step: int) -> None:
        replay = self.cursor.replay
        self.timeline.set_position(step)
        if self.plot.isVisible() or replay is None:
            self._move_plot()
        if self.map.isVisible() or replay is None:
            self.map.set_step(step)
        if self.strip.isVisible() or replay is None:
            self.strip.set_step(replay, step)
        self._showing[self.tabs.currentIndex()]()

    def catch_up(self) -> None:
        """Bring views up to date that were hidden while time moved."""
        self._on_moved(self.cursor.step)

    def _on_page(self, place: int) -> None:
        self._pages.setCurrentIndex(place)
        self._showing[place]()

    def _show_curves(self, *_: object) -> None:
        self._move_plot()
        is_wanted, has_curves = self.curves.isChecked(), bool(self.plot.curves)
        self.plot.setVisible(is_wanted and has_curves)
        self.no_curve.set_full_text(_why_no_curve(self.cursor.replay))
        self._without.setVisible(is_wanted and not has_curves)
        self.height_changed.emit()

    def _move_plot(self) -> None:
        replay, step = self.cursor.replay, self.cursor.step
        self.plot.set_cursor(_x_of(replay)[step] if replay and step < len(replay) else None)

    def _show_card(self) -> None:
        self.card.show_step(self.cursor.replay, self.cursor.step)

    def _show_memory(self) -> None:
        self.memory.show_step(self.cursor.replay, self.cursor.step)

    def _show_metrics(self) -> None:
        scores = self._run.shown.scores if self._run else None
        tags = self._run.shown.tags if self._run else ()
        self.metrics.show_step(scores, self.cursor.replay, self.cursor.step, tags)

    def _on_plot(self, x: float) -> None:
        if self.cursor.replay:
            axis = _x_of(self.cursor.replay)
            self.cursor.move_to(int(np.searchsorted(axis, x + 1e-9, side="right")) - 1)

    def _go_to_viewpoint(self, viewpoint_id: str) -> None:
        """Go to the next step at a viewpoint; round to the first one."""
        replay = self.cursor.replay
        if replay is None:
            return
        at = [step for step, name in enumerate(replay.viewpoint_ids) if name == viewpoint_id]
        if at:
            self.cursor.move_to(next((step for step in at if step > self.cursor.step), at[0]))


def _x_of(replay: Replay) -> np.ndarray:
    """Where each step stands on the axis of the curves: its time, else its number."""
    times = replay.times_s
    return np.arange(len(replay), dtype=np.float64) if times is None else times


def _curves_of(replay: Replay) -> tuple[Curve, ...]:
    x = _x_of(replay)
    return tuple(
        Curve(
            curve.title,
            "" if curve.unit == "fraction" else curve.unit,
            x,
            curve.values,
            definition=curve.definition,
            is_stepped=bool(replay.viewpoint_ids),
        )
        for curve in cursor_curves(replay)
        if curve.key in _CURVES and curve.is_known
    )


def _why_no_curve(replay: Replay | None) -> str:
    if replay is None:
        return "No curve: no episode is replayed."
    if not replay.episode.has_ground_truth:
        return "No curve: the goal of this episode is not known, so there is no distance to it."
    placing = replay.episode.placing
    if placing is not None and not placing.is_placed:
        return f"No curve: {placing.note}."
    return "No curve: no distance to the goal can be measured along this run."


def _row(content: QWidget, control: QWidget) -> QWidget:
    row = frame("strip")
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 10, 0)
    layout.addWidget(content, 1)
    layout.addWidget(control)
    return row
