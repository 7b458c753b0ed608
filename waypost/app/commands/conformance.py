"""``waypost conformance``: whether an engine does what every engine must, and how far two agree."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Final

from waypost import __version__
from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    add_correction_options,
    add_gaps_option,
    check_gaps,
    given_scene,
    refuse_corrections,
)
from waypost.app.commands.arguments.graph_frame import choose_frame
from waypost.app.commands.arguments.path_types import file_to_read
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_json, write_line
from waypost.app.terminal.progress_line import progress_bar
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import FRAMES
from waypost.geometry.ray_index import RayIndex
from waypost.io.agent_files import shipped_agents
from waypost.io.graphs.graph_files import read_graph_file
from waypost.io.scenes.open_scene import read_scene
from waypost.sample.navigation import build_navigation
from waypost.services.conformance.agreement import (
    DifferentDrive,
    DriveSeries,
    EngineAgreement,
    drives_over,
)
from waypost.services.conformance.cases import CASES
from waypost.services.conformance.disputed import disputed_passages, with_passages
from waypost.services.conformance.examination import Course, Examination, examine
from waypost.services.conformance.trial import Case
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engine_search import FoundEngine, find_engine
from waypost.simulators.engines import (
    ENGINE_KINDS,
    REFERENCE_ENGINE,
    EngineChoice,
    driving_kind,
)

_DRIVES: Final = 100
_QUICK_DRIVES: Final = 10
_MOST_DRIVES: Final = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    known = [kind.name for kind in ENGINE_KINDS.values() if kind.drives]
    parser.add_argument(
        "--engine",
        nargs="+",
        metavar="NAME",
        help=f"which engines: {', '.join(known)} (default: all that are found)",
    )
    parser.add_argument("--python", help="Python that has the engine, where one is named")
    parser.add_argument(
        "--quick", action="store_true", help=f"one case of each kind and {_QUICK_DRIVES} drives"
    )
    parser.add_argument("--scene", type=file_to_read, metavar="S", help="drive there too")
    parser.add_argument("--graph", type=file_to_read, metavar="G", help="graph of that scene")
    parser.add_argument(
        "--frame", choices=list(FRAMES), help="frame of the graph (default: the one that fits)"
    )
    parser.add_argument(
        "--drives", type=int, metavar="N", help=f"drives in each scene (default: {_DRIVES})"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_gaps_option(parser)
    add_correction_options(parser)
    add_asset_options(parser)


def run(options: argparse.Namespace) -> int:
    """Examine and report.

    Returns:
        0 if every engine that was asked for conforms, 1 if one does not or is not there.
    """
    if options.drives is not None and not 1 <= options.drives <= _MOST_DRIVES:
        raise InputError(f"--drives: {options.drives} is outside 1 to {_MOST_DRIVES}")
    engines = _engines(options)
    most = options.drives or (_QUICK_DRIVES if options.quick else _DRIVES)
    cases = tuple(case for case in CASES if case.is_quick or not options.quick)
    courses = _courses(options, most)
    found = _examined(engines, cases, courses)
    if options.json:
        write_json(
            {
                "engines": {name: one.as_json() for name, one in found.items()},
                "reference": REFERENCE_ENGINE,
                "quick": options.quick,
                "waypost_version": __version__,
                "system": f"{platform.system()} {platform.machine()}",
            }
        )
    else:
        for name, one in found.items():
            for line in _lines(name, one):
                write_line(line)
    return 0 if all(one.conforms for one in found.values()) else 1


def _engines(options: argparse.Namespace) -> tuple[FoundEngine, ...]:
    """Those that were named, there or not, or else all that are there."""
    names: Sequence[str] = tuple(dict.fromkeys(options.engine or ()))
    if options.python and len(names) != 1:
        raise InputError("--python: name the one engine that it is for with --engine")
    kinds = [kind for kind in ENGINE_KINDS.values() if kind.drives]
    if names:
        try:
            kinds = [driving_kind(name) for name in names]
        except InputError as error:
            raise InputError(f"--engine: {error}") from error
    found = [find_engine(kind, options.python or "") for kind in kinds]
    if names:
        return tuple(found)
    for one in found:
        if not one.is_there:
            note(f"{one.kind.name}: {one.reason}")
    return tuple(one for one in found if one.is_there)


def _courses(options: argparse.Namespace, most: int) -> tuple[Course, ...]:
    agents = shipped_agents()
    folder = resources.files("waypost.resources") / "sample" / "scenes" / "home.glb"
    with resources.as_file(folder) as path:
        home = read_scene(path)
    graph = build_navigation()
    courses = [Course("sample home", home, agents, drives_over(graph, agents, most), graph)]
    if options.scene is None and options.graph is None:
        refuse_corrections(options)
        if options.frame is not None:
            raise InputError("--frame: belongs to --graph")
        return tuple(courses)
    if options.scene is None or options.graph is None:
        raise InputError("--scene and --graph: name both, or neither")
    file = read_graph_file(options.graph)
    scene = given_scene(options)
    check_gaps(scene, options)
    frame, _ = choose_frame(file, options.frame, scene, RayIndex.build(scene))
    graph = file.build(frame)
    drives = drives_over(graph, agents, most)
    return (*courses, Course(Path(options.scene).stem, scene, agents, drives, graph))


def _examined(
    engines: Sequence[FoundEngine], cases: Sequence[Case], courses: Sequence[Course]
) -> dict[str, Examination]:
    """The reference engine first; it is driven too where only others were asked for."""
    drives = sum(len(course.drives) for course in courses)
    found: dict[str, Examination] = {}
    reference: Mapping[str, DriveSeries] | None = None
    for there in sorted(engines, key=lambda one: one.kind.name != REFERENCE_ENGINE):
        name = there.kind.name
        if not there.is_there:
            found[name] = Examination(reason=there.reason)
            continue
        is_reference = name == REFERENCE_ENGINE
        if not is_reference and reference is None:
            driven = _one(EngineChoice(), (), courses, None, drives)
            if driven.reason:
                note(f"nothing to compare with: {driven.reason}")
            reference = driven.series
        against = None if is_reference else reference
        choice = EngineChoice(name, there.python)
        found[name] = _one(choice, cases, courses, against, len(cases) + drives)
        if is_reference:
            reference = found[name].series
    return {one.kind.name: found[one.kind.name] for one in engines}


def _one(
    choice: EngineChoice,
    cases: Sequence[Case],
    courses: Sequence[Course],
    reference: Mapping[str, DriveSeries] | None,
    total: int,
) -> Examination:
    with progress_bar(f"Examining {choice.name}", "step") as bar:
        bar.reset(total)
        found = examine(
            lambda: SimulatorClient.of(choice, on_progress=note),
            cases,
            courses,
            reference,
            bar.update,
        )
    agreements = dict(found.agreements)
    for course in courses:
        one = agreements.get(course.name)
        if one is None or not one.different:
            continue
        with progress_bar(f"Measuring where {choice.name} differs", "passage") as bar:
            bar.reset(len(disputed_passages(one)))
            agreements[course.name] = with_passages(one, course, bar.update)
    return replace(found, agreements=agreements)


def _lines(name: str, found: Examination) -> list[str]:
    info = found.info
    if info is None:
        return [f"{name}: not examined: {found.reason}"]
    total = found.passed + len(found.failures) + found.unplayed
    speed = "" if found.steps_per_s is None else f", {found.steps_per_s:,.0f} steps/s"
    lines = [f"{name} {info.version} ({info.title}): {found.passed} of {total} cases{speed}"]
    caution = ENGINE_KINDS[name].caution
    if caution:
        lines.append(f"  {caution}")
    if found.reason:
        lines.append(f"  not examined to the end: {found.reason}")
    lines += [f"  failed: {failure.case}: {failure.words}" for failure in found.failures]
    for course, one in found.agreements.items():
        lines += _agreement_lines(name, course, one)
    return lines


def _agreement_lines(name: str, course: str, one: EngineAgreement) -> list[str]:
    stops = "no stops to compare"
    if one.stop_median_m is not None:
        parts = zip(
            ("median", "p90", "worst"),
            (one.stop_median_m, one.stop_p90_m, one.stop_worst_m),
            strict=True,
        )
        stops = "stops apart " + ", ".join(f"{word} {_length(value)}" for word, value in parts)
    ratio = one.steps_per_s / max(one.reference_steps_per_s, 1e-9)
    said = (
        f"  {course}, {one.drives} drives against {one.reference}: verdict the same in"
        f" {one.same_verdict}, and reason in {one.same_reason}; {stops};"
        f" {one.steps_per_s:,.0f} steps/s ({ratio:.2f} × the reference)"
    )
    lines = [said]
    for drive in one.different:
        lines += _different_lines(name, drive)
    return lines


def _different_lines(name: str, drive: DifferentDrive) -> list[str]:
    asked, measured = drive.asked, drive.measured
    ends = ["arrives" if e.reached else e.reason for e in (drive.reference, drive.other)]
    drove = f"{asked.passage.agent_key}, {asked.start} → {asked.target}"
    lines = [f"    {drove}: {ends[0]} / {ends[1]}"]
    if measured is None:
        return lines
    answer, straight = measured.answer, measured.straight
    if answer is None or straight is None:
        return [*lines, f"      {measured.words}"]
    if measured.is_uncertain:
        doubt = "measured as uncertain"
    else:
        named = {"reference": REFERENCE_ENGINE, "engine": name}
        against = " and ".join(named[who] for who in measured.contradicted_by) or "neither"
        doubt = f"measured as certain, contradicted by {against}"
    words = f"{answer.words}, straight {straight.words}"
    return [*lines, f"      the passage is {doubt}: {words}: {measured.words}"]


def _length(metres: float | None) -> str:
    value = metres or 0.0
    return f"{value:.2f} m" if value >= 0.1 else f"{value * 1000:.1f} mm"
