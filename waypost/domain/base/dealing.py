"""Dealing things out to people by a seed: a share to several of them, every other to one."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from waypost.domain.base.errors import InputError


def deal_names(
    names: Sequence[str],
    raters: Sequence[str],
    overlap_share: float,
    seed: int,
    for_all: Sequence[str] = (),
) -> Mapping[str, tuple[str, ...]]:
    """Deal items or pairs out by their names: a share to all raters, every other to one of them.

    Args:
        names: Of what is dealt.
        raters: Each named once.
        overlap_share: In [0, 1].
        seed: Of the dealing and the orders.
        for_all: Names that go to all raters besides that share.

    Raises:
        InputError: If the share is not in [0, 1], or a rater is missing, nameless or named twice.
    """
    check_names(raters, "raters", "a batch needs raters with names")
    shared, others = shared_names(names, overlap_share, seed)
    assigned = {}
    for place, rater in enumerate(raters):
        own = [*for_all, *shared, *others[place :: len(raters)]]
        assigned[rater] = in_own_order(own, rater, seed)
    return MappingProxyType(assigned)


def seeded(words: str) -> random.Random:
    """Chance that follows from words; they may hold what no file can, as names from a shell may."""
    return random.Random(words.encode("utf-8", "surrogatepass"))


def shared_names(
    names: Sequence[str], share: float, seed: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names that several people get and those that one of them gets, random by the seed.

    Raises:
        InputError: If the share is not in [0, 1].
    """
    if not 0 <= share <= 1:
        raise InputError(f"overlap_share: {share:g} is not in 0 to 1")
    dealt = list(names)
    seeded(f"{seed} deal").shuffle(dealt)
    shared = round(share * len(dealt))
    return tuple(dealt[:shared]), tuple(dealt[shared:])


def deal_pairs(
    names: Sequence[str], people: Sequence[str], seed: int
) -> Mapping[str, tuple[str, str]]:
    """Deal each name to two people: every two as often as any other two, and as often first.

    Raises:
        InputError: If there are fewer than two people, or one is nameless or named twice.
    """
    check_names(people, "people", "two annotators are needed, with names")
    if len(people) < 2:
        raise InputError("people: two annotators are needed, with names")
    pairs = list(itertools.permutations(sorted(people), 2))
    seeded(f"{seed} pairs").shuffle(pairs)
    return MappingProxyType(dict(zip(names, itertools.cycle(pairs), strict=False)))


def check_names(people: Sequence[str], place: str, missing: str) -> None:
    """Refuse people without names, and those that are named twice.

    Raises:
        InputError: With the place, and what is missing.
    """
    if not people or not all(name.strip() for name in people):
        raise InputError(f"{place}: {missing}")
    if len(set(people)) != len(people):
        raise InputError(f"{place}: one is named twice")


def in_own_order(items: Sequence[str], person: str, seed: int) -> tuple[str, ...]:
    """Items in the order of one person, whatever order they come in."""
    own = sorted(items)
    seeded(f"{seed} order of {person}").shuffle(own)
    return tuple(own)
