"""How many actions become a menu that can be read at a glance: groups, folded where it is long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from waypost.app.shell.actions import ActionSpec

MOST_ENTRIES: Final = 12
"""In one column of a menu."""


@dataclass(frozen=True, slots=True)
class MenuGroup:
    """Entries between two separators, or one entry that opens them."""

    title: str
    """Empty for what stands between groups, which is never folded."""

    action_ids: tuple[str, ...]
    is_folded: bool = False
    """Whether it is one entry with a column of its own."""


def in_groups(specs: Sequence[ActionSpec], *groups: tuple[str, str, str]) -> tuple[ActionSpec, ...]:
    """Put actions into groups of their menu.

    Args:
        specs: In the order of the menu.
        groups: Title of each group, and the ids of its first and its last action.
    """
    placed = list(specs)
    ids = [spec.id for spec in placed]
    for title, first, last in groups:
        for place in range(ids.index(first), ids.index(last) + 1):
            placed[place] = replace(placed[place], group=title)
    return tuple(placed)


def menu_groups(specs: Iterable[ActionSpec]) -> tuple[MenuGroup, ...]:
    """The groups of one menu; the largest are folded until a column holds the rest.

    Args:
        specs: Of one heading, in order.
    """
    groups = [
        MenuGroup(title, tuple(spec.id for spec in members))
        for title, members in groupby(specs, key=lambda spec: spec.group)
    ]
    while sum(_height(group) for group in groups) > MOST_ENTRIES:
        largest = max(groups, key=lambda group: _height(group) if group.title else 0)
        if not largest.title or largest.is_folded:
            break
        groups[groups.index(largest)] = replace(largest, is_folded=True)
    return tuple(groups)


def _height(group: MenuGroup) -> int:
    return 1 if group.is_folded else len(group.action_ids)
