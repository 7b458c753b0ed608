"""How long somebody was at work on something, without idle time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

IDLE_AFTER_S: Final = 60.0
"""Without an act for so long, time no longer counts."""


@dataclass(frozen=True, slots=True)
class ActiveTime:
    """Seconds at work so far, as a value that acts move on.

    The time between two acts counts up to ``IDLE_AFTER_S``, and all of it while something that
    somebody began goes on, such as a walk that is watched; time without focus does not count.
    """

    total_s: float = 0.0
    last_act_s: float | None = None
    """On any clock that only goes forward; ``None`` without focus."""

    is_watching: bool = False
    """Whether something goes on that is one act until it ends."""

    def act(self, now_s: float) -> ActiveTime:
        """After a key, a click or a move of the mouse, which also begins the time."""
        return replace(self, total_s=self.at(now_s), last_act_s=now_s)

    def leave(self, now_s: float) -> ActiveTime:
        """After the focus went elsewhere."""
        return replace(self, total_s=self.at(now_s), last_act_s=None)

    def watch(self, now_s: float, *, is_watching: bool) -> ActiveTime:
        """After something began that is one act until it ends, or after its end."""
        last_s = None if self.last_act_s is None else now_s
        return ActiveTime(self.at(now_s), last_s, is_watching)

    def at(self, now_s: float) -> float:
        """Seconds at work until now."""
        if self.last_act_s is None:
            return self.total_s
        passed_s = max(now_s - self.last_act_s, 0.0)
        return self.total_s + (passed_s if self.is_watching else min(passed_s, IDLE_AFTER_S))

    def taken(self, now_s: float) -> tuple[float, ActiveTime]:
        """The seconds until now, and the time that goes on from 0."""
        begun = None if self.last_act_s is None else now_s
        return self.at(now_s), replace(self, total_s=0.0, last_act_s=begun)
