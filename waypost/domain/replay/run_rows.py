"""What a table of a run shows: one row per run of an episode, with where its values come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from waypost.domain.episode.episode import may_be_one_scene
from waypost.domain.episode.run_ids import own_id, scene_and_id
from waypost.domain.replay.charts import EpisodeOutcome
from waypost.domain.replay.tags import Tag

FIRST_LETTERS: Final = 240
"""Length at which the instruction of a row is cut."""


@dataclass(frozen=True, slots=True)
class MetricColumn:
    """One metric of the profile that a run is shown under."""

    key: str
    """Short name as papers print it, e.g. ``SPL``."""

    definition: str
    unit: str
    """``m``, ``fraction`` or ``count``."""

    source: str = ""
    """Who defines it so."""

    is_higher_better: bool | None = True
    """``None`` where neither is better."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of one episode, without its steps."""

    episode_id: str
    attempt: int
    """From 1: the how many-th run of this episode in the file."""

    scene_id: str
    split: str
    instruction: str
    """One line, at most ``FIRST_LETTERS`` long."""

    is_success: bool | None
    """By the profile; ``None`` where that leaves it undefined."""

    values: tuple[float | None, ...]
    """One per metric column; ``None`` where undefined."""

    reasons: tuple[str, ...]
    """One per metric column: why it is undefined; empty where it is defined."""

    tags: tuple[Tag, ...]
    step_count: int
    """See ``Replay.step_count``."""

    ended_by: str
    """See ``Replay.ended_by``."""

    reference_m: float | None
    """Length of the reference, metres."""

    turn_count: int | None
    """Turns of the reference."""

    participant: str = ""
    """Code of the person who drove; empty for a model."""

    take: int | None = None
    """Number of the person's take; ``None`` for a model."""

    @property
    def counts(self) -> bool:
        """Whether means and charts count it: every take of a person, the first run of a model."""
        return self.take is not None or self.attempt == 1

    @property
    def key(self) -> tuple[str, int]:
        """Episode and attempt."""
        return self.episode_id, self.attempt

    @property
    def which(self) -> str:
        """Which run of its episode it is, in words; empty for the only one."""
        return attempt_words(self.attempt, self.participant, self.take)

    @property
    def chart_id(self) -> str:
        """What charts and marks hold it by; see ``EpisodeOutcome.chart_id``."""
        return f"{self.episode_id} · {self.which}" if self.take is not None else self.episode_id

    def outcome(self, causes: tuple[str, ...] = ()) -> EpisodeOutcome:
        """What charts need of this row; ``causes`` are titles that analysts set."""
        return EpisodeOutcome(
            self.episode_id,
            self.scene_id,
            self.is_success,
            self.reference_m,
            self.turn_count,
            self.tags,
            causes,
            self.which if self.take is not None else "",
        )


@dataclass(frozen=True, eq=False, slots=True)
class RunRows:
    """The rows of a run, whole or as far as it has been read."""

    name: str
    """Of the run, e.g. the file without suffixes."""

    source: str
    """Path of the results."""

    profile_key: str = ""
    profile_title: str = ""
    columns: tuple[MetricColumn, ...] = ()
    rows: tuple[RunRow, ...] = ()
    """In the order of the file, every attempt."""

    is_whole: bool = True
    """False while the run is being read."""

    _by_key: dict[tuple[str, int], RunRow] = field(default_factory=dict, repr=False)
    _by_scene: dict[tuple[str, int], RunRow] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def by_key(self) -> Mapping[tuple[str, int], RunRow]:
        """Each row by episode and attempt."""
        if not self._by_key:
            self._by_key.update(((row.episode_id, row.attempt), row) for row in self.rows)
        return self._by_key

    def find(self, episode_id: str, attempt: int = 1) -> RunRow | None:
        """The row of an episode, by its id or as ``SCENE/ID``; ``None`` if there is none."""
        row = self.by_key.get((episode_id, attempt))
        if row is not None or "/" not in episode_id:
            return row
        if not self._by_scene:
            for row in self.rows:
                name = scene_and_id(row.episode_id, row.scene_id)
                self._by_scene[name, row.attempt] = row
        return self._by_scene.get((episode_id, attempt))

    def find_beside(self, episode_id: str, attempt: int, scene_id: str = "") -> RunRow | None:
        """What stands beside an attempt of another run: the same one, else the last before it.

        Args:
            episode_id: As the other run names it.
            attempt: Of the other run.
            scene_id: What the other run says of its scene; what is known to be elsewhere is no
                attempt of the same episode.
        """
        own = own_id(episode_id, scene_id)
        names = dict.fromkeys((episode_id, own, scene_and_id(own, scene_id)))
        rows = (self.find(name, at) for at in range(attempt, 0, -1) for name in names)
        return next((row for row in rows if row and may_be_one_scene(row.scene_id, scene_id)), None)

    def outcomes(
        self, causes: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    ) -> Iterator[EpisodeOutcome]:
        """What charts need of each row that counts; causes by what charts hold it by."""
        return (row.outcome(causes.get(row.chart_id, ())) for row in self.rows if row.counts)


def attempt_words(attempt: int, participant: str = "", take: int | None = None) -> str:
    """Which run of its episode one is: whose take, or the how many-th; empty for the only one."""
    if take is not None:
        return f"{participant}, take {take}"
    return f"run {attempt}" if attempt > 1 else ""


def first_letters(text: str) -> str:
    """The beginning of a text on one line, cut at a word where it is long."""
    line = " ".join(text[: FIRST_LETTERS * 4].split())
    if len(line) <= FIRST_LETTERS:
        return line
    return f"{line[: FIRST_LETTERS - 1].rsplit(' ', 1)[0]}…"
