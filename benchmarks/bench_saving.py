"""What it costs to save one moved node of a large graph."""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from waypost.domain.project import Project
from waypost.domain.scene.graph import Node, build_graph, move_nodes
from waypost.store.project_store import ProjectStore

NODES = 5000
SAVES = 31
_LIMIT_MS = 10.0


def run() -> list[dict[str, Any]]:
    """Work of the process for one save, and how long it takes by the clock."""
    nodes = [Node(f"node_{i}", f"Place {i}", (i * 1.0, 0.0, 0.0)) for i in range(NODES)]
    project = Project(graph=build_graph(nodes, []))
    work_ms, wall_ms = [], []
    with tempfile.TemporaryDirectory() as folder:
        store = ProjectStore.create(Path(folder) / "big.waypost", project, "bench")
        for i in range(SAVES):
            moved = move_nodes(project.graph, {f"node_{i * 150}": (0.0, i * 1.0, 0.0)})
            after = replace(project, graph=moved)
            begin = time.process_time(), time.perf_counter()
            store.save(project, after, "bench", "Move node")
            work_ms.append((time.process_time() - begin[0]) * 1000)
            wall_ms.append((time.perf_counter() - begin[1]) * 1000)
            project = after
        store.close()
    value = statistics.median(work_ms)
    return [
        {
            "name": f"saving one moved node of {NODES:,}",
            "value": value,
            "unit": "ms",
            "limit": f"< {_LIMIT_MS:.0f} ms",
            "ratio_to": f"{value / _LIMIT_MS:.2f} of the limit",
            "note": f"work of the process; {statistics.median(wall_ms):.1f} ms by the clock",
        }
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
