"""Replay: tags of a whole run, scrubbing of long continuous runs, the plan at every step."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from waypost.annotators.replay.replay_drawing import step_drawing
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.map import replay_map
from waypost.domain.replay.output_parts import output_parts
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.tags import find_tags
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.read_log import ReadLog
from waypost.services.replay.run_index import index_run

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "r2r"
POSES = 10_000


def run() -> list[dict[str, Any]]:
    """Rows of both kinds; those on real data only where it is."""
    on_data = [*_on_graphs(), *_index()] if DATA.is_dir() else []
    return [*on_data, *_in_space(), _hostile_parts()]


def _on_graphs() -> list[dict[str, Any]]:
    episodes = {
        e.episode_id: e for e in EPISODE_FORMATS.read(DATA / "R2R_val_unseen.json", ReadLog())
    }
    runs = list(RUN_FORMATS.read(DATA / "val_unseen_wander_agent.json", ReadLog()))
    graphs = {e.scene_id: load_graph(DATA / "connectivity", e.scene_id) for e in episodes.values()}
    started = time.perf_counter()
    replays = []
    for attempt in runs:
        episode = episodes[attempt.episode_id]
        replays.append(build_replay(episode, attempt, graphs[episode.scene_id]))
        find_tags(replays[-1], True)
    tags_s = time.perf_counter() - started
    steps = [_step_ms(replay, step) for replay in replays[:60] for step in range(len(replay))]
    return [
        {
            "name": f"tags of {len(runs):,} episodes",
            "value": tags_s,
            "unit": "s",
            "limit": "< 5 s",
        },
        _step_row("step with plan, R2R", steps),
    ]


def _index() -> list[dict[str, Any]]:
    """The table of the wander agent, read and from the cache, and the replays behind its rows."""
    request = RunSource(
        (DATA / "val_unseen_wander_agent.json",),
        (DATA / "R2R_val_unseen.json",),
        DATA / "connectivity",
    )
    with tempfile.TemporaryDirectory() as folder:
        times_s = []
        for _ in range(2):
            started = time.perf_counter()
            index = exhaust(index_run(request, Path(folder)))
            times_s.append(time.perf_counter() - started)
        loads_ms = []
        for row in index.rows.rows[::20]:
            started = time.perf_counter()
            index.replayed(*row.key)
            loads_ms.append((time.perf_counter() - started) * 1000)
    name = f"table of {len(index.rows):,} episodes with metrics and tags"
    return [
        {"name": name, "value": times_s[0], "unit": "s", "limit": "< 2 s"},
        {"name": f"{name}, from the cache", "value": times_s[1], "unit": "s"},
        {
            "name": "replay behind a row",
            "value": statistics.median(loads_ms),
            "unit": "ms",
            "limit": "< 50 ms",
            "note": f"slowest {max(loads_ms):.1f} ms",
        },
    ]


def _in_space() -> list[dict[str, Any]]:
    rng = np.random.default_rng(5)
    turns = np.cumsum(rng.normal(0, 0.05, POSES))
    steps = np.stack([np.cos(turns), np.sin(turns), np.zeros(POSES)], axis=1) * 0.02
    points = np.cumsum(steps, axis=0)
    episode = Episode(
        "vlnverse-fine",
        "",
        "long",
        "s",
        Instruction("Go."),
        reference=route(positions_m=points[::40]),
        goals=(Goal(position_m=(0.0, 0.0, 0.0)),),
    )
    attempt = EpisodeRun("long", route(positions_m=points))
    started = time.perf_counter()
    replay = build_replay(episode, attempt)
    find_tags(replay, True)
    whole_ms = (time.perf_counter() - started) * 1000
    started = time.perf_counter()
    replay.ndtw_so_far  # noqa: B018 - computed when first asked for
    ndtw_ms = (time.perf_counter() - started) * 1000
    shown = [_step_ms(replay, step) for step in range(0, POSES, 50)]
    step_drawing(replay, POSES - 1)
    drawn = [_drawing_ms(replay, step) for step in range(0, POSES, 500)]
    return [
        {"name": f"replay and tags, {POSES:,} poses", "value": whole_ms, "unit": "ms"},
        {
            "name": f"nDTW at each of {POSES:,} poses, 250 reference points",
            "value": ndtw_ms,
            "unit": "ms",
        },
        _step_row(f"step with plan, {POSES:,} poses", shown),
        _step_row(f"step drawn in 3D, {POSES:,} poses", drawn),
    ]


def _hostile_parts() -> dict[str, Any]:
    """Answers of models that repeat one heading, mark or bracket without end."""
    texts = ("<Think>" * 100_000, "Thought: a\n" * 90_000, "\n*" * 500_000, "{" * 190_000)
    started = time.perf_counter()
    for text in texts:
        output_parts(text)
    took_s = time.perf_counter() - started
    return {"name": "parts of four endless answers", "value": took_s, "unit": "s", "limit": "< 5 s"}


def _drawing_ms(replay: Replay, step: int) -> float:
    started = time.perf_counter()
    step_drawing(replay, step)
    return (time.perf_counter() - started) * 1000


def _step_ms(replay: Replay, step: int) -> float:
    started = time.perf_counter()
    replay.step(step)
    replay_map(replay, step)
    return (time.perf_counter() - started) * 1000


def _step_row(name: str, times_ms: list[float]) -> dict[str, Any]:
    worst = sorted(times_ms)[int(0.99 * len(times_ms))]
    return {
        "name": name,
        "value": statistics.median(times_ms),
        "unit": "ms",
        "limit": "< 16 ms",
        "note": f"99 % within {worst:.1f} ms",
    }
