"""``waypost graph``: check, import and export navigation graphs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from waypost.app.commands.asset_options import add_asset_options, asset_options, note_outside
from waypost.app.commands.graph_frame import choose_frame, proposals_json
from waypost.app.commands.path_types import file_to_read
from waypost.app.commands.project_files import (
    add_author_argument,
    add_project_argument,
    author_of,
    is_project,
    opened_project,
    project_scene,
    shortened,
)
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import CAPNAV, FRAMES
from waypost.domain.project import Project
from waypost.domain.scene.findings import Finding
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.traversability import labels_that_hold
from waypost.geometry.graph_checks import check_graph
from waypost.geometry.ray_index import RayIndex
from waypost.io.graphs.capnav_graph import (
    frame_of,
    graph_from_capnav,
    keep_file_facts,
    project_to_floor,
    read_capnav_graph,
    write_capnav_graph,
)
from waypost.io.graphs.connectivity_export import (
    CAMERA_HEIGHT_M,
    write_graph_as_connectivity,
)
from waypost.io.scenes.open_scene import read_scene
from waypost.services.frame_fitting import floor_below
from waypost.store.project_store import ProjectStore

_CONNECTIVITY: Final = "connectivity"
_FORMS: Final = ("capnav", _CONNECTIVITY)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the three actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = actions.add_parser("check", help="list what is wrong with a graph")
    check.add_argument("target", metavar="PROJECT|GRAPH.json")
    check.add_argument("--scene", type=file_to_read, help="scene file (default: the project's)")
    add_asset_options(check)
    _add_frame(check, "frame of the graph file (default: the one that fits the scene)")
    check.add_argument("--json", action="store_true", help="print one JSON document")
    load = actions.add_parser("import", help="put a CapNav graph file into a project")
    load.add_argument("file", type=file_to_read, metavar="FILE")
    add_project_argument(load)
    load.add_argument(
        "--scene", type=file_to_read, help="scene to try frames on (default: the project's)"
    )
    add_asset_options(load)
    _add_frame(load, "frame of the file (default: the only one that fits the scene)")
    load.add_argument("--to-floor", action="store_true", help="put each node on the floor below it")
    load.add_argument(
        "--replace", action="store_true", help="replace the graph that the project has"
    )
    add_author_argument(load)
    load.add_argument("--json", action="store_true", help="print one JSON document")
    save = actions.add_parser("export", help="write a project's graph for other programs")
    add_project_argument(save)
    save.add_argument(
        "--form",
        choices=_FORMS,
        default=_FORMS[0],
        help="CapNav graph file (default), or Matterport3D connectivity",
    )
    save.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE|DIR",
        help="file; of connectivity the folder",
    )
    _add_frame(save, "frame to write (default: that of the imported file, else capnav)")
    save.add_argument("--scan", help="scan of the connectivity (default: name of the scene file)")
    save.add_argument(
        "--camera-height",
        type=float,
        metavar="M",
        default=CAMERA_HEIGHT_M,
        help="of the connectivity, above the floor; default 1.5",
    )
    save.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Run the chosen action.

    Returns:
        0 done, 1 something in the graph needs attention.
    """
    actions = {"check": _check, "import": _import, "export": _export}
    return actions[options.action](options)


def _add_frame(parser: ArgumentParser, text: str) -> None:
    parser.add_argument("--frame", choices=list(FRAMES), help=text)


def _check(options: Namespace) -> int:
    if is_project(options.target):
        with opened_project(options.target) as (store, project):
            graph = project.graph
            scene = _scene(options, store, project)
        rays = None if scene is None else RayIndex.build(scene)
    else:
        scene = _scene(options)
        rays = None if scene is None else RayIndex.build(scene)
        graph = _graph_of_file(options, scene, rays)
    if scene is None:
        note("no scene: floors and walls are not checked")
    findings = check_graph(graph, rays)
    if options.json:
        write_json(
            {
                "nodes": len(graph.nodes),
                "edges": len(graph.edges),
                "scene": None if scene is None else scene.path,
                "findings": [_finding_json(finding) for finding in findings],
            }
        )
    else:
        for finding in findings:
            write_line(f"{finding.kind}: {finding.message}")
        write_line(f"{_size(graph, ', ')}, {counted(len(findings), 'finding')}")
    return 1 if findings else 0


def _graph_of_file(
    options: Namespace, scene: Scene | None, rays: RayIndex | None
) -> NavigationGraph:
    file = read_capnav_graph(Path(options.target))
    for warning in file.warnings:
        note(warning)
    if rays is None:
        return graph_from_capnav(file, FRAMES[options.frame or CAPNAV.key])
    frame, _ = choose_frame(file, options.frame, scene, rays)
    return project_to_floor(graph_from_capnav(file, frame), floor_below(rays)).graph


def _scene(
    options: Namespace, store: ProjectStore | None = None, project: Project | None = None
) -> Scene | None:
    """The scene that was given, else that of the project, if there is one."""
    scene = None
    if options.scene:
        scene = read_scene(options.scene, **asset_options(options))
    elif store is not None and project is not None:
        scene = project_scene(store, project, **asset_options(options))
    return None if scene is None else note_outside(scene)


def _import(options: Namespace) -> int:
    file = read_capnav_graph(options.file)
    with opened_project(options.project) as (store, before):
        if before.graph.nodes and not options.replace:
            count = len(before.graph.nodes)
            raise InputError(
                f"{options.project}: graph: it has {count} nodes already;"
                " --replace puts the file's graph in their place"
            )
        scene = _scene(options, store, before)
        rays = None if scene is None else RayIndex.build(scene)
        frame, proposals = choose_frame(file, options.frame, scene, rays)
        graph = graph_from_capnav(file, frame)
        without_floor: tuple[str, ...] = ()
        if options.to_floor:
            if rays is None:
                raise InputError("--to-floor: there is no scene; name one with --scene")
            graph, without_floor = _to_floor(graph, rays)
        graph = keep_file_facts(before.graph, graph)
        labels = labels_that_hold(before.labels, before.graph, graph)
        after = replace(before, graph=graph, labels=labels)
        store.save(before, after, author_of(options), f"Import {options.file.name}")
    report = {
        "file": str(options.file),
        "frame": frame.key,
        "frame_given": options.frame is not None,
        "proposals": proposals_json(proposals),
        "nodes": len(graph.nodes),
        "edges": len(graph.edges),
        "to_floor": options.to_floor,
        "without_floor": list(without_floor),
        "labels_kept": len(labels),
        "labels_dropped": len(before.labels) - len(labels),
        "warnings": list(file.warnings),
    }
    return _report_import(options, report)


def _report_import(options: Namespace, report: dict[str, Any]) -> int:
    for warning in report["warnings"]:
        note(warning)
    if report["without_floor"]:
        note(f"no floor under {shortened(report['without_floor'])}; left where they are")
    if report["labels_dropped"]:
        one, more = "label of places that changed was", "labels of places that changed were"
        note(f"{counted(report['labels_dropped'], one, more)} dropped")
    if options.json:
        write_json(report)
    else:
        write_line(
            f"imported {counted(report['nodes'], 'node')} and {counted(report['edges'], 'edge')}"
            f" in the frame {report['frame']}"
        )
    return 1 if report["warnings"] or report["without_floor"] else 0


def _export(options: Namespace) -> int:
    with opened_project(options.project) as (_, project):
        graph = project.graph
        scan = options.scan or PurePosixPath(project.scene_path).stem
    if options.form == _CONNECTIVITY:
        return _export_connectivity(options, graph, scan)
    target = FRAMES[options.frame] if options.frame else frame_of(graph) or CAPNAV
    write_capnav_graph(options.out, graph, target)
    if options.json:
        write_json(
            {
                "out": str(options.out),
                "frame": target.key,
                "nodes": len(graph.nodes),
                "edges": len(graph.edges),
            }
        )
    else:
        write_line(f"wrote {_size(graph)} in the frame {target.key} to {options.out}")
    return 0


def _export_connectivity(options: Namespace, graph: NavigationGraph, scan: str) -> int:
    if options.frame:
        raise InputError("--frame: connectivity files are always in the scene frame")
    if not scan:
        raise InputError(f"{options.project}: scene: there is none; name the scan with --scan")
    path = write_graph_as_connectivity(options.out, scan, graph, options.camera_height)
    if options.json:
        write_json(
            {
                "out": str(path),
                "scan": scan,
                "nodes": len(graph.nodes),
                "edges": len(graph.edges),
                "camera_height_m": options.camera_height,
            }
        )
    else:
        write_line(f"wrote {_size(graph)} to {path}")
    return 0


def _size(graph: NavigationGraph, between: str = " and ") -> str:
    return between.join((counted(len(graph.nodes), "node"), counted(len(graph.edges), "edge")))


def _to_floor(graph: NavigationGraph, rays: RayIndex) -> tuple[NavigationGraph, tuple[str, ...]]:
    placed = project_to_floor(graph, floor_below(rays))
    return placed.graph, placed.without_floor


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "kind": str(finding.kind),
        "message": finding.message,
        "nodes": list(finding.node_ids),
        "edges": list(finding.edge_ids),
        "spot_m": list(finding.spot_m),
    }
