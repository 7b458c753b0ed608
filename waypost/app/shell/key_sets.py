"""Which keys belong together: what drives, what a mode still allows, what controls show."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from waypost.annotators.traverse.label_keys import LabelKeys
from waypost.domain.traverse.traversability import Reason
from waypost.services.input.key_driving import CHANGEABLE_KEYS, FIXED_KEYS, DriveKey
from waypost.services.input.shortcuts import DRIVING_SCOPE, ShortcutEntry, ShortcutMap

_DRIVE_TITLES: Mapping[DriveKey, str] = MappingProxyType(
    {
        DriveKey.FORWARD: "Drive forward",
        DriveKey.BACK: "Drive back",
        DriveKey.TURN_LEFT: "Turn left",
        DriveKey.TURN_RIGHT: "Turn right",
        DriveKey.STRAFE_LEFT: "Step left (holonomic)",
        DriveKey.STRAFE_RIGHT: "Step right (holonomic)",
        DriveKey.LOOK_UP: "Look up (recorded drives)",
        DriveKey.LOOK_DOWN: "Look down (recorded drives)",
    }
)

DRIVE_ENTRIES = tuple(
    ShortcutEntry(f"drive.{meaning}", _DRIVE_TITLES[meaning], "Driving", key, DRIVING_SCOPE)
    for key, meaning in CHANGEABLE_KEYS.items()
)
"""Keys that move the agent; they are held, not pressed, so they are no actions."""

SESSION_ACTIONS = ("go", "stop", "pause", "lost", "voice", "voice_again", "leave")
"""What a participant can do beside driving."""

REVIEW_ACTIONS = ("play", "chase", "first_person", "top", "close")
"""Of a take under review, those whose keys are written on controls."""

ALLOWED_IN_SESSION = tuple(f"record.{name}" for name in SESSION_ACTIONS)
ALLOWED_WHILE_DRIVING = (
    "drive.stop", "drive.travels", "drive.does_not", "drive.uncertain",
    "drive.chase", "drive.first_person", "drive.top",
)  # fmt: skip


def record_keys(shortcuts: ShortcutMap) -> Mapping[str, str]:
    """Key of each action of a participant, of a review and of ``begin``, by its last word."""
    keys = shortcuts.keys()
    names = ("begin", *SESSION_ACTIONS, *REVIEW_ACTIONS)
    return {name: keys[f"record.{name}"] for name in names}


def drive_keys(shortcuts: ShortcutMap) -> Mapping[str, DriveKey]:
    """Key → what it does while an agent is driven, the fixed ones first."""
    keys = shortcuts.keys()
    held = {
        keys[entry.action_id]: DriveKey(entry.action_id.removeprefix("drive."))
        for entry in DRIVE_ENTRIES
    }
    return {**FIXED_KEYS, **held}


def label_keys(shortcuts: ShortcutMap) -> LabelKeys:
    """What the controls of the label panel say beside their words."""
    keys = shortcuts.keys()
    return LabelKeys(
        keys["traverse.travels"],
        keys["traverse.does_not"],
        keys["traverse.uncertain"],
        keys["traverse.drive"],
        keys["traverse.replay"],
        keys["traverse.accept"],
        keys["traverse.drive_straight"],
        tuple(keys[f"traverse.reason_{reason}"] for reason in Reason),
    )
