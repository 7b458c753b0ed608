"""Every change to a taxonomy being edited; duplicates are refused at once, gaps only on saving."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from waypost.domain.base.errors import EditError
from waypost.domain.causes.failure import Axis, Category, Taxonomy

_Entry = TypeVar("_Entry", Axis, Category)


def key_from_title(title: str, taken: Iterable[str]) -> str:
    """A stable name for files: letters, digits and underscores, numbered if it is taken."""
    wanted = re.sub(r"\W+", "_", title.strip().lower()).strip("_") or "entry"
    names = set(taken)
    key, number = wanted, 2
    while key in names:
        key = f"{wanted}_{number}"
        number += 1
    return key


def new_taxonomy(title: str, taken: Iterable[str]) -> Taxonomy:
    """A taxonomy to begin with: one axis, no category yet."""
    return Taxonomy(key_from_title(title, taken), title, 0, (Axis("cause", "Cause", ()),))


def copied_taxonomy(taxonomy: Taxonomy, title: str, taken: Iterable[str]) -> Taxonomy:
    """The same axes under another name and key, not saved in any version yet."""
    return replace(taxonomy, key=key_from_title(title, taken), title=title, version=0)


def problems(taxonomy: Taxonomy) -> tuple[str, ...]:
    """What has to be filled in before a taxonomy can be saved, in sentences."""
    found = []
    if not taxonomy.title.strip():
        found.append("The taxonomy needs a name.")
    if not taxonomy.axes:
        found.append("Add an axis: a question that every mark answers.")
    found += [f"Add a category to “{axis.title}”." for axis in taxonomy.axes if not axis.categories]
    return tuple(found)


def add_axis(taxonomy: Taxonomy, title: str) -> Taxonomy:
    """A further axis at the end, without categories.

    Raises:
        EditError: If the name is empty or taken.
    """
    _check_title(title, taxonomy.axes, "")
    key = key_from_title(title, (axis.key for axis in taxonomy.axes))
    return replace(taxonomy, axes=(*taxonomy.axes, Axis(key, title.strip(), ())))


def change_axis(
    taxonomy: Taxonomy,
    key: str,
    *,
    title: str | None = None,
    is_required: bool | None = None,
    allows_several: bool | None = None,
) -> Taxonomy:
    """Another name or other rules for an axis; what is ``None`` stays.

    Raises:
        EditError: If there is no such axis, or the name is empty or taken.
    """
    axis = _axis(taxonomy, key)
    if title is not None:
        _check_title(title, taxonomy.axes, key)
        axis = replace(axis, title=title.strip())
    if is_required is not None:
        axis = replace(axis, is_required=is_required)
    if allows_several is not None:
        axis = replace(axis, allows_several=allows_several)
    return _with_axis(taxonomy, axis)


def move_axis(taxonomy: Taxonomy, key: str, by: int) -> Taxonomy:
    """An axis further up (negative) or down; as far as there is room.

    Raises:
        EditError: If there is no such axis.
    """
    return replace(taxonomy, axes=_moved(taxonomy.axes, _axis(taxonomy, key), by))


def remove_axis(taxonomy: Taxonomy, key: str) -> Taxonomy:
    """The taxonomy without an axis.

    Raises:
        EditError: If there is no such axis.
    """
    gone = _axis(taxonomy, key)
    return replace(taxonomy, axes=tuple(axis for axis in taxonomy.axes if axis is not gone))


def add_category(taxonomy: Taxonomy, axis_key: str, title: str) -> Taxonomy:
    """A further category at the end of an axis.

    Raises:
        EditError: If there is no such axis, or the name is empty or taken on it.
    """
    axis = _axis(taxonomy, axis_key)
    _check_title(title, axis.categories, "")
    key = key_from_title(title, (entry.key for entry in axis.categories))
    category = Category(key, title.strip())
    return _with_axis(taxonomy, replace(axis, categories=(*axis.categories, category)))


def change_category(
    taxonomy: Taxonomy,
    axis_key: str,
    key: str,
    *,
    title: str | None = None,
    description: str | None = None,
    shortcut: str | None = None,
) -> Taxonomy:
    """Another name, description or key for a category; what is ``None`` stays.

    A new name keeps the category's key in files, so that older marks still mean it.

    Raises:
        EditError: If there is no such category, the name is empty or taken on its axis, or the
            shortcut is longer than one character or used anywhere in the taxonomy.
    """
    axis = _axis(taxonomy, axis_key)
    category = _category(axis, key)
    if title is not None:
        _check_title(title, axis.categories, key)
        category = replace(category, title=title.strip())
    if description is not None:
        category = replace(category, description=description.strip())
    if shortcut is not None:
        category = replace(category, shortcut=_free_shortcut(taxonomy, category, shortcut))
    return _with_axis(taxonomy, _with_category(axis, category))


def move_category(taxonomy: Taxonomy, axis_key: str, key: str, by: int) -> Taxonomy:
    """A category further up (negative) or down its axis; as far as there is room.

    Raises:
        EditError: If there is no such category.
    """
    axis = _axis(taxonomy, axis_key)
    moved = _moved(axis.categories, _category(axis, key), by)
    return _with_axis(taxonomy, replace(axis, categories=moved))


def remove_category(taxonomy: Taxonomy, axis_key: str, key: str) -> Taxonomy:
    """The taxonomy without a category.

    Raises:
        EditError: If there is no such category.
    """
    axis = _axis(taxonomy, axis_key)
    gone = _category(axis, key)
    kept = tuple(entry for entry in axis.categories if entry is not gone)
    return _with_axis(taxonomy, replace(axis, categories=kept))


def rekeyed_axis(taxonomy: Taxonomy, key: str) -> tuple[Taxonomy, str]:
    """The taxonomy with the key of an axis made from its name, and that key.

    Only for an axis that was never saved: marks are filed by keys.

    Raises:
        EditError: If there is no such axis.
    """
    axis = _axis(taxonomy, key)
    others = [entry.key for entry in taxonomy.axes if entry is not axis]
    new = key_from_title(axis.title, others)
    axes = tuple(replace(e, key=new) if e is axis else e for e in taxonomy.axes)
    return replace(taxonomy, axes=axes), new


def rekeyed_category(taxonomy: Taxonomy, axis_key: str, key: str) -> tuple[Taxonomy, str]:
    """The taxonomy with the key of a category made from its name, and that key.

    Only for a category that was never saved: marks are filed by keys.

    Raises:
        EditError: If there is no such category.
    """
    axis = _axis(taxonomy, axis_key)
    category = _category(axis, key)
    others = [entry.key for entry in axis.categories if entry is not category]
    new = key_from_title(category.title, others)
    entries = tuple(replace(e, key=new) if e is category else e for e in axis.categories)
    return _with_axis(taxonomy, replace(axis, categories=entries)), new


def _axis(taxonomy: Taxonomy, key: str) -> Axis:
    found = taxonomy.axis(key)
    if found is None:
        raise EditError(f"{taxonomy.title} has no axis {key!r}")
    return found


def _category(axis: Axis, key: str) -> Category:
    found = axis.category(key)
    if found is None:
        raise EditError(f"{axis.title} has no category {key!r}")
    return found


def _with_axis(taxonomy: Taxonomy, axis: Axis) -> Taxonomy:
    axes = tuple(axis if entry.key == axis.key else entry for entry in taxonomy.axes)
    return dataclasses.replace(taxonomy, axes=axes)


def _with_category(axis: Axis, category: Category) -> Axis:
    entries = tuple(category if e.key == category.key else e for e in axis.categories)
    return dataclasses.replace(axis, categories=entries)


def _moved(entries: Sequence[_Entry], entry: _Entry, by: int) -> tuple[_Entry, ...]:
    moved: list[_Entry] = [other for other in entries if other is not entry]
    moved.insert(min(max(list(entries).index(entry) + by, 0), len(moved)), entry)
    return tuple(moved)


def _check_title(title: str, entries: Sequence[Axis | Category], own_key: str) -> None:
    wanted = title.strip()
    if not wanted:
        raise EditError("a name cannot be empty")
    for entry in entries:
        if entry.key != own_key and entry.title.casefold() == wanted.casefold():
            raise EditError(f"there is “{entry.title}” already")


def _free_shortcut(taxonomy: Taxonomy, category: Category, shortcut: str) -> str:
    wanted = shortcut.strip().lower()
    if len(wanted) > 1:
        raise EditError("a key is one character")
    for axis in taxonomy.axes:
        for entry in axis.categories:
            if entry != category and wanted and entry.shortcut.lower() == wanted:
                raise EditError(f"the key {wanted.upper()} sets “{entry.title}” already")
    return wanted
