"""``waypost labels``: import and export traversability labels."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    asset_options,
)
from waypost.app.commands.arguments.path_types import check_ending, file_to_read, file_to_write
from waypost.app.commands.arguments.project_files import (
    add_author_argument,
    add_project_argument,
    author_of,
    judged_scene_hash,
    opened_project,
)
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.counted_words import counted, few_of
from waypost.domain.base.errors import EditError, InputError
from waypost.domain.project import Project
from waypost.domain.scene.graph import Extra
from waypost.domain.team_labels import with_own_answers
from waypost.domain.traverse.team import own_of
from waypost.domain.traverse.traversability import Labels, Passage, TraversabilityLabel
from waypost.io.labels.capnav_hallucinated import (
    hallucinated_questions,
    listed_as_hallucinated,
    with_hallucinated,
)
from waypost.io.labels.capnav_traverse import (
    TraverseOptions,
    read_capnav_traverse,
    with_author,
    write_capnav_traverse,
)
from waypost.io.labels.labels_csv import labels_csv_text, read_labels_csv, write_labels_csv
from waypost.services.judging import circumstances
from waypost.services.label_report import (
    LabelSelection,
    agent_counts,
    gaps_note,
    scorer_words,
    select_labels,
    team_note,
)
from waypost.services.mixed_engines import engines_of_labels, mixture_note
from waypost.store.project_store import utc_now


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the two actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    load = actions.add_parser("import", help="put a CapNav traverse file or a CSV into a project")
    load.add_argument("file", type=file_to_read, metavar="FILE", help="*.json or *.csv")
    add_project_argument(load)
    load.add_argument(
        "--on-conflict",
        choices=["refuse", "keep", "replace"],
        default="refuse",
        help="what to do where the project says otherwise (default: refuse the whole file)",
    )
    load.add_argument(
        "--labelled-by", default="", metavar="NAME", help="who gave labels that do not say it"
    )
    add_author_argument(load)
    load.add_argument("--json", action="store_true", help="print one JSON document")
    save = actions.add_parser("export", help="write labels as a CapNav traverse file or a CSV")
    add_project_argument(save)
    save.add_argument(
        "--out", type=file_to_write, required=True, metavar="FILE", help="*.json or *.csv"
    )
    add_author_argument(save)
    add_asset_options(save)
    save.add_argument(
        "--include-stale",
        action="store_true",
        help="also stale labels: scene, agent, engine or the place of a node has changed since",
    )
    save.add_argument(
        "--uncertain-as-blocked",
        action="store_true",
        help="write “uncertain”, which CapNav lacks, as not traversable, marked",
    )
    save.add_argument(
        "--humanoid",
        choices=["ROBOT", "HUMANOID"],
        help="what to call the humanoid (default: as in the imported file, else ROBOT)",
    )
    save.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Run the chosen action.

    Returns:
        0 done, 1 some labels of an imported file are of no passage of the graph.
    """
    return _import(options) if options.action == "import" else _export(options)


def _is_csv(path: Path) -> bool:
    named = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return named.suffix.lower() == ".csv"


def _import(options: Namespace) -> int:
    with opened_project(options.project, author_of(options)) as (store, before):
        read, extra, orphans, warnings = _read(options, before)
        found = own_of(before.team, read)
        unknown = sorted({p.agent_key for p in found} - set(before.agents))
        clashes = [p for p, label in found.items() if _clash(before.labels.get(p), label)]
        if clashes and options.on_conflict == "refuse":
            raise InputError(
                f"{options.file}: labels: {len(clashes)} say otherwise than the project, e.g."
                f" {clashes[0].agent_key} {clashes[0].from_id}|{clashes[0].to_id};"
                " choose --on-conflict keep or replace"
            )
        kept = {p for p in found if p in before.labels} - _renewed(before, found, clashes)
        if options.on_conflict == "replace":
            kept -= set(clashes)
        new = {p: label for p, label in found.items() if p not in kept}
        after = _with_labels(options, before, new, extra)
        store.save(before, after, author_of(options), f"Import {options.file.name}")
    for text in warnings:
        note(text)
    if orphans:
        note(
            f"{counted(len(orphans), 'label')} of passages that the graph does not have:"
            f" {few_of(orphans)}"
        )
    if unknown:
        note(f"the project has no agent {', '.join(unknown)}; their labels are kept")
    if len(found) < len(read):
        note(f"{len(read) - len(found)} left out: others label those passages, each their own")
    selection = select_labels(after, None)
    if stale := len(selection.stale & new.keys()):
        was = counted(stale, "label was", "labels were")
        note(f"{was} given on another scene or agent, or other places of nodes: stale")
    report = {
        "file": str(options.file),
        "read": len(read),
        "imported": len(new),
        "unchanged_or_kept": len(found) - len(new),
        "conflicts": len(clashes),
        "orphans": list(orphans),
        "unknown_agents": unknown,
        "warnings": list(warnings),
        "agents": agent_counts(after, selection),
    }
    if options.json:
        write_json(report)
    else:
        write_line(f"imported {len(new)} of {counted(len(found), 'label')}")
    return 1 if orphans or unknown or warnings else 0


def _with_labels(options: Namespace, before: Project, new: Labels, extra: Extra) -> Project:
    """The project with new labels; those of passages that two label become one's own."""
    graph = replace(before.graph, extra=extra)
    labels = MappingProxyType({**before.labels, **new})
    listed = () if extra is before.graph.extra else listed_as_hallucinated(extra)
    tasks = with_hallucinated(before.tasks, listed)
    after = replace(before, graph=graph, labels=labels, tasks=tasks)
    try:
        return with_own_answers(before, after, utc_now())
    except EditError as error:
        raise InputError(f"{options.file}: labels: {error}") from error


def _read(
    options: Namespace, project: Project
) -> tuple[Labels, Extra, tuple[str, ...], tuple[str, ...]]:
    graph = project.graph
    if not _is_csv(options.file):
        result = read_capnav_traverse(options.file, graph)
        labels = with_author(result.labels, options.labelled_by)
        return labels, result.extra, result.orphans, result.warnings
    found = with_author(read_labels_csv(options.file), options.labelled_by)
    joined = graph.joined_pairs()
    known = {p: label for p, label in found.items() if frozenset(p[:2]) in joined}
    orphans = tuple(f"{p.agent_key} {p.from_id}|{p.to_id}" for p in found if p not in known)
    return known, graph.extra, orphans, ()


def _clash(mine: TraversabilityLabel | None, theirs: TraversabilityLabel) -> bool:
    if mine is None:
        return False
    return (mine.verdict, mine.reason, mine.note) != (theirs.verdict, theirs.reason, theirs.note)


def _renewed(project: Project, found: Labels, clashes: Collection[Passage]) -> set[Passage]:
    """Passages whose label is stale, of which the file says the same of the agents of now."""
    now = circumstances(project, None)
    stale = {p for p in found if p in project.labels and project.labels[p].is_stale(now)}
    known = {p for p in stale - set(clashes) if found[p].provenance.profile_hash}
    # Of what two label, nobody changes a label once both are in.
    known -= project.team.doubles.keys()
    return {p for p in known if not found[p].is_stale(now)}


def _export(options: Namespace) -> int:
    check_ending(options.out, ".csv", ".json")
    given = {
        "--humanoid": options.humanoid is not None,
        "--uncertain-as-blocked": options.uncertain_as_blocked,
    }
    for name, is_given in given.items():
        if is_given and _is_csv(options.out):
            raise InputError(f"{name}: belongs to CapNav's *.json; a CSV has our own words")
    with opened_project(options.project, author_of(options)) as (store, project):
        scene_hash = judged_scene_hash(store, project, **asset_options(options))
    selection = select_labels(project, scene_hash)
    if options.include_stale:
        selection = replace(selection, left_out=frozenset())
    report = _write(options, project, selection)
    for agent in report["agents"] if not _is_csv(options.out) else ():
        edges, ways = agent["edges_read_as_blocked"], agent["passages_read_as_other_way"]
        if read_as := scorer_words(edges, ways):
            note(
                f"{agent['agent']}: {agent['undecided']} of {agent['passages']} passages are"
                f" undecided; CapNav's scorer reads {read_as}"
            )
    if report["left_out"]["stale"]:
        stale = counted(report["left_out"]["stale"], "stale label")
        note(f"{stale} left out; --include-stale writes them")
    if said := team_note(selection):
        note(said)
    if said := gaps_note(project, selection.left_out):
        note(said)
    engines = engines_of_labels(project, selection.left_out)
    report["engines"] = sorted(set(engines))
    if said := mixture_note(engines, "label"):
        note(said)
    if selection.contradicting:
        count = len(selection.contradicting)
        says = "says" if count == 1 else "say"
        note(f"{counted(count, 'label')} {says} otherwise than what was measured or driven")
    if options.json:
        write_json(report)
    else:
        write_line(f"wrote {counted(report['written'], 'label')} to {options.out}")
    return 0


def _write(options: Namespace, project: Project, selection: LabelSelection) -> dict[str, Any]:
    """Write the file and return the report on it."""
    skips_uncertain = not (_is_csv(options.out) or options.uncertain_as_blocked)
    if _is_csv(options.out):
        keys = [*project.agents, *(k for k in selection.agent_keys if k not in project.agents)]
        text = labels_csv_text(
            project.labels, project.graph, keys, selection.left_out, selection.kinds
        )
        write_labels_csv(options.out, text)
    else:
        traverse = TraverseOptions(
            options.humanoid,
            options.uncertain_as_blocked,
            selection.left_out,
            selection.kinds,
            hallucinated_questions(project.tasks, project.graph.extra),
        )
        write_capnav_traverse(options.out, project.labels, project.graph, traverse)
    agents = agent_counts(project, selection, skips_uncertain=skips_uncertain)
    return {
        "out": str(options.out),
        "format": "csv" if _is_csv(options.out) else "capnav",
        "written": sum(agent["written"] for agent in agents),
        "contradicting": len(selection.contradicting),
        "left_out": {
            "stale": len(selection.left_out),
            "uncertain": sum(agent["uncertain_left_out"] for agent in agents),
            "not_in_graph": selection.not_in_graph,
            **({"of_two": selection.without_label} if project.team.doubles else {}),
        },
        "agents": agents,
    }
