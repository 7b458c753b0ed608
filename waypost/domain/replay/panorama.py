"""What the agent had around it: four views from its own point of view, and its options in them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from waypost.domain.base.frames import Vec3, vec3
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.text_map_places import is_unplaced, placed_options
from waypost.domain.replay.views import angles_of_direction, direction_between
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

_QUARTER: Final = math.pi / 2


class Side(StrEnum):
    """A side of the agent, in the order in which views are shown."""

    LEFT = "Left"
    FRONT = "Front"
    RIGHT = "Right"
    BACK = "Back"


_QUARTERS_FROM_FRONT: Final = {Side.LEFT: -1, Side.FRONT: 0, Side.RIGHT: 1, Side.BACK: 2}


@dataclass(frozen=True, slots=True)
class AgentView:
    """One of four pre-rendered views, named from the agent's point of view."""

    side: Side
    view_index: int
    """0 … 3: the view rendered at 0°, 90°, 180°, 270°."""

    heading_rad: float
    """Heading at which it was rendered."""


def front_view_index(heading_rad: float) -> int:
    """Which of the views at 0°, 90°, 180°, 270° the agent looks at most nearly.

    A heading in [45°, 135°) looks at the 90° view, and so on round.
    """
    return math.floor((heading_rad + _QUARTER / 2) / _QUARTER) % 4


def agent_views(heading_rad: float) -> tuple[AgentView, AgentView, AgentView, AgentView]:
    """The four views as [Left, Front, Right, Back] of an agent with this heading.

    Args:
        heading_rad: 0 = +Y, clockwise.
    """
    front = front_view_index(heading_rad)
    left, ahead, right, back = (
        AgentView(side, (front + quarters) % 4, (front + quarters) % 4 * _QUARTER)
        for side, quarters in _QUARTERS_FROM_FRONT.items()
    )
    return left, ahead, right, back


@dataclass(frozen=True, slots=True)
class OptionMarker:
    """A navigable option of a viewpoint as it is drawn in pictures."""

    number: int
    """From 1, in the order of options of the log, else clockwise from the agent's heading."""

    viewpoint_id: str
    label: str
    """As the model saw it; empty where the log has no options."""

    heading_rad: float
    elevation_rad: float
    direction: Vec3
    """Unit vector from the camera at the viewpoint to the option's."""

    distance_m: float
    is_offered: bool
    """Whether the log lists it among the options, or may: it lists none, or some without telling
    which viewpoints they are."""

    is_chosen: bool
    """Whether the agent went there next."""

    def turn_from(self, heading_rad: float) -> float:
        """Angle from a heading to the option, positive to the right, in (−π, π]."""
        turn = math.remainder(self.heading_rad - heading_rad, math.tau)
        return math.pi if turn == -math.pi else turn


@lru_cache(maxsize=16)
def markers_at(replay: Replay, index: int) -> tuple[OptionMarker, ...]:
    """The options at a step: neighbours in the graph and whatever else the log offered.

    Neighbours come from the graph, never from what was in view; options of the log that name no
    viewpoint of the graph have no marker.

    Args:
        replay: A run on viewpoints with its graph.
        index: The step.
    """
    graph = replay.graph
    if graph is None or not replay.viewpoint_ids:
        return ()
    here = graph.index.get(replay.viewpoint_ids[index])
    if here is None:
        return ()
    decision = replay.step(index).decision
    offered = placed_options(replay, decision) if decision else ()
    labels = {option.viewpoint_id: option.label for option in offered if option.viewpoint_id}
    is_open = not labels or any(map(is_unplaced, offered))
    neighbours = {graph.viewpoint_ids[place] for place in graph.neighbours[here]}
    names = [name for name in labels if name in graph.index]
    chosen = next_viewpoint(replay, index)
    start = vec3(graph.positions_m[here])
    heading = replay.facing_rad[index]
    made = [
        _marker(start, name, graph, labels, chosen, may_be_offered=is_open)
        for name in (*names, *sorted(neighbours - set(names)))
    ]
    if not labels and math.isfinite(heading):
        ahead = math.pi / 2 - float(heading)
        made.sort(key=lambda marker: (marker.heading_rad - ahead + 1e-9) % math.tau)
    return tuple(replace(marker, number=number) for number, marker in enumerate(made, start=1))


def _marker(
    start: Vec3,
    name: str,
    graph: ViewpointGraph,
    labels: dict[str, str],
    chosen: str,
    *,
    may_be_offered: bool,
) -> OptionMarker:
    x, y, z = graph.positions_m[graph.index[name]]
    end = (float(x), float(y), float(z))
    direction = direction_between(start, end)
    heading, elevation = angles_of_direction(direction)
    return OptionMarker(
        number=0,
        viewpoint_id=name,
        label=labels.get(name, ""),
        heading_rad=heading,
        elevation_rad=elevation,
        direction=direction,
        distance_m=math.dist(start, end),
        is_offered=name in labels or may_be_offered,
        is_chosen=name == chosen,
    )


def next_viewpoint(replay: Replay, index: int) -> str:
    """The next other viewpoint after a step; empty where the run ends here."""
    here = replay.viewpoint_ids[index]
    return next((name for name in replay.viewpoint_ids[index + 1 :] if name != here), "")
