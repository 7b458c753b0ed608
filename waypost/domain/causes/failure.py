"""Root causes that people set: editable taxonomies, marks by several analysts, pure edits."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from waypost.domain.base.errors import EditError, InputError


@dataclass(frozen=True, slots=True)
class Category:
    """One answer on an axis of a taxonomy."""

    key: str
    """Stable name in files."""

    title: str
    description: str = ""
    shortcut: str = ""
    """One character that sets it; empty for none."""

    tags: tuple[str, ...] = ()
    """Computed tags for which it is proposed, see ``proposal.proposals``."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One question of a taxonomy, with the answers it allows."""

    key: str
    title: str
    categories: tuple[Category, ...]
    is_required: bool = True
    """Whether a mark is complete only with an answer here."""

    allows_several: bool = False
    """Whether more than one answer may be given."""

    def category(self, key: str) -> Category | None:
        """The answer of a key; ``None`` if the axis has none such."""
        return next((entry for entry in self.categories if entry.key == key), None)


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """A way to sort failures; ``check_taxonomy`` says what must hold."""

    key: str
    title: str
    version: int
    """Raised by whoever changes the axes; marks remember it."""

    axes: tuple[Axis, ...]
    source: str = ""
    """Who proposed it."""

    notes: str = ""

    def axis(self, key: str) -> Axis | None:
        """The axis of a key; ``None`` if there is none such."""
        return next((entry for entry in self.axes if entry.key == key), None)


def check_taxonomy(taxonomy: Taxonomy) -> Taxonomy:
    """The taxonomy itself, if it can be used.

    Raises:
        InputError: Naming the place and the reason: no axis, an axis without categories, a key
            or a shortcut used twice, a shortcut that is not one character.
    """
    if not taxonomy.axes:
        raise InputError("axes: are missing")
    _check_unique((axis.key for axis in taxonomy.axes), "axes", "key")
    for axis in taxonomy.axes:
        if not axis.categories:
            raise InputError(f"{axis.key}: has no categories")
        _check_unique((entry.key for entry in axis.categories), axis.key, "key")
        marks = [entry.shortcut for entry in axis.categories if entry.shortcut]
        _check_unique(marks, axis.key, "shortcut")
        long = next((mark for mark in marks if len(mark) != 1), None)
        if long is not None:
            raise InputError(f"{axis.key}: the shortcut {long!r} is not one character")
    return taxonomy


def _check_unique(names: Iterable[str], place: str, what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if not name:
            raise InputError(f"{place}: a {what} is empty")
        if name in seen:
            raise InputError(f"{place}: the {what} {name!r} is used twice")
        seen.add(name)


class CauseKey(NamedTuple):
    """What a mark is about, and whose it is: each analyst has one mark per run and taxonomy."""

    run: str
    """Name of the run, see ``RunSource.name``."""

    episode_id: str
    """Of a take of people with whose it is, see ``RunRow.chart_id``."""

    analyst: str
    taxonomy: str
    """Key of the taxonomy."""


@dataclass(frozen=True, slots=True)
class CauseMark:
    """What one analyst says about one run of one episode."""

    key: CauseKey
    taxonomy_version: int
    choices: Mapping[str, tuple[str, ...]]
    """Axis → categories chosen, in the order of the taxonomy."""

    step: int | None = None
    """Where it went wrong, if the analyst says so."""

    note: str = ""
    marked_at: datetime | None = None
    """UTC."""

    is_blind: bool | None = None
    """Whether every answer was given before the analyst saw others' marks; ``None``: unknown."""


@dataclass(frozen=True, slots=True)
class CauseBook:
    """All marks; edits give a new book and leave the old as it was."""

    marks: Mapping[CauseKey, CauseMark] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, run: str, episode_id: str, taxonomy: str) -> tuple[CauseMark, ...]:
        """The marks of all analysts on one run of one episode, by name of the analyst."""
        found = (
            mark
            for key, mark in self.marks.items()
            if (key.run, key.episode_id, key.taxonomy) == (run, episode_id, taxonomy)
        )
        return tuple(sorted(found, key=lambda mark: mark.key.analyst))


def set_mark(book: CauseBook, taxonomy: Taxonomy, mark: CauseMark) -> CauseBook:
    """The book with a mark in place of the analyst's earlier one.

    Raises:
        EditError: If the mark is of another taxonomy or version, nobody's, or names an axis or
            category that the taxonomy does not have, or several where one is allowed.
    """
    if mark.key.taxonomy != taxonomy.key or mark.taxonomy_version != taxonomy.version:
        raise EditError(f"the mark is not of {taxonomy.title}, version {taxonomy.version}")
    if not mark.key.analyst.strip():
        raise EditError("a mark needs the name of its analyst")
    ordered = {}
    for name, chosen in mark.choices.items():
        axis = taxonomy.axis(name)
        if axis is None:
            raise EditError(f"{taxonomy.title} has no axis {name!r}")
        unknown = next((key for key in chosen if axis.category(key) is None), None)
        if unknown is not None:
            raise EditError(f"{axis.title} has no category {unknown!r}")
        kept = tuple(entry.key for entry in axis.categories if entry.key in chosen)
        if len(kept) > 1 and not axis.allows_several:
            raise EditError(f"{axis.title} allows one category only")
        if kept:
            ordered[name] = kept
    whole = dataclasses.replace(mark, choices=MappingProxyType(ordered))
    return CauseBook(MappingProxyType({**book.marks, mark.key: whole}))


def clear_mark(book: CauseBook, key: CauseKey) -> CauseBook:
    """The book without a mark; the same book if there is none."""
    if key not in book.marks:
        return book
    return CauseBook(MappingProxyType({k: v for k, v in book.marks.items() if k != key}))


def toggle_choice(
    book: CauseBook, taxonomy: Taxonomy, key: CauseKey, axis_key: str, category_key: str
) -> CauseBook:
    """The book with a category set, or taken back if it was set; what a key press does.

    A mark of another version is carried to this one, see ``carried_mark``.

    Raises:
        EditError: As ``set_mark``.
    """
    mark = book.marks.get(key) or CauseMark(key, taxonomy.version, MappingProxyType({}))
    mark = carried_mark(mark, taxonomy)
    axis = taxonomy.axis(axis_key)
    before = mark.choices.get(axis_key, ())
    if category_key in before:
        after = tuple(entry for entry in before if entry != category_key)
    else:
        several = axis is not None and axis.allows_several
        after = (*before, category_key) if several else (category_key,)
    choices = MappingProxyType({**mark.choices, axis_key: after})
    return set_mark(book, taxonomy, dataclasses.replace(mark, choices=choices))


def carried_mark(mark: CauseMark, taxonomy: Taxonomy) -> CauseMark:
    """A mark as one of this version: answers that the taxonomy no longer allows are left out.

    Of several answers on an axis that now allows one, the first is kept.
    """
    if mark.taxonomy_version == taxonomy.version:
        return mark
    kept = {}
    for axis in taxonomy.axes:
        found = tuple(key for key in mark.choices.get(axis.key, ()) if axis.category(key))
        if found:
            kept[axis.key] = found if axis.allows_several else found[:1]
    return dataclasses.replace(
        mark, taxonomy_version=taxonomy.version, choices=MappingProxyType(kept)
    )


def missing_axes(mark: CauseMark, taxonomy: Taxonomy) -> tuple[str, ...]:
    """Titles of the required axes that a mark does not answer."""
    return tuple(
        axis.title for axis in taxonomy.axes if axis.is_required and not mark.choices.get(axis.key)
    )
