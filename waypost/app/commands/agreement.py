"""``waypost agreement``: how far people who score the same items agree, criterion by criterion."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from waypost.app.commands.arguments.path_types import file_to_read
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.counted_words import counted
from waypost.io.scores.score_table import read_score_table
from waypost.metrics.agreement.score_agreement import (
    COEFFICIENTS,
    Coefficient,
    CriterionAgreement,
    score_agreement,
)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--scores",
        type=file_to_read,
        required=True,
        metavar="FILE",
        help="CSV with the columns item, rater, criterion, score",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Print the agreement on every criterion of the file."""
    table = read_score_table(options.scores)
    if table.without_score:
        note(f"{counted(table.without_score, 'row')} without a score left out")
    found = score_agreement(table.scores)
    if options.json:
        write_json({"criteria": {name: agreement_object(row) for name, row in found.items()}})
        return 0
    for name, row in found.items():
        write_line(
            f"{name}: {counted(row.overlapping_items, 'overlapping item')} of {row.items},"
            f" {counted(row.raters, 'rater')}"
        )
        for key, coefficient in row.coefficients.items():
            write_line(f"  {COEFFICIENTS[key].title:<28} {coefficient.words}")
    return 0


def agreement_object(row: CriterionAgreement) -> dict[str, Any]:
    """The agreement on one criterion as JSON has it."""
    return {
        "items": row.items,
        "overlapping_items": row.overlapping_items,
        "raters": row.raters,
        **{key: _coefficient_object(entry) for key, entry in row.coefficients.items()},
    }


def _coefficient_object(entry: Coefficient) -> dict[str, Any]:
    return {
        "value": entry.value,
        "ci95": None if entry.ci95 is None else list(entry.ci95),
        "undefined": entry.undefined or None,
    }
