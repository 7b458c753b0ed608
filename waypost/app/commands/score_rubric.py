"""``waypost score rubric``: bring a rubric into a project, or write one of it as TOML."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import replace
from typing import Any

from waypost.app.commands.arguments.path_types import file_to_read, file_to_write
from waypost.app.commands.arguments.project_files import (
    add_author_argument,
    add_project_argument,
    author_of,
    opened_project,
)
from waypost.domain.base.errors import EditError, InputError
from waypost.domain.score.rubric_versions import batches_to_change, news_words, save_version
from waypost.io.scores.rubric_files import known_rubrics, read_rubric, write_rubric


def add_rubric(actions: _SubParsersAction[ArgumentParser]) -> None:
    """Declare the action."""
    own = actions.add_parser("rubric", help="bring a rubric, or a new version of one, in or out")
    add_project_argument(own)
    either = own.add_mutually_exclusive_group(required=True)
    either.add_argument(
        "--rubric-file", type=file_to_read, metavar="F.toml", help="bring this one in"
    )
    either.add_argument("--rubric", metavar="KEY", help="write this one to --out")
    own.add_argument(
        "--out", type=file_to_write, metavar="F.toml", help="of the rubric that is written"
    )
    own.add_argument(
        "--batch",
        action="append",
        default=[],
        metavar="NAME",
        help="score this batch by the version that is brought in; may stand several times",
    )
    add_author_argument(own)


def run_rubric(options: Namespace) -> tuple[dict[str, Any], list[str]]:
    """Bring a rubric in or write one out: what is said as JSON, and as lines."""
    return _write(options) if options.rubric_file is None else _bring_in(options)


def _write(options: Namespace) -> tuple[dict[str, Any], list[str]]:
    if options.out is None:
        raise InputError("--out: is needed with --rubric")
    if options.batch:
        raise InputError("--batch: goes with --rubric-file, which changes what it is scored by")
    with opened_project(options.project, author_of(options)) as (_, project):
        known = known_rubrics(project.scoring)
    if options.rubric not in known:
        raise InputError(f"rubric: {options.rubric!r} is none of {', '.join(known)}")
    rubric = known[options.rubric]
    write_rubric(options.out, rubric)
    report = {"out": str(options.out), "rubric": rubric.key, "rubric_version": rubric.version}
    return report, [f"wrote version {rubric.version} of {rubric.key} to {options.out}"]


def _bring_in(options: Namespace) -> tuple[dict[str, Any], list[str]]:
    if options.out is not None:
        raise InputError("--out: goes with --rubric, which is written there")
    rubric = read_rubric(options.rubric_file)
    with opened_project(options.project, author_of(options)) as (store, before):
        try:
            saved = save_version(before.scoring, rubric, options.batch)
        except EditError as error:
            raise InputError(f"{options.rubric_file}: {error}") from error
        after = replace(before, scoring=saved.book)
        text = f"Save version {rubric.version} of the rubric {rubric.key}"
        store.save(before, after, before.team.viewer, text)
    older = batches_to_change(saved.book, rubric)
    report = {
        "rubric": rubric.key,
        "rubric_version": rubric.version,
        "new_to_score": [entry._asdict() for entry in saved.news],
        "batches_of_other_versions": list(older),
    }
    lines = [f"saved version {rubric.version} of {rubric.key}", *map(news_words, saved.news)]
    if older:
        lines.append(f"by another version still: {', '.join(older)}")
    return report, lines
