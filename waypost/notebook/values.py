"""What reading gives to a notebook: domain values that know their file and become frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar, overload

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportFinding
from waypost.domain.episode.run import EpisodeRun, run_name
from waypost.domain.record import recording as record
from waypost.domain.record import study as people
from waypost.domain.record.study import Take
from waypost.domain.record.study_progress import LeftOut, counted_takes
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.domain.score.comparison_rows import comparison_rows
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.score_rows import score_rows
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel
from waypost.metrics.registry import PROFILES
from waypost.metrics.score_means import counted_rows, score_means
from waypost.tables.score_tables import comparison_frame, score_frame, score_mean_frame
from waypost.tables.study_tables import (
    means_of_means,
    participant_means,
    take_frame,
    take_scores,
)
from waypost.tables.value_frames import (
    edge_frame,
    episode_frame,
    label_frame,
    node_frame,
    recording_frame,
    run_frame,
    viewpoint_edge_frame,
    viewpoint_frame,
)

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")


@dataclass(frozen=True)
class Source:
    """Where values come from and what their reader has to say."""

    file: str
    """As it was named."""

    format: str = ""
    """Key of the format, e.g. ``r2r``."""

    conventions: str = ""
    """Frame and units of the file, which reading converted to the scene frame."""

    warnings: tuple[str, ...] = ()
    """Sentences about the file as a whole."""

    findings: tuple[ImportFinding, ...] = ()
    """What is doubtful about single items, or why they were left out; the first ten thousand."""

    unreadable: int = 0
    """Items that could not be read, however many findings there are."""

    def described(self, frame: pd.DataFrame, **attributes: Any) -> pd.DataFrame:
        """The frame with source, format, conventions and warnings in its ``attrs``."""
        frame.attrs |= {
            "source": self.file,
            "format": self.format,
            "conventions": self.conventions,
            "warnings": list(self.warnings),
            **attributes,
        }
        return frame


@dataclass(frozen=True)
class Values(Sequence[T], Generic[T]):
    """Domain values in their order; a slice is of the same kind."""

    values: tuple[T, ...]
    source: Source

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> Self: ...

    def __getitem__(self, place: int | slice) -> T | Self:
        if isinstance(place, slice):
            return replace(self, values=self.values[place])
        return self.values[place]

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} of {self.source.file})"


class Episodes(Values[Episode]):
    """Episodes of a file."""

    def to_frame(self) -> pd.DataFrame:
        """One row per episode; columns in docs/python.md."""
        return self.source.described(episode_frame(self))


class Runs(Values[EpisodeRun]):
    """Runs of a result file or folder."""

    @property
    def name(self) -> str:
        """What the run of the model is called: its file without suffixes."""
        return run_name(PurePath(self.source.file))

    def to_frame(self) -> pd.DataFrame:
        """One row per run of an episode; columns in docs/python.md."""
        return self.source.described(run_frame(self))


@dataclass(frozen=True, repr=False)
class Labels(Values[TraversabilityLabel]):
    """Labels of a project or a file."""

    stale: Mapping[Passage, bool | None] = field(default_factory=lambda: MappingProxyType({}))
    """Whether each is stale; ``None`` where the scene is not there to tell."""

    def to_frame(self) -> pd.DataFrame:
        """One row per label; columns in docs/python.md."""
        return self.source.described(label_frame(self, self.stale))


@dataclass(frozen=True)
class Graph:
    """A navigation graph, or the viewpoint graph of a scan."""

    graph: NavigationGraph | ViewpointGraph
    source: Source

    def to_frame(self, of: Literal["nodes", "edges"] = "nodes") -> pd.DataFrame:
        """One row per node, or per edge; columns in docs/python.md.

        Raises:
            ValueError: If asked for anything else.
        """
        if of not in {"nodes", "edges"}:
            raise ValueError(f"a graph has nodes and edges, no {of!r}")
        if isinstance(self.graph, ViewpointGraph):
            make: Any = viewpoint_frame if of == "nodes" else viewpoint_edge_frame
        else:
            make = node_frame if of == "nodes" else edge_frame
        return self.source.described(make(self.graph))


@dataclass(frozen=True)
class Recording:
    """One take of a driver."""

    recording: record.Recording
    source: Source

    def to_frame(self) -> pd.DataFrame:
        """One row per sample; columns in docs/python.md."""
        return self.source.described(
            recording_frame(self.recording),
            is_complete=self.recording.is_complete,
            reason=self.recording.reason,
        )


@dataclass(frozen=True)
class Study:
    """A study with people: takes that count, and averages in which everybody weighs the same."""

    study: people.Study
    source: Source

    @property
    def takes(self) -> tuple[Take, ...]:
        """The takes that count, as in ``waypost study export``."""
        return counted_takes(self.study)[0]

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The takes that do not count, and why."""
        return tuple(counted_takes(self.study)[1])

    def to_frame(self) -> pd.DataFrame:
        """One row per take that counts: ``scores.csv`` of an export, with units in the names."""
        frame = take_frame(self.study, self.takes)
        known = {
            name: metric
            for key, profile in PROFILES.items()
            for metric in profile.metrics
            if (name := f"{key}.{metric.key}") in frame.columns
        }
        names = {name: with_unit(name, metric.unit) for name, metric in known.items()}
        return self.source.described(
            renamed(frame, names),
            units={names[name]: metric.unit for name, metric in known.items()},
            definitions={names[name]: metric.definition for name, metric in known.items()},
        )

    def participants_to_frame(self) -> pd.DataFrame:
        """One row per participant and score: ``participants.csv`` of an export."""
        return self.source.described(participant_means(take_scores(self.takes)))

    def averages_to_frame(self, seed: int = 0) -> pd.DataFrame:
        """One row per score: ``averages.csv`` of an export; ``seed`` is of the bootstrap."""
        means = participant_means(take_scores(self.takes))
        return self.source.described(means_of_means(means, seed))


@dataclass(frozen=True)
class RaterScores:
    """What people scored, or compared, in a batch, as somebody may see it."""

    book: ScoreBook
    batch: str
    viewer: str
    source: Source

    def to_frame(self) -> pd.DataFrame:
        """One row per item or pair, rater and criterion, as ``waypost score export`` writes it."""
        if self.book.batch(self.batch).pairs:
            rows = comparison_rows(self.book, self.batch, self.viewer)
            return self.source.described(comparison_frame(rows))
        return self.source.described(score_frame(score_rows(self.book, self.batch, self.viewer)))

    def means_to_frame(self) -> pd.DataFrame:
        """One row per source, task and criterion, as ``waypost score results``; none of pairs."""
        rows = counted_rows(self.book, self.batch, self.viewer)
        return self.source.described(score_mean_frame(score_means(rows)))


def with_unit(name: str, unit: str) -> str:
    """The name of a score's column: ``NE_m``; fractions and counts need no unit."""
    return f"{name}_m" if unit == "m" else name


def renamed(frame: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """The frame with some of its columns called otherwise."""
    return frame.set_axis([names.get(name, name) for name in frame.columns], axis="columns")
