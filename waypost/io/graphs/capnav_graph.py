"""CapNav navigation graphs (``<scene>-graph.json``) to and from domain values, without loss.

Source: makeabilitylab/CapNav:annotator/src/main.js (what the annotator writes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import CAPNAV, FRAMES, Frame, Vec3
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node, build_graph
from waypost.io.foreign_errors import reader
from waypost.io.graphs.capnav_source import overlay, remember, remembered
from waypost.io.graphs.matterport_graphs import is_connectivity
from waypost.io.json_reading import JsonDocument, JsonValue, read_json
from waypost.io.json_writing import write_json_file

FloorBelow = Callable[[Vec3], float | None]
"""Height of the floor under a point of the scene frame, metres; ``None`` where there is none."""


@dataclass(frozen=True, eq=False, slots=True)
class CapnavGraphFile:
    """A CapNav graph as it stands in its file; its frame is not in the file."""

    document: JsonDocument
    """The whole file, checked."""

    positions: NDArray[np.float64]
    """(N, 3) node positions in the frame of the file, in the order of the nodes."""

    edge_ends: tuple[tuple[int, int], ...]
    """Both ends of each edge, as indices into ``positions``."""

    warnings: tuple[str, ...]
    """Oddities that did not prevent reading."""


@dataclass(frozen=True, slots=True)
class FloorProjection:
    """Nodes put on the floor below them."""

    graph: NavigationGraph
    without_floor: tuple[str, ...]
    """Ids of nodes that have no floor under them; they stay where they were."""


@reader
def read_capnav_graph(path: Path) -> CapnavGraphFile:
    """Read a CapNav graph file; gzip is fine.

    Raises:
        ReadError: Naming the place, e.g. ``edges[3].to``, and what is wrong there.
    """
    return check_capnav_graph(read_json(path))


def check_capnav_graph(document: JsonDocument) -> CapnavGraphFile:
    """Check parsed JSON for being a usable CapNav graph.

    Raises:
        ReadError: Naming the place and what is wrong there.
    """
    root = document.root
    if is_connectivity(root):
        raise root.error("this is a Matterport3D connectivity file, not a CapNav graph")
    if not root.has("nodes") and root.has("questions"):
        raise root.error("this is a CapNav task file, not a graph")
    if not root.has("nodes") and any("|" in key for _, v in root.entries() for key in _keys(v)):
        raise root.error("this is a CapNav traverse file, not a graph")
    warnings = list(document.warnings)
    index: dict[str, int] = {}
    positions = []
    for node in root.field("nodes").items():
        _claim(node, index)
        positions.append(_file_position(node.field("position")))
        if not _name(node):
            warnings.append(f"{root.file}: {node.place}: has no name; its id is shown instead")
        node.text_of("description")
    ends = _check_edges(root, index, warnings)
    array = np.asarray(positions, dtype=np.float64).reshape(-1, 3)
    return CapnavGraphFile(document, array, ends, tuple(warnings))


def graph_from_capnav(file: CapnavGraphFile, frame: Frame) -> NavigationGraph:
    """Convert a CapNav graph into the scene frame; every object of the file is remembered.

    Args:
        file: What was read.
        frame: The convention of its positions; see ``frame_proposals``.
    """
    root = file.document.root
    scene_positions = frame.to_scene(file.positions)
    nodes = [
        _node(node, _vec3(position))
        for node, position in zip(root.field("nodes").items(), scene_positions, strict=True)
    ]
    edges = [_edge(edge) for edge in root.field("edges").items()]
    frame_of_file = {
        key: None if key in {"nodes", "edges"} else value for key, value in root.as_object().items()
    }
    extra = remember(MappingProxyType({}), graph=frame_of_file, frame=frame.key)
    return build_graph(nodes, edges, extra)


def keep_file_facts(before: NavigationGraph, after: NavigationGraph) -> NavigationGraph:
    """What is remembered of the traverse and task files outlives a change of the graph file."""
    kept = {key: remembered(before.extra).get(key) for key in ("traverse", "tasks")}
    known = {key: value for key, value in kept.items() if value is not None}
    return replace(after, extra=remember(after.extra, **known)) if known else after


def adopt_file_facts(before: NavigationGraph, added: NavigationGraph) -> NavigationGraph:
    """A graph whose nodes are to stand in another one, remembered as of that one's file.

    The numbers that a node had in its file are kept in the frame of the graph it is added to, for
    they are exported in that. A graph without a file takes the frame of what is added.

    Returns:
        The nodes and edges of the one that is added, with what is remembered of both files.
    """
    source, target = frame_of(added), frame_of(before)
    first = added if target is None and source else before
    facts = {**remembered(first.extra), **remembered(before.extra)}
    others = {**added.extra, **before.extra}
    extra = remember(others, **facts) if facts else MappingProxyType(others)
    if source is None or target is None or source is target:
        return replace(added, extra=extra)
    nodes = {key: _in_frame(node, source, target) for key, node in added.nodes.items()}
    return replace(added, nodes=MappingProxyType(nodes), extra=extra)


def _in_frame(node: Node, source: Frame, target: Frame) -> Node:
    """A node whose position in its file is remembered in another frame."""
    raw = remembered(node.extra).get("node")
    if raw is None:
        return node
    there = raw["position"]
    original = source.to_scene(np.asarray([there[axis] for axis in "xyz"], dtype=np.float64))
    point = dict(zip("xyz", _vec3(target.from_scene(original)), strict=True))
    kept = {**raw, "position": {**there, **point}}
    # The way back through another frame may differ in the last digit.
    imported = remembered(node.extra).get("floor_m", list(_vec3(original)))
    lift_m = _vec3(original)[2] - imported[2]
    return replace(node, extra=remember(node.extra, node=kept, floor_m=imported, lift_m=lift_m))


def project_to_floor(graph: NavigationGraph, floor_below: FloorBelow) -> FloorProjection:
    """Put every node on the floor below it; CapNav stores the height of its slice plane instead.

    A node that is not moved afterwards is still exported with the numbers of its file.
    """
    nodes: dict[str, Node] = {}
    missing = []
    for node in graph.nodes.values():
        x, y, z = node.position_m
        floor_z = floor_below(node.position_m)
        if floor_z is None:
            missing.append(node.node_id)
            nodes[node.node_id] = node
            continue
        extra = remember(node.extra, floor_m=[x, y, floor_z], lift_m=z - floor_z)
        nodes[node.node_id] = replace(node, position_m=(x, y, floor_z), extra=extra)
    return FloorProjection(replace(graph, nodes=MappingProxyType(nodes)), tuple(missing))


def frame_of(graph: NavigationGraph) -> Frame | None:
    """The frame of the CapNav file a graph came from; ``None`` if it was drawn in Waypost."""
    return FRAMES.get(str(remembered(graph.extra).get("frame", "")))


def graph_to_capnav(graph: NavigationGraph, frame: Frame | None = None) -> dict[str, Any]:
    """Return the JSON object of a CapNav graph file.

    Args:
        graph: Nodes and edges; what came from a file keeps that file's objects and numbers.
        frame: Convention to write; by default the one of the file the graph came from,
            and ``capnav`` for a graph drawn in Waypost.
    """
    source = frame_of(graph)
    target = frame or source or CAPNAV
    nodes = [_node_object(node, source, target) for node in graph.nodes.values()]
    edges = [_edge_object(edge) for edge in graph.edges.values()]
    top = remembered(graph.extra).get("graph", {})
    return {**top, "nodes": nodes, "edges": edges}


def write_capnav_graph(path: Path, graph: NavigationGraph, frame: Frame | None = None) -> None:
    """Write a CapNav graph file; see ``graph_to_capnav``.

    Raises:
        WriteError: If the file cannot be written.
    """
    write_json_file(path, graph_to_capnav(graph, frame))


def _check_edges(
    root: JsonValue, index: dict[str, int], warnings: list[str]
) -> tuple[tuple[int, int], ...]:
    ids: dict[str, int] = {}
    ends: dict[tuple[int, int], str] = {}
    pairs = []
    for edge in root.field("edges").items():
        _claim(edge, ids)
        places = []
        for key in ("from", "to"):
            end = edge.field(key)
            if end.as_text() not in index:
                raise end.error(f"there is no node {end.as_text()!r}")
            places.append(index[end.as_text()])
        pair = (places[0], places[1])
        unordered = (min(pair), max(pair))
        if pair[0] == pair[1]:
            warnings.append(f"{root.file}: {edge.place}: joins a node to itself")
        elif unordered in ends:
            warnings.append(f"{root.file}: {edge.place}: repeats {ends[unordered]}")
        ends.setdefault(unordered, edge.place)
        pairs.append(pair)
    return tuple(pairs)


def _claim(item: JsonValue, index: dict[str, int]) -> None:
    identity = item.field("id")
    text = identity.as_text()
    if not text:
        raise identity.error("is empty")
    if text in index:
        raise identity.error(f"repeats the id {text!r}")
    index[text] = len(index)


def _file_position(position: JsonValue) -> tuple[float, float, float]:
    x, y, z = (position.field(axis).as_coordinate() for axis in "xyz")
    return (x, y, z)


def _node(node: JsonValue, position_m: Vec3) -> Node:
    return Node(
        node_id=node.field("id").as_text(),
        name=_name(node) or node.field("id").as_text(),
        position_m=position_m,
        description=node.text_of("description"),
        extra=remember(MappingProxyType({}), node=node.as_object()),
    )


def _edge(edge: JsonValue) -> Edge:
    return Edge(
        edge_id=edge.field("id").as_text(),
        from_id=edge.field("from").as_text(),
        to_id=edge.field("to").as_text(),
        kind=_kind(edge.as_object()),
        extra=remember(MappingProxyType({}), edge=edge.as_object()),
    )


def _kind(edge: dict[str, Any]) -> EdgeKind:
    kind = edge.get("kind")
    return EdgeKind(kind) if kind in list(EdgeKind) else EdgeKind.WALK


def _name(node: JsonValue) -> str:
    name = node.text_of("name")
    return name if name.strip() else ""


def _node_object(node: Node, source: Frame | None, target: Frame) -> Any:
    kept = remembered(node.extra)
    raw = kept.get("node", {})
    now: dict[str, Any] = {
        "id": node.node_id,
        "name": node.name,
        "description": node.description,
        "position": _position_object(node, source, target),
    }
    if not raw:
        return now
    then = {
        "id": raw["id"],
        "name": raw["name"] if (raw.get("name") or "").strip() else raw["id"],
        "description": raw.get("description") or "",
        "position": raw["position"],
    }
    return overlay(raw, now, then)


def _position_object(node: Node, source: Frame | None, target: Frame) -> dict[str, Any]:
    kept = remembered(node.extra)
    raw = kept.get("node", {}).get("position")
    point = node.position_m
    if raw is not None and source is not None:
        original = _vec3(source.to_scene(np.asarray([raw[axis] for axis in "xyz"], dtype=float)))
        imported = tuple(kept.get("floor_m", original))
        if point == imported and source is target:
            return dict(raw)
        point = original if point == imported else (*point[:2], point[2] + kept.get("lift_m", 0.0))
    x, y, z = _vec3(target.from_scene(np.asarray(point, dtype=np.float64)))
    return {**(raw or {}), "x": x, "y": y, "z": z}


def _edge_object(edge: Edge) -> Any:
    raw = remembered(edge.extra).get("edge", {})
    now: dict[str, Any] = {"id": edge.edge_id, "from": edge.from_id, "to": edge.to_id}
    then = {"id": raw.get("id"), "from": raw.get("from"), "to": raw.get("to")}
    if edge.kind is not _kind(raw):
        now["kind"] = str(edge.kind)
    return overlay(raw, now, then)


def _vec3(array: NDArray[np.float64]) -> Vec3:
    # Adding zero turns the −0.0 that a sign flip makes of 0.0 back into 0.0.
    return (float(array[0]) + 0.0, float(array[1]) + 0.0, float(array[2]) + 0.0)


def _keys(value: JsonValue) -> Iterator[str]:
    yield from value.value if isinstance(value.value, dict) else ()
