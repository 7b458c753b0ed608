"""What differs between two states of a project, row by row, found without reading the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from waypost.domain.base.mapping_changes import mapping_changes
from waypost.domain.project import Project
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import KINDS

ORDINAL_GAP: Final = 1 << 20
"""Room left between neighbours, so that an item put back by undo fits in its old place."""


@dataclass(frozen=True, slots=True)
class KindDifference:
    """The rows of one kind that a save has to write."""

    kind: ItemKind
    added: Mapping[Any, Any]
    """Key → new value."""

    changed: Mapping[Any, Any]
    """Key → new value."""

    removed: Mapping[Any, Any]
    """Key → old value."""

    ordinals: Mapping[Any, int]
    """Key → place in the order, for every added item and every item that changes its place."""


def project_difference(
    before: Project | None,
    after: Project,
    ordinals: Mapping[ItemKind, Mapping[Any, int]],
) -> tuple[KindDifference, ...]:
    """Find the rows to write; kinds without a difference are left out.

    Args:
        before: The state in the file; ``None`` for a new file.
        after: The state wanted.
        ordinals: The place in the order of each item in the file.
    """
    found = (
        _kind_difference(
            kind, {} if before is None else kind.items(before), kind.items(after), ordinals[kind]
        )
        for kind in KINDS
    )
    return tuple(difference for difference in found if difference is not None)


def _kind_difference(
    kind: ItemKind,
    before: Mapping[Any, Any],
    after: Mapping[Any, Any],
    ordinals: Mapping[Any, int],
) -> KindDifference | None:
    found = mapping_changes(before, after)
    added = {key: after[key] for key in found.added}
    changed = {key: after[key] for key in found.changed}
    removed = {key: before[key] for key in found.removed}
    moved: Mapping[Any, int] = {}
    if found.is_reordered:
        moved = new_ordinals(list(after), ordinals)
    elif added:
        moved = new_ordinals([*list(before)[-1:], *added], ordinals)
    if not (added or changed or removed or moved):
        return None
    return KindDifference(kind, added, changed, removed, moved)


def new_ordinals(keys: Sequence[Any], known: Mapping[Any, int]) -> Mapping[Any, int]:
    """Give every key without an ordinal one that sorts it into place.

    Args:
        keys: All keys in the order wanted.
        known: The ordinals in the file.

    Returns:
        Only what has to be written: usually the new keys; every key where the kept ones
        changed their order or a gap is used up.
    """
    kept = [known[key] for key in keys if key in known]
    if any(low >= high for low, high in pairwise(kept)):
        return _renumbered(keys)
    placed: dict[Any, int] = {}
    run: list[Any] = []
    low: int | None = None
    for key in keys:
        if key not in known:
            run.append(key)
            continue
        high = known[key]
        if run:
            base = high - ORDINAL_GAP * (len(run) + 1) if low is None else low
            step = (high - base) // (len(run) + 1)
            if step < 1:
                return _renumbered(keys)
            placed |= {k: base + step * (i + 1) for i, k in enumerate(run)}
            run = []
        low = high
    base = 0 if low is None else low
    return placed | {k: base + ORDINAL_GAP * (i + 1) for i, k in enumerate(run)}


def _renumbered(keys: Sequence[Any]) -> Mapping[Any, int]:
    return {key: ORDINAL_GAP * (i + 1) for i, key in enumerate(keys)}
