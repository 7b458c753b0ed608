"""The two directions of an edge in the colours and signs of their labels, remembered.

Every movement of the pointer draws the whole graph, and hardly ever does an edge look different
from before.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from waypost.annotators import palette
from waypost.annotators.graph.edge_lines import both_ways, direction_line
from waypost.annotators.palette import STATE_COLORS
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import EdgeKind
from waypost.domain.traverse.traversability import PassageState
from waypost.services.appearance import SIGNS
from waypost.viewers.scene.drawing import Label3D, MarkerShape, PolyLine, SceneMarker, with_alpha

_REMEMBERED_EDGES = 8192
_SIGN_PRIORITY = 20
_ALWAYS = 100


class DirectionTone(IntEnum):
    """How much a direction of an edge matters at the moment."""

    PLAIN = 0
    DIMMED = 1
    """Something else is at hand: no sign."""

    AT_HAND = 2


class Directions(NamedTuple):
    """What both directions of an edge look like."""

    lines: tuple[PolyLine, ...]
    labels: tuple[Label3D, ...]
    markers: tuple[SceneMarker, ...]


@lru_cache(maxsize=_REMEMBERED_EDGES)
def edge_directions(
    kind: EdgeKind,
    ends: tuple[Vec3, Vec3],
    states: tuple[PassageState, PassageState],
    tones: tuple[DirectionTone, DirectionTone],
    dimmed_alpha: float,
) -> Directions:
    """Draw the way there and the way back.

    Args:
        kind: Of the edge.
        ends: Where it begins and ends, metres, scene frame.
        states: There and back.
        tones: There and back.
        dimmed_alpha: Opacity of what is dimmed.
    """
    lines: list[PolyLine] = []
    labels: list[Label3D] = []
    markers: list[SceneMarker] = []
    for way, state, tone in zip(both_ways(*ends), states, tones, strict=True):
        color = STATE_COLORS[state]
        shown = with_alpha(color, dimmed_alpha) if tone is DirectionTone.DIMMED else color
        is_at_hand = tone is DirectionTone.AT_HAND
        is_stale = state is PassageState.STALE
        lines.append(direction_line(kind, way, shown, 5.0 if is_at_hand else 3.0, is_stale))
        if tone is DirectionTone.DIMMED:
            continue
        if state is PassageState.UNDECIDED and not is_at_hand:
            # Cheaper than text, and most passages of a new graph are undecided.
            markers.append(SceneMarker(way.sign_at, color, 8.0, MarkerShape.RING))
            continue
        labels.append(
            Label3D(
                way.sign_at,
                SIGNS[state].mark,
                color=palette.SIGN_TEXT,
                background=color,
                offset_px=(0.0, 0.0),
                priority=_ALWAYS if is_at_hand else _SIGN_PRIORITY,
                is_bold=True,
            )
        )
    return Directions(tuple(lines), tuple(labels), tuple(markers))
