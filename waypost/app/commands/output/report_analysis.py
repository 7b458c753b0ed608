"""What ``waypost report`` takes from a project: the files of the run and what people say of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from waypost.app.commands.arguments.project_files import judged_scene_hash, opened_project
from waypost.app.terminal.messages import note
from waypost.domain.base.errors import InputError
from waypost.domain.base.visible_text import visible_line
from waypost.domain.episode.run_source import RunSource
from waypost.domain.traverse.judged_graph import JudgedGraph, current_labels
from waypost.io.taxonomy_files import shipped_taxonomies
from waypost.metrics.analyst_agreement import DEFINITIONS, Agreement
from waypost.report.analysis import RunAnalysis, analysis_of, source_of
from waypost.services.judging import circumstances
from waypost.services.replay.graphs import may_use_nodes
from waypost.services.scene_assets import AssetKeywords


@dataclass(frozen=True, slots=True)
class MarkedRun:
    """A run as a project knows it."""

    source: RunSource
    """As asked for, with the project's name, files and profile where none were given."""

    analysis: RunAnalysis


def marked_run(
    location: str,
    given: RunSource,
    analyst: str | None,
    assets: AssetKeywords,
) -> MarkedRun:
    """Find a run in a project.

    Args:
        location: File or URL of the project.
        given: On the command line.
        analyst: Whose marks are counted; ``None`` for everyone's.
        assets: Which files of the project's scene may be read, by which stale labels are told.

    Raises:
        InputError: If the project has no such run, or it no mark of this analyst.
        ReadError: If it is no project.
        StoreError: If it cannot be reached.
    """
    with opened_project(location) as (store, project):
        book, root = project.replay, store.root
    known = source_of(book, root, given.file)
    if known is None:
        names = ", ".join(book.sources) or "none"
        raise InputError(f"{location}: runs: {given.file} is none of them ({names})")
    analysis = analysis_of(book, shipped_taxonomies(), known.name, analyst)
    if analyst is not None and not analysis.analysts:
        people = analysis_of(book, shipped_taxonomies(), known.name).analysts
        marked = ", ".join(people) or "nobody"
        raise InputError(
            f"{location}: {known.name}: {analyst!r} has marked nothing (marked by: {marked})"
        )
    source = given.completed(known.under(root))
    if given.pictures is None and source.pictures is not None and not source.pictures.exists():
        note(f"{source.pictures}: the pictures of {known.name} are gone; the report has none")
        source = replace(source, pictures=None)
    if may_use_nodes(source.connectivity):
        now = circumstances(project, judged_scene_hash(store, project, **assets))
        labels = current_labels(project.labels, now)
        source = replace(source, nodes=JudgedGraph(project.graph, labels))
    return MarkedRun(source, analysis)


def analysis_document(marked: MarkedRun) -> dict[str, Any]:
    """The JSON document of what people say."""
    return {
        "run": marked.source.name,
        "definitions": dict(DEFINITIONS),
        "counted": marked.analysis.counted or None,
        "taxonomies": [
            {
                "taxonomy": use.taxonomy.key,
                "title": use.taxonomy.title,
                "version": use.taxonomy.version,
                "marks": {str(version): n for version, n in use.marks_by_version.items()},
                "analysts": list(use.analysts),
                "made": use.given._asdict(),
                "agreement": [_agreement(row) for row in use.agreements],
            }
            for use in marked.analysis.uses
        ],
        "route_verdicts": _agreement(marked.analysis.verdicts),
        "reason_verdicts": _agreement(marked.analysis.on_reasons),
    }


def _agreement(row: Agreement | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "question": row.title,
        "analysts": list(row.analysts),
        "compared": row.n,
        "percent": row.percent,
        "kappa": row.kappa,
        "alpha": row.alpha,
        "undefined": dict(row.reasons),
        "disputed": list(row.disputed_ids),
        "answers": row.given._asdict(),
        "all_answers": _agreement(row.over_all),
    }


def analysis_lines(marked: MarkedRun) -> Iterator[str]:
    """The same for people, a line per taxonomy and question."""
    if not marked.analysis.uses:
        yield f"nobody has marked causes in {marked.source.name}"
    if marked.analysis.counted:
        yield f"counted are the marks of {marked.analysis.counted}"
    for use in marked.analysis.uses:
        count = sum(use.marks_by_version.values())
        noun = "mark" if count == 1 else "marks"
        people = ", ".join(use.analysts)
        yield f"{use.taxonomy.title}, version {use.taxonomy.version}: {count} {noun} by {people}"
        for row in use.agreements:
            others = f"; left out: {row.left_out}" if row.left_out else ""
            yield f"  {visible_line(row.title):<22} {_told(row)} (blind{others})"
            if row.over_all is not None:
                yield f"  {'':<22} {_told(row.over_all)} (all answers)"


def _told(row: Agreement) -> str:
    if row.percent is None:
        return row.reasons["percent"]
    values = [f"{100 * row.percent:.0f} % equal of {row.n}"]
    values += [
        f"{sign} {value:.2f}"
        for sign, value in (("kappa", row.kappa), ("alpha", row.alpha))
        if value is not None
    ]
    return ", ".join(values)
