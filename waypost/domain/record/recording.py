"""One take of a driver through a scene: its samples, what happened, and whether it is whole."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Vec3
from waypost.domain.episode.episode import Episode, Goal
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.domain.record.take_rules import TakeRules
from waypost.domain.record.trajectory import UNKNOWN_NS, Trajectory
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.domain.traverse.agent import AgentProfile

SCHEMA: Final = "waypost-recording"
SCHEMA_VERSION: Final = 1
SAMPLE_INTERVAL_NS: Final = 50_000_000
EYE_HEIGHT_M: Final = 1.5
"""Of a person who is recorded, unless said otherwise."""

LOST: Final = "lost"
"""Kind of the event that the driver gave up, with the reason."""

TIME_UP: Final = "time_up"
"""Kind of the event that the time limit ended the take."""

VOICE_PLAY: Final = "voice_play"
"""Kind of the event that the spoken instruction began to play; its detail is the place in the
audio in seconds."""

VOICE_PAUSE: Final = "voice_pause"
"""Kind of the event that it was paused or came to its end, with the place in the same way."""

NOTE: Final = "note"
"""Kind of the event that something happened that whoever judges the take should know."""

LATE_NS: Final = 5_000_000
"""A sample this much later on the wall clock than in simulated time is late."""

_NONE: Mapping[str, Any] = MappingProxyType({})


class MarkKind(StrEnum):
    """What is wrong with a row of a file."""

    NOT_FINITE = "not_finite"
    """A position or time is missing, NaN or infinite."""

    UNREADABLE = "unreadable"
    """A cell is no number, or cells are missing."""

    TIME_BACK = "time_back"
    """Time does not advance from the rows before."""


@dataclass(frozen=True, slots=True)
class RowMark:
    """A row that was read but is not to be trusted; its values are as in the file."""

    row: int
    """Index of the sample."""

    kind: MarkKind
    message: str
    """One sentence that names the line."""


@dataclass(frozen=True, slots=True)
class TakeEvent:
    """Something that happened beside the samples."""

    kind: str
    """``pause``, ``resume``, ``lost``, ``time_up``, ``voice_play``, ``voice_pause`` or ``note``."""

    time_ns: int
    wall_time_ns: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Recording:
    """One take, as its files tell it."""

    trajectory: Trajectory
    header: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    """JSON values: schema, frame, units, engine, profile, scene, episode, participant, …;
    empty for a foreign file."""

    events: tuple[TakeEvent, ...] = ()
    is_complete: bool | None = None
    """Whether the take ended as intended; ``None`` if the source does not say."""

    reason: str = ""
    """Why it ended, or why it is incomplete."""

    marks: tuple[RowMark, ...] = ()
    """Rows not to be trusted, in order."""

    notes: tuple[str, ...] = ()
    """Sentences about the file as a whole."""

    @property
    def episode_id(self) -> str:
        """Of the episode that was driven; empty if unknown."""
        return str(self.header.get("episode", _NONE).get("episode_id", ""))

    @property
    def participant(self) -> str:
        """Code of who drove; empty if unknown."""
        return str(self.header.get("participant", ""))


def usable_rows(recording: Recording) -> NDArray[np.intp]:
    """Indices of the samples that carry no mark."""
    marked = {mark.row for mark in recording.marks}
    return np.array([i for i in range(len(recording.trajectory)) if i not in marked], np.intp)


def duration_ns(recording: Recording) -> int | None:
    """Simulated time from the first to the last usable sample; ``None`` if unknown."""
    times = recording.trajectory.times_ns[usable_rows(recording)]
    if not len(times) or times[0] == UNKNOWN_NS:
        return None
    return int(times[-1] - times[0])


def wall_lags_ns(recording: Recording) -> NDArray[np.int64]:
    """How much longer each sample took on the wall clock than in simulated time.

    Returns:
        (T − 1,) for each usable sample after the first, pauses taken off; negative where
        the engine ran faster. Empty if the source has no wall time.
    """
    rows = usable_rows(recording)
    times = recording.trajectory.times_ns[rows]
    walls = recording.trajectory.wall_times_ns[rows]
    if len(rows) < 2 or (times == UNKNOWN_NS).any() or (walls == UNKNOWN_NS).any():
        return np.zeros(0, np.int64)
    lags = np.diff(walls) - np.diff(times)
    for begin, end in pauses_ns(recording):
        after = int(np.searchsorted(walls, begin, side="right"))
        if 1 <= after < len(walls):
            lags[after - 1] -= min(end, int(walls[after])) - begin
    return np.asarray(lags, dtype=np.int64)


def pauses_ns(recording: Recording) -> tuple[tuple[int, int], ...]:
    """Begin and end of each pause on the wall clock.

    One that nobody ended lasts to the last that is known of the take: its last sample, or giving
    up, for which it is paused.
    """
    pauses: list[tuple[int, int]] = []
    begin: int | None = None
    for event in recording.events:
        if event.kind == "pause" and begin is None:
            begin = event.wall_time_ns
        elif event.kind == "resume" and begin is not None:
            pauses.append((begin, event.wall_time_ns))
            begin = None
    if begin is not None and len(recording.trajectory):
        last_sample_ns = int(recording.trajectory.wall_times_ns[-1])
        pauses.append((begin, max(last_sample_ns, recording.events[-1].wall_time_ns)))
    return tuple(pauses)


def achieved_rate_hz(recording: Recording) -> float | None:
    """Samples per second of wall time, pauses taken off; ``None`` if unknown."""
    lags = wall_lags_ns(recording)
    length = duration_ns(recording)
    if not len(lags) or length is None:
        return None
    wall_ns = length + int(lags.sum())
    return len(lags) * 1e9 / wall_ns if wall_ns > 0 else None


def late_count(recording: Recording, limit_ns: int = LATE_NS) -> int:
    """Samples that came later than the simulated time since the one before, by the limit."""
    return int((wall_lags_ns(recording) > limit_ns).sum())


def route_of(recording: Recording) -> Route:
    """The usable samples as a route; what is unknown in all of them is left out."""
    rows, samples = usable_rows(recording), recording.trajectory
    yaws, pitches = samples.yaws_rad[rows], samples.camera_pitches_rad[rows]
    return route(
        positions_m=samples.positions_m[rows],
        yaws_rad=None if np.isnan(yaws).all() else yaws,
        elevations_rad=None if np.isnan(pitches).all() else pitches,
    )


def ending_event(recording: Recording) -> TakeEvent | None:
    """What ended the take without a stop of its driver; ``None`` if nothing did."""
    return next((event for event in recording.events if event.kind in {LOST, TIME_UP}), None)


def as_run(recording: Recording) -> EpisodeRun:
    """The take as an attempt at its episode: every 50 ms is one action for scoring.

    Whoever gave up or ran out of time called no stop.
    """
    counts = recording.trajectory.contact_counts[usable_rows(recording)][1:]
    is_counted = len(counts) > 0 and bool((counts >= 0).all())
    end = RunEnd(
        called_stop=False if ending_event(recording) else recording.is_complete,
        reason=recording.reason,
        action_count=len(counts),
        collision_count=int((counts > 0).sum()) if is_counted else None,
    )
    return EpisodeRun(
        recording.episode_id, route_of(recording), end=end, times_s=_times_s(recording)
    )


def _times_s(recording: Recording) -> tuple[float, ...] | None:
    """Since the first sample, also where that one is marked: camera frames count from there."""
    all_ns = recording.trajectory.times_ns
    times_ns = all_ns[usable_rows(recording)]
    if not len(times_ns) or (times_ns == UNKNOWN_NS).any() or (np.diff(times_ns) < 0).any():
        return None
    is_known = all_ns[0] != UNKNOWN_NS and all_ns[0] <= times_ns[0]
    begin_ns = all_ns[0] if is_known else times_ns[0]
    return tuple(((times_ns - begin_ns) / 1e9).tolist())


def start_pose(episode: Episode) -> tuple[Vec3, float]:
    """Where an episode starts: position and yaw in the scene frame, exactly as it says.

    Raises:
        InputError: If it says no position or no heading.
    """
    position, yaw = episode.start_position_m, episode.start_yaw_rad
    if position is None:
        raise InputError(
            f"episode {episode.episode_id}: has no start position, only the viewpoint "
            f"{episode.start_viewpoint_id!r}; its graph is needed"
        )
    if yaw is None or not math.isfinite(yaw):
        raise InputError(f"episode {episode.episode_id}: has no start heading")
    return position, yaw


def placed_on(graph: ViewpointGraph, episode: Episode) -> Episode:
    """The episode with positions on the floor below the viewpoints that it names.

    Positions that it has are kept; unknown viewpoints stay without.

    Raises:
        InputError: If the height of the camera above the start is unknown.
    """
    floor = graph.floor_positions_m
    start = graph.index.get(episode.start_viewpoint_id)
    if episode.start_position_m is not None or start is None:
        return episode
    if not np.isfinite(floor[start]).all():
        raise InputError(
            f"episode {episode.episode_id}: the height of the camera above the viewpoint "
            f"{episode.start_viewpoint_id!r} is unknown, so the floor is too"
        )
    reference = episode.reference
    places = [graph.index.get(name, -1) for name in reference.viewpoint_ids]
    if places and min(places) >= 0 and np.isfinite(floor[places]).all():
        reference = route(
            reference.viewpoint_ids, floor[places], reference.yaws_rad, reference.elevations_rad
        )
    x, y, z = floor[start].tolist()
    return replace(
        episode,
        start_position_m=(x, y, z),
        reference=reference,
        goals=tuple(_placed_goal(graph, goal) for goal in episode.goals),
    )


def _placed_goal(graph: ViewpointGraph, goal: Goal) -> Goal:
    place = graph.index.get(goal.viewpoint_id)
    if goal.position_m is not None or place is None:
        return goal
    x, y, z = graph.floor_positions_m[place].tolist()
    return replace(goal, position_m=(x, y, z)) if math.isfinite(z) else goal


def take_header(
    episode: Episode,
    profile: AgentProfile,
    scene_hash: str,
    *,
    participant: str = "",
    eye_height_m: float = EYE_HEIGHT_M,
    rules: TakeRules | None = None,
    scene_gaps: Sequence[str] = (),
) -> dict[str, Any]:
    """What the program knows of a take before it starts; the worker adds the rest.

    Args:
        episode: What is driven.
        profile: Of the agent.
        scene_hash: Of the scene it is driven in.
        participant: Code of who drives.
        eye_height_m: Of the driver's eyes above the floor.
        rules: Of the study; ``None`` where nobody takes part in one.
        scene_gaps: Geometry that the scene lacks.

    Raises:
        InputError: If the episode says no start pose.
    """
    position, yaw = start_pose(episode)
    return {
        "episode": {
            "dataset": episode.dataset,
            "split": episode.split,
            "episode_id": episode.episode_id,
            "scene_id": episode.scene_id,
            "start_position_m": list(position),
            "start_yaw_rad": yaw,
        },
        "participant": participant,
        "scene_hash": scene_hash,
        **({"scene_gaps": list(scene_gaps)} if scene_gaps else {}),
        "profile": asdict(profile),
        "profile_hash": profile.profile_hash,
        "eye_height_m": eye_height_m,
        **({} if rules is None else {"rules": asdict(rules)}),
    }
