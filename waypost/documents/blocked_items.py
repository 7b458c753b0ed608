"""Items that are not saved, because somebody else changed them first; all others are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from waypost.documents.undo_step import ABSENT
from waypost.domain.project import Project
from waypost.store.conflicts import Conflict
from waypost.store.item_kind import ItemKind
from waypost.store.project_items import ItemsError, items_of, with_items


class BlockedItems:
    """The items of one document that wait for a decision: take the own change back, or reload."""

    def __init__(self) -> None:
        self._reasons: dict[tuple[ItemKind, Any], str] = {}

    @property
    def words(self) -> str:
        """Which items, who changed them, and what can be done."""
        first, *others = self._reasons.values()
        more = f", and so are {len(others)} more items" if others else ""
        return f"{first}{more}; undo your change to it, or reload. All else is saved"

    def add(self, conflicts: Iterable[Conflict]) -> bool:
        """Block further items; whether there were any."""
        new = {(c.kind, c.key): c.reason for c in conflicts if (c.kind, c.key) not in self._reasons}
        self._reasons |= new
        return bool(new)

    def keep_changed(self, saved: Project, project: Project) -> None:
        """Let go of items that are as they were last saved: nothing is to be written of them."""
        self._reasons = {
            (kind, key): reason
            for (kind, key), reason in self._reasons.items()
            if items_of(kind, saved).get(key, ABSENT) != items_of(kind, project).get(key, ABSENT)
        }

    def left_out_of(self, project: Project, saved: Project) -> Project:
        """A project with the blocked items as they were last saved; itself if there are none.

        Where the others make no project without them, nothing can be saved: then it is the last
        saved state.
        """
        if not self._reasons:
            return project
        items: dict[ItemKind, Mapping[Any, Any]] = {}
        for kind in {kind for kind, _ in self._reasons}:
            own = dict(items_of(kind, project))
            before = items_of(kind, saved)
            for blocked, key in self._reasons:
                if blocked is not kind:
                    continue
                if key in before:
                    own[key] = before[key]
                else:
                    own.pop(key, None)
            items[kind] = own
        try:
            return with_items(project, items)
        except ItemsError:
            return saved
