"""Proposed nodes and edges over the scene: ghosts, of which those at hand stand out."""

from __future__ import annotations

from collections.abc import Collection

from waypost.annotators import palette
from waypost.annotators.graph.previews import lifted
from waypost.domain.scene.graph_proposal import GraphProposal
from waypost.viewers.scene.drawing import (
    Drawing,
    Label3D,
    MarkerShape,
    PolyLine,
    SceneMarker,
    with_alpha,
)

_GHOST_PX = 12.0
_AT_HAND_PX = 20.0


def proposal_drawing(
    proposal: GraphProposal,
    pending: Collection[str],
    at_hand: Collection[str],
    heights_m: tuple[float, float],
) -> Drawing:
    """What is left to decide.

    Args:
        proposal: Has the nodes and edges.
        pending: Keys of what is drawn.
        at_hand: Keys of those that the next key decides.
        heights_m: Lowest and highest z of the storey in view; what lies elsewhere is left out.
    """
    places = {node.key: node.position_m for node in proposal.nodes}
    shown = {key for key, p in places.items() if heights_m[0] <= p[2] <= heights_m[1]}
    lines = [
        PolyLine(
            (lifted(places[edge.from_key]), lifted(places[edge.to_key])),
            palette.SELECTION if edge.key in at_hand else palette.GHOST,
            5.0 if edge.key in at_hand else 2.5,
            dash_px=8.0,
        )
        for edge in proposal.edges
        if edge.key in pending and {edge.from_key, edge.to_key} <= shown
    ]
    markers, labels = [], []
    for node in proposal.nodes:
        if node.key not in pending or node.key not in shown:
            continue
        point, is_at_hand = lifted(node.position_m), node.key in at_hand
        color = palette.SELECTION if is_at_hand else palette.GHOST
        size_px = _AT_HAND_PX if is_at_hand else _GHOST_PX
        outline = with_alpha(palette.OUTLINE, 0.8)
        markers.append(SceneMarker(point, color, size_px, MarkerShape.DIAMOND, outline=outline))
        priority = 100 if is_at_hand else 5
        labels.append(Label3D(point, f"{node.name}?", priority=priority, is_bold=is_at_hand))
    return Drawing(tuple(lines), tuple(markers), tuple(labels))
