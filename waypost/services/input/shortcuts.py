"""Keys of actions: defaults, the user's changes, conflicts, and keys by physical position."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from waypost.domain.base.errors import InputError

EVERYWHERE = ""
"""Scope of an action that works in every workspace."""

DRIVING_SCOPE = "driving"
"""Scope of the keys that move an agent; everything else is suspended while they work."""

CLAIMED_KEYS = "claimed_keys"
"""Property of a widget: keys that act in it and its children before any command."""

_ROWS_BY_SCAN_CODE = ((2, "1234567890"), (16, "QWERTYUIOP"), (30, "ASDFGHJKL"), (44, "ZXCVBNM"))
"""First evdev code of each row of a keyboard, and its keys on the US layout.

Windows' scan codes (set 1) are the same numbers; X11 and Wayland add 8.
"""

_MAC_KEY_CODES = {
    **dict(zip((0, 1, 2, 3, 5, 4, 38, 40, 37), "ASDFGHJKL", strict=True)),
    **dict(zip((12, 13, 14, 15, 17, 16, 32, 34, 31, 35), "QWERTYUIOP", strict=True)),
    **dict(zip((6, 7, 8, 9, 11, 45, 46), "ZXCVBNM", strict=True)),
    **dict(zip((18, 19, 20, 21, 23, 22, 26, 28, 25, 29), "1234567890", strict=True)),
}
"""Carbon's position codes ``kVK_ANSI_…``; macOS gives no scan code."""

_POSITION_KEYS = frozenset("WASD1234567890")
"""Keys that mean a place on the keyboard whatever is printed on them."""


def key_at_position(scan_code: int, virtual_key: int = 0, platform: str = sys.platform) -> str:
    """Name the US-layout key at a physical position.

    Args:
        scan_code: ``QKeyEvent.nativeScanCode()``.
        virtual_key: ``QKeyEvent.nativeVirtualKey()``; used on macOS only.
        platform: As ``sys.platform``.

    Returns:
        ``A`` … ``Z``, ``0`` … ``9``, or an empty string for any other key.
    """
    if platform == "darwin":
        return _MAC_KEY_CODES.get(virtual_key, "") if scan_code else ""
    code = scan_code if platform == "win32" else scan_code - 8
    for first, keys in _ROWS_BY_SCAN_CODE:
        if 0 <= code - first < len(keys):
            return keys[code - first]
    return ""


def key_name(key: int, scan_code: int, virtual_key: int = 0, platform: str = sys.platform) -> str:
    """Name a pressed key so that it works under every layout and input method.

    Digits and W, A, S, D go by position. Other letters go by what is printed on the key,
    and by position where that is not a Latin letter.

    Args:
        key: ``QKeyEvent.key()``.
        scan_code: ``QKeyEvent.nativeScanCode()``; 0 where it is not known.
        virtual_key: ``QKeyEvent.nativeVirtualKey()``.
        platform: As ``sys.platform``.

    Returns:
        Portable name as in a shortcut, e.g. ``W``, ``1``, ``Up``, ``Esc``.
    """
    at_position = key_at_position(scan_code, virtual_key, platform)
    is_latin_letter = Qt.Key.Key_A <= key <= Qt.Key.Key_Z
    if at_position in _POSITION_KEYS or (at_position and not is_latin_letter):
        return at_position
    if is_latin_letter and scan_code and chr(key) in _POSITION_KEYS:
        return at_position
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)


def key_of_event(event: QKeyEvent) -> str:
    """Name the key of a Qt event by ``key_name``; modifiers are left out.

    Keys of the number pad keep what is printed on them.
    """
    scan_code = event.nativeScanCode()
    if event.modifiers() & Qt.KeyboardModifier.KeypadModifier:
        scan_code = 0
    return key_name(event.key(), scan_code, event.nativeVirtualKey())


def named_key(key: str) -> str:
    """A key as it is printed on most keyboards."""
    return "Enter" if key == "Return" else key


def portable_key(text: str) -> str:
    """Normalise a shortcut: ``shift+ctrl+p`` → ``Ctrl+Shift+P``.

    Raises:
        InputError: If the text names no key or more than one.
    """
    if not text:
        return ""
    sequence = QKeySequence(text)
    portable = sequence.toString(QKeySequence.SequenceFormat.PortableText)
    if sequence.count() != 1 or not portable:
        raise InputError(f"{text!r} is not a key")
    return portable


@dataclass(frozen=True, slots=True)
class ShortcutEntry:
    """An action that can have a key."""

    action_id: str
    title: str
    category: str
    default_key: str
    """Portable, e.g. ``Ctrl+K``; empty for none."""

    scope: str = EVERYWHERE
    """The workspace in which the key works; two scopes may use one key for two actions."""

    instead_of: str = ""
    """Action that works everywhere but in this scope, so that its key is free there."""


@dataclass(frozen=True)
class ShortcutMap:
    """Which key runs which action: the defaults with the user's changes on top."""

    entries: tuple[ShortcutEntry, ...]
    changes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Action id → key as the user set it; ids of other versions are kept."""

    def entry(self, action_id: str) -> ShortcutEntry:
        """The action with this id.

        Raises:
            KeyError: If there is none.
        """
        for entry in self.entries:
            if entry.action_id == action_id:
                return entry
        raise KeyError(action_id)

    def keys(self) -> dict[str, str]:
        """Action id → key in force.

        The user's changes come first; a default that meets one of them in the same scope
        gives way and has no key, so that a new version never takes a key from its user.
        """
        return dict(self._in_force)

    @cached_property
    def _in_force(self) -> Mapping[str, str]:
        taken: dict[str, str] = {}
        holders: defaultdict[str, list[ShortcutEntry]] = defaultdict(list)
        for wanted in (self.changes, {e.action_id: e.default_key for e in self.entries}):
            for entry in self.entries:
                if entry.action_id in taken or entry.action_id not in wanted:
                    continue
                key = wanted[entry.action_id]
                if any(_exclude(other, entry) for other in holders[key]):
                    key = ""
                taken[entry.action_id] = key
                if key:
                    holders[key].append(entry)
        return {entry.action_id: taken[entry.action_id] for entry in self.entries}

    def key(self, action_id: str) -> str:
        """The key in force; empty for none."""
        return self._in_force.get(action_id, "")

    def conflict(self, action_id: str, key: str) -> ShortcutEntry | None:
        """The other action that has this key in a scope where both would hear it."""
        entry = self.entry(action_id)
        for other in self.entries:
            if other is entry or not key or self._in_force[other.action_id] != key:
                continue
            if _exclude(other, entry):
                return other
        return None

    def assign(self, action_id: str, key: str) -> ShortcutMap:
        """Give an action another key; an empty one takes its key away.

        Raises:
            InputError: If the key is none, or another action has it; names that action.
        """
        portable = portable_key(key)
        other = self.conflict(action_id, portable)
        if other is not None:
            raise InputError(f"{portable} already runs “{other.title}” ({other.category})")
        if portable == self.entry(action_id).default_key:
            return self._without(action_id)
        return replace(self, changes=MappingProxyType({**self.changes, action_id: portable}))

    def reset(self, action_id: str) -> ShortcutMap:
        """Give an action its default key back.

        Raises:
            InputError: If another action has that key now; names that action.
        """
        default = self.entry(action_id).default_key
        other = self.conflict(action_id, default)
        if other is not None:
            raise InputError(f"{default} already runs “{other.title}” ({other.category})")
        return self._without(action_id)

    def reset_all(self) -> ShortcutMap:
        """Give every known action its default key back."""
        known = {entry.action_id for entry in self.entries}
        kept = {k: v for k, v in self.changes.items() if k not in known}
        return replace(self, changes=MappingProxyType(kept))

    def _without(self, action_id: str) -> ShortcutMap:
        kept = {k: v for k, v in self.changes.items() if k != action_id}
        return replace(self, changes=MappingProxyType(kept))


def _exclude(a: ShortcutEntry, b: ShortcutEntry) -> bool:
    """Whether two actions cannot have the same key."""
    is_instead = a.action_id == b.instead_of or b.action_id == a.instead_of
    return _scopes_meet(a.scope, b.scope) and not is_instead


def _scopes_meet(a: str, b: str) -> bool:
    if a == b:
        return True
    return EVERYWHERE in (a, b) and DRIVING_SCOPE not in (a, b)
