"""The tasks of the sample home, in the manner of CapNav."""

from __future__ import annotations

from typing import Final

from waypost.domain.traverse.task import Task

TASKS: Final = (
    Task(
        "Can I go from the garden path to the kitchen without passing the living room?",
        "Garden path",
        "Kitchen",
        "the paved path in front of the ramp",
        "the kitchen doorway",
    ),
    Task(
        "Can I get from the front door to the sofa in the living room?",
        "Entrance",
        "Sofa",
        "inside the front door",
        "the north end of the sofa",
    ),
    Task(
        "I am at the kitchen island. Can I reach the deck behind the house?",
        "Kitchen island",
        "Deck",
        "beside the stools",
        "the wooden deck with the round table",
        ("Garden door",),
    ),
    Task(
        "Can I go from the hall to the bathroom downstairs?",
        "Hall",
        "Bathroom",
        "beside the stairs",
        "in front of the wash basin",
    ),
    Task(
        "Can I get from the back hall to the desk in the study?",
        "Back hall",
        "Study",
        "the end of the hall",
        "the rug in the study",
        ("Corridor corner",),
    ),
    Task(
        "Can I go from the kitchen up to the main bedroom?",
        "Kitchen",
        "Bedroom",
        "inside the kitchen doorway",
        "inside the bedroom door",
        ("Stair foot", "Landing"),
    ),
    Task(
        "From the living room door, can I reach the window seat along the bookcase?",
        "Living room",
        "Window seat",
        "inside the living room door",
        "under the wide south window",
        ("Bookcase corner",),
    ),
    Task(
        "I am upstairs in the small bedroom. Can I get out onto the roof terrace?",
        "Small bedroom",
        "Roof terrace",
        "on the rug",
        "the open terrace",
    ),
)
"""Start, end and intermediate places are names of nodes of the sample's graph."""
