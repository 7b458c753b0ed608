"""The kinds of items that a project keeps about replays, as table rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.causes.failure import Axis, Category, CauseBook, CauseKey, CauseMark, Taxonomy
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    RouteVerdict,
    RunSource,
    TaxonomyKey,
)
from waypost.store import schema
from waypost.store.item_kind import ItemKind, RowValues, from_json, single, to_json


def replay_of(items: Mapping[ItemKind, Mapping[Any, Any]]) -> ReplayBook:
    """Put the items together; marks may be of runs and taxonomies that are not there any more."""
    return ReplayBook(
        sources=MappingProxyType(items[RUN_SOURCE]),
        taxonomies=MappingProxyType(items[TAXONOMY]),
        causes=CauseBook(MappingProxyType(items[CAUSE_MARK])),
        edge_verdicts=MappingProxyType(items[EDGE_VERDICT]),
    )


_SOURCE_TEXTS = (
    "results",
    "connectivity",
    "pictures",
    "profile_key",
    "annotation_format",
    "result_format",
)


def _source_row(source: RunSource) -> dict[str, Any]:
    texts = {name: getattr(source, name) for name in _SOURCE_TEXTS}
    return {**texts, "annotations": to_json(list(source.annotations))}


def _source(row: RowValues) -> RunSource:
    return RunSource(
        name=row["name"],
        annotations=tuple(from_json(row["annotations"])),
        **{name: row[name] for name in _SOURCE_TEXTS},
    )


def _taxonomy_row(taxonomy: Taxonomy) -> dict[str, Any]:
    return {
        "title": taxonomy.title,
        "source": taxonomy.source,
        "notes": taxonomy.notes,
        "axes": to_json([asdict(axis) for axis in taxonomy.axes]),
    }


def _taxonomy(row: RowValues) -> Taxonomy:
    return Taxonomy(
        row["taxonomy"],
        row["title"],
        int(row["version"]),
        tuple(_axis(axis) for axis in from_json(row["axes"])),
        row["source"],
        row["notes"],
    )


def _axis(values: Mapping[str, Any]) -> Axis:
    categories = tuple(Category(**entry) for entry in values["categories"])
    return Axis(**{**values, "categories": categories})


def _mark_row(mark: CauseMark) -> dict[str, Any]:
    return {
        "taxonomy_version": mark.taxonomy_version,
        "choices": to_json({axis: list(chosen) for axis, chosen in mark.choices.items()}),
        "step": mark.step,
        "note": mark.note,
        "marked_utc": _text_of(mark.marked_at),
        "is_blind": mark.is_blind,
    }


def _mark(row: RowValues) -> CauseMark:
    stored = from_json(row["choices"])
    if not isinstance(stored, dict):
        raise ValueError("choices: must be an object")  # noqa: TRY004 - a bad file, not a bad call
    choices = {axis: tuple(chosen) for axis, chosen in stored.items()}
    return CauseMark(
        CAUSE_MARK.key_of(row),
        int(row["taxonomy_version"]),
        MappingProxyType(choices),
        None if row["step"] is None else int(row["step"]),
        row["note"],
        _moment(row["marked_utc"]),
        row["is_blind"],
    )


def _verdict_row(verdict: EdgeVerdict) -> dict[str, Any]:
    return {
        "verdict": verdict.verdict.value,
        "note": verdict.note,
        "marked_utc": _text_of(verdict.marked_at),
        "is_blind": verdict.is_blind,
    }


def _verdict(row: RowValues) -> EdgeVerdict:
    return EdgeVerdict(
        EDGE_VERDICT.key_of(row),
        RouteVerdict(row["verdict"]),
        row["note"],
        _moment(row["marked_utc"]),
        row["is_blind"],
    )


def _text_of(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


RUN_SOURCE: Final = ItemKind(
    "run source",
    schema.RUN_SOURCES,
    ("name",),
    lambda project: project.replay.sources,
    single,
    _source_row,
    _source,
    lambda key, _: f"run “{key}”",
)
TAXONOMY: Final = ItemKind(
    "taxonomy",
    schema.TAXONOMIES,
    ("taxonomy", "version"),
    lambda project: project.replay.taxonomies,
    lambda parts: TaxonomyKey(*parts),
    _taxonomy_row,
    _taxonomy,
    lambda key, taxonomy: f"version {key.version} of the taxonomy “{taxonomy.title}”",
)
CAUSE_MARK: Final = ItemKind(
    "cause mark",
    schema.CAUSE_MARKS,
    ("run", "episode_id", "analyst", "taxonomy"),
    lambda project: project.replay.causes.marks,
    lambda parts: CauseKey(*parts),
    _mark_row,
    _mark,
    lambda key, _: f"the cause that {key.analyst} marked for episode {key.episode_id} of {key.run}",
)
EDGE_VERDICT: Final = ItemKind(
    "edge verdict",
    schema.EDGE_VERDICTS,
    ("run", "episode_id", "from_id", "to_id", "analyst"),
    lambda project: project.replay.edge_verdicts,
    lambda parts: EdgeVerdictKey(*parts),
    _verdict_row,
    _verdict,
    lambda key, _: (
        f"{key.analyst}'s verdict on {key.from_id} → {key.to_id}"
        f" in episode {key.episode_id} of {key.run}"
    ),
)

REPLAY_KINDS: Final = (RUN_SOURCE, TAXONOMY, CAUSE_MARK, EDGE_VERDICT)
