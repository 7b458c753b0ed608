"""``waypost validate``: what is missing, doubled, broken or doubtful in episodes and runs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import Any

from waypost.app.commands.arguments.run_options import add_input_arguments, source_of
from waypost.app.terminal.findings import finding_object
from waypost.app.terminal.output import write_json, write_line
from waypost.app.terminal.progress_line import exhaust_shown
from waypost.domain.episode.server_rules import ServerVerdict
from waypost.services.evaluation.validate import FileReport, validate

_MOST_SHOWN = 20


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_input_arguments(parser, needs_results=False)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Check and print.

    Returns:
        0 nothing needs repair, 1 something does.
    """
    reports = exhaust_shown(validate(source_of(options)))
    if options.json:
        write_json({"files": [_object(entry) for entry in reports]})
    else:
        for line in (line for entry in reports for line in _lines(entry)):
            write_line(line)
    return 1 if any(_problems(entry) for entry in reports) else 0


def _problems(entry: FileReport) -> int:
    return sum(finding.is_problem for finding in entry.report.findings)


def _object(entry: FileReport) -> dict[str, Any]:
    report = entry.report
    return {
        "file": entry.source,
        "role": entry.role,
        "format": entry.format,
        "conventions": report.conventions,
        "expected": report.expected,
        "found": report.found,
        "missing": report.missing,
        "duplicated_identical": report.duplicated_identical,
        "duplicated_conflicting": report.duplicated_conflicting,
        "foreign": report.foreign,
        "unreadable": report.unreadable,
        "servers": [
            {
                "server": verdict.server,
                "source": verdict.source,
                "refused": bool(verdict.refusals),
                "reasons": [asdict(refusal) for refusal in verdict.refusals],
                "unchecked": verdict.unchecked,
            }
            for verdict in entry.servers
        ],
        "findings": [
            {**finding_object(finding), "problem": finding.is_problem}
            for finding in report.findings
        ],
        "findings_left_out": report.findings_left_out,
        "warnings": list(report.warnings),
    }


def _lines(entry: FileReport) -> list[str]:
    report = entry.report
    of = "" if report.expected is None else f" of {report.expected}"
    counts = {
        "missing": report.missing,
        "duplicated, identical": report.duplicated_identical,
        "duplicated, conflicting": report.duplicated_conflicting,
        "foreign": report.foreign,
        "unreadable": report.unreadable,
    }
    rest = "".join(f", {count} {name}" for name, count in counts.items() if count)
    lines = [
        f"{entry.source} ({entry.role}, {entry.format}): {report.found}{of}{rest}",
        f"  read as: {report.conventions}",
    ]
    lines += [f"  warning: {text}" for text in report.warnings]
    lines += [line for verdict in entry.servers for line in _server_lines(verdict)]
    shown = sorted(report.findings, key=lambda finding: not finding.is_problem)
    for finding in shown[:_MOST_SHOWN]:
        mark = "!" if finding.is_problem else " "
        step = "" if finding.step is None else f", step {finding.step}"
        lines.append(f"{mark} {finding.kind.value}: {finding.item_id}{step}: {finding.message}")
    more = len(shown) - _MOST_SHOWN + report.findings_left_out
    if more > 0:
        lines.append(f"  … and {more} more; --json lists them")
    return lines


def _server_lines(verdict: ServerVerdict) -> list[str]:
    rest = f" ({verdict.unchecked})" if verdict.unchecked else ""
    if not verdict.refusals:
        return [f"  {verdict.server}: nothing that it is known to refuse{rest}"]
    reasons = "; ".join(
        f"{one.reason} (first: {one.first})" if one.first else one.reason
        for one in verdict.refusals
    )
    return [f"  {verdict.server} would refuse this: {reasons}{rest}"]
