"""One step of a replay, with everything a step card shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from waypost.domain.base.frames import Vec3, r2r_heading_from_yaw
from waypost.domain.episode.run import Decision, EventKind


class StepKind(StrEnum):
    """How a step came about, where no event of the log says more."""

    START = "start"
    MOVE = "move"
    """Arrived at another place for the first time, or, without viewpoints, moved within one."""

    RETURN = "return"
    """Arrived at a place where the agent had been before."""

    TURN = "turn"
    """Another pose at the same place."""

    STAY = "stay"
    """A further decision at the same pose."""

    TEXT = "text"
    """A decision of a run that has no poses."""


_MOST_TELLING = (
    EventKind.COLLISION,
    EventKind.NO_MOVE,
    EventKind.UNMATCHED_TEXT,
    EventKind.STOP,
    EventKind.BACKTRACK,
    EventKind.OTHER,
)


@dataclass(frozen=True, slots=True)
class Step:
    """Everything known about one step."""

    index: int
    pose: int | None
    """Index into the route of the run; ``None`` where the run has no poses."""

    viewpoint_id: str
    """Empty where the run has positions only."""

    position_m: Vec3 | None
    """Scene frame: of the run, or of the viewpoint's camera."""

    yaw_rad: float | None
    """Scene yaw as logged; ``None`` where it is not."""

    kind: StepKind
    visit: int
    """How many-th visit to this place; turns in place belong to the visit."""

    on_reference: bool | None
    """Whether it follows the reference; ``None`` where there is none."""

    to_goal_m: float | None
    decision: Decision | None
    """The decision taken here."""

    @property
    def heading_rad(self) -> float | None:
        """As in the R2R family: 0 = +Y, clockwise seen from above, in [0, 2π)."""
        return None if self.yaw_rad is None else r2r_heading_from_yaw(self.yaw_rad)

    @property
    def event(self) -> str:
        """The most telling event of the decision here, else how the step came about."""
        kinds = {event.kind for event in self.decision.events} if self.decision else set()
        told = next((kind for kind in _MOST_TELLING if kind in kinds), None)
        return self.kind.value if told is None else told.value

    @property
    def thought(self) -> str:
        """What the model thought here; its raw text where no thought was told apart."""
        return (self.decision.thought or self.decision.raw_text) if self.decision else ""

    @property
    def action(self) -> str:
        """The parsed action as logged; empty where the source has poses only."""
        return self.decision.action if self.decision else ""
