"""Which edges a question needs, in large graphs, against one plain pass of networkx."""

from __future__ import annotations

import time
from collections.abc import Callable

import networkx as nx

from waypost.domain.traverse.needed_moves import needed_moves

NODES, EDGES = 500, 1500
LIMIT_S = 1.0
REPEATS = 3


def run() -> list[dict[str, object]]:
    """Measure.

    Returns:
        Rows with name, value, unit, limit, ratio_to and note.
    """
    side = round(NODES**0.5)
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side))
    graphs = {
        "random": nx.gnm_random_graph(NODES, EDGES, seed=1),
        "grid": grid,
    }
    return [_row(name, nx.relabel_nodes(graph, str)) for name, graph in graphs.items()]


def _row(name: str, graph: nx.Graph[str]) -> dict[str, object]:
    ends = ("0", str(len(graph) // 2))
    ours = _seconds(lambda: needed_moves(graph, ends))
    plain = _seconds(lambda: list(nx.biconnected_component_edges(graph)))
    size = f"{len(graph)} nodes, {graph.number_of_edges()} edges"
    return {
        "name": f"edges that a question needs, {name} graph",
        "value": ours,
        "unit": "s",
        "limit": LIMIT_S,
        "ratio_to": f"{ours / plain:.0f} × one pass of networkx",
        "note": size,
    }


def _seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)
