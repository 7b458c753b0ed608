"""One step of undo as what differs, item by item, so that it fits a project that moved on."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from waypost.domain.base.mapping_changes import mapping_changes
from waypost.domain.project import Project
from waypost.domain.score.comparison import PairComparison
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import Sheet
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import (
    COMPARISON,
    DOUBLE_LABEL,
    DOUBLE_PASSAGE,
    KINDS,
    SCORE_DRAFT,
    SHEET,
)
from waypost.store.project_items import item_as_read, items_of, with_items


class Absent(Enum):
    """Stands for an item that is not there; ``None`` is a value that some have."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
_CLOSABLE: Final = (DOUBLE_LABEL, SHEET, COMPARISON)
_SCORED: Final = (SHEET, COMPARISON, SCORE_DRAFT)
_LARGEST_BYTES: Final = 256 << 20


@dataclass(frozen=True, slots=True)
class ItemChange:
    """What an item was before a step and after it; ``ABSENT`` where it was not there."""

    before: Any
    after: Any
    behind: Any = None
    """Key of the item that it stands behind where it is there; ``None`` for the first one.

    Known of items that come or go only."""


Difference = Mapping[ItemKind, Mapping[Any, ItemChange]]
"""What a step changed, by kind and key."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A project after a step was taken back or repeated."""

    project: Project
    left_out: tuple[str, ...]
    """Items that stay as they are, as people know them: somebody else has changed them since, or
    they are one's own word while what others say of the same is in as well."""


class UndoStep:
    """One step of undo: two states of a project, or only what differs where it was kept in a file.

    Args:
        text: What the edit is called.
        before: The state that undo brings back, as the same object.
        after: The state that redo brings back, as the same object.
        data: ``packed`` difference, in place of the states.
    """

    def __init__(
        self,
        text: str,
        before: Project | None = None,
        after: Project | None = None,
        *,
        data: bytes = b"",
    ) -> None:
        self.text, self.before, self.after = text, before, after
        self._data = data
        self._difference: Difference | None = None

    @property
    def data(self) -> bytes:
        """The packed difference.

        Raises:
            TypeError: If something in it cannot be written as JSON.
        """
        if not self._data:
            self._data = packed(self.difference)
        return self._data

    @property
    def difference(self) -> Difference:
        """What it changed.

        Raises:
            ValueError: If what was kept in a file cannot be read.
        """
        if self._difference is None:
            if self.before is not None and self.after is not None:
                self._difference = difference_between(self.before, self.after)
            else:
                self._difference = unpacked(self._data)
        return self._difference

    def taken(self, project: Project, *, forward: bool, author: str = "") -> Moved:
        """The project after the step is repeated, or taken back; see ``moved``.

        Where nothing else happened since, it is the very state of then.

        Args:
            project: As it is.
            forward: Whether it is repeated.
            author: Who does so.

        Raises:
            ItemsError: If what is left does not fit together.
            ValueError: If what was kept in a file cannot be read.
        """
        here, there = (self.before, self.after) if forward else (self.after, self.before)
        closed = self._closed(project) if project.team.doubles else set()
        if project.scoring.batches:
            closed |= self._closed_scores(project.scoring, author, forward=forward)
        if there is not None and here is project and not closed:
            return Moved(there, ())
        return moved(project, self.difference, forward=forward, closed=closed)

    def _closed_scores(self, book: ScoreBook, author: str, *, forward: bool) -> set[Any]:
        """What one has scored and the step would open again after others' may have been seen."""
        found: set[Any] = set()
        of_kind: tuple[tuple[ItemKind, Mapping[Any, Sheet | PairComparison]], ...] = (
            (SHEET, book.sheets),
            (COMPARISON, book.comparisons),
        )
        for kind, said in of_kind:
            changes = self.difference.get(kind, {})
            elsewhere = {key[:2] for key in changes if key[2] != author}
            for key, change in changes.items():
                now, wanted = said.get(key), change.after if forward else change.before
                if now is None or key[2] != author or key[:2] in elsewhere:
                    continue
                if (wanted is ABSENT or not wanted.is_settled) and book.may_have_seen(now):
                    found.add(key)
        return found

    def _closed(self, project: Project) -> set[Any]:
        """One's own labels of passages that stay, which nobody changes once both are in."""
        gone = self.difference.get(DOUBLE_PASSAGE, {})
        labels = self.difference.get(DOUBLE_LABEL, {})
        return {k for k in labels if k.passage not in gone and project.team.is_closed(k)}


def difference_between(before: Project, after: Project) -> Difference:
    """Every item that differs between two states."""
    found: dict[ItemKind, Mapping[Any, ItemChange]] = {}
    for kind in KINDS:
        old, new = kind.items(before), kind.items(after)
        changes = mapping_changes(old, new)
        behind = _predecessors(old, changes.removed) | _predecessors(new, changes.added)
        keys = (*changes.changed, *changes.removed, *changes.added)
        if keys:
            found[kind] = {
                key: ItemChange(_item(kind, key, old), _item(kind, key, new), behind.get(key))
                for key in keys
            }
    return found


def moved(
    project: Project, difference: Difference, *, forward: bool, closed: Collection[Any] = ()
) -> Moved:
    """Repeat a step in a project, or take it back; items changed by others since are left alone.

    Args:
        project: Any state, the step's own or a later one.
        difference: The step.
        forward: Whether it is repeated.
        closed: Keys of labels, sheets and comparisons that are left alone as well.

    Raises:
        ItemsError: If what is left does not fit together, such as an edge without its node.
    """
    items: dict[ItemKind, Mapping[Any, Any]] = {}
    left_out: list[str] = []
    changed_since = _changed_since(project, difference)
    for kind, changes in difference.items():
        now = dict(items_of(kind, project))
        put: dict[Any, Any] = {}
        is_changed = False
        for key, change in changes.items():
            expected, wanted = change.before, change.after
            if not forward:
                expected, wanted = wanted, expected
            found = now.get(key, ABSENT)
            if found == wanted:
                continue
            is_left = found != expected or _said_of(kind, key) in changed_since
            if is_left or (kind in _CLOSABLE and key in closed):
                left_out.append(kind.title(key, expected if found is ABSENT else found))
                continue
            is_changed = True
            if wanted is ABSENT:
                del now[key]
            elif found is not ABSENT:
                now[key] = wanted
            else:
                put[key] = wanted
        if is_changed:
            items[kind] = _put_behind(now, put, changes)
    return Moved(with_items(project, items) if items else project, tuple(left_out))


def _said_of(kind: ItemKind, key: Any) -> tuple[Any, ...] | None:
    """What an item is a round of, or begun beside; ``None`` where it stands for itself.

    All that one person says of the same thing is taken back, repeated and saved together: the next
    round alone would hide what was changed in the one before.
    """
    if kind in _SCORED:
        return _SCORED, *key[:3]
    return (DOUBLE_LABEL, *key[:4]) if kind is DOUBLE_LABEL else None


def _changed_since(project: Project, difference: Difference) -> set[Any]:
    """See ``_said_of``: that of which something is neither as before a step nor as after it."""
    found: set[Any] = set()
    for kind, changes in difference.items():
        if kind not in _CLOSABLE:
            continue
        now = items_of(kind, project)
        for key, change in changes.items():
            if now.get(key, ABSENT) not in (change.before, change.after):
                found.add(_said_of(kind, key))
    return found


def titles(difference: Difference) -> tuple[str, ...]:
    """The items of a difference as people know them."""
    return tuple(
        kind.title(key, change.before if change.after is ABSENT else change.after)
        for kind, changes in difference.items()
        for key, change in changes.items()
    )


class Retrace:
    """A project with some steps taken back or repeated, for comparing only."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._items: dict[ItemKind, Mapping[Any, Any]] = {}
        self._changed: dict[tuple[ItemKind, Any], Any] = {}

    def take(self, difference: Difference, *, forward: bool) -> bool:
        """Take a step if every item is as the step expects it; otherwise nothing happens."""
        wanted: dict[tuple[ItemKind, Any], Any] = {}
        for kind, changes in difference.items():
            for key, change in changes.items():
                expected, then = change.before, change.after
                if not forward:
                    expected, then = then, expected
                if self._now(kind, key) != expected:
                    return False
                wanted[kind, key] = then
        self._changed |= wanted
        return True

    def _now(self, kind: ItemKind, key: Any) -> Any:
        if (kind, key) in self._changed:
            return self._changed[kind, key]
        if kind not in self._items:
            self._items[kind] = items_of(kind, self._project)
        return self._items[kind].get(key, ABSENT)


def packed(difference: Difference) -> bytes:
    """The bytes of a difference, by the codec of the project's rows.

    Raises:
        TypeError: If something in it cannot be written as JSON.
    """
    stored = {
        kind.name: [
            [
                kind.key_row(key),
                None if change.before is ABSENT else kind.to_row(change.before),
                None if change.after is ABSENT else kind.to_row(change.after),
                None if change.behind is None else kind.key_row(change.behind),
            ]
            for key, change in changes.items()
        ]
        for kind, changes in difference.items()
    }
    return zlib.compress(json.dumps(stored, separators=(",", ":")).encode())


def unpacked(data: bytes) -> Difference:
    """The difference of ``packed``.

    Raises:
        ValueError: If the bytes are of something else, or of another version's values.
    """
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(data, _LARGEST_BYTES)
        stored = json.loads(text.decode())
        return {
            kind: dict(_change(kind, row) for row in stored[kind.name])
            for kind in KINDS
            if kind.name in stored
        }
    except Exception as error:  # of whatever kind: text, numbers or values of another version
        raise ValueError(f"is no step: {error}") from error


def _change(kind: ItemKind, row: list[Any]) -> tuple[Any, ItemChange]:
    key, before, after, behind = row
    return kind.key_of(key), ItemChange(
        ABSENT if before is None else kind.item_of({**key, **before})[1],
        ABSENT if after is None else kind.item_of({**key, **after})[1],
        None if behind is None else kind.key_of(behind),
    )


def _item(kind: ItemKind, key: Any, items: Mapping[Any, Any]) -> Any:
    return item_as_read(kind, key, items[key]) if key in items else ABSENT


def _predecessors(items: Mapping[Any, Any], wanted: Sequence[Any]) -> dict[Any, Any]:
    if not wanted:
        return {}
    behind = dict(zip(items, (None, *items), strict=False))
    return {key: behind[key] for key in wanted}


def _put_behind(
    items: dict[Any, Any], put: Mapping[Any, Any], changes: Mapping[Any, ItemChange]
) -> dict[Any, Any]:
    """Items with others among them: each behind the one it stood behind, or last if that went."""
    if not put:
        return items
    last = next(reversed(items), None)
    places: dict[Any, Any] = {}
    followers: dict[Any, dict[Any, Any]] = {}
    for key, value in put.items():
        behind = changes[key].behind
        # One behind another that is put as well is put at the same place, after it.
        place = places.get(behind, behind if behind is None or behind in items else last)
        places[key] = place
        followers.setdefault(place, {})[key] = value
    made = followers.get(None, {})
    for key, value in items.items():
        made[key] = value
        made |= followers.get(key, {})
    return made
