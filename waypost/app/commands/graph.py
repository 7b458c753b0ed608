"""``waypost graph``: check, import and export navigation graphs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    add_correction_options,
    asset_options,
    given_scene,
    note_outside,
    refuse_corrections,
)
from waypost.app.commands.arguments.graph_frame import choose_frame, proposals_json
from waypost.app.commands.arguments.path_types import file_to_read, path_to_write
from waypost.app.commands.arguments.project_files import (
    add_author_argument,
    add_project_argument,
    author_of,
    is_project,
    opened_project,
    project_scene,
)
from waypost.app.commands.graph_propose import PROPOSE_HELP, add_propose_arguments, propose
from waypost.app.terminal.findings import finding_object
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.counted_words import counted, few_of
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import CAPNAV, FRAMES
from waypost.domain.episode.import_report import ImportFinding
from waypost.domain.project import Project
from waypost.domain.scene.findings import Finding
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.geometry.graph_checks import check_graph, lowest_agent_m
from waypost.geometry.ray_index import RayIndex
from waypost.io.graphs.capnav_graph import (
    frame_of,
    project_to_floor,
    write_capnav_graph,
)
from waypost.io.graphs.connectivity_export import (
    CAMERA_HEIGHT_M,
    remembered_scan,
    write_graph_as_connectivity,
)
from waypost.io.graphs.graph_files import read_graph_file
from waypost.services.frame_fitting import floor_below
from waypost.services.graph_import import add_graph, with_graph_replaced
from waypost.store.project_store import ProjectStore

_CONNECTIVITY: Final = "connectivity"
_FORMS: Final = ("capnav", _CONNECTIVITY)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_readers(actions)
    _add_export(actions)
    add_propose_arguments(actions.add_parser("propose", help=PROPOSE_HELP))


def _add_readers(actions: _SubParsersAction[ArgumentParser]) -> None:
    check = actions.add_parser("check", help="list what is wrong with a graph")
    check.add_argument(
        "target",
        metavar="PROJECT|GRAPH.json",
        help="a project, or a graph file of CapNav or Matterport3D",
    )
    check.add_argument("--scene", type=file_to_read, help="scene file (default: the project's)")
    add_correction_options(check)
    add_asset_options(check)
    _add_frame(check, "frame of the graph file (default: the one that fits the scene)")
    check.add_argument("--json", action="store_true", help="print one JSON document")
    load = actions.add_parser(
        "import", help="put a graph file of CapNav or Matterport3D into a project"
    )
    load.add_argument("file", type=file_to_read, metavar="FILE", help="of CapNav or Matterport3D")
    add_project_argument(load)
    load.add_argument(
        "--scene", type=file_to_read, help="scene to try frames on (default: the project's)"
    )
    add_correction_options(load)
    add_asset_options(load)
    _add_frame(load, "frame of the file (default: the only one that fits the scene)")
    load.add_argument("--to-floor", action="store_true", help="put each node on the floor below it")
    place = load.add_mutually_exclusive_group()
    place.add_argument(
        "--replace", action="store_true", help="replace the graph that the project has"
    )
    place.add_argument(
        "--add",
        action="store_true",
        help="add to the graph that the project has; ids in use change",
    )
    add_author_argument(load)
    load.add_argument("--json", action="store_true", help="print one JSON document")


def _add_export(actions: _SubParsersAction[ArgumentParser]) -> None:
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
        type=path_to_write,
        required=True,
        metavar="FILE|DIR",
        help="file; of connectivity the folder",
    )
    _add_frame(save, "frame to write (default: that of the imported file, else capnav)")
    save.add_argument(
        "--scan",
        help="scan of the connectivity (default: of the imported file, else the scene file's name)",
    )
    save.add_argument(
        "--camera-height",
        type=float,
        metavar="M",
        help="of the connectivity, above the floor, where no imported file tells it (default: 1.5)",
    )
    save.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Run the chosen action.

    Returns:
        0 done, 1 something in the graph needs attention.
    """
    actions = {"check": _check, "import": _import, "export": _export, "propose": propose}
    return actions[options.action](options)


def _add_frame(parser: ArgumentParser, text: str) -> None:
    parser.add_argument("--frame", choices=list(FRAMES), help=text)


def _check(options: Namespace) -> int:
    odd: tuple[ImportFinding, ...] = ()
    agents: Mapping[str, AgentProfile] = {}
    if is_project(options.target):
        if options.frame:
            raise InputError("--frame: the graph of a project is in the frame of its scene")
        with opened_project(options.target) as (store, project):
            graph, agents = project.graph, project.agents
            scene = _scene(options, store, project)
        rays = None if scene is None else RayIndex.build(scene)
    else:
        scene = _scene(options)
        rays = None if scene is None else RayIndex.build(scene)
        graph, odd = _graph_of_file(options, scene, rays)
    if scene is None:
        note("no scene: floors and walls are not checked")
    storeys = () if scene is None else scene.storeys
    findings = check_graph(graph, rays, lowest_agent_m(agents), storeys)
    if options.json:
        write_json(
            {
                "nodes": len(graph.nodes),
                "edges": len(graph.edges),
                "scene": None if scene is None else scene.path,
                "findings": [_finding_json(finding) for finding in findings],
                "file_findings": [finding_object(finding) for finding in odd],
            }
        )
    else:
        for kind, message in [(f.kind, f.message) for f in odd] + [
            (f.kind, f.message) for f in findings
        ]:
            write_line(f"{kind}: {message}")
        write_line(f"{_size(graph, ', ')}, {counted(len(findings) + len(odd), 'finding')}")
    return 1 if findings or any(finding.is_problem for finding in odd) else 0


def _graph_of_file(
    options: Namespace, scene: Scene | None, rays: RayIndex | None
) -> tuple[NavigationGraph, tuple[ImportFinding, ...]]:
    """The graph, and what is odd about single entries of its file."""
    file = read_graph_file(Path(options.target))
    for warning in file.warnings:
        note(warning)
    if rays is None and file.frame is None:
        return file.build(FRAMES[options.frame or CAPNAV.key]), ()
    frame, _ = choose_frame(file, options.frame, scene, rays)
    graph = file.build(frame)
    placed = graph if rays is None else project_to_floor(graph, floor_below(rays)).graph
    return placed, file.findings


def _scene(
    options: Namespace, store: ProjectStore | None = None, project: Project | None = None
) -> Scene | None:
    """The scene that was given, else that of the project, if there is one."""
    if options.scene:
        return given_scene(options)
    refuse_corrections(options)
    if store is None or project is None:
        return None
    scene = project_scene(store, project, **asset_options(options))
    return None if scene is None else note_outside(scene)


def _import(options: Namespace) -> int:
    file = read_graph_file(options.file)
    with opened_project(options.project, author_of(options)) as (store, before):
        if before.graph.nodes and not (options.replace or options.add):
            count = len(before.graph.nodes)
            raise InputError(
                f"{options.project}: graph: it has {count} nodes already;"
                " --replace puts the file's graph in their place, --add adds it"
            )
        scene = _scene(options, store, before)
        rays = None if scene is None else RayIndex.build(scene)
        frame, proposals = choose_frame(file, options.frame, scene, rays)
        graph = file.build(frame)
        without_floor: tuple[str, ...] = ()
        if options.to_floor:
            if rays is None:
                raise InputError("--to-floor: there is no scene; name one with --scene")
            graph, without_floor = _to_floor(graph, rays)
        added = add_graph(before.graph, graph) if options.add and before.graph.nodes else None
        if added is None:
            after, verb = with_graph_replaced(before, graph), "Import"
        else:
            after, verb = replace(before, graph=added.graph), "Add"
        store.save(before, after, author_of(options), f"{verb} {options.file.name}")
    report = {
        "file": str(options.file),
        "frame": frame.key,
        "frame_given": options.frame is not None,
        "proposals": proposals_json(proposals),
        "nodes": len(graph.nodes),
        "edges": len(graph.edges),
        "to_floor": options.to_floor,
        "without_floor": list(without_floor),
        "added_nodes": None if added is None else added.added_nodes,
        "added_edges": None if added is None else added.added_edges,
        "new_ids": {} if added is None else dict(added.new_ids),
        "labels_kept": len(after.labels),
        "labels_dropped": len(before.labels) - len(after.labels),
        "warnings": list(file.warnings),
        "file_findings": [finding_object(finding) for finding in file.findings],
    }
    return _report_import(
        options, report, None if added is None else added.sentence(options.file.name)
    )


def _report_import(options: Namespace, report: dict[str, Any], added: str | None) -> int:
    for warning in report["warnings"]:
        note(warning)
    for finding in report["file_findings"]:
        note(finding["message"])
    if report["without_floor"]:
        note(f"no floor under {few_of(report['without_floor'])}; left where they are")
    if report["labels_dropped"]:
        one, more = "label of places that changed was", "labels of places that changed were"
        note(f"{counted(report['labels_dropped'], one, more)} dropped")
    if options.json:
        write_json(report)
    elif added:
        write_line(added)
    else:
        write_line(
            f"imported {counted(report['nodes'], 'node')} and {counted(report['edges'], 'edge')}"
            f" in the frame {report['frame']}"
        )
    return 1 if report["warnings"] or report["without_floor"] else 0


def _export(options: Namespace) -> int:
    with opened_project(options.project, author_of(options)) as (_, project):
        graph = project.graph
        scan = options.scan or remembered_scan(graph) or PurePosixPath(project.scene_path).stem
    if options.form == _CONNECTIVITY:
        return _export_connectivity(options, graph, scan)
    for name in ("scan", "camera_height"):
        if getattr(options, name) is not None:
            raise InputError(f"--{name.replace('_', '-')}: belongs to --form {_CONNECTIVITY}")
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
    given = options.camera_height
    height_m = CAMERA_HEIGHT_M if given is None else given
    path = write_graph_as_connectivity(options.out, scan, graph, height_m)
    if options.json:
        write_json(
            {
                "out": str(path),
                "scan": scan,
                "nodes": len(graph.nodes),
                "edges": len(graph.edges),
                "camera_height_m": height_m,
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
