"""What a project keeps about runs of models: where they are, and what analysts say about them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from waypost.domain.base.errors import EditError, InputError
from waypost.domain.base.no_entries import no_entries
from waypost.domain.causes.failure import CauseBook, CauseKey, CauseMark, Taxonomy, check_taxonomy
from waypost.domain.episode.run_source import RunSource


class TaxonomyKey(NamedTuple):
    """One version of a taxonomy; old versions are kept so that old marks can be read."""

    key: str
    version: int


class RouteVerdict(StrEnum):
    """What an analyst says about one edge of a predicted route (CapNav's route verification)."""

    VALID = "valid"
    INVALID = "invalid"
    UNSURE = "unsure"


class EdgeVerdictKey(NamedTuple):
    """One directed edge of the route that one run predicts for one episode, and who judges it."""

    run: str
    """Name of the run, see ``RunSource.name``."""

    episode_id: str
    from_id: str
    to_id: str
    analyst: str


@dataclass(frozen=True, slots=True)
class EdgeVerdict:
    """What one analyst says about one edge of a predicted route."""

    key: EdgeVerdictKey
    verdict: RouteVerdict
    note: str = ""
    marked_at: datetime | None = None
    """UTC."""

    is_blind: bool | None = None
    """Whether it was given before the analyst saw others' verdicts; ``None``: unknown."""


@dataclass(frozen=True, slots=True)
class ReplayBook:
    """Runs and what analysts say about them; edits give a new book and leave the old as it was."""

    sources: Mapping[str, RunSource] = field(default_factory=no_entries)
    """By name, in the order shown."""

    taxonomies: Mapping[TaxonomyKey, Taxonomy] = field(default_factory=no_entries)
    """The project's own, every version saved; those shipped with Waypost are always there."""

    causes: CauseBook = field(default_factory=CauseBook)
    edge_verdicts: Mapping[EdgeVerdictKey, EdgeVerdict] = field(default_factory=no_entries)

    def verdicts_of(self, run: str, episode_id: str) -> tuple[EdgeVerdict, ...]:
        """The verdicts of all analysts on one route, by edge, then by name of the analyst."""
        found = (
            verdict
            for key, verdict in self.edge_verdicts.items()
            if (key.run, key.episode_id) == (run, episode_id)
        )
        return tuple(sorted(found, key=lambda verdict: verdict.key))


NO_REPLAY: Final = ReplayBook()


def add_source(book: ReplayBook, source: RunSource) -> ReplayBook:
    """The book with a further run.

    Raises:
        EditError: If its name is empty or taken, or it has no results.
    """
    _check_source(source)
    if source.name in book.sources:
        raise EditError(f"there is a run called {source.name!r} already")
    sources = MappingProxyType({**book.sources, source.name: source})
    return dataclasses.replace(book, sources=sources)


def change_source(book: ReplayBook, name: str, source: RunSource) -> ReplayBook:
    """The book with a run changed in its place; marks and verdicts follow a new name.

    Raises:
        EditError: If there is no such run, the new name is empty, taken or the name of marks that
            a removed run has left, or it has no results.
    """
    _check_source(source)
    if name not in book.sources:
        raise EditError(f"there is no run called {name!r}")
    if source.name != name and source.name in book.sources:
        raise EditError(f"there is a run called {source.name!r} already")
    if source.name != name and source.name in _marked_runs(book):
        raise EditError(f"marks of a run called {source.name!r} are kept; choose another name")
    sources = {(source.name if k == name else k): v for k, v in book.sources.items()}
    sources[source.name] = source
    changed = dataclasses.replace(book, sources=MappingProxyType(sources))
    return changed if source.name == name else _renamed(changed, name, source.name)


def _marked_runs(book: ReplayBook) -> set[str]:
    return {key.run for key in book.causes.marks} | {key.run for key in book.edge_verdicts}


def _renamed(book: ReplayBook, old: str, new: str) -> ReplayBook:
    marks: dict[CauseKey, CauseMark] = {}
    for key, mark in book.causes.marks.items():
        kept = key._replace(run=new) if key.run == old else key
        marks[kept] = mark if kept == key else dataclasses.replace(mark, key=kept)
    verdicts: dict[EdgeVerdictKey, EdgeVerdict] = {}
    for place, verdict in book.edge_verdicts.items():
        there = place._replace(run=new) if place.run == old else place
        verdicts[there] = verdict if there == place else dataclasses.replace(verdict, key=there)
    return dataclasses.replace(
        book,
        causes=CauseBook(MappingProxyType(marks)),
        edge_verdicts=MappingProxyType(verdicts),
    )


def _check_source(source: RunSource) -> None:
    if not source.name.strip():
        raise EditError("a run needs a name")
    if len(source.results) != 1:
        raise EditError("a run needs a file or folder of results")


def remove_source(book: ReplayBook, name: str) -> ReplayBook:
    """The book without a run; what analysts said about it stays. The same book if it has none."""
    if name not in book.sources:
        return book
    kept = {key: source for key, source in book.sources.items() if key != name}
    return dataclasses.replace(book, sources=MappingProxyType(kept))


def name_for_run(book: ReplayBook, wanted: str) -> str:
    """A name for a further run, as wanted or with a number behind it.

    What was said about a run that was taken out must not pass to another one.
    """
    return free_name({*book.sources, *_marked_runs(book)}, wanted)


def free_name(taken: Iterable[str], wanted: str) -> str:
    """A name that is not taken: as wanted, else with a number behind it."""
    names = set(taken)
    if wanted not in names:
        return wanted
    number = 2
    while f"{wanted} {number}" in names:
        number += 1
    return f"{wanted} {number}"


def known_taxonomies(book: ReplayBook, shipped: Mapping[str, Taxonomy]) -> Mapping[str, Taxonomy]:
    """The newest version of every taxonomy, by key: shipped ones, then the project's own."""
    newest = dict(shipped)
    for (key, version), taxonomy in book.taxonomies.items():
        if key not in newest or version > newest[key].version:
            newest[key] = taxonomy
    return MappingProxyType(newest)


def taxonomy_of(
    book: ReplayBook, shipped: Mapping[str, Taxonomy], key: str, version: int
) -> Taxonomy | None:
    """One version of a taxonomy; ``None`` where it is not known any more."""
    own = book.taxonomies.get(TaxonomyKey(key, version))
    if own is not None:
        return own
    found = shipped.get(key)
    return found if found is not None and found.version == version else None


def save_taxonomy(
    book: ReplayBook, taxonomy: Taxonomy, shipped_keys: Iterable[str] = ()
) -> ReplayBook:
    """The book with a new version of an own taxonomy, or a new one; older versions stay.

    Args:
        book: The book.
        taxonomy: With its version raised above the one before; an equal one changes nothing.
        shipped_keys: Keys that belong to Waypost.

    Raises:
        EditError: If it cannot be used, its key belongs to Waypost, or its version is not new.
    """
    if taxonomy.key in set(shipped_keys):
        raise EditError(f"{taxonomy.key!r} comes with Waypost; edit a copy under another key")
    try:
        check_taxonomy(taxonomy)
    except InputError as error:
        raise EditError(str(error)) from error
    place = TaxonomyKey(taxonomy.key, taxonomy.version)
    if book.taxonomies.get(place) == taxonomy:
        return book
    newest = max((key.version for key in book.taxonomies if key.key == taxonomy.key), default=0)
    if taxonomy.version <= newest:
        raise EditError(f"{taxonomy.title} has version {newest} already; raise it")
    taxonomies = MappingProxyType({**book.taxonomies, place: taxonomy})
    return dataclasses.replace(book, taxonomies=taxonomies)


def remove_taxonomy(book: ReplayBook, key: str) -> ReplayBook:
    """The book without any version of an own taxonomy; marks stay."""
    kept = {place: entry for place, entry in book.taxonomies.items() if place.key != key}
    if len(kept) == len(book.taxonomies):
        return book
    return dataclasses.replace(book, taxonomies=MappingProxyType(kept))


def set_edge_verdict(book: ReplayBook, verdict: EdgeVerdict) -> ReplayBook:
    """The book with a verdict in place of the analyst's earlier one on the same edge.

    Raises:
        EditError: If it is nobody's.
    """
    if not verdict.key.analyst.strip():
        raise EditError("a verdict needs the name of its analyst")
    verdicts = MappingProxyType({**book.edge_verdicts, verdict.key: verdict})
    return dataclasses.replace(book, edge_verdicts=verdicts)


def clear_edge_verdict(book: ReplayBook, key: EdgeVerdictKey) -> ReplayBook:
    """The book without a verdict; the same book if there is none."""
    if key not in book.edge_verdicts:
        return book
    kept = {place: entry for place, entry in book.edge_verdicts.items() if place != key}
    return dataclasses.replace(book, edge_verdicts=MappingProxyType(kept))


def set_causes(book: ReplayBook, causes: CauseBook) -> ReplayBook:
    """The book with other marks; the same book if they are the same."""
    return book if causes is book.causes else dataclasses.replace(book, causes=causes)


def with_mark(book: ReplayBook, mark: CauseMark) -> ReplayBook:
    """The book with a mark as it is, of whatever version of its taxonomy."""
    marks = MappingProxyType({**book.causes.marks, mark.key: mark})
    return set_causes(book, CauseBook(marks))


def marks_of_takes(book: ReplayBook, run: str, takes: Mapping[str, str]) -> ReplayBook:
    """The book with marks on an episode as marks on the one take of it.

    Takes of one episode had one mark between them once; of several nobody knows which was meant,
    so such a mark stays as it is.

    Args:
        book: The book.
        run: Name of the takes.
        takes: Episode → what marks hold its only take by.
    """
    marks: dict[CauseKey, CauseMark] = {}
    for key, mark in book.causes.marks.items():
        own = key._replace(episode_id=takes.get(key.episode_id, key.episode_id))
        is_meant = key.run == run and own != key and own not in book.causes.marks
        marks[own if is_meant else key] = dataclasses.replace(mark, key=own) if is_meant else mark
    if marks.keys() == book.causes.marks.keys():
        return book
    return set_causes(book, CauseBook(MappingProxyType(marks)))


def chosen_titles(
    book: ReplayBook,
    shipped: Mapping[str, Taxonomy],
    run: str,
    taxonomy: str,
    axis: str,
    analyst: str | None = None,
) -> Mapping[str, tuple[str, ...]]:
    """Episode → titles of what was chosen on one axis, in the order of the marks.

    A mark of an older version speaks with the titles of its version; a category whose version is
    not known any more with its key.

    Args:
        book: The book.
        shipped: Taxonomies that come with Waypost.
        run: Name of the run.
        taxonomy: Key of the taxonomy.
        axis: Key of the axis.
        analyst: Whose marks; ``None`` for everyone's.
    """
    found: dict[str, dict[str, None]] = {}
    for key, mark in book.causes.marks.items():
        if (key.run, key.taxonomy) != (run, taxonomy) or analyst not in {None, key.analyst}:
            continue
        version = taxonomy_of(book, shipped, taxonomy, mark.taxonomy_version)
        question = None if version is None else version.axis(axis)
        for choice in mark.choices.get(axis, ()):
            category = None if question is None else question.category(choice)
            title = choice if category is None else category.title
            found.setdefault(key.episode_id, {})[title] = None
    return MappingProxyType({episode: tuple(titles) for episode, titles in found.items()})
