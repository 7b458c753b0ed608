"""Small files of a run on ``replay_examples.line_graph``: connectivity, annotations, results."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from replay_examples import line_graph

NASTY = "<script>alert('x')</script> & \"quoted\" — हिन्दी مرحبا 🙂"


@dataclass(frozen=True)
class RunFiles:
    """Paths of one written run."""

    annotations: Path
    results: Path
    connectivity: Path

    def options(self) -> list[str]:
        """As on the command line."""
        files = ["--annotations", str(self.annotations)]
        return [str(self.results), *files, "--connectivity", str(self.connectivity)]


def write_run(
    folder: Path, walked: dict[str, str], *, instruction: str = "Walk on.", reference: str = "ABC"
) -> RunFiles:
    """Write an episode 7 with three instructions and runs as letters by id."""
    connectivity = folder / "connectivity"
    connectivity.mkdir()
    (connectivity / "line_connectivity.json").write_text(json.dumps(_connectivity()))
    annotations = folder / "R2R_val.json"
    record = {
        "scan": "line",
        "path_id": 7,
        "path": list(reference),
        "heading": 0.0,
        "distance": 4.0,
        "instructions": [instruction, "Second.", "Third."],
    }
    annotations.write_text(json.dumps([record]), encoding="utf-8")
    results = folder / "model.json"
    runs = [
        {"instr_id": name, "trajectory": [[place, 1.5, 0.0] for place in path]}
        for name, path in walked.items()
    ]
    results.write_text(json.dumps(runs), encoding="utf-8")
    return RunFiles(annotations, results, connectivity)


def _connectivity() -> list[dict[str, Any]]:
    graph = line_graph()
    return [
        {
            "image_id": name,
            "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
            "included": True,
            "visible": [other in graph.neighbours[index] for other in range(6)],
            "unobstructed": [other in graph.neighbours[index] for other in range(6)],
            "height": 1.5,
        }
        for index, (name, (x, y, z)) in enumerate(
            zip(graph.viewpoint_ids, graph.positions_m.tolist(), strict=True)
        )
    ]
