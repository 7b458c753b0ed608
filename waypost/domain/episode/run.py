"""What an agent did on one episode: where it went, what it thought, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.frames import Vec3
from waypost.domain.episode.route import EMPTY_ROUTE, Route
from waypost.domain.scene.graph import Extra

_NO_EXTRA: Extra = MappingProxyType({})


class EventKind(StrEnum):
    """What happened in a decision beside walking."""

    NO_MOVE = "no_move"
    """The model's text names no valid move; the agent stayed."""

    BACKTRACK = "backtrack"
    """The agent went back over places it had been to."""

    UNMATCHED_TEXT = "unmatched_text"
    """Logged text that belongs to no pose; kept where it stood in the order."""

    COLLISION = "collision"
    STOP = "stop"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Event:
    """Something to show at a decision."""

    kind: EventKind
    message: str


@dataclass(frozen=True, slots=True)
class Option:
    """A move that the agent could have chosen."""

    label: str
    """As the model sees it, e.g. ``A`` or ``place 3``."""

    viewpoint_id: str = ""
    position_m: Vec3 | None = None
    yaw_rad: float | None = None
    """Scene yaw towards it."""

    text: str = ""
    """Description given to the model."""

    picture: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """One time the agent was asked, and the poses that its answer led to."""

    first_pose: int
    """The answer led over ``route[first_pose:end_pose]``; equal numbers: it did not move."""

    end_pose: int
    at_viewpoint_id: str = ""
    """Where it was asked, if the log says it; thoughts are matched by this, never by index."""

    action: str = ""
    """The parsed action as logged: ``forward``, ``2``, ``stop``, a viewpoint."""

    raw_text: str = ""
    """What the model answered."""

    prompt: str = ""
    observation: str = ""
    thought: str = ""
    plan: str = ""
    options: tuple[Option, ...] = ()
    events: tuple[Event, ...] = ()
    extra: Extra = field(default_factory=lambda: _NO_EXTRA)


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How a run ended; ``None`` everywhere means that the source does not say."""

    called_stop: bool | None = None
    reason: str = ""
    """As logged: ``success``, ``fall``, ``stuck``, ``exceed_total_max_step``, …"""

    action_count: int | None = None
    """Actions of the agent, STOP included if it was an action of the format."""

    collision_count: int | None = None
    """Actions during which the agent touched an obstacle."""

    has_fallen: bool | None = None
    is_stuck: bool | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the agent said beside walking."""

    object_id: str | None = None
    """The object it points at (REVERIE)."""

    heading_rad: float | None = None
    """Where it points, in the file's own headings (SOON)."""

    elevation_rad: float | None = None
    object_lists: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """Objects named, by kind, most important first (MSNav)."""

    agent_key: str = ""
    """Key of the agent that a question was asked for (CapNav)."""

    says: str | None = None
    """Yes or no as written (CapNav); ``None`` where no answer could be read."""

    reason: str = ""
    """Why, in the words of the model (CapNav)."""

    agent_name: str = ""
    """The agent as the answer has it, e.g. ``ROBOT`` or ``HUMANOID``; empty where it has none."""

    failure: str = ""
    """Why the file has no complete answer, in words (CapNav); its released scorer leaves such a
    file out."""


@dataclass(frozen=True, slots=True)
class EpisodeRun:
    """One agent's attempt at one episode."""

    episode_id: str
    """Normal form, see ``episode.normal_id``."""

    route: Route = EMPTY_ROUTE
    """Every pose, start first, turns in place and repeats kept."""

    decisions: tuple[Decision, ...] = ()
    """In order; empty where the source has poses only: then each later pose is a decision."""

    end: RunEnd = field(default_factory=RunEnd)
    answer: Answer = field(default_factory=Answer)
    map_node_ids: tuple[str, ...] | None = None
    """Nodes of the agent's own map at the end (MSNav); ``None`` where not logged."""

    samples: tuple[int, ...] | None = None
    """Poses at which a macro action ended (VLN-PE); ``None``: all poses but the first."""

    times_s: tuple[float, ...] | None = None
    """Seconds since the start, one per pose, never falling; ``None`` where not logged."""

    forward_step_m: float | None = None
    """How far one action carries the agent in plan, where every action has a pose (VLN-CE);
    ``None`` where poses may lie further apart."""

    reported: Mapping[str, float | None] = field(default_factory=lambda: MappingProxyType({}))
    """Scores the source itself states, under its own names, never mixed with ours."""

    is_frame_stated: bool = True
    """False where a form of several frames leaves open which one its positions are in; they are
    then read as the scene frame."""

    scene_id: str = ""
    instruction: str = ""
    """As logged, where the id alone does not tell the episode (DiscussNav)."""

    extra: Extra = field(default_factory=lambda: _NO_EXTRA)
    """Keys of the record that have no place above, as they were."""

    record: Any = field(default=None, compare=False, repr=False)
    """The whole parsed record it came from, so that the same format can write it back exactly;
    ``None`` if it came from elsewhere or was changed."""

    @property
    def has_scores_only(self) -> bool:
        """Whether the source states scores and not where the agent went.

        That is no empty path: nothing is known of its path.
        """
        return bool(self.reported) and not len(self.route)


SCORES_ONLY: Final = "the source states scores without a path"
"""Why nothing is shown, checked or computed of where an agent went."""


def scores_only_note(bare: int, total: int) -> str:
    """What to say of a file in which some runs have scores and no path; empty where none has.

    Args:
        bare: How many have.
        total: How many runs were read.
    """
    if not bare:
        return ""
    whose = "the file states" if bare == total else f"{bare} of {total} runs state"
    return f"{whose} scores and no path: there is none to check, to draw or to score again"


def run_name(results: PurePath) -> str:
    """What a run is called unless somebody says otherwise: its file or folder without suffixes."""
    return results.name.split(".", 1)[0] or results.name
