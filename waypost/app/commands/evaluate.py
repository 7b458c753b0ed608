"""``waypost evaluate``: score result files with a named profile."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

from waypost.app.commands.arguments.number_types import seed
from waypost.app.commands.arguments.path_types import check_ending, file_to_write, folder_to_write
from waypost.app.commands.arguments.run_options import (
    add_input_arguments,
    add_navmesh,
    source_of,
)
from waypost.app.commands.output.stated_output import (
    stated_document,
    stated_lines,
    stated_objects,
    stated_page,
)
from waypost.app.terminal.findings import finding_lines, finding_object
from waypost.app.terminal.output import write_json, write_line
from waypost.app.terminal.progress_line import exhaust_shown
from waypost.domain.base.errors import InputError
from waypost.domain.episode.run import SCORES_ONLY
from waypost.metrics.aggregate import Aggregate, Comparison
from waypost.metrics.profile import Profile
from waypost.metrics.registry import PROFILES
from waypost.services.evaluation.evaluate import (
    Evaluation,
    EvaluationOptions,
    RunReport,
    evaluate,
)
from waypost.services.evaluation.stated import evaluate_stated

_MOST_WORKERS = 1_000


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--profile",
        default="",
        choices=list(PROFILES),
        metavar="PROFILE",
        help=f"one of {', '.join(PROFILES)}; see waypost metrics list; without, the"
        " scores that the results state themselves",
    )
    add_input_arguments(parser, needs_results=True)
    add_navmesh(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--per-episode",
        type=file_to_write,
        metavar="OUT",
        help="*.parquet, for the scores of every episode",
    )
    parser.add_argument(
        "--goal-distance",
        choices=("navmesh", "straight-line"),
        default="navmesh",
        help="what VLN-CE profiles measure to the goal by; straight lines are said in the output "
        "(default: navmesh)",
    )
    parser.add_argument(
        "--assume-stop",
        action="store_true",
        help="runs of forms that know no STOP (RxR in VLN-CE) called it at their end, as its server"
        " takes them; said in the output",
    )
    parser.add_argument(
        "--seed", type=seed, default=0, help="of the bootstrap intervals (default: 0)"
    )
    parser.add_argument(
        "--workers", type=int, default=0, help="processes (default: one per core if it pays)"
    )
    parser.add_argument(
        "--executor",
        default="",
        metavar="URL",
        help="dask://HOST:PORT, whose workers see the same files, or dask://local",
    )
    parser.add_argument(
        "--scratch",
        type=folder_to_write,
        metavar="DIR",
        help="folder for large inputs; shared on a cluster",
    )


def run(options: Namespace) -> int:
    """Score and print.

    Returns:
        0 every expected episode was scored once, 1 something is missing, doubled or invalid.
    """
    if not 0 <= options.workers <= _MOST_WORKERS:
        raise InputError(f"--workers: {options.workers} is not 0 to {_MOST_WORKERS}")
    if options.per_episode:
        check_ending(options.per_episode, ".parquet")
    if not (options.profile and options.annotations):
        return _run_stated(options)
    wanted = EvaluationOptions(
        goal_distance=options.goal_distance,
        assume_stop=options.assume_stop,
        per_episode=options.per_episode,
        executor=options.executor,
        workers=options.workers,
        seed=options.seed,
        scratch=options.scratch,
    )
    evaluation = exhaust_shown(evaluate(source_of(options), wanted))
    if options.json:
        write_json(document(evaluation))
    else:
        for line in _lines(evaluation):
            write_line(line)
    repeated = evaluation.annotations
    is_whole = not (repeated.duplicated_identical or repeated.duplicated_conflicting) and all(
        not any(report.coverage[key] for key in report.coverage if key not in _GOOD)
        for report in evaluation.runs
    )
    return 0 if is_whole else 1


def _run_stated(options: Namespace) -> int:
    given = {
        "--assume-stop": options.assume_stop,
        "--goal-distance": options.goal_distance != "navmesh",
        "--navmesh": options.navmesh is not None,
    }
    for name, is_given in given.items():
        if is_given and not options.profile:
            raise InputError(f"{name}: belongs to what a --profile computes; none is named")
    found = exhaust_shown(evaluate_stated(source_of(options), options.per_episode))
    if options.json:
        write_json(stated_document(found))
    else:
        for line in stated_page(found):
            write_line(line)
    return 0 if all(report.is_whole for report in found.runs) else 1


_GOOD = ("expected", "found")


def document(evaluation: Evaluation) -> dict[str, Any]:
    """The JSON document: of one run its numbers, of several a list of them under ``runs``."""
    head: dict[str, Any] = {
        "profile": evaluation.profile_name,
        "title": evaluation.profile.title,
        "notes": evaluation.profile.notes,
        "definitions": evaluation.definitions,
        "sources": {metric.key: metric.source for metric in evaluation.profile.metrics},
        "units": {metric.key: metric.unit for metric in evaluation.profile.metrics},
        "annotations": {
            "conventions": evaluation.annotations.conventions,
            "duplicated_identical": evaluation.annotations.duplicated_identical,
            "duplicated_conflicting": evaluation.annotations.duplicated_conflicting,
            "findings": [finding_object(f) for f in evaluation.annotations.findings],
            "warnings": list(evaluation.annotations.warnings),
        },
    }
    runs = [_run_object(report) for report in evaluation.runs]
    return {**head, **runs[0]} if len(runs) == 1 else {**head, "runs": runs}


def _run_object(report: RunReport) -> dict[str, Any]:
    found: dict[str, Any] = {
        "run": report.run,
        "results": report.source,
        "format": report.format,
        "conventions": report.conventions,
        "coverage": report.coverage,
        "metrics": {key: aggregate_object(value) for key, value in report.metrics.items()},
        "findings": [finding_object(finding) for finding in report.findings],
        "warnings": list(report.warnings),
    }
    if report.of_the_whole_run:
        found["of_the_whole_run"] = {
            key: aggregate_object(value) for key, value in report.of_the_whole_run.items()
        }
    found |= stated_objects(report.stated, report.stated_rule, report.totals)
    if report.comparison:
        found["compared_with_first"] = {
            key: _comparison_object(value) for key, value in report.comparison.items()
        }
    return found


def aggregate_object(value: Aggregate) -> dict[str, Any]:
    """The JSON object of a metric over episodes."""
    return {
        "value": value.value,
        "n": value.n,
        "undefined": dict(value.undefined),
        "ci95": None if value.ci95 is None else list(value.ci95),
    }


def _comparison_object(value: Comparison) -> dict[str, Any]:
    return {
        "difference": value.difference,
        "n": value.n,
        "ci95": None if value.ci95 is None else list(value.ci95),
        "higher": value.higher,
        "lower": value.lower,
        "equal": value.equal,
    }


def _lines(evaluation: Evaluation) -> list[str]:
    profile = evaluation.profile
    lines = [f"{profile.title} (profile {evaluation.profile_name})"]
    lines += [f"warning: {text}" for text in evaluation.annotations.warnings]
    lines += finding_lines(evaluation.annotations.findings)
    for report in evaluation.runs:
        counts = report.coverage
        rest = ", ".join(
            f"{count} {key.replace('_', ' ')}"
            for key, count in counts.items()
            if count and key not in _GOOD
        )
        lines += ["", f"{report.run}: {_found(counts, profile)}" + (f" ({rest})" if rest else "")]
        lines += [f"warning: {text}" for text in report.warnings]
        lines += _score_lines(profile, report)
        lines += stated_lines(report.stated, report.stated_rule, report.totals)
        lines += finding_lines(report.findings)
    lines.append("")
    lines += [f"{key:<16} {text}" for key, text in evaluation.definitions.items()]
    return lines


def _found(counts: Mapping[str, int], profile: Profile) -> str:
    if profile.needs_labels:
        asked = counts["expected"]
        return f"{counts['found']} answers to {asked - counts['missing']} of {asked} questions"
    return f"{counts['found']} of {counts['expected']} episodes"


def _score_lines(profile: Profile, report: RunReport) -> list[str]:
    """A line for each score, and one sentence for all that a source without paths leaves open."""
    bare = [
        key
        for key, found in report.metrics.items()
        if [*found.undefined] == [SCORES_ONLY] and found.value is None
    ]
    scores = [(metric.key, metric.unit) for metric in profile.metrics if metric.key not in bare]
    scores += [(summary.key, summary.unit) for summary in profile.summaries]
    told = "" if scores else f"the profile {profile.key}, "
    lines = [f"  {told}{', '.join(bare)} cannot be computed: {SCORES_ONLY}"] if bare else []
    return lines + [_metric_line(key, unit, report) for key, unit in scores]


def _metric_line(key: str, unit: str, report: RunReport) -> str:
    result = report.metrics.get(key) or report.of_the_whole_run[key]
    shown = "undefined" if result.value is None else f"{result.value:.4f}"
    unit = unit if unit == "m" else ""
    between = "" if result.ci95 is None else f"[{result.ci95[0]:.4f}, {result.ci95[1]:.4f}]"
    why = "; ".join(f"{count}× undefined: {reason}" for reason, count in result.undefined.items())
    line = f"  {key:<16} {shown:>9} {unit:<2} {between:<22} n = {result.n}"
    if key in report.comparison and report.comparison[key].difference is not None:
        line += f"   {report.comparison[key].difference:+.4f} to the first"
    return f"{line}   {why}".rstrip()
