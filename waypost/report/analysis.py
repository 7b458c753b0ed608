"""What people say about a run in a project, as the report shows it: causes, agreement, versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from waypost.domain.causes.blind_marks import BlindCount, blind_by_episode, count_blind
from waypost.domain.causes.failure import Taxonomy
from waypost.domain.causes.reason_verdicts import Verdicts, reason_verdicts
from waypost.domain.causes.replay_book import (
    ReplayBook,
    chosen_titles,
    known_taxonomies,
)
from waypost.domain.episode.run_source import RunSource
from waypost.metrics.analyst_agreement import (
    Agreement,
    reason_agreement,
    taxonomy_agreement,
    verdict_agreement,
)
from waypost.tables.episode_table import EpisodeCauses


@dataclass(frozen=True, slots=True)
class TaxonomyUse:
    """A taxonomy that marks of a run are of."""

    taxonomy: Taxonomy
    """In its newest version."""

    marks_by_version: Mapping[int, int]
    """Version → marks of it, the newest version first."""

    analysts: tuple[str, ...]
    given: BlindCount
    """How many of the marks, of any version, were made blind."""

    causes: Mapping[str, tuple[str, ...]]
    """Episode → titles on the last axis, which names the cause."""

    titles: Mapping[str, tuple[str, ...]]
    """Episode → titles on any axis, in their order."""

    agreements: tuple[Agreement, ...]
    """Axis by axis; marks of older versions are left out."""

    @property
    def cause_title(self) -> str:
        """What the causes are called in a chart."""
        return f"{self.taxonomy.axes[-1].title} ({self.taxonomy.title})"


@dataclass(frozen=True, slots=True)
class RunAnalysis:
    """Everything that people say about one run."""

    uses: tuple[TaxonomyUse, ...]
    verdicts: Agreement | None
    """About the edges of predicted routes; ``None`` if nobody judged any."""

    analyst: str | None = None
    """Whose marks alone are counted; ``None`` for everyone's."""

    reasons: Verdicts = field(default_factory=lambda: MappingProxyType({}))
    """What is counted about the reasons of answers (CapNav)."""

    on_reasons: Agreement | None = None
    """About these reasons; ``None`` if nobody judged any."""

    blind: Mapping[str, BlindCount] = field(default_factory=lambda: MappingProxyType({}))
    """Episode → how many of the marks on it were made blind."""

    @property
    def analysts(self) -> tuple[str, ...]:
        """Who has marked or judged what is counted, by name."""
        names = {name for use in self.uses for name in use.analysts}
        for row in (self.verdicts, self.on_reasons):
            names.update((row.over_all or row).analysts if row is not None else ())
        return tuple(sorted(names))

    @property
    def counted(self) -> str:
        """Whose marks are counted: ``ada``, or ``everyone: ada, ben``."""
        if self.analyst is not None:
            return self.analyst
        return f"everyone: {', '.join(self.analysts)}" if self.analysts else ""

    @property
    def causes(self) -> EpisodeCauses:
        """What people chose, in any taxonomy and on any axis."""
        return EpisodeCauses(_joined(use.titles for use in self.uses), self.counted, self.blind)


NO_ANALYSIS = RunAnalysis((), None)


def analysis_of(
    book: ReplayBook, shipped: Mapping[str, Taxonomy], run: str, analyst: str | None = None
) -> RunAnalysis:
    """Sum up the marks and verdicts on a run.

    Args:
        book: Of the project.
        shipped: Taxonomies that come with Waypost.
        run: Name of the run in the project.
        analyst: Whose marks and verdicts are counted; ``None`` for everyone's.
    """
    known = known_taxonomies(book, shipped)
    marks = [
        mark
        for key, mark in book.causes.marks.items()
        if key.run == run and key.taxonomy in known and analyst in {None, key.analyst}
    ]
    uses: list[TaxonomyUse] = []
    for key, taxonomy in known.items():
        own = [mark for mark in marks if mark.key.taxonomy == key]
        if not own:
            continue
        titles = [
            chosen_titles(book, shipped, run, key, axis.key, analyst) for axis in taxonomy.axes
        ]
        versions = sorted({mark.taxonomy_version for mark in own}, reverse=True)
        uses.append(
            TaxonomyUse(
                taxonomy,
                {version: sum(m.taxonomy_version == version for m in own) for version in versions},
                tuple(sorted({mark.key.analyst for mark in own})),
                count_blind(mark.is_blind for mark in own),
                titles[-1],
                _joined(titles),
                taxonomy_agreement(own, taxonomy, run),
            )
        )
    judged = [
        verdict
        for key, verdict in book.edge_verdicts.items()
        if key.run == run and analyst in {None, key.analyst}
    ]
    return RunAnalysis(
        tuple(uses),
        verdict_agreement(judged, run),
        analyst,
        reason_verdicts(book, run, analyst),
        reason_agreement(judged, run),
        blind_by_episode(marks),
    )


def _joined(parts: Iterable[Mapping[str, tuple[str, ...]]]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for episode_id, titles in part.items():
            found[episode_id] = (*found.get(episode_id, ()), *titles)
    return MappingProxyType(found)


def source_of(book: ReplayBook, root: Path, results: Path) -> RunSource | None:
    """The run of a project that a file or folder of results is; ``None`` if it is none of them.

    Args:
        book: Of the project.
        root: Folder that the project's relative paths resolve against.
        results: As given on the command line.
    """
    wanted = results.resolve()
    for source in book.sources.values():
        if source.under(root).file.resolve() == wanted:
            return source
    return None
