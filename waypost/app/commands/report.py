"""``waypost report``: a whole run as one HTML page that needs no program to be read."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from waypost.app.commands.arguments.asset_options import add_asset_options, asset_options
from waypost.app.commands.arguments.path_types import (
    file_to_write,
    folder_to_write,
    path_to_read,
    project_to_open,
)
from waypost.app.commands.arguments.run_options import add_run_arguments, source_of
from waypost.app.commands.evaluate import aggregate_object
from waypost.app.commands.output.drawing_application import drawing_application
from waypost.app.commands.output.report_analysis import (
    MarkedRun,
    analysis_document,
    analysis_lines,
    marked_run,
)
from waypost.app.commands.output.stated_output import stated_objects
from waypost.app.terminal.findings import finding_object
from waypost.app.terminal.output import write_json, write_line
from waypost.app.terminal.progress_line import exhaust_shown
from waypost.domain.base.errors import InputError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import SUFFIX
from waypost.domain.replay.tags import TagKind, tag_counts
from waypost.report.analysis import NO_ANALYSIS
from waypost.report.odd_runs import odd_runs, unreadable_items
from waypost.report.page import (
    MOST_IN_FULL,
    MOST_STEPS,
    metric_rows,
    summary_rows,
    write_report,
)
from waypost.report.step_pictures import NO_PICTURES, EpisodePictures, step_pictures
from waypost.report.strip_making import StripMaker, opened_strips
from waypost.services.replay.answer_verdicts import run_with_verdicts
from waypost.services.replay.loading import ReplayedRun, replay_all
from waypost.services.replay.row_making import rows_of
from waypost.tables.episode_table import check_table_name, write_episode_table


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_run_arguments(parser)
    parser.add_argument(
        "--out", type=folder_to_write, required=True, metavar="DIR", help="for report.html"
    )
    parser.add_argument(
        "--most",
        type=int,
        default=MOST_IN_FULL,
        metavar="N",
        help=f"episodes with map and steps; the table has all (default: {MOST_IN_FULL})",
    )
    parser.add_argument(
        "--pictures",
        type=path_to_read,
        metavar="DIR",
        help="panoramas or frames to show beside the steps",
    )
    parser.add_argument(
        "--table",
        type=file_to_write,
        action="append",
        default=[],
        metavar="FILE",
        help="also write the episodes as .csv or .parquet; repeatable",
    )
    parser.add_argument(
        "--project",
        type=project_to_open,
        metavar="P",
        help=f"project ({SUFFIX} or URL) with root causes people set",
    )
    parser.add_argument(
        "--analyst", metavar="NAME", help="count the marks of one analyst; everyone's without"
    )
    add_asset_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Replay, tag, score and write.

    Returns:
        0 every expected episode is in the report once, 1 something is missing or doubled.
    """
    if options.most < 0:
        raise InputError(f"--most: {options.most} is below 0")
    for table in options.table:
        check_table_name(table)
    source = source_of(options)
    marked = _marked(options, source)
    source = source if marked is None else marked.source
    analysis = NO_ANALYSIS if marked is None else marked.analysis
    with opened_strips(source.pictures, has_bare=False) as maker:
        replayed = run_with_verdicts(exhaust_shown(replay_all(source)), analysis.reasons)
        pictures = _pictures(maker, replayed, options.most)
    path = write_report(options.out, replayed, options.most, pictures, analysis)
    for table in options.table:
        write_episode_table(table, rows_of(replayed), causes=analysis.causes)
    if options.json:
        write_json(_document(replayed, path, options.table, marked))
    else:
        for written in (path, *options.table):
            write_line(str(written))
        write_line(f"{replayed.coverage['found']} of {replayed.coverage['expected']} episodes")
        for sentence in replayed.warnings:
            write_line(f"warning: {sentence}")
        for kind, names in _counts(replayed).items():
            write_line(f"  {kind.value.replace('_', ' '):<22} {len(names):>6}")
        for line in () if marked is None else analysis_lines(marked):
            write_line(line)
    problems = {key: n for key, n in replayed.coverage.items() if key not in {"expected", "found"}}
    is_cut = any(finding.kind is ImportKind.TRUNCATED for finding in replayed.findings)
    return 1 if is_cut or any(problems.values()) else 0


def _document(
    replayed: ReplayedRun, path: Path, tables: list[Path], marked: MarkedRun | None
) -> dict[str, Any]:
    return {
        "report": str(path),
        "tables": [str(table) for table in tables],
        "coverage": dict(replayed.coverage),
        "named": {
            odd.kind: {"first": list(odd.names), "more": odd.more} for odd in odd_runs(replayed)
        },
        "unreadable": [finding_object(one) for one in unreadable_items(replayed)],
        "warnings": list(replayed.warnings),
        "profile": replayed.profile.key,
        "metrics": {row.key: aggregate_object(row.result) for row in metric_rows(replayed)},
        "of_the_whole_run": {
            row.key: aggregate_object(row.result) for row in summary_rows(replayed)
        },
        **stated_objects(replayed.stated, replayed.stated_rule, {}),
        "tags": {kind.value: len(names) for kind, names in _counts(replayed).items()},
        "analysis": None if marked is None else analysis_document(marked),
    }


def _counts(replayed: ReplayedRun) -> dict[TagKind, tuple[str, ...]]:
    return tag_counts({shown.replay.episode.episode_id: shown.tags for shown in replayed.episodes})


def _marked(options: Namespace, source: RunSource) -> MarkedRun | None:
    if options.project is not None:
        return marked_run(options.project, source, options.analyst, asset_options(options))
    if options.analyst is not None:
        raise InputError("--analyst: needs --project, which has the marks")
    if options.allow_outside or options.asset_folder:
        raise InputError("--allow-outside, --asset-folder: need --project, which has the scene")
    return None


def _pictures(maker: StripMaker | None, replayed: ReplayedRun, most: int) -> EpisodePictures:
    if maker is None:
        return NO_PICTURES
    application = drawing_application()
    # Qt only where pictures are drawn.
    from waypost.app.shell.qt_application import collecting  # noqa: PLC0415

    shown = [episode.replay for episode in replayed.episodes[:most]]
    pictures = exhaust_shown(collecting(step_pictures(shown, MOST_STEPS, maker)))
    del application
    return pictures
