"""The ground of one kind of body in one window, found once for both directions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.any_path import AnyPath
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.flights import flight_cells
from waypost.geometry.measuring.floor_noise import floor_noise_m
from waypost.geometry.measuring.ground_flood import (
    OTHER_STOREY_M,
    GroundSheet,
    GroundSteps,
    StepLimits,
    Surfaces,
    all_steps,
    flood,
    surface_at,
)
from waypost.geometry.measuring.height_field import Bools
from waypost.geometry.measuring.holes import Holes
from waypost.geometry.measuring.obstacles import ObstaclePoints, find_obstacles
from waypost.geometry.measuring.scene_ground import GroundWindow
from waypost.geometry.measuring.turning import TurningRoom
from waypost.geometry.measuring.widest_disc import WidestWay


@dataclass(eq=False)
class ReachedGround:
    """Ground that is reached from one place, and what stands beside it."""

    sheet: GroundSheet
    points: ObstaclePoints
    holes: Holes | None = None
    """Found when first asked for; they hang on the step limits and the gap alone."""

    widths: dict[object, WidestWay] = field(default_factory=dict)
    searches: dict[object, AnyPath] = field(default_factory=dict)
    rooms: dict[object, TurningRoom] = field(default_factory=dict)
    """What was found between two nodes; see ``either_way``."""

    @cached_property
    def noise_m(self) -> float:
        """How uneven the ground is in itself."""
        return floor_noise_m(self.sheet)

    @cached_property
    def flights(self) -> Bools:
        """Cells of flights of stairs."""
        return flight_cells(self.sheet, self.noise_m)


@dataclass(eq=False, slots=True)
class BodyGround:
    """What one kind of body finds in a window; made by ``body_ground``."""

    window: GroundWindow
    body: MeasuredBody
    steps: GroundSteps
    on_furniture: bool
    """Whether furniture is ground."""

    found: list[ReachedGround] = field(default_factory=list)

    def surface_at(self, place: Vec3, tolerance_m: float) -> tuple[int, str]:
        """The surface under a node, or −1 and why there is none."""
        return surface_at(self.steps.surfaces, place, self.steps.limits, tolerance_m)

    def reached_from(self, surface: int) -> ReachedGround:
        """The ground that is reached from a surface."""
        sheet = flood(self.steps, surface)
        for known in self.found:
            if known.sheet.is_same(sheet):
                return known
        points = find_obstacles(self.window, sheet, self.body, on_furniture=self.on_furniture)
        made = ReachedGround(sheet, points)
        self.found.append(made)
        return made


def body_ground(window: GroundWindow, body: MeasuredBody, *, on_furniture: bool) -> BodyGround:
    """What a body finds in a window, kept with it for the other direction.

    Args:
        window: Around the edge.
        body: Its step, height and widest gap decide.
        on_furniture: Whether furniture is ground.
    """
    limits = StepLimits(body.step_up_m, body.step_down_m, body.height_m, body.contact.largest_gap_m)
    kind = (limits, body.climbs_stairs, on_furniture)
    known = window.kept.get(kind)
    if isinstance(known, BodyGround):
        return known
    key = (body.height_m, on_furniture)
    surfaces = window.kept.get(key)
    if not isinstance(surfaces, Surfaces):
        raised = None if on_furniture else window.raised_spans
        surfaces = window.kept[key] = Surfaces.of(window.field, body.height_m, raised)
    made = BodyGround(
        window,
        body,
        all_steps(
            surfaces,
            limits,
            (window.low_z_m - OTHER_STOREY_M, window.high_z_m + OTHER_STOREY_M),
        ),
        on_furniture,
    )
    window.kept[kind] = made
    return made


def let_go_of_others(windows: Iterable[GroundWindow], height_m: float) -> None:
    """Keep nothing of bodies of other heights, which is large: 100 MB and more in one window.

    Measure both directions of a body before the next one.
    """
    for window in windows:
        for key in [key for key in window.kept if _height_of(key) != height_m]:
            del window.kept[key]


def _height_of(key: object) -> object:
    """For which height of body something is kept."""
    first = key[0] if isinstance(key, tuple) else key
    return first.height_m if isinstance(first, StepLimits) else first
