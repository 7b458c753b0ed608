"""The arguments of ``waypost study export``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from waypost.app.commands.path_types import folder_to_read
from waypost.services.study.submissions import KINDS, ExportWish


def add_export_arguments(parser: ArgumentParser) -> None:
    """Declare the options of the export."""
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--submission", action="append", default=[], choices=list(KINDS), help="may be repeated"
    )
    parser.add_argument(
        "--connectivity",
        type=folder_to_read,
        metavar="DIR",
        help="graphs, for R2R-style submissions (default: those of the study)",
    )
    parser.add_argument(
        "--parquet", action="store_true", help="every take as Parquet beside its CSV as well"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (default: 0)")


def export_wish(options: Namespace, own_graphs: Path | None) -> ExportWish:
    """What was asked for; graphs are the study's own where no others are named."""
    return ExportWish(
        tuple(options.submission), options.connectivity or own_graphs, options.parquet
    )
