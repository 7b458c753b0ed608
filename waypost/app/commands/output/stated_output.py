"""What ``waypost evaluate`` says of scores that sources state themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from waypost.app.terminal.findings import finding_lines, finding_object
from waypost.domain.base.visible_text import visible_line
from waypost.domain.episode.stated_scores import StatedRule, StatedScore, TotalCheck
from waypost.services.evaluation.stated import StatedEvaluation, StatedReport

TITLE = "Scores as the sources state them"


def stated_objects(
    scores: Mapping[str, StatedScore], rule: StatedRule | None, totals: Mapping[str, TotalCheck]
) -> dict[str, Any]:
    """The members of a run's JSON object that hold what its source states; none if it does not."""
    found: dict[str, Any] = {}
    if scores:
        found["stated_by_source"] = {
            key: {
                "value": one.value,
                "n": one.n,
                "reason": one.reason or None,
                "known": {"value": one.known_mean, "n": one.known},
                "unknown": one.unknown,
            }
            for key, one in scores.items()
        }
    if scores and rule is not None:
        found["stated_rule"] = {
            "scorer": rule.scorer,
            "source": rule.source,
            "unknown_counts_as": 0 if rule.counts_unknown_as_zero else None,
        }
    if totals:
        found["totals_stated_by_source"] = {
            name: {"value": one.stated, "from_runs": one.from_runs, "agrees": one.agrees}
            for name, one in totals.items()
        }
    return found


def stated_lines(
    scores: Mapping[str, StatedScore], rule: StatedRule | None, totals: Mapping[str, TotalCheck]
) -> Iterator[str]:
    """A line for every score and total that a source states."""
    for key, one in scores.items():
        shown = "undefined" if one.value is None else f"{one.value:.4f}"
        line = f"  {visible_line(key):<16} {shown:>10}    as the source states it, n = {one.n}"
        if rule is not None and one.unknown and one.value is not None:
            line += f", {one.unknown} unknown as 0 ({rule.scorer})"
        line += f"; {one.reason}" if one.reason else ""
        if one.unknown and one.known_mean is not None and rule is not None:
            line += f"; {one.known_mean:.4f} over the {one.known} known"
        yield line
    if rule is not None and scores:
        yield f"  means as {rule.source} takes them: {rule.words}"
    for name, total in totals.items():
        shown = "unknown" if total.stated is None else f"{total.stated:.4f}"
        yield (
            f"  {visible_line(name):<16} {shown:>10}    over all runs, as the source counts"
            f"{_compared(total)}"
        )


def _compared(total: TotalCheck) -> str:
    given = "unknown" if total.from_runs is None else f"{total.from_runs:.4f}"
    said = {True: "; its runs give the same", False: f"; its runs give {given}", None: ""}
    return said[total.agrees]


def stated_document(found: StatedEvaluation) -> dict[str, Any]:
    """The JSON document: of one run its scores, of several a list of them under ``runs``."""
    head = {"profile": None, "title": TITLE, "notes": found.not_computed}
    runs = [_run_object(report) for report in found.runs]
    return {**head, **runs[0]} if len(runs) == 1 else {**head, "runs": runs}


def _run_object(report: StatedReport) -> dict[str, Any]:
    return {
        "run": report.run,
        "results": report.source,
        "format": report.format,
        "conventions": report.conventions,
        "coverage": report.coverage,
        **stated_objects(report.scores, report.rule, report.totals),
        "findings": [finding_object(finding) for finding in report.findings],
        "warnings": list(report.warnings),
    }


def stated_page(found: StatedEvaluation) -> list[str]:
    """Everything as lines for people."""
    lines = [TITLE]
    lines += [found.not_computed] if found.not_computed else []
    for report in found.runs:
        counts = report.coverage
        of = f" of {counts['expected']} episodes" if counts["expected"] else " runs"
        rest = ", ".join(
            f"{count} {key.replace('_', ' ')}"
            for key, count in counts.items()
            if count and key not in {"expected", "found"}
        )
        lines += ["", f"{report.run}: {counts['found']}{of}" + (f" ({rest})" if rest else "")]
        lines += [f"warning: {text}" for text in report.warnings]
        lines += stated_lines(report.scores, report.rule, report.totals)
        lines += finding_lines(report.findings)
    return lines
