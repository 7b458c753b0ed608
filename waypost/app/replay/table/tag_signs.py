"""How each computed tag is shown in tables and filters."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from waypost.domain.replay.tags import TagKind
from waypost.services.appearance import Sign

TAG_SIGNS: Mapping[TagKind, Sign] = MappingProxyType(
    {
        TagKind.PERFECT: Sign("★", "perfect", "travels"),
        TagKind.SUCCESS_WITH_LOOPING: Sign("↺", "success, loops", "uncertain"),
        TagKind.LOOPING: Sign("↻", "loops", "uncertain"),
        TagKind.WRONG_FIRST_TURN: Sign("↰", "first turn", "does_not"),
        TagKind.EARLY_STOP: Sign("⇤", "early stop", "does_not"),
        TagKind.LATE_STOP: Sign("⇥", "late stop", "does_not"),
        TagKind.NEVER_STOPPED: Sign("∞", "no stop", "does_not"),
        TagKind.ORACLE_SUCCESS: Sign("◎", "oracle", "uncertain"),
        TagKind.WRONG_STOREY: Sign("⇅", "storey", "does_not"),
        TagKind.GENERATION_ERROR: Sign("⚠", "generation", "does_not"),
        TagKind.TELEPORT: Sign("⇝", "teleport", "does_not"),
        TagKind.COLLISION: Sign("✸", "collision", "uncertain"),
        TagKind.STUCK: Sign("⊘", "stuck", "does_not"),
        TagKind.FALL: Sign("↓", "fall", "does_not"),
        TagKind.FORMAT_ERROR: Sign("#", "format", "does_not"),
        TagKind.FALSE_YES: Sign("⊕", "false yes", "does_not"),
        TagKind.FALSE_NO: Sign("⊖", "false no", "does_not"),
        TagKind.UNRESOLVED_NODE: Sign("⁇", "unknown node", "does_not"),
        TagKind.WRONG_START: Sign("⊢", "start", "does_not"),
        TagKind.WRONG_END: Sign("⊣", "end", "does_not"),
        TagKind.REPEATED_NODE: Sign("⟲", "repeated", "does_not"),
        TagKind.NON_EDGE: Sign("≁", "no edge", "does_not"),
        TagKind.BLOCKED_EDGE: Sign("✕", "blocked", "does_not"),
        TagKind.WRONG_REASON: Sign("≉", "reason", "uncertain"),
        TagKind.EMPTY_NO: Sign("∅", "no path", "uncertain"),
    }
)
"""Mark and short word of each computed tag; ``TAG_TITLES`` has the whole names."""
