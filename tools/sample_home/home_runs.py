"""Episodes of the sample home, and what the scripted agent makes of them."""

from __future__ import annotations

from typing import Final

from tools.demo_runs import CapnavAnswer, DemoInstruction, DemoPath
from tools.scripted_agent import Behaviour

SCAN: Final = "home"
_P, _L, _E = Behaviour.PERFECT, Behaviour.LOOP, Behaviour.EARLY_STOP
_O, _W, _G = Behaviour.WALKS_ON, Behaviour.WRONG_WAY, Behaviour.GARBLED

PATHS: Final = (
    DemoPath(
        1,
        ("Entrance", "Hall", "Living room", "Sofa"),
        (
            DemoInstruction(
                "Walk past the stairs to the end of the hall. Turn left into the living room."
                " Stop at the near end of the sofa.",
                _L, _E, _P,
            ),
            DemoInstruction(
                "Go through the hall and take the first door on the left, then cross the room"
                " and wait by the sofa.",
                _E, _O, _E,
            ),
        ),
    ),
    DemoPath(
        2,
        ("Kitchen", "Stair foot", "Landing", "Upper hall", "Gallery", "Bedroom"),
        (
            DemoInstruction(
                "Leave the kitchen and climb the stairs. At the top turn left. Follow the"
                " balustrade and enter the main bedroom.",
                _O, _W, _L,
            ),
            DemoInstruction(
                "Take the stairs up, then go along the gallery and stop inside the bedroom.",
                _G, _L, _G,
            ),
        ),
    ),
    DemoPath(
        3,
        ("Garden path", "Porch", "Entrance", "Stair foot", "Kitchen", "Kitchen island"),
        (
            DemoInstruction(
                "Go up the ramp and through the red front door. Turn right before the stairs"
                " into the kitchen. Stop beside the stools of the island.",
                _P, _G, _O,
            ),
        ),
    ),
    DemoPath(
        4,
        ("Back hall", "Corridor corner", "Study"),
        (
            DemoInstruction(
                "Follow the narrow corridor to its corner. Turn right and stop on the rug of"
                " the study.",
                _W, _P, _P,
            ),
        ),
    ),
    DemoPath(
        5,
        ("Dining room", "Garden door", "Deck"),
        (
            DemoInstruction("Go out by the garden door. Stop on the wooden deck.", _P, _L, _P),
        ),
    ),
)  # fmt: skip
"""Behaviours: in the open form, in NavGPT's, in MapGPT's."""

_TO_STUDY: Final = ("Back hall", "Corridor corner", "Study")
_TO_BEDROOM: Final = ("Kitchen", "Stair foot", "Landing", "Upper hall", "Gallery", "Bedroom")
_TO_KITCHEN: Final = ("Garden path", "Porch", "Entrance", "Stair foot", "Kitchen")
_TO_SOFA: Final = ("Entrance", "Hall", "Living room", "Sofa")

ANSWERS: Final = (
    CapnavAnswer(0, "wheelchair", _TO_KITCHEN, "yes",
                 "The ramp replaces the step at the door, and the way to the kitchen is wide."),
    CapnavAnswer(1, "wheelchair", _TO_SOFA, "yes",
                 "Hall and living room door look wide enough for a wheelchair."),
    CapnavAnswer(3, "wheelchair", ("Hall", "Back hall", "Bathroom"), "no",
                 "A bath mat lies in the bathroom door, and the wheels would catch in it."),
    CapnavAnswer(4, "wheelchair", ("Back hall", "Study"), "yes",
                 "A door leads straight from the back hall into the study."),
    CapnavAnswer(4, "quadruped", _TO_STUDY, "yes",
                 "The corridor is narrow, but a quadruped is slim."),
    CapnavAnswer(5, "wheelchair", _TO_BEDROOM, "yes",
                 "The stairs have few steps, which a wheelchair can roll up."),
    CapnavAnswer(5, "human", _TO_BEDROOM, "yes", "A person climbs the stairs without effort."),
)  # fmt: skip
"""Written by us: a passage and an obstacle that are not there, and an ability nobody has."""
