"""What a benchmark asks for: one instruction, where it starts, where it leads, when it is done."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.frames import Vec3
from waypost.domain.episode.guide_trace import GuideTrace
from waypost.domain.episode.route import EMPTY_ROUTE, Route
from waypost.domain.scene.graph import Extra

_NO_EXTRA: Extra = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class TimedWord:
    """A word of a spoken instruction."""

    word: str
    start_s: float | None
    """Since the speaker began; ``None`` where the alignment failed."""

    end_s: float | None


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of an instruction that belongs to a part of the reference path."""

    text: str
    first_pose: int
    """Index into the reference."""

    last_pose: int
    """Index into the reference, inclusive."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a dialogue."""

    role: str
    """As the file says, e.g. ``navigator`` or ``oracle``."""

    message: str
    at_pose: int | None = None
    """Index into the path walked so far, where the file says it."""

    viewpoint_id: str = ""
    """Where that is, if the file has that path."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """What the agent is told, in every form that the file has."""

    text: str
    """The form that counts unless a style is chosen; empty where there is none."""

    styles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Further wordings by name, e.g. VLNVerse ``formal``, ``natural``, ``casual``."""

    language: str = ""
    """As the file says, e.g. ``en-IN``."""

    words: tuple[TimedWord, ...] = ()
    segments: tuple[Segment, ...] = ()
    dialogue: tuple[Turn, ...] = ()
    picture: str = ""
    """File or id of a picture that shows the goal."""


@dataclass(frozen=True, slots=True)
class GoalObject:
    """The thing an agent has to find and point at."""

    object_id: str = ""
    name: str = ""
    visible_from: frozenset[str] | None = None
    """Viewpoints that see it; ``None`` where no box files were read."""

    polygons_rad: Mapping[str, tuple[tuple[float, float], ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """Viewpoint → corners (heading, elevation) of its outline, in the file's own headings."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One place where an episode may end."""

    viewpoint_id: str = ""
    position_m: Vec3 | None = None
    """Scene frame."""

    radius_m: float | None = None
    """As the file says; profiles have thresholds of their own."""

    target: GoalObject | None = None
    extra: Extra = field(default_factory=lambda: _NO_EXTRA)


MEANS_UNKNOWN: Final = " in the file means unknown"
"""What ``Episode.geodesic_note`` says behind a number below 0."""


@dataclass(frozen=True, slots=True)
class Placing:
    """How the viewpoints of an episode came to positions, for a run that has nothing else."""

    note: str
    """For people: what stands for the viewpoints, or why nothing does."""

    is_placed: bool = False
    """Whether something does."""

    no_heights: str = ""
    """Why distances that count heights cannot be measured; empty where they can."""


@dataclass(frozen=True, slots=True)
class Episode:
    """One item that a run is scored on: R2R's annotation with 3 instructions is 3 episodes."""

    dataset: str
    """Key of the format it came from, e.g. ``r2r``."""

    split: str
    """As stated by the file or its name; empty if unknown."""

    episode_id: str
    """The id that runs use, as text: ``1940_1``, ``7``; see ``normal_id``."""

    scene_id: str
    """Scan or scene, as in the file without folders and suffix: ``8194nk5LbLH``."""

    instruction: Instruction

    reference: Route = EMPTY_ROUTE
    """The path to follow; one pose or none where the split keeps it secret."""

    goals: tuple[Goal, ...] = ()
    """Places of which one must be reached."""

    start_viewpoint_id: str = ""
    start_position_m: Vec3 | None = None
    """Scene frame."""

    start_yaw_rad: float | None = None
    """Scene yaw."""

    other_yaws_rad: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """The start yaw by readings of the file that its reader did not choose, such as
    ``quaternion as (x, y, z, w)``; compared with the first step before use."""

    geodesic_m: float | None = None
    """Shortest way from start to goal as the file states it; ``None`` if it states none."""

    geodesic_note: str = ""
    """Why ``geodesic_m`` is ``None``, e.g. ``-1 in the file means unknown``."""

    source_id: str = ""
    """Id of the record several episodes may come from, e.g. R2R's path id."""

    dense_reference_m: Route = EMPTY_ROUTE
    """Every position of the expert (VLN-CE ``locations``), where a second file has them."""

    alternatives: Mapping[str, Route] = field(default_factory=lambda: MappingProxyType({}))
    """Further references by name, e.g. CVDN ``planner``, ``player``, ``trusted``."""

    stages: tuple[Goal, ...] = ()
    """Goals to reach one after the other in a long-horizon task, the last one included."""

    object_lists: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """Objects to name, by kind, most important first: MSNav ``direct``, ``inferred``."""

    guide: GuideTrace | None = None
    """Where the guide stood who spoke the timed words; looked for when an episode is replayed,
    ``None`` where there was nothing."""

    placing: Placing | None = None
    """Set by ``viewpoint_placing`` where a run in positions meets an episode in viewpoints;
    ``None`` for episodes as they are read."""

    has_ground_truth: bool = True
    """False where the split publishes only the start: nothing can be scored."""

    extra: Extra = field(default_factory=lambda: _NO_EXTRA)
    """Keys of the record that have no place above, as they were."""

    record: Any = field(default=None, compare=False, repr=False)
    """The whole parsed record it came from, so that the same format can write it back exactly;
    ``None`` if it came from elsewhere or was changed."""

    @property
    def geodesic_in_file_m(self) -> float | None:
        """The shortest way exactly as the file has it, a number that means unknown included."""
        if self.geodesic_m is not None:
            return self.geodesic_m
        number, found, _ = self.geodesic_note.partition(MEANS_UNKNOWN)
        return float(number) if found else None


def normal_id(value: object) -> str:
    """An id as text: ``7`` and ``"7"`` are one id, ``"007"`` is another, ``7.0`` is ``7``."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def bare_scene(text: str) -> str:
    """``X`` of ``mp3d/X/X.glb`` or ``vlnverse/X``."""
    name = text.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return re.sub(r"\.(glb|gltf|ply|obj|usda?|usdc|usdz)$", "", name, flags=re.IGNORECASE)


def may_be_one_scene(one: str, other: str) -> bool:
    """Whether two scenes are called alike, as far as both are known (not empty)."""
    return not one or not other or one == other or _called(one) == _called(other)


@lru_cache(maxsize=4096)
def _called(scene: str) -> str:
    """The name alone: HM3D's ``00800-X/X.basis.glb`` is ``00800-X`` in logs."""
    return re.sub(r"^\d{5}-", "", bare_scene(scene).removesuffix(".basis"))
