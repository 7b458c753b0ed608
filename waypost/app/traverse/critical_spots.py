"""Pictures of the places that decide: made when a passage comes to hand, kept, never waited for."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject

from waypost.annotators.traverse.critical_spot import spot_plan, spot_words
from waypost.annotators.traverse.spot_card import SpotCard
from waypost.app.shell.workspace import Surroundings
from waypost.domain.base.frames import Vec3
from waypost.domain.base.progress import Progress, Work
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Passage
from waypost.services.agent_marks import agent_marks
from waypost.services.frame_fitting import floor_below
from waypost.services.jobs import Job, JobRunner
from waypost.services.open_scene import OpenedScene
from waypost.viewers.map.spot_plan import SpotPlan

_MOST_KEPT: Final = 200
_AROUND_M: Final = 1.2
_HIGH_M: Final = 1.5


@dataclass(frozen=True, eq=False, slots=True)
class _Wish:
    """What a picture is made of; the same wish for the same values."""

    opened: OpenedScene
    measure: PassageMeasure
    profile: AgentProfile
    start_m: Vec3
    end_m: Vec3

    def is_same(self, other: _Wish | None) -> bool:
        return (
            other is not None
            and self.opened is other.opened
            and self.measure is other.measure
            and self.profile is other.profile
            and (self.start_m, self.end_m) == (other.start_m, other.end_m)
        )


class CriticalSpots(QObject):
    """Shows where the passage at hand is decided; only the newest picture is worked on.

    Args:
        around: What is found in the window.
        parent: Qt owner.
    """

    def __init__(self, around: Surroundings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench, self._stage = around.bench, around.stage
        self._kept: OrderedDict[Passage, tuple[_Wish, SpotPlan | None]] = OrderedDict()
        # Not among the window's: its strip shows the newest job, and Cancel is meant for measuring.
        self._jobs = JobRunner(self)
        self._is_closed = False
        self._wish: _Wish | None = None
        self._job: tuple[Job, _Wish] | None = None
        self.card = SpotCard()
        self.card.chosen.connect(self.go_to)
        around.bench.document_replaced.connect(self._forget)

    def show(self, measure: PassageMeasure | None, profile: AgentProfile | None) -> None:
        """Show the spot of another measure, or none."""
        nodes, opened = self._bench.project.graph.nodes, self._bench.opened
        wish = None
        if measure is not None and measure.at_m is not None and profile and opened:
            ends = (nodes[n].position_m for n in measure.passage[:2])
            wish = _Wish(opened, measure, profile, *ends)
        if wish is not None and wish.is_same(self._wish):
            return
        self._wish = wish
        if wish is None:
            self.card.hide()
            return
        known = self._kept.get(wish.measure.passage)
        if known is not None and wish.is_same(known[0]):
            self._kept.move_to_end(wish.measure.passage)
            self._show(known[1])
        else:
            self.card.show_spot(None)
            self._make()

    def has_spot(self) -> bool:
        """Whether a spot is known that the camera can go to."""
        return self._wish is not None

    def go_to(self) -> None:
        """Bring the critical place of the passage at hand close before the camera."""
        at_m = self._wish.measure.at_m if self._wish is not None else None
        if at_m is not None:
            x, y, z = at_m
            self._stage.go_to(at_m)
            low, high = (x - _AROUND_M, y - _AROUND_M, z), (x + _AROUND_M, y + _AROUND_M, z)
            self._stage.view.frame_bounds(low, (high[0], high[1], z + _HIGH_M))

    def close(self) -> None:
        """End the work on a picture: the window is closed."""
        self._is_closed = True
        self._jobs.shutdown()

    def _make(self) -> None:
        """Work on the picture that is wanted; one at a time."""
        wish = self._wish
        if self._job is not None or wish is None or self._is_closed:
            return
        job = self._jobs.start("Drawing the critical spot", _made(wish))
        self._job = job, wish
        job.succeeded.connect(self._on_made)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_failed)

    def _on_made(self, spot: SpotPlan | None) -> None:
        job, self._job = self._job, None
        if job is None:
            return
        _, wish = job
        self._kept[wish.measure.passage] = wish, spot
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        if wish.is_same(self._wish):
            self._show(spot)
        else:
            self._make()

    def _on_failed(self, *_: object) -> None:
        self._job = None

    def _show(self, spot: SpotPlan | None) -> None:
        if spot is None or self._wish is None:
            self.card.hide()
        else:
            mark = agent_marks(self._bench.project.agents).get(self._wish.profile.key)
            self.card.show_spot(spot, spot_words(spot, self._wish.measure), mark)

    def _forget(self) -> None:
        """Another project is open."""
        self._kept.clear()
        self._wish = None
        self.card.hide()


def _made(wish: _Wish) -> Work[SpotPlan | None]:
    yield Progress(0, 1, "Drawing the critical spot")
    below = floor_below(wish.opened.rays)

    def on_floor(place: Vec3) -> Vec3:
        found = below(place)
        return place if found is None else (place[0], place[1], found)

    start_m, end_m = on_floor(wish.start_m), on_floor(wish.end_m)
    return spot_plan(wish.opened.scene, wish.measure, wish.profile, start_m, end_m)
