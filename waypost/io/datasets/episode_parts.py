"""Which parts an episode has, so that a conversion can say which of them a format cannot hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from waypost.domain.base.counted_words import counted
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportKind
from waypost.io.read_log import ReadLog


class Part(StrEnum):
    """Something that one format has a place for and another has not."""

    VIEWPOINTS = "viewpoints"
    POSITIONS = "positions"
    HEADING = "start heading"
    DISTANCE = "shortest distance"
    STYLES = "further wordings"
    LANGUAGE = "language"
    WORD_TIMES = "times of words"
    SEGMENTS = "sub-instructions"
    DIALOGUE = "conversation"
    PICTURE = "picture of the goal"
    TARGET = "object to find"
    OUTLINES = "outlines of the object"
    SEEN_FROM = "viewpoints that see the object"
    MORE_GOALS = "further goals"
    STAGES = "stages"
    ALTERNATIVES = "further references"
    DENSE_PATH = "dense path"
    OBJECT_LISTS = "objects to name"
    EXTRA = "members that only its own format knows"


def parts_of(episode: Episode) -> frozenset[Part]:
    """The parts that an episode has."""
    words = episode.instruction
    targets = [goal.target for goal in episode.goals if goal.target is not None]
    start_and_goals = (
        episode.start_position_m,
        *(goal.position_m for goal in episode.goals),
        episode.reference.positions_m,
    )
    has = {
        Part.VIEWPOINTS: bool(episode.start_viewpoint_id or episode.reference.viewpoint_ids),
        Part.POSITIONS: any(place is not None for place in start_and_goals),
        Part.HEADING: episode.start_yaw_rad is not None,
        Part.DISTANCE: episode.geodesic_m is not None,
        Part.STYLES: bool(words.styles),
        Part.LANGUAGE: bool(words.language),
        Part.WORD_TIMES: bool(words.words),
        Part.SEGMENTS: bool(words.segments),
        Part.DIALOGUE: bool(words.dialogue),
        Part.PICTURE: bool(words.picture),
        Part.TARGET: any(target.object_id or target.name for target in targets),
        Part.OUTLINES: any(target.polygons_rad for target in targets),
        Part.SEEN_FROM: any(target.visible_from is not None for target in targets),
        Part.MORE_GOALS: len(episode.goals) > 1,
        Part.STAGES: bool(episode.stages),
        Part.ALTERNATIVES: bool(episode.alternatives),
        Part.DENSE_PATH: len(episode.dense_reference_m) > 0,
        Part.OBJECT_LISTS: bool(episode.object_lists),
        Part.EXTRA: bool(episode.extra),
    }
    return frozenset(part for part, is_there in has.items() if is_there)


@dataclass(slots=True)
class Losses:
    """Counts what is lost on the way into one format."""

    name: str
    """Key of the format written."""

    keeps: frozenset[Part]
    """What it has a place for."""

    counts: Counter[Part] = field(default_factory=Counter)
    first_ids: dict[Part, str] = field(default_factory=dict)
    made_up: list[str] = field(default_factory=list)
    """Episodes that state no start heading, in records that must have one."""

    def note(self, episode: Episode, *, is_turned: bool = False) -> None:
        """Take one episode into account, and whether its record has a start heading."""
        if is_turned and episode.start_yaw_rad is None:
            self.made_up.append(episode.episode_id)
        for part in parts_of(episode) - self.keeps:
            self.counts[part] += 1
            self.first_ids.setdefault(part, episode.episode_id)

    def report(self, log: ReadLog) -> None:
        """Say once per part how many episodes lose it, and how many get a heading."""
        for part, count in self.counts.items():
            log.add(
                ImportKind.NOTE,
                f"{count} episodes lose this on the way to {self.name}: {part}",
                item_id=self.first_ids[part],
                value=part,
            )
        if self.made_up:
            log.add(
                ImportKind.NOTE,
                f"{counted(len(self.made_up), 'episode')} without a start heading: {self.name} must"
                " have one, and there they face +X, which nobody stated",
                item_id=self.made_up[0],
            )
