"""Everything that a map of a replay shows, put together for painting and for pointing at."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPolygonF

from waypost.domain.base.counted_words import counted
from waypost.domain.replay.map import (
    MapLine,
    MapMark,
    MarkRole,
    Point,
    goal_marks,
    map_bounds,
    path_lines,
)
from waypost.domain.replay.replay import Replay
from waypost.domain.scene.occupancy_map import OccupancyMap
from waypost.viewers.map import marks
from waypost.viewers.map import painting as parts
from waypost.viewers.map.content import EdgeMark, MapContent, OtherRun, map_content
from waypost.viewers.map.painting import MapPaint
from waypost.viewers.scene.prepared_scene import PreparedScene

MapBackground = PreparedScene | OccupancyMap
"""What lies under the run: the cut of a scene, or an occupancy map."""

MOST_OTHERS: Final = 3
"""Runs beside the one that the map is about; each has dashes of its own."""


@dataclass(frozen=True, eq=False, slots=True)
class MapSheet:
    """A run on its background with other runs and an agent's truth beside."""

    content: MapContent
    background: MapBackground | None = None
    others: tuple[OtherRun, ...] = ()
    edge_marks: tuple[EdgeMark, ...] = ()
    is_path: bool = False
    """Whether it is about a path alone: the whole of it is shown on every storey, with its start
    and its goal, and neither agent nor options."""

    walker: tuple[Point, float] | None = None
    """Place and scene yaw of who walks along a path; ``None`` for nobody."""

    def with_others(self, others: tuple[OtherRun, ...]) -> MapSheet:
        """The same with other runs beside; at most ``MOST_OTHERS``."""
        return replace(self, others=others[:MOST_OTHERS])

    def with_edge_marks(self, marks: tuple[EdgeMark, ...]) -> MapSheet:
        """The same with another truth about the edges."""
        return replace(self, edge_marks=marks)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing with a place: no graph, no position of run or reference."""
        content = self.content
        has_path = bool(len(content.pieces) or content.replay.has_positions)
        return not (has_path or len(content.nodes_m) or len(content.reference_m))

    def bounds_m(self) -> tuple[Point, Point]:
        """The part to show first: reference, goals and every run."""
        low, high = map_bounds(self.content.replay)
        for other in self.others:
            others_low, others_high = map_bounds(other.replay)
            low = min(low[0], others_low[0]), min(low[1], others_low[1])
            high = max(high[0], others_high[0]), max(high[1], others_high[1])
        return low, high

    def is_on(self, line: MapLine, storey: int) -> bool:
        """Whether a piece of the path is shown as one of a storey."""
        return self.is_path or self.content.is_on(line, storey)

    def paint_ground(
        self, paint: MapPaint, storey: int, image: QImage | None, path: Sequence[QPolygonF]
    ) -> None:
        """What stays the same from step to step.

        Args:
            paint: What to paint with.
            storey: Which one to show.
            image: The picture of an occupancy map.
            path: The whole path in pixels.
        """
        content = self.content
        if isinstance(self.background, PreparedScene) and self.background.plans:
            parts.paint_outlines(paint, self.background.plans[storey][1])
        elif isinstance(self.background, OccupancyMap) and image is not None:
            parts.paint_occupancy(paint, self.background, image)
        goals = [
            (m, self.is_path or self._is_at(m.height_m, storey)) for m in goal_marks(content.replay)
        ]
        circles = sum(1 for mark, _ in goals if mark.radius_m > 0)
        parts.paint_goals(paint, goals[:circles])
        parts.paint_graph(paint, content, storey)
        if not self.is_path:
            parts.paint_reference(paint, content, storey)
        are_here = [self.is_on(piece, storey) for piece in content.pieces]
        parts.paint_rest(paint, zip(path, are_here, strict=True))
        for number, other in enumerate(self.others, start=1):
            lines = path_lines(other.replay, len(other.replay) - 1)
            parts.paint_other_path(paint, lines, number, is_rest=True)
        parts.paint_edge_marks(paint, self._edges_on(storey))
        # Those of this storey are painted over the path; see ``paint_marks``.
        parts.paint_goals(paint, [goal for goal in goals[circles:] if not goal[1]])

    def paint_others(self, paint: MapPaint, storey: int) -> None:
        """The ways of the other runs so far."""
        for number, other in enumerate(self.others, start=1):
            lines = path_lines(other.replay, other.step)
            shown = [line for line in lines if self.content.is_on(line, storey)]
            parts.paint_other_path(paint, shown, number, is_rest=False)

    def paint_marks(
        self, paint: MapPaint, storey: int, step: int, *, has_options: bool = True
    ) -> None:
        """What the cursor says: signs of edges, options, revisits, deviation, agents."""
        parts.paint_edge_signs(paint, self._edges_on(storey))
        marks.paint_marks(paint, self.marks_on(storey, step, has_options=has_options))
        for number, other in enumerate(self.others, start=1):
            self._paint_agent(paint, storey, other.replay, other.step, number)
        self._paint_agent(paint, storey, self.content.replay, step, 0)
        if self.walker is not None:
            paint.painter.setBrush(Qt.BrushStyle.SolidPattern)
            marks.paint_agent(paint, *self.walker)

    def marks_on(self, storey: int, step: int, *, has_options: bool = True) -> list[MapMark]:
        """What the cursor says on a storey, and the goals there, which have labels as well.

        With options, as step follows step, labels stay where they are when the agent passes.
        """
        goals = (m for m in goal_marks(self.content.replay) if m.role is MarkRole.GOAL)
        told = (*goals, *self.content.marks_at(step))
        if self.is_path:
            return [mark for mark in told if mark.role in {MarkRole.START, MarkRole.GOAL}]
        left_out = {MarkRole.END} if has_options else {MarkRole.OPTION, MarkRole.CHOSEN}
        here = (mark for mark in told if self._is_at(mark.height_m, storey))
        return [mark for mark in here if mark.role not in left_out]

    def paint_titles(self, paint: MapPaint, top_px: float, height_px: float) -> None:
        """Which letter is which run, where there are several, from a height down.

        On a low map the letters stand alone, in the colours of their runs.
        """
        if self.others:
            titles = ["this run", *(other.title for other in self.others)]
            if parts.is_low(paint, height_px):
                titles = [""] * len(titles)
            parts.paint_run_titles(paint, titles, top_px)

    def text_at(self, point: Point, reach_m: float, storey: int) -> str:
        """What a tooltip says at a place; empty where there is nothing."""
        for mark, a, b in self._edges_on(storey):
            if mark.text and math.dist(point, parts.sign_place(a, b)) <= reach_m:
                return mark.text
        if name := self.content.node_near(point, reach_m, storey):
            if self.is_path:
                return f"viewpoint {name}"
            return self.content.node_text(name)
        step = self.content.step_near(point, reach_m, storey, -1)
        return "" if step is None or self.is_path else self.content.step_text(step)

    def description(self, step: int, storey: int) -> str:
        """The state in words, for screen readers."""
        if self.is_path:
            return f"A path of {counted(len(self.content.replay), 'place')}."
        told = self.content.description(step, storey)
        beside = ", ".join(
            f"{parts.RUN_LETTERS[number]} {other.title} at step {other.step}"
            for number, other in enumerate(self.others, start=1)
        )
        return f"{told} Beside: {beside}." if beside else told

    def _paint_agent(
        self, paint: MapPaint, storey: int, replay: Replay, step: int, number: int
    ) -> None:
        if self.is_path or not 0 <= step < len(replay):
            return
        x, y, z = replay.positions_m[step].tolist()
        if not (math.isfinite(x) and math.isfinite(y)):
            return
        is_here = self._is_at(z, storey)
        paint.painter.setOpacity(1.0 if is_here else 0.4)
        if number == 0:
            paint.painter.setBrush(Qt.BrushStyle.SolidPattern)
            marks.paint_agent(paint, (x, y), float(replay.facing_rad[step]))
        if number or self.others:
            parts.paint_letter(paint, (x, y), number)
        paint.painter.setOpacity(1.0)

    def _is_at(self, height_m: float | None, storey: int) -> bool:
        return height_m is None or self.content.storeys.index_of(height_m) == storey

    def _edges_on(self, storey: int) -> Iterator[tuple[EdgeMark, Point, Point]]:
        for mark in self.edge_marks:
            if any(self._is_at(end[2], storey) for end in (mark.start_m, mark.end_m)):
                yield mark, mark.start_m[:2], mark.end_m[:2]


def map_sheet(
    replay: Replay, background: MapBackground | None = None, *, is_path: bool = False
) -> MapSheet:
    """A run on its background; the storeys are those of the scene where there is one.

    Args:
        replay: The run.
        background: What lies under it.
        is_path: Whether it stands for a path alone.
    """
    scene = background if isinstance(background, PreparedScene) else None
    return MapSheet(map_content(replay, scene), background, is_path=is_path)
