"""A small set in the layout of RxR on ``replay_examples.line_graph``, and one of RxR-Habitat."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from replay_examples import line_graph
from replay_files import RunFiles, write_run

TEXT = "Leave the room, and walk past the sofa. Stop at the lamp."
TIMED: tuple[tuple[str, float | None], ...] = (
    ("Leave", 0.4), ("the", 0.7), ("room,", 0.9), ("and", None),
    ("walk", 3.1), ("past", 3.5), ("the", None), ("sofa.", 4.0),
    ("Stop", 7.2), ("at", 7.6), ("the", 7.8), ("lamp.", 8.0),
)  # fmt: skip
"""Each word and when it began; two have no times."""

WALK: tuple[tuple[str, float], ...] = (
    ("A", 0.117), ("A", 0.204), ("A", 1.9), ("B", 2.75), ("B", 2.81), ("B", 5.5),
    ("C", 6.01), ("C", 9.3),
)  # fmt: skip
"""Viewpoint and moment of each snapshot, in irregular steps."""


def write_trace(path: Path, walk: Sequence[tuple[str, float]] = WALK, **changes: Any) -> Path:
    """A pose trace with cameras at the viewpoints, looking along +Y of the scene."""
    graph = line_graph()
    points = dict(zip(graph.viewpoint_ids, graph.positions_m.tolist(), strict=True))
    matrices = []
    for name, _ in walk:
        x, y, z = points.get(name, (50.0, 0.0, 1.5))
        matrices.append([1, 0, 0, x, 0, 1, 0, z, 0, 0, 1, -y, 0, 0, 0, 1])
    arrays: dict[str, Any] = {
        "pano": np.array([[name] for name, _ in walk]),
        "time": np.array([[second] for _, second in walk], dtype=np.float32),
        "extrinsic_matrix": np.array(matrices, dtype=np.float32),
        "image_mask": np.zeros((3, 8, 16), dtype=bool),
        **changes,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **arrays)
    return path


def timed_instruction() -> list[dict[str, Any]]:
    """``TIMED`` as both data sets write it."""
    return [{"word": word} if start_s is None else _word(word, start_s) for word, start_s in TIMED]


def _word(word: str, start_s: float) -> dict[str, Any]:
    return {"word": word, "start_time": start_s, "end_time": start_s + 0.2}


def write_rxr(folder: Path, walked: str = "AABUBC") -> RunFiles:
    """Guide annotations 26 and 27, followers' walks as runs, graphs; without pose traces."""
    folder.mkdir(parents=True, exist_ok=True)
    connectivity = write_run(folder, {}).connectivity
    for name in ("R2R_val.json", "model.json"):
        (folder / name).unlink()
    guide: dict[str, Any] = {
        "split": "val_unseen",
        "instruction_id": 26,
        "annotator_id": 19,
        "language": "en-US",
        "path_id": 11,
        "scan": "line",
        "path": list("ABC"),
        "heading": 0.0,
        "instruction": TEXT,
        "timed_instruction": timed_instruction(),
        "edit_distance": 0.1,
    }
    annotations = folder / "rxr_val_unseen_guide.jsonl.gz"
    guides = [guide, {**guide, "instruction_id": 27, "language": "en-IN"}]
    annotations.write_bytes(gzip.compress("\n".join(map(json.dumps, guides)).encode()))
    results = folder / "rxr_val_unseen_follower.jsonl"
    runs = [
        {"demonstration_id": number + 5, "instruction_id": number, "path": list(walked)}
        for number in (26, 27)
    ]
    results.write_text("\n".join(map(json.dumps, runs)))
    return RunFiles(annotations, results, connectivity)


def write_rxr_habitat(folder: Path) -> tuple[Path, Path]:
    """RxR-Habitat annotations and predictions of the same walk, on the floor 1.5 m below."""
    annotations = folder / "val_unseen" / "val_unseen_guide.json.gz"
    annotations.parent.mkdir(parents=True)
    episode = {
        "episode_id": "1",
        "trajectory_id": "17",
        "scene_id": "mp3d/line/line.glb",
        "start_position": [0.0, 0.0, 0.0],
        "start_rotation": [0.0, 0.0, 0.0, 1.0],
        "info": {"geodesic_distance": 4.0},
        "goals": [{"position": [4.0, 0.0, 0.0], "radius": 3.0}],
        "instruction": {
            "instruction_id": "26",
            "instruction_text": TEXT,
            "language": "en-US",
            "annotator_id": "19",
            "edit_distance": 0.1,
            "timed_instruction": timed_instruction(),
        },
        "reference_path": [[0.0, 0.0, 0.0], [2.2, 0.0, 0.0], [4.0, 0.0, 0.1]],
    }
    annotations.write_bytes(gzip.compress(json.dumps({"episodes": [episode]}).encode()))
    results = folder / "predictions.jsonl"
    path = [[0.0, 0.0, 0.0], [0.9, 0.0, 0.0], [1.6, 0.0, 0.1], [3.9, 0.0, 0.0], [3.9, 0.0, 6.0]]
    results.write_text(json.dumps({"instruction_id": 26, "path": path}) + "\n")
    return annotations, results
