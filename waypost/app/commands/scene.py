"""``waypost scene``: facts about a scene file, and what a project says of its scene."""

from __future__ import annotations

import argparse
from typing import Any

from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    add_correction_options,
    asset_options,
)
from waypost.app.commands.arguments.path_types import file_to_read, project_to_open
from waypost.app.terminal.output import write_json, write_line
from waypost.app.terminal.progress_line import exhaust_shown
from waypost.domain.base.counted_words import counted
from waypost.domain.project import SUFFIX
from waypost.domain.scene.gaps import grouped
from waypost.domain.scene.scene import OutsideAsset, Scene
from waypost.io.scenes.open_scene import open_scene


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    info = actions.add_parser("info", help="sizes, storeys, missing files and doubts")
    info.add_argument(
        "path", type=file_to_read, help="a scene file, e.g. glb, usd, dae, obj or ply"
    )
    info.add_argument("--json", action="store_true", help="print one JSON document")
    add_correction_options(info)
    add_asset_options(info)
    _add_set(actions)


def _add_set(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("set", help="change what a project says of its scene")
    parser.add_argument(
        "--project",
        type=project_to_open,
        required=True,
        metavar="P",
        help=f"project file ({SUFFIX}) or URL",
    )
    parser.add_argument(
        "--file",
        type=file_to_read,
        metavar="SCENE",
        help="the same house in another file; both are compared first",
    )
    parser.add_argument("--although-different", action="store_true", help="take the file even so")
    parser.add_argument(
        "--up-axis", choices=("Y", "Z", "stated"), help="which axis is up; stated: as in the file"
    )
    parser.add_argument(
        "--metres-per-unit",
        metavar="M",
        help="length of a unit; stated: as in the file",
    )
    parser.add_argument(
        "--leave-nodes",
        action="store_true",
        help="of another axis or unit: leave the nodes where they are; else those that were drawn"
        " in the scene move along",
    )
    gaps = parser.add_mutually_exclusive_group()
    gaps.add_argument(
        "--allow-gaps",
        action="store_true",
        help="let agents be driven without the geometry that is missing now",
    )
    gaps.add_argument("--refuse-gaps", action="store_true", help="do not let them any more")
    add_asset_options(parser)
    parser.add_argument(
        "--author", metavar="NAME", help="name to work under (default: the login name)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Open the scene and print what is known about it, or change what a project says of it."""
    if options.action == "set":
        from waypost.app.commands.scene_set import run_set  # noqa: PLC0415 - it loads the store

        return run_set(options)
    scene = _open(options)
    if options.json:
        write_json(facts(scene))
    else:
        for line in _table(scene):
            write_line(line)
    return 0


def facts(scene: Scene) -> dict[str, Any]:
    """The JSON document of ``scene info``; metres, scene frame."""
    low, high = scene.bounds_m
    return {
        "format": scene.format,
        "triangles": scene.triangle_count,
        "meshes": len(scene.meshes),
        "bounds_m": [list(low), list(high)],
        "source_up_axis": scene.source_up_axis,
        "metres_per_unit": scene.metres_per_unit,
        "storeys": [
            {"name": storey.name, "floor_z_m": storey.floor_z_m} for storey in scene.storeys
        ],
        "missing_assets": [
            {
                "asset": asset.asset,
                "wanted_by": asset.wanted_by,
                "kind": asset.kind.value,
                "reason": asset.reason,
            }
            for asset in scene.missing_assets
        ],
        "left_out": [{"name": part.name, "reason": part.reason} for part in scene.left_out],
        "outside_assets": [
            {
                "asset": asset.asset,
                "wanted_by": asset.wanted_by,
                "path": asset.path,
                "is_followed": asset.is_followed,
            }
            for asset in scene.outside_assets
        ],
        "warnings": list(scene.warnings),
        "not_shown": list(scene.not_shown),
    }


def _open(options: argparse.Namespace) -> Scene:
    steps = open_scene(
        options.path,
        up_axis=options.up_axis,
        metres_per_unit=options.metres_per_unit,
        **asset_options(options),
    )
    return exhaust_shown(steps)


def _table(scene: Scene) -> list[str]:
    """Lines for people: a name, then what is known."""
    low, high = scene.bounds_m
    rows = [
        ("File", scene.path),
        ("Format", scene.format),
        ("Size", " × ".join(f"{extent:.2f}" for extent in scene.size_m) + " m"),
        ("Bounds", f"{_point(low)} to {_point(high)} m"),
        (
            "Triangles",
            f"{scene.triangle_count:,} in {counted(len(scene.meshes), 'mesh', 'meshes')}",
        ),
        ("Up axis", f"{scene.source_up_axis} in the file, Z here"),
        ("Unit", f"{scene.metres_per_unit:g} m in the file, 1 m here"),
    ]
    rows += [("Storey", f"{storey.name} at {storey.floor_z_m:.2f} m") for storey in scene.storeys]
    rows += [
        (
            "Missing",
            f"{_asked(first.asset, group.wanted_by)} ({first.kind.value}): {first.reason}",
        )
        for group in grouped(scene.missing_assets)
        for first in (group.first,)
    ]
    rows += [("Left out", f"{part.name}: {part.reason}") for part in scene.left_out]
    rows += [
        ("Outside", _asked(asset.asset, asset.wanted_by) + _fate(asset))
        for asset in scene.outside_assets
    ]
    rows += [("Warning", text) for text in scene.warnings]
    rows += [("Looks", text) for text in scene.not_shown]
    return [f"{name:<10} {text}" for name, text in rows]


def _asked(asset: str, wanted_by: str) -> str:
    return f"{asset}, wanted by {wanted_by}"


def _fate(asset: OutsideAsset) -> str:
    return ": read" if asset.is_followed else ": left out; --allow-outside reads it"


def _point(point: tuple[float, float, float]) -> str:
    return f"({point[0]:.2f}, {point[1]:.2f}, {point[2]:.2f})"
