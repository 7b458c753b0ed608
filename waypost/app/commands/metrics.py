"""``waypost metrics list``: what every score of every profile means, and who says so."""

from __future__ import annotations

import textwrap
from argparse import ArgumentParser, Namespace
from typing import Any

from waypost.app.terminal.output import write_json, write_line
from waypost.metrics.profile import Metric, Profile, Summary
from waypost.metrics.registry import PROFILES, find_profile

_IN = "    "


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="print each definition and its source")
    listing.add_argument("profile", nargs="*", metavar="PROFILE", help=", ".join(PROFILES))
    listing.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Print the chosen profiles, or all."""
    chosen = [find_profile(key) for key in options.profile] or list(PROFILES.values())
    if options.json:
        write_json({"profiles": [_object(profile) for profile in chosen]})
        return 0
    for profile in chosen:
        write_line(f"{profile.key}: {profile.title}")
        for line in textwrap.wrap(profile.notes, 96, initial_indent="  ", subsequent_indent="  "):
            write_line(line)
        scores: tuple[Metric | Summary, ...] = (*profile.metrics, *profile.summaries)
        for score in scores:
            write_line(f"  {score.key} ({score.unit})")
            for text in (score.definition, f"Source: {score.source}"):
                for line in textwrap.wrap(text, 96, initial_indent=_IN, subsequent_indent=_IN):
                    write_line(line)
        write_line("")
    return 0


def _object(profile: Profile) -> dict[str, Any]:
    return {
        "profile": profile.key,
        "title": profile.title,
        "notes": profile.notes,
        "metrics": {
            metric.key: {
                "definition": metric.definition,
                "unit": metric.unit,
                "source": metric.source,
                "higher_is_better": metric.is_higher_better,
            }
            for metric in profile.metrics
        },
        "of_a_whole_run": {
            summary.key: {
                "definition": summary.definition,
                "unit": summary.unit,
                "source": summary.source,
            }
            for summary in profile.summaries
        },
    }
