"""Episodes per second and core of each profile, memory of many episodes, two processes.

``WAYPOST_BENCH_EPISODES=1000000`` adds a run of that many; it takes minutes.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import networkx as nx
import numpy as np

from benchmarks import plain_scorer
from waypost.domain.episode.episode import Episode, Goal, GoalObject, Instruction
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.run import Answer, EpisodeRun, RunEnd
from waypost.domain.episode.run_source import RunSource
from waypost.domain.scene.viewpoint_graph import ViewpointGraph, build_viewpoint_graph
from waypost.metrics.profile import Profile, Scenery
from waypost.metrics.registry import PROFILES
from waypost.metrics.scoring import score_episode
from waypost.metrics.space_case import straight_line

SEED = 7
SIDE = 10
GRAPH_EPISODES = 2000
DENSE_POINTS = 500
DENSE_EPISODES = 40
PLAIN_DENSE_EPISODES = 2
MANY_EPISODES = int(os.environ.get("WAYPOST_BENCH_EPISODES", "0"))
POOL_EPISODES = 60_000
POOL_BUCKET_BYTES = 2_000_000
DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "r2r"
COMMAND_LIMIT_S = 2.0


def run() -> list[dict[str, object]]:
    """Measure.

    Returns:
        Rows with name, value, unit, limit, ratio_to and note.
    """
    return [*_graph_rows(), *_dense_rows(), *_scale_rows(), *_command_rows()]


def _row(name: str, value: float, unit: str, ratio_to: str | None, note: str) -> dict[str, object]:
    return {
        "name": name, "value": value, "unit": unit, "limit": None, "ratio_to": ratio_to,
        "note": note,
    }  # fmt: skip


def _rate(work: Callable[[], None], count: int) -> float:
    """Items per second, the best of three."""
    best = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begin)
    return count / best


def _grid() -> ViewpointGraph:
    places = [(x, y) for x in range(SIDE) for y in range(SIDE)]
    positions = np.array([(2.2 * x, 2.2 * y, 1.5) for x, y in places])
    gaps = np.abs(positions[:, None] - positions[None]).sum(axis=2)
    ids = tuple(f"{i:032x}" for i in range(len(places)))
    return build_viewpoint_graph("grid", ids, positions, (gaps > 0) & (gaps < 2.5))


def _graph_inputs(graph: ViewpointGraph) -> list[tuple[Episode, EpisodeRun]]:
    generator = random.Random(SEED)
    inputs = []
    for number in range(GRAPH_EPISODES):
        start, end = generator.sample(graph.viewpoint_ids, 2)
        reference = graph.path_between(start, end)
        place, walked = graph.index[start], [start]
        for _ in range(generator.randint(4, 12)):
            place = generator.choice(sorted(graph.neighbours[place]))
            walked.append(graph.viewpoint_ids[place])
        outline = MappingProxyType({end: ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))})
        target = GoalObject("1", visible_from=frozenset({end}), polygons_rad=outline)
        inputs.append(
            (
                Episode(
                    "bench", "", str(number), "grid", Instruction(""), Route(reference),
                    (Goal(end, target=target),), start,
                ),
                EpisodeRun(
                    str(number), Route(tuple(walked)), answer=Answer("1", 0.5, 0.2),
                    map_node_ids=tuple(walked),
                ),
            )
        )  # fmt: skip
    return inputs


def _graph_rows() -> list[dict[str, object]]:
    graph = _grid()
    inputs = _graph_inputs(graph)
    plain_graph: nx.Graph[str] = nx.Graph()
    for i, neighbours in enumerate(graph.neighbours):
        for j in neighbours:
            ends = graph.viewpoint_ids[i], graph.viewpoint_ids[j]
            plain_graph.add_edge(*ends, weight=float(graph.edge_lengths_m[i, j]))
    distances = plain_scorer.all_distances(plain_graph)
    paths = [
        (list(run.route.viewpoint_ids), list(episode.reference.viewpoint_ids))
        for episode, run in inputs
    ]

    def plain(score: Callable[[Any, Any, list[str], list[str]], dict[str, float]]) -> float:
        def work() -> None:
            for path, reference in paths:
                score(plain_graph, distances, path, reference)

        return _rate(work, len(paths))

    plain_duet = plain(plain_scorer.score_duet)
    plain_r2r = plain(plain_scorer.score_r2r)
    rows = [
        _row("plain scorer, R2R five numbers", plain_r2r, "episodes/s", None,
             "NetworkX distances ready, dictionaries, one core"),
        _row("plain scorer, DUET with nDTW, CLS", plain_duet, "episodes/s", None, "the same"),
    ]  # fmt: skip
    scenery = Scenery(graph)
    official = replace(PROFILES["r2r"], metrics=PROFILES["r2r"].metrics[:5])
    rate = _scoring_rate(official, inputs, scenery)
    rows.append(
        _row("profile r2r, its five official numbers", rate, "episodes/s",
             f"{rate / plain_r2r:.1f}× plain R2R", "edges and start checked, one core")
    )  # fmt: skip
    for key in ("r2r", "duet", "r4r", "reverie", "soon", "cvdn", "navbench", "msnav"):
        rate = _scoring_rate(PROFILES[key], inputs, scenery)
        against = f"{rate / plain_duet:.1f}× plain DUET" if key in {"r2r", "duet", "r4r"} else None
        rows.append(_row(f"profile {key}", rate, "episodes/s", against, "all its scores, one core"))
    return rows


def _scoring_rate(
    profile: Profile, inputs: list[tuple[Episode, EpisodeRun]], scenery: Scenery
) -> float:

    def work() -> None:
        for episode, done in inputs:
            score_episode(profile, episode, done, scenery)

    return _rate(work, len(inputs))


def _dense_inputs() -> list[tuple[Episode, EpisodeRun]]:
    generator = np.random.default_rng(SEED)
    inputs = []
    for number in range(DENSE_EPISODES):
        steps = generator.normal(0.2, 0.15, (2, DENSE_POINTS, 3)) * (1, 1, 0.02)
        expert = np.cumsum(steps[0], axis=0)
        dense, walked = route(positions_m=expert), route(positions_m=np.cumsum(steps[1], axis=0))
        x, y, z = expert[-1].tolist()
        inputs.append(
            (
                Episode(
                    "bench", "", str(number), "hall", Instruction(""), dense,
                    (Goal(position_m=(x, y, z)),), geodesic_m=100.0, dense_reference_m=dense,
                ),
                EpisodeRun(str(number), walked, end=RunEnd(called_stop=True)),
            )
        )  # fmt: skip
    return inputs


def _dense_rows() -> list[dict[str, object]]:
    inputs = _dense_inputs()
    size = f"{DENSE_POINTS} × {DENSE_POINTS} points"
    plain: dict[int, float] = {}
    rows = []
    for dimensions in (3, 2):
        begin = time.perf_counter()
        for episode, done in inputs[:PLAIN_DENSE_EPISODES]:
            walked, expert = done.route.positions_m, episode.reference.positions_m
            if walked is not None and expert is not None:
                plain_scorer.score_space(walked, expert, dimensions)
        plain[dimensions] = PLAIN_DENSE_EPISODES / (time.perf_counter() - begin)
        rows.append(
            _row(f"plain scorer, {dimensions}-D DTW", plain[dimensions], "episodes/s", None, size)
        )
    scenery = Scenery(goal_distance=straight_line)
    for key, dimensions in {
        "vlnce": 3, "open-nav": 3, "vln-pe": 2, "vlnverse": 2, "vlnverse-human": 2,
    }.items():  # fmt: skip
        rate = _scoring_rate(PROFILES[key], inputs, scenery)
        times = f"{rate / plain[dimensions]:.0f}× plain DTW"
        rows.append(_row(f"profile {key}", rate, "episodes/s", times, size))
    return rows


def _scale_rows() -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory(prefix="waypost-bench-") as folder:
        root = Path(folder)
        graph = _grid()
        _write_scan(root, graph)
        rows = _pool_rows(root, graph)
        if MANY_EPISODES:
            _write_inputs(root, graph, MANY_EPISODES)
            seconds, peak_mb = _evaluate(root, workers=1)
            rows += _reading_rows(MANY_EPISODES, seconds, peak_mb)
    return rows


def _reading_rows(count: int, seconds: float, peak_mb: float) -> list[dict[str, object]]:
    return [
        _row(f"memory at {count:,} episodes", peak_mb, "MB", None,
             "profile r2r, reading included, one process"),
        _row(f"reading and scoring {count:,} episodes", count / seconds, "episodes/s", None,
             "profile r2r, Parquet written, one process"),
    ]  # fmt: skip


def _pool_rows(root: Path, graph: ViewpointGraph) -> list[dict[str, object]]:
    """One process and two take turns, the better of two runs of each counts.

    Beside them stands what two busy loops gain, which is 2 only where two cores are idle.
    """
    _write_inputs(root, graph, POOL_EPISODES)
    runs: dict[int, list[float]] = {1: [], 2: []}
    peak_mb = 0.0
    loops: dict[int, list[float]] = {1: [], 2: []}
    for workers in (1, 2, 1, 2):
        loops[workers].append(_busy_s(workers))
        seconds, peak = _evaluate(root, workers, POOL_BUCKET_BYTES)
        runs[workers].append(seconds)
        peak_mb = max(peak_mb, peak if workers == 1 else 0.0)
    one, two = min(runs[1]), min(runs[2])
    note = f"{POOL_EPISODES:,} episodes, {os.cpu_count()} cores here; start of processes included"
    return [
        *_reading_rows(POOL_EPISODES, one, peak_mb),
        _row("speed-up on 2 processes", one / two, "×", None, note),
        _row(
            "speed-up of two busy loops",
            2 * min(loops[1]) / min(loops[2]),
            "×",
            None,
            "what this machine had to give in the same minute",
        ),
    ]


def _busy_s(count: int) -> float:
    """Seconds that so many counting loops take side by side, each in a process of its own."""
    command = [sys.executable, "-c", "for _ in range(20_000_000): pass"]
    begin = time.perf_counter()
    loops = [subprocess.Popen(command) for _ in range(count)]
    for loop in loops:
        loop.wait()
    return time.perf_counter() - begin


def _write_scan(root: Path, graph: ViewpointGraph) -> None:
    folder = root / "connectivity"
    folder.mkdir()
    entries = [
        {
            "image_id": name, "included": True, "height": 1.5,
            "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
            "visible": [j in near for j in range(len(graph.neighbours))],
            "unobstructed": [j in near for j in range(len(graph.neighbours))],
        }
        for name, (x, y, z), near in zip(
            graph.viewpoint_ids, graph.positions_m.tolist(), graph.neighbours, strict=True
        )
    ]  # fmt: skip
    (folder / "grid_connectivity.json").write_text(json.dumps(entries))


def _write_inputs(root: Path, graph: ViewpointGraph, count: int) -> None:
    inputs = [
        (list(e.reference.viewpoint_ids), [[name, 0.0, 0.0] for name in r.route.viewpoint_ids])
        for e, r in _graph_inputs(graph)
    ]
    with (root / "R2R_train.json").open("w") as episodes, (root / "run.json").open("w") as runs:
        for number in range(count):
            reference, walked = inputs[number % len(inputs)]
            mark = "[" if number == 0 else ","
            record = {
                "distance": 4.0, "scan": "grid", "path_id": number, "path": reference,
                "heading": 0.0, "instructions": ["Walk to the end of the hall and stop."],
            }  # fmt: skip
            episodes.write(mark + json.dumps(record))
            result = {"instr_id": f"{number}_0", "trajectory": walked}
            runs.write(mark + json.dumps(result))
        episodes.write("]")
        runs.write("]")


def _command_rows() -> list[dict[str, object]]:
    """The command as people give it, the better of two; nothing where the data are absent."""
    if not DATA.is_dir():
        return []
    results = (DATA / f"val_unseen_{kind}_agent.json" for kind in ("shortest", "wander"))
    command = [
        sys.executable, "-m", "waypost.app.main", "evaluate", "--profile", "r2r", "--json",
        "--annotations", str(DATA / "R2R_val_unseen.json"),
        "--connectivity", str(DATA / "connectivity"), "--results", *map(str, results),
    ]  # fmt: skip
    times_s = []
    worked_s = _children_s()
    for _ in range(2):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times_s.append(time.perf_counter() - begin)
    worked_s = (_children_s() - worked_s) / len(times_s)
    value = min(times_s)
    note = f"profile r2r, start-up included, {worked_s:.1f} s of work on any core"
    row = _row(
        "waypost evaluate, two runs of 2,349 episodes", value, "s",
        f"{value / COMMAND_LIMIT_S:.2f} of the limit", note,
    )  # fmt: skip
    return [{**row, "limit": f"< {COMMAND_LIMIT_S:.0f} s"}]


def _children_s() -> float:
    """Seconds of a core that ended processes of this one have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


_CHILD = """
import sys, time
from pathlib import Path
from benchmarks.bench_metrics import evaluate_here
evaluate_here(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
"""


def _evaluate(root: Path, workers: int, bucket_bytes: int = 0) -> tuple[float, float]:
    """Seconds and peak resident megabytes of one evaluation in a process of its own."""
    command = [sys.executable, "-c", _CHILD, str(root), str(workers), str(bucket_bytes)]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, kilobytes = result.stdout.split()
    return float(seconds), float(kilobytes) / 1024


def evaluate_here(root: Path, workers: int, bucket_bytes: int) -> None:
    """Evaluate the inputs of a folder and print seconds and peak kilobytes."""
    from waypost.services.evaluation import buckets  # noqa: PLC0415
    from waypost.services.evaluation.evaluate import (  # noqa: PLC0415
        EvaluationOptions,
        evaluate,
    )

    if bucket_bytes:
        buckets.IN_MEMORY_BYTES = 0
        buckets.BUCKET_BYTES = bucket_bytes
    begin = time.perf_counter()
    source = RunSource(
        (root / "run.json",), (root / "R2R_train.json",), root / "connectivity", profile_key="r2r"
    )
    options = EvaluationOptions(workers=workers, per_episode=root / "scores.parquet", scratch=root)
    for _ in evaluate(source, options):
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(time.perf_counter() - begin, peak)
