"""Files of navigation graphs in either form: CapNav's, or connectivity of Matterport3D."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import SCENE, Frame
from waypost.domain.episode.import_report import ImportFinding
from waypost.domain.scene.graph import NavigationGraph
from waypost.io.foreign_errors import reader
from waypost.io.graphs.capnav_graph import check_capnav_graph, graph_from_capnav
from waypost.io.graphs.connectivity_import import graph_from_viewpoints
from waypost.io.graphs.matterport_graphs import connectivity_of, is_connectivity
from waypost.io.json_reading import JsonDocument, read_json
from waypost.io.read_log import ReadLog


@dataclass(frozen=True, eq=False, slots=True)
class GraphFile:
    """A graph as it stands in its file."""

    name: str
    """The file as it was named."""

    frame: Frame | None
    """Of its positions; ``None`` where the file does not say it (CapNav)."""

    positions: NDArray[np.float64]
    """(N, 3) of the nodes, or of the cameras above them, in the frame of the file."""

    edge_ends: tuple[tuple[int, int], ...]
    """Both ends of each edge, as indices into ``positions``."""

    build: Callable[[Frame], NavigationGraph]
    """Makes the graph, of positions in this frame."""

    warnings: tuple[str, ...]
    """Oddities that did not prevent reading."""

    findings: tuple[ImportFinding, ...] = ()
    """What is odd about single viewpoints and edges of a connectivity file."""


@reader
def read_graph_file(path: Path) -> GraphFile:
    """Read a graph file of either form, told by its content; gzip is fine.

    Raises:
        ReadError: Naming the place and what is wrong there.
    """
    document = read_json(path)
    if is_connectivity(document.root):
        return _connectivity(document, path)
    file = check_capnav_graph(document)
    build = functools.partial(graph_from_capnav, file)
    return GraphFile(str(path), None, file.positions, file.edge_ends, build, file.warnings)


def _connectivity(document: JsonDocument, path: Path) -> GraphFile:
    log = ReadLog()
    viewpoints = connectivity_of(document, path, log)
    graph = graph_from_viewpoints(viewpoints)
    index = {name: place for place, name in enumerate(graph.nodes)}
    places = [viewpoints.index[name] for name in graph.nodes]
    return GraphFile(
        str(path),
        SCENE,
        viewpoints.positions_m[places],
        tuple((index[edge.from_id], index[edge.to_id]) for edge in graph.edges.values()),
        lambda _: graph,
        tuple(log.warnings),
        tuple(log.findings),
    )
