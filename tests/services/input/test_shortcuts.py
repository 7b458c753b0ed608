from __future__ import annotations

from types import MappingProxyType

import pytest
from PySide6.QtCore import Qt

from waypost.domain.base.errors import InputError
from waypost.services.input.shortcuts import (
    DRIVING_SCOPE,
    ShortcutEntry,
    ShortcutMap,
    key_at_position,
    key_name,
    portable_key,
)

ENTRIES = (
    ShortcutEntry("undo", "Undo", "Edit", "Ctrl+Z"),
    ShortcutEntry("node", "Node tool", "Graph", "N", "graph"),
    ShortcutEntry("does_not", "Does not travel", "Traverse", "N", "traverse"),
    ShortcutEntry("travels", "Travels", "Traverse", "Y", "traverse"),
    ShortcutEntry("top", "Top-down", "View", "T"),
    ShortcutEntry("forward", "Forward", "Driving", "W", DRIVING_SCOPE),
)


def changed(**changes: str) -> ShortcutMap:
    return ShortcutMap(ENTRIES, MappingProxyType(changes))


def test_one_key_may_serve_two_workspaces() -> None:
    assert changed().keys() == {
        "undo": "Ctrl+Z", "node": "N", "does_not": "N", "travels": "Y", "top": "T", "forward": "W",
    }  # fmt: skip


def test_assign_normalises_and_reset_returns() -> None:
    shortcuts = changed().assign("undo", "shift+ctrl+u")
    assert shortcuts.key("undo") == "Ctrl+Shift+U"
    assert shortcuts.changes == {"undo": "Ctrl+Shift+U"}
    assert shortcuts.reset("undo") == changed()
    assert shortcuts.assign("undo", "Ctrl+Z").changes == {}


@pytest.mark.parametrize(
    ("action", "key", "holder"),
    [
        ("travels", "N", "Does not travel"),
        ("travels", "T", "Top-down"),
        ("top", "Y", "Travels"),
        ("undo", "t", "Top-down"),
    ],
)
def test_a_conflict_is_refused_and_named(action: str, key: str, holder: str) -> None:
    with pytest.raises(InputError, match=f"already runs “{holder}”"):
        changed().assign(action, key)


def test_driving_keys_meet_no_command() -> None:
    assert changed().assign("top", "W").key("top") == "W"
    assert changed().assign("forward", "T").key("forward") == "T"


def test_reset_is_refused_while_another_action_has_the_key() -> None:
    shortcuts = changed().assign("top", "X").assign("undo", "T")
    with pytest.raises(InputError, match="“Undo”"):
        shortcuts.reset("top")
    assert shortcuts.reset_all() == changed()


def test_a_new_default_gives_way_to_the_users_key() -> None:
    newer = ShortcutMap(
        (*ENTRIES, ShortcutEntry("measure", "Measure", "Graph", "M", "graph")),
        MappingProxyType({"top": "M"}),
    )
    assert newer.key("top") == "M"
    assert newer.key("measure") == ""


def test_keys_of_unknown_actions_are_kept() -> None:
    shortcuts = changed(from_the_future="F9").assign("undo", "Ctrl+U")
    assert shortcuts.changes["from_the_future"] == "F9"
    assert shortcuts.reset_all().changes == {"from_the_future": "F9"}
    assert list(shortcuts.keys()) == [entry.action_id for entry in ENTRIES]


def test_a_key_can_be_taken_away() -> None:
    assert changed().assign("travels", "").key("travels") == ""


@pytest.mark.parametrize("text", ["Ctrl+K, Ctrl+S", "Nonsense+"])
def test_what_is_no_single_key_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        portable_key(text)


@pytest.mark.parametrize(
    ("scan_code", "virtual_key", "platform", "expected"),
    [
        (25, 0, "linux", "W"), (38, 0, "linux", "A"), (39, 0, "linux", "S"), (40, 0, "linux", "D"),
        (10, 0, "linux", "1"), (19, 0, "linux", "0"), (52, 0, "linux", "Z"), (9, 0, "linux", ""),
        (17, 0, "win32", "W"), (30, 0, "win32", "A"), (2, 0, "win32", "1"), (11, 0, "win32", "0"),
        (1, 13, "darwin", "W"), (1, 0, "darwin", "A"), (1, 18, "darwin", "1"), (0, 0, "darwin", ""),
        (0, 0, "linux", ""),
    ],
)  # fmt: skip
def test_position_of_keys(scan_code: int, virtual_key: int, platform: str, expected: str) -> None:
    assert key_at_position(scan_code, virtual_key, platform) == expected


@pytest.mark.parametrize(
    ("label", "scan_code", "expected"),
    [
        (Qt.Key.Key_Z, 25, "W"),  # AZERTY: the key at the place of W says Z
        (Qt.Key.Key_Q, 38, "A"),  # AZERTY
        (Qt.Key.Key_Ampersand, 10, "1"),  # AZERTY: digits need Shift
        (0x0426, 25, "W"),  # Cyrillic Tse
        (0x041D, 29, "Y"),  # Cyrillic En at the place of Y
        (Qt.Key.Key_Y, 52, "Y"),  # QWERTZ: Y is where Z was; its label counts
        (Qt.Key.Key_Z, 29, "Z"),  # QWERTZ
        (Qt.Key.Key_N, 57, "N"),
        (Qt.Key.Key_Up, 111, "Up"),
        (Qt.Key.Key_Escape, 9, "Esc"),
        (Qt.Key.Key_W, 0, "W"),  # no scan code: trust the label
    ],
)
def test_names_of_keys_under_other_layouts(label: int, scan_code: int, expected: str) -> None:
    assert key_name(int(label), scan_code, platform="linux") == expected


def test_an_action_may_stand_for_one_that_works_everywhere() -> None:
    frame = ShortcutEntry("view.frame", "Frame the selection", "View", "F")
    flag = ShortcutEntry("score.flag", "Flag", "Score", "F", "score", instead_of="view.frame")
    other = ShortcutEntry("score.other", "Other", "Score", "", "score")
    shortcuts = ShortcutMap((frame, flag, other))
    assert shortcuts.keys() == {"view.frame": "F", "score.flag": "F", "score.other": ""}
    with pytest.raises(InputError, match="Frame the selection"):
        ShortcutMap((frame, other)).assign("score.other", "F")
    assert shortcuts.assign("view.frame", "G").key("score.flag") == "F"
