"""What the window says about the project's safety on disk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class SaveKind(StrEnum):
    """Whether the state on screen is the state in the file."""

    SAVED = "saved"
    SAVING = "saving"
    """A server has not answered yet."""

    NOT_SAVED = "not_saved"
    READ_ONLY = "read_only"
    """Nothing could be saved, and nothing that anybody did is to be: what the program found out
    by itself it finds again."""


@dataclass(frozen=True, slots=True)
class SaveState:
    """Whether, since when and why."""

    kind: SaveKind
    since: datetime
    """When it became so; of a failure, when the first edit failed to be written."""

    reason: str = ""
    """One sentence for the user; empty when saved."""

    is_conflict: bool = False
    """Somebody else changed the same item: only `ProjectDocument.reload` or undo helps."""

    @property
    def is_safe(self) -> bool:
        """Whether nothing that anybody did would be lost by closing now."""
        return self.kind in {SaveKind.SAVED, SaveKind.READ_ONLY}
