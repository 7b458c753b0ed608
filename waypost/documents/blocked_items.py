"""Items that are not saved, because somebody else changed them first; all others are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from waypost.documents.undo_step import (
    ABSENT,
    Difference,
    ItemChange,
    difference_between,
    moved,
)
from waypost.domain.base.counted_words import counted
from waypost.domain.project import Project
from waypost.store.conflicts import Conflict
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import (
    COMPARISON,
    DOUBLE_LABEL,
    FINAL_LABEL,
    SCORE_DRAFT,
    SHEET,
    TASK,
)
from waypost.store.project_items import ItemsError, items_of

_TOGETHER: Final = (
    ((SHEET, COMPARISON), (SHEET, COMPARISON, SCORE_DRAFT)),
    ((DOUBLE_LABEL, FINAL_LABEL), (DOUBLE_LABEL, FINAL_LABEL)),
)
"""Kinds, and those that wait with them where the first parts of their keys are the same: what one
says of an instruction or a pair, and what is said and decided of a passage."""

_SAME_PARTS: Final = 3


class BlockedItems:
    """The items of one document that wait for a decision: take the own change back, or reload."""

    def __init__(self) -> None:
        self._reasons: dict[tuple[ItemKind, Any], str] = {}
        self._waiting = 0
        """Changes to other items, which cannot be saved without those."""

    @property
    def words(self) -> str:
        """Which items, who changed them, and what can be done."""
        first, *others = self._reasons.values()
        also = counted(len(others), "more item was", "more items were")
        more = f", and {also} as well" if others else ""
        rest = "All else is saved"
        if self._waiting:
            waiting = counted(self._waiting, "more change waits", "more changes wait")
            rest = f"{waiting} with it; all else is saved"
        return f"{first}{more}; undo your change to it, or reload. {rest}"

    def add(self, conflicts: Iterable[Conflict]) -> bool:
        """Block further items; whether there were any."""
        new = {(c.kind, c.key): c.reason for c in conflicts if (c.kind, c.key) not in self._reasons}
        self._reasons |= new
        return bool(new)

    def left_out_of(self, project: Project, saved: Project) -> Project:
        """A project with the blocked items as they were last saved; itself if there are none.

        If one of them is so already, all are let go of, and tried once more. Where others
        make no whole without them, such as an edge without its node, all that the whole is made of
        is as it was last saved.
        """
        self._waiting = 0
        if not self._reasons:
            return project
        found = difference_between(saved, project)
        blocked: dict[ItemKind, Mapping[Any, ItemChange]] = {
            kind: {key: each for key, each in changes.items() if (kind, key) in self._reasons}
            for kind, changes in found.items()
        }
        changed = {(kind, key) for kind, changes in blocked.items() for key in changes}
        if changed != set(self._reasons):
            # One was taken back, and that may have been why others were refused.
            self._reasons = {}
            return project
        self._block_what_belongs_to(blocked, found)
        if blocked.get(TASK):
            # They are known by their places: without the others one would stand there twice.
            blocked[TASK] = found[TASK]
        self._waiting = sum(map(len, blocked.values())) - len(changed)
        for _ in range(len(found) + 1):
            try:
                return moved(project, blocked, forward=False).project
            except ItemsError as error:
                blocked |= {kind: found[kind] for kind in error.kinds if kind in found}
                self._waiting = sum(map(len, blocked.values())) - len(changed)
        return saved

    @staticmethod
    def _block_what_belongs_to(
        blocked: dict[ItemKind, Mapping[Any, ItemChange]], found: Difference
    ) -> None:
        """Block the other rounds and drafts of what is blocked, and all decided with it."""
        for kinds, others in _TOGETHER:
            about = {key[:_SAME_PARTS] for kind in kinds for key in blocked.get(kind, ())}
            for kind in others if about else ():
                also = {k: c for k, c in found.get(kind, {}).items() if k[:_SAME_PARTS] in about}
                blocked[kind] = {**blocked.get(kind, {}), **also}


def still_so(saved: Project, before: Project, now: Project) -> Project:
    """What is saved, with what an earlier state changed and a later one has still.

    Args:
        saved: What is in the file.
        before: A state of before, with changes that are not there.
        now: The state of now.

    Returns:
        The saved state itself where nothing is left of them, or what is left makes no whole.
    """
    kept: dict[ItemKind, Mapping[Any, ItemChange]] = {}
    for kind, changes in difference_between(saved, before).items():
        items = items_of(kind, now)
        kept[kind] = {k: each for k, each in changes.items() if items.get(k, ABSENT) == each.after}
    try:
        return moved(saved, kept, forward=True).project
    except ItemsError:
        return saved
