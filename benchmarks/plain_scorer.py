"""Scoring as research code does it, NetworkX distances and loops over NumPy, to compare with."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

Distances = dict[str, dict[str, float]]


def all_distances(graph: nx.Graph[str]) -> Distances:
    """Shortest ways between all nodes."""
    return dict(nx.all_pairs_dijkstra_path_length(graph))


def score_r2r(
    graph: nx.Graph[str], distances: Distances, path: list[str], reference: list[str]
) -> dict[str, float]:
    """The official five numbers, with the official checks of start and edges."""
    if path[0] != reference[0]:
        raise ValueError("wrong start")
    for a, b in itertools.pairwise(path):
        if a != b:
            graph[a][b]
    goal = reference[-1]
    nearest = min(path, key=lambda node: distances[node][goal])
    length = float(np.sum([distances[a][b] for a, b in itertools.pairwise(path)]))
    error = distances[path[-1]][goal]
    shortest = distances[reference[0]][goal]
    success = float(error < 3.0)
    return {
        "TL": length,
        "NE": error,
        "OSR": float(distances[nearest][goal] < 3.0),
        "SR": success,
        "SPL": success * shortest / max(length, shortest) if max(length, shortest) else 0.0,
    }


def score_duet(
    graph: nx.Graph[str], distances: Distances, path: list[str], reference: list[str]
) -> dict[str, float]:
    """The same with fidelity on the graph."""
    found = score_r2r(graph, distances, path, reference)
    gt_length = float(np.sum([distances[a][b] for a, b in itertools.pairwise(reference)]))
    found["SPL"] = found["SR"] * gt_length / max(found["TL"], gt_length, 0.01)
    table = np.inf * np.ones((len(path) + 1, len(reference) + 1))
    table[0][0] = 0
    for i in range(1, len(path) + 1):
        for j in range(1, len(reference) + 1):
            best = min(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1])
            table[i][j] = distances[path[i - 1]][reference[j - 1]] + best
    found["nDTW"] = float(np.exp(-table[len(path)][len(reference)] / (3.0 * len(reference))))
    found["SDTW"] = found["SR"] * found["nDTW"]
    coverage = np.mean([np.exp(-np.min([distances[u][v] for v in path]) / 3.0) for u in reference])
    expected = coverage * gt_length
    total = expected + np.abs(expected - found["TL"])
    found["CLS"] = float(coverage * expected / total) if total else 0.0
    return found


def score_space(
    path: NDArray[np.float64], reference: NDArray[np.float64], dimensions: int
) -> dict[str, Any]:
    """Success, SPL and exact DTW over straight lines between points."""
    path, reference = path[:, :dimensions], reference[:, :dimensions]
    length = sum(np.linalg.norm(b - a) for a, b in itertools.pairwise(path))
    shortest = sum(np.linalg.norm(b - a) for a, b in itertools.pairwise(reference))
    error = np.linalg.norm(path[-1] - reference[-1])
    oracle = min(np.linalg.norm(point - reference[-1]) for point in path)
    success = float(error < 3.0)
    table = np.full((len(path) + 1, len(reference) + 1), np.inf)
    table[0, 0] = 0.0
    for i in range(1, len(path) + 1):
        for j in range(1, len(reference) + 1):
            cost = np.linalg.norm(path[i - 1] - reference[j - 1])
            table[i, j] = cost + min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
    return {
        "TL": length,
        "NE": error,
        "OSR": float(oracle < 3.0),
        "SR": success,
        "SPL": success * shortest / max(length, shortest),
        "nDTW": float(np.exp(-table[len(path), len(reference)] / (3.0 * len(reference)))),
    }
