"""``waypost score``: batches of instructions: make, bring scores in, write them out, results."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, Final

from waypost.app.commands.arguments.number_types import share
from waypost.app.commands.arguments.path_types import (
    check_ending,
    file_to_read,
    file_to_write,
    folder_to_read,
    path_to_read,
)
from waypost.app.commands.arguments.project_files import (
    add_author_argument,
    add_project_argument,
    author_of,
    opened_project,
)
from waypost.app.commands.output.score_results import results_report
from waypost.app.commands.score_rubric import add_rubric, run_rubric
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_report
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import EditError, InputError, ReadError, WriteError
from waypost.domain.episode.run_source import kept_path
from waypost.domain.score.batch_making import BatchWish
from waypost.domain.score.comparison_rows import comparison_rows
from waypost.domain.score.pair_batches import made_batch
from waypost.domain.score.rubric import Rubric
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.score_merging import OnConflict, merge
from waypost.domain.score.score_rows import score_rows
from waypost.io.scores.instruction_files import read_instructions
from waypost.io.scores.rubric_files import known_rubrics, read_rubric, shipped_rubrics
from waypost.io.scores.score_files import read_scores, write_scores

_ENDINGS: Final = (".csv", ".jsonl", ".parquet")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    make = actions.add_parser("create", help="make a batch of the instructions of a file")
    make.add_argument("file", type=path_to_read, metavar="FILE", help="episodes, or texts")
    add_project_argument(make)
    make.add_argument("--batch", required=True, metavar="NAME", help="of the new batch")
    by = make.add_mutually_exclusive_group()
    by.add_argument(
        "--rubric",
        default="vlnverse-fine",
        metavar="KEY",
        help=f"one of {', '.join(shipped_rubrics())}, or of the project (default: %(default)s)",
    )
    by.add_argument("--rubric-file", type=file_to_read, metavar="F.toml", help="an own rubric")
    make.add_argument("--raters", required=True, metavar="A,B", help="their names, between commas")
    make.add_argument(
        "--overlap-share", type=share, default=1.0, metavar="S",
        help="share of the items that every rater scores, 0 to 1 (default: 1)",
    )  # fmt: skip
    make.add_argument("--seed", type=int, default=0, help="of dealing and orders (default: 0)")
    make.add_argument(
        "--connectivity", type=folder_to_read, metavar="DIR", help="graphs, for paths on viewpoints"
    )
    make.add_argument(
        "--pairs",
        action="store_true",
        help="have instructions of the same path, episode or column “pair” compared in pairs",
    )
    make.add_argument(
        "--eye-height", type=float, metavar="M",
        help="above the floor, from where paths are seen (default: that of a person)",
    )  # fmt: skip
    make.add_argument("--source", default="", help="who wrote texts that do not say it")
    add_author_argument(make)
    for declare in (_add_import, _add_export, _add_results, add_rubric):
        declare(actions)
    for action in actions.choices.values():
        action.add_argument("--json", action="store_true", help="print one JSON document")


def _add_import(actions: _SubParsersAction[ArgumentParser]) -> None:
    load = actions.add_parser("import", help="bring scores in that were written by export")
    load.add_argument("file", type=file_to_read, metavar="FILE", help="*.csv or *.jsonl")
    add_project_argument(load)
    load.add_argument(
        "--on-conflict",
        choices=[str(choice) for choice in OnConflict],
        default="refuse",
        help="what to do where the project says otherwise (default: refuse the whole file)",
    )
    add_author_argument(load)


def _add_export(actions: _SubParsersAction[ArgumentParser]) -> None:
    save = actions.add_parser("export", help="write scores as CSV, JSON lines or Parquet")
    add_project_argument(save)
    save.add_argument("--batch", required=True, metavar="NAME", help="which batch")
    save.add_argument(
        "--out", type=file_to_write, required=True, metavar="FILE", help=", ".join(_ENDINGS)
    )
    add_author_argument(save)


def _add_results(actions: _SubParsersAction[ArgumentParser]) -> None:
    results = actions.add_parser("results", help="progress, agreement, means by source and task")
    add_project_argument(results)
    results.add_argument("--batch", required=True, metavar="NAME", help="which batch")
    add_author_argument(results)


def run(options: Namespace) -> int:
    """Run the chosen action; scores are shown and written as the author may see them."""
    actions = {
        "create": _create,
        "import": _import,
        "export": _export,
        "results": _results,
        "rubric": run_rubric,
    }
    report, lines = actions[options.action](options)
    write_report(report, lines, as_json=options.json)
    return 0


@contextmanager
def _naming(place: str) -> Iterator[None]:
    """Tells what the book refuses with the file and place that it is about."""
    try:
        yield
    except (ReadError, WriteError):
        raise
    except (InputError, EditError) as error:
        raise InputError(f"{place}: {error}") from error


def _about_batch(options: Namespace) -> AbstractContextManager[None]:
    return _naming(f"{options.project}: batch {options.batch!r}")


def _create(options: Namespace) -> tuple[dict[str, Any], list[str]]:
    found = read_instructions(options.file, options.connectivity)
    for sentence in found.warnings:
        note(sentence)
    raters = tuple(name.strip() for name in options.raters.split(",") if name.strip())
    with (
        _about_batch(options),
        opened_project(options.project, author_of(options)) as (store, before),
    ):
        rubric = _rubric(options, before.scoring)
        graphs = kept_path(options.connectivity, store.root)
        wish = BatchWish(
            options.batch, rubric, raters, options.overlap_share, options.seed, graphs,
            options.source, options.eye_height,
        )  # fmt: skip
        scoring = made_batch(before.scoring, wish, found.instructions, is_paired=options.pairs)
        after = replace(before, scoring=scoring)
        store.save(before, after, before.team.viewer, f"Make the batch {options.batch}")
    batch = scoring.batches[options.batch]
    report = {
        "batch": batch.name,
        "rubric": batch.rubric.key,
        "rubric_version": batch.rubric.version,
        "items": len(scoring.items_of(batch.name)),
        **({"pairs": len(batch.pairs)} if batch.pairs else {}),
        "raters": {rater: len(own) for rater, own in batch.assigned.items()},
    }
    items = counted(len(scoring.items_of(batch.name)), "item")
    things = f"{counted(len(batch.pairs), 'pair')} of {items}" if batch.pairs else items
    return report, [f"made {batch.name}: {things} for {', '.join(raters)}"]


def _rubric(options: Namespace, scoring: ScoreBook) -> Rubric:
    if options.rubric_file is not None:
        return read_rubric(options.rubric_file)
    known = known_rubrics(scoring)
    if options.rubric not in known:
        raise InputError(f"rubric: {options.rubric!r} is none of {', '.join(known)}")
    return known[options.rubric]


def _import(options: Namespace) -> tuple[dict[str, Any], list[str]]:
    on_conflict = OnConflict(options.on_conflict)
    with opened_project(options.project, author_of(options)) as (store, before):
        with _naming(f"{options.file}: scores"):
            merged = merge(before.scoring, read_scores(options.file), on_conflict)
        after = replace(before, scoring=merged.book)
        store.save(before, after, before.team.viewer, f"Import {options.file.name}")
    report = {
        "file": str(options.file),
        "batches": merged.batches,
        "sheets": merged.sheets,
        "comparisons": merged.comparisons,
        "unchanged": merged.unchanged,
        "conflicts": len(merged.conflicts),
    }
    news = [counted(merged.sheets, "sheet"), counted(merged.comparisons, "comparison")]
    told = news if merged.comparisons else news[:1]
    return report, [f"imported {' and '.join(told)}, {merged.unchanged} unchanged"]


def _export(options: Namespace) -> tuple[dict[str, Any], list[str]]:
    check_ending(options.out, *_ENDINGS)
    ending = options.out.suffix.lower()
    with opened_project(options.project, author_of(options)) as (_, project):
        book, viewer = project.scoring, project.team.viewer
    with _about_batch(options):
        is_paired = bool(book.batch(options.batch).pairs)
        sheet_rows = () if is_paired else tuple(score_rows(book, options.batch, viewer))
        pair_rows = tuple(comparison_rows(book, options.batch, viewer)) if is_paired else ()
    if ending != ".parquet":
        write_scores(options.out, book, options.batch, viewer)
    else:
        from waypost.tables.frames import write_parquet  # noqa: PLC0415 - brings pandas
        from waypost.tables.score_tables import comparison_frame, score_frame  # noqa: PLC0415

        frame = comparison_frame(pair_rows) if is_paired else score_frame(sheet_rows)
        write_parquet(options.out, frame)
    keys = {row.sheet.key for row in sheet_rows} | {row.said.key for row in pair_rows}
    noun = "comparison" if is_paired else "sheet"
    rows = len(sheet_rows) + len(pair_rows)
    report = {"out": str(options.out), f"{noun}s": len(keys), "rows": rows}
    return report, [f"wrote {counted(len(keys), noun)} to {options.out}"]


def _results(options: Namespace) -> tuple[dict[str, Any], list[str]]:
    with opened_project(options.project, author_of(options)) as (_, project):
        book, viewer = project.scoring, project.team.viewer
    with _about_batch(options):
        return results_report(book, options.batch, viewer)
