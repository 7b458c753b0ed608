"""The navigation graph of the sample home: 26 named places on two floors and the garden."""

from __future__ import annotations

from typing import Final

from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node, build_graph

_UP: Final = 2.72
"""Floor of the upper storey, scene frame, metres."""

PLACES: Final = (
    ("Garden path", (5.45, -4.0, -0.15), "Paved path in the front garden, at the ramp"),
    ("Porch", (5.45, -0.85, 0.0), "In front of the red front door"),
    ("Entrance", (5.45, 1.75, 0.0), "Inside the front door, before the stairs begin"),
    ("Hall", (5.45, 4.1, 0.0), "Beside the stairs, at the living room door"),
    ("Back hall", (5.45, 5.42, 0.0), "End of the hall, at bathroom and corridor"),
    ("Stair foot", (6.66, 1.0, 0.0), "At the first step, beside the kitchen doorway"),
    ("Living room", (3.825, 4.1, 0.0), "Inside the living room door"),
    ("Bookcase corner", (3.825, 0.85, 0.0), "Beyond the bookcase, by the wide south window"),
    ("Sofa", (1.65, 4.1, 0.0), "North end of the sofa group"),
    ("Window seat", (1.65, 0.85, 0.0), "South end of the sofa group, under the window"),
    ("Kitchen", (8.6, 1.0, 0.0), "Kitchen, inside the doorway from the hall"),
    ("Kitchen island", (8.6, 2.9, 0.0), "Beside the stools"),
    ("Dining room", (8.6, 6.4, 0.0), "Between sideboard and dining table"),
    ("Garden door", (8.6, 7.75, 0.0), "Inside the garden door of the dining room"),
    ("Deck", (8.6, 10.2, 0.0), "Wooden deck behind the house"),
    ("Corridor corner", (1.8, 5.42, 0.0), "Where the narrow corridor turns right"),
    ("Study", (1.8, 7.9, 0.0), "On the rug between desk and window"),
    ("Bathroom", (5.45, 7.7, 0.0), "In front of bathtub and wash basin"),
    ("Landing", (6.66, 6.8, _UP), "Top of the stairs, at the terrace door"),
    ("Upper hall", (5.43, 6.8, _UP), "Upstairs, at the small bedroom's door"),
    ("Gallery", (5.43, 4.1, _UP), "Upstairs, beside the balustrade"),
    ("Bedroom", (3.5, 4.1, _UP), "Main bedroom, inside the door"),
    ("Bedroom window", (3.0, 0.95, _UP), "Between bed and wardrobe, at the south window"),
    ("Small bedroom", (3.2, 6.8, _UP), "On the rug between bed and desk"),
    ("Upper bathroom", (5.45, 1.3, _UP), "In front of shower and wash basin"),
    ("Roof terrace", (8.6, 6.8, _UP), "Open terrace above kitchen and dining room"),
)
"""Name, position on the floor, description."""

WAYS: Final = (
    ("Garden path", "Porch", EdgeKind.WALK),
    ("Porch", "Entrance", EdgeKind.DOOR),
    ("Entrance", "Hall", EdgeKind.WALK),
    ("Hall", "Back hall", EdgeKind.WALK),
    ("Entrance", "Stair foot", EdgeKind.WALK),
    ("Hall", "Living room", EdgeKind.DOOR),
    ("Living room", "Bookcase corner", EdgeKind.WALK),
    ("Living room", "Sofa", EdgeKind.WALK),
    ("Sofa", "Window seat", EdgeKind.WALK),
    ("Bookcase corner", "Window seat", EdgeKind.WALK),
    ("Stair foot", "Kitchen", EdgeKind.DOOR),
    ("Kitchen", "Kitchen island", EdgeKind.WALK),
    ("Kitchen island", "Dining room", EdgeKind.WALK),
    ("Dining room", "Garden door", EdgeKind.WALK),
    ("Garden door", "Deck", EdgeKind.DOOR),
    ("Back hall", "Corridor corner", EdgeKind.WALK),
    ("Corridor corner", "Study", EdgeKind.WALK),
    ("Back hall", "Bathroom", EdgeKind.DOOR),
    ("Stair foot", "Landing", EdgeKind.STAIRS),
    ("Landing", "Upper hall", EdgeKind.WALK),
    ("Upper hall", "Gallery", EdgeKind.WALK),
    ("Upper hall", "Small bedroom", EdgeKind.DOOR),
    ("Gallery", "Bedroom", EdgeKind.DOOR),
    ("Bedroom", "Bedroom window", EdgeKind.WALK),
    ("Gallery", "Upper bathroom", EdgeKind.DOOR),
    ("Landing", "Roof terrace", EdgeKind.DOOR),
)
"""Names of both ends, and the kind."""


def build_navigation() -> NavigationGraph:
    """The graph, with ids ``node_1``… and ``edge_1``… in the order above."""
    nodes = [
        Node(f"node_{number}", name, position, description)
        for number, (name, position, description) in enumerate(PLACES, start=1)
    ]
    ids = {node.name: node.node_id for node in nodes}
    edges = [
        Edge(f"edge_{number}", ids[start], ids[end], kind)
        for number, (start, end, kind) in enumerate(WAYS, start=1)
    ]
    return build_graph(nodes, edges)
