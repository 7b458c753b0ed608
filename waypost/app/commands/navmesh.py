"""``waypost navmesh``: make, measure, ask and convert navmeshes."""

from __future__ import annotations

import argparse
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    add_correction_options,
    given_scene,
    refuse_corrections,
)
from waypost.app.commands.arguments.path_types import file_to_read, file_to_write
from waypost.app.commands.drive import parse_position
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Vec3
from waypost.geometry.navmesh.navmesh import Navmesh, make_navmesh
from waypost.geometry.navmesh.settings import NavmeshSettings
from waypost.io.agent_files import find_agent
from waypost.io.navmesh_files import read_navmesh, write_navmesh

_SETTINGS = {
    "radius_m": ("--radius", "M", "of the agent, a disc in plan"),
    "height_m": ("--height", "M", "of the agent"),
    "climb_m": ("--climb", "M", "highest step"),
    "slope_deg": ("--slope", "DEG", "steepest ground"),
    "cell_size_m": ("--cell-size", "M", "side of a cell in plan"),
    "cell_height_m": ("--cell-height", "M", "height of a cell"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    # Without this, argparse takes "-1,2,0" for an option.
    parser._negative_number_matcher = re.compile(r"^-\.?\d")  # noqa: SLF001
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--scene", type=file_to_read, help="scene to make the navmesh of")
    source.add_argument(
        "--navmesh", type=file_to_read, metavar="F.navmesh", help="file of Habitat to read instead"
    )
    parser.add_argument(
        "--agent", metavar="A", help="key of a shipped agent, or a TOML file, to make it for"
    )
    defaults = NavmeshSettings()
    for name, (option, unit, meaning) in _SETTINGS.items():
        parser.add_argument(
            option,
            dest=name,
            type=float,
            metavar=unit,
            help=f"{meaning}; without an agent {getattr(defaults, name):g}, as habitat-sim",
        )
    parser.add_argument(
        "--from", dest="start", metavar="X,Y,Z", help="where a way starts, scene frame"
    )
    parser.add_argument("--to", dest="target", metavar="X,Y,Z", help="where it ends")
    parser.add_argument(
        "--out", type=file_to_write, metavar="F.navmesh", help="write it as Habitat does"
    )
    parser.add_argument(
        "--file-version",
        type=int,
        choices=(1, 2),
        help="of the file: 1 is read by every habitat-sim, 2 holds the settings too (default: 1)",
    )
    add_correction_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_asset_options(parser)


def run(options: argparse.Namespace) -> int:
    """Make or read the navmesh, and say what was asked about it.

    Returns:
        0, also where no way leads to the target; problems of the input are raised.
    """
    if (options.start is None) != (options.target is None):
        raise InputError("--from and --to belong together")
    if options.file_version is not None and options.out is None:
        raise InputError("--file-version: belongs to --out")
    ends = () if options.start is None else _ends(options)
    navmesh = _navmesh(options)
    document = facts(navmesh)
    if ends:
        start, target = ends
        (way,) = navmesh.geodesics_m([start], target)
        document["snapped_m"] = [_point(one) for one in navmesh.snapped_m([start, target])]
        document["geodesic_m"] = float(way) if math.isfinite(way) else None
        document["reason"] = None if math.isfinite(way) else NO_WAY
    if options.out is not None:
        write_navmesh(options.out, navmesh, version=options.file_version or 1)
        document["written"] = str(options.out)
    if options.json:
        write_json(document)
    else:
        for line in _lines(document):
            write_line(line)
    return 0


def _ends(options: argparse.Namespace) -> tuple[Vec3, Vec3]:
    return parse_position(options.start, "--from"), parse_position(options.target, "--to")


def _point(point: NDArray[np.float64]) -> list[float] | None:
    return None if np.isnan(point).any() else [float(value) for value in point]


NO_WAY = "no way leads there over the navmesh"


def facts(navmesh: Navmesh) -> dict[str, Any]:
    """What ``--json`` prints of any navmesh; metres, degrees."""
    found = navmesh.polygons
    settings = navmesh.settings
    return {
        "area_m2": found.area_m2,
        "polygons": found.count,
        "settings": None
        if settings is None
        else {name: getattr(settings, name) for name in _SETTINGS},
    }


def _navmesh(options: argparse.Namespace) -> Navmesh:
    stated = {name: getattr(options, name) for name in _SETTINGS}
    stated = {name: value for name, value in stated.items() if value is not None}
    if options.navmesh is not None:
        if stated or options.agent is not None:
            raise InputError("--navmesh: a file is made already; agent and sizes are for --scene")
        refuse_corrections(options)
        return read_navmesh(options.navmesh)
    chosen = NavmeshSettings()
    if options.agent is not None:
        chosen = NavmeshSettings.of_agent(find_agent(options.agent))
    settings = _with_stated(chosen, stated)
    scene = given_scene(options)
    try:
        return make_navmesh(scene, settings)
    except InputError as error:
        raise InputError(f"{options.scene}: {error}") from error


def _with_stated(chosen: NavmeshSettings, stated: dict[str, Any]) -> NavmeshSettings:
    """The settings with what options state, which a refusal names."""
    try:
        return replace(chosen, **stated)
    except InputError as error:
        name, _, reason = str(error).partition(": ")
        option = _SETTINGS[name][0] if name in _SETTINGS else name
        raise InputError(f"{option}: {reason}") from error


def _lines(document: dict[str, Any]) -> list[str]:
    lines = [f"{document['polygons']} polygons, {document['area_m2']:.2f} m²"]
    settings = document["settings"]
    if settings is None:
        lines.append("The file does not say what it was made for.")
    else:
        sizes = ", ".join(f"{name} {value:g}" for name, value in settings.items())
        lines.append(f"Made for {sizes}")
    if "geodesic_m" in document:
        way = document["geodesic_m"]
        lines.append(f"Geodesic: {way:.3f} m" if way is not None else f"Geodesic: {NO_WAY}")
    if "written" in document:
        lines.append(f"Written to {document['written']}")
    return lines
