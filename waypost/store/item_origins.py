"""Where instructions come from, which stands apart from them: a server hides it longer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar

from waypost.domain.score.batch import BatchItem, BatchItemKey

BatchItems = Mapping[BatchItemKey, BatchItem]
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class ItemOrigin:
    """What a rater may not know of an item before everything of theirs is in."""

    key: BatchItemKey
    source: str
    """See ``InstructionText``."""

    expected: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """See ``BatchItem``."""


def _kept(
    make: Callable[[BatchItems], Mapping[BatchItemKey, _Made]],
) -> Callable[[BatchItems], Mapping[BatchItemKey, _Made]]:
    """The same answer for the same items: each save asks twice, and it costs their number."""
    last: tuple[BatchItems, Mapping[BatchItemKey, _Made]] | None = None

    def made(items: BatchItems) -> Mapping[BatchItemKey, _Made]:
        nonlocal last
        found = last
        if found is None or found[0] is not items:
            found = last = (items, MappingProxyType(make(items)))
        return found[1]

    return made


@_kept
def items_alone(items: BatchItems) -> Mapping[BatchItemKey, BatchItem]:
    """The items without their origins."""
    return {
        key: BatchItem(entry.key, replace(entry.instruction, source=""))
        for key, entry in items.items()
    }


@_kept
def origins_of(items: BatchItems) -> Mapping[BatchItemKey, ItemOrigin]:
    """The origin of every item, also of one of which nothing is known."""
    return {
        key: ItemOrigin(key, entry.instruction.source, entry.expected)
        for key, entry in items.items()
    }


def with_origins(items: BatchItems, origins: Mapping[BatchItemKey, ItemOrigin]) -> BatchItems:
    """The items with their origins; those of which none is seen stay as they are.

    Raises:
        ValueError: If an origin is of no item.
    """
    made = dict(items)
    for key, origin in origins.items():
        if key not in made:
            raise ValueError(
                f"{key.item} of the batch {key.batch!r} has an origin, and is not there"
            )
        instruction = replace(made[key].instruction, source=origin.source)
        made[key] = BatchItem(key, instruction, origin.expected)
    return MappingProxyType(made)
