"""What is wrong with the path of a run, as findings that name episode, step and viewpoints."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.episode.run import EpisodeRun, EventKind
from waypost.domain.episode.step_checks import check_steps
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

START_TOLERANCE_M = 0.5
"""How far a run in space may begin from the start of its episode."""


def check_run(
    episode: Episode | None, run: EpisodeRun, graph: ViewpointGraph | None = None
) -> Iterator[ImportFinding]:
    """Check a path, as far as given against its episode and the graph of its scan.

    Yields:
        Empty path, teleports, wrong start, unknown viewpoint, missing edge, single pose, revisits,
        and decisions that did not move. Scores without a path are no empty path.
    """
    name = run.episode_id
    if run.has_scores_only:
        yield from check_decisions(run)
        return
    if len(run.route) == 0:
        yield ImportFinding(ImportKind.EMPTY_PATH, name, None, "", "the path is empty: no movement")
        yield from check_decisions(run)
        return
    if len(run.route) == 1:
        yield ImportFinding(
            ImportKind.SINGLE_POSE, name, 0, "", "the path has one pose: no movement"
        )
    if run.route.viewpoint_ids:
        yield from _check_viewpoints(episode, run, graph)
    elif run.route.positions_m is not None and episode and episode.start_position_m is not None:
        off = float(np.linalg.norm(run.route.positions_m[0] - episode.start_position_m))
        if off > START_TOLERANCE_M:
            yield ImportFinding(
                ImportKind.WRONG_START,
                name,
                0,
                f"{off:.2f} m",
                f"the run begins {off:.2f} m from the start of the episode",
            )
    yield from check_steps(run)
    yield from check_decisions(run)


def _check_viewpoints(
    episode: Episode | None, run: EpisodeRun, graph: ViewpointGraph | None
) -> Iterator[ImportFinding]:
    name, path = run.episode_id, run.route.viewpoint_ids
    start = episode.start_viewpoint_id if episode else ""
    if start and path[0] != start:
        yield ImportFinding(
            ImportKind.WRONG_START,
            name,
            0,
            f"{path[0]} ≠ {start}",
            f"the run begins at {path[0]}, its episode at {start}",
        )
    seen = {path[0]}
    if graph is not None:
        yield from _unknown(name, 0, path[0], graph)
    for step, (here, there) in enumerate(itertools.pairwise(path), start=1):
        if here == there:
            continue
        if graph is not None:
            yield from _unknown(name, step, there, graph)
            a, b = graph.index.get(here), graph.index.get(there)
            if a is not None and b is not None and b not in graph.neighbours[a]:
                yield ImportFinding(
                    ImportKind.NO_EDGE,
                    name,
                    step,
                    f"{here} → {there}",
                    f"step {step} goes from {here} to {there}, which no edge joins",
                )
        if there in seen:
            yield ImportFinding(
                ImportKind.REVISITED, name, step, there, f"step {step} comes back to {there}"
            )
        seen.add(there)


def _unknown(
    name: str, step: int, viewpoint_id: str, graph: ViewpointGraph
) -> Iterator[ImportFinding]:
    place = graph.index.get(viewpoint_id)
    if place is None:
        yield ImportFinding(
            ImportKind.UNKNOWN_VIEWPOINT,
            name,
            step,
            viewpoint_id,
            f"step {step} names {viewpoint_id}, which {graph.scene_id} does not have",
        )
    elif not graph.is_included[place]:
        yield ImportFinding(
            ImportKind.UNKNOWN_VIEWPOINT,
            name,
            step,
            viewpoint_id,
            f"step {step} names {viewpoint_id}, which {graph.scene_id} excludes",
        )


def check_decisions(run: EpisodeRun) -> Iterator[ImportFinding]:
    """Decisions whose text names no valid move, and texts that belong to no pose."""
    kinds = {
        EventKind.NO_MOVE: ImportKind.NO_MOVE,
        EventKind.UNMATCHED_TEXT: ImportKind.UNMATCHED_TEXT,
    }
    for step, decision in enumerate(run.decisions):
        for event in decision.events:
            if event.kind in kinds:
                yield ImportFinding(
                    kinds[event.kind], run.episode_id, step, decision.action, event.message
                )
