"""Places that CapNav's files give by name, as nodes of the graph that an answer is judged by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from waypost.domain.episode.answer_judgement import resolved_path
from waypost.domain.episode.episode import Episode, Goal, GoalObject
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.traverse.places import fitting_nodes


def find_place(place: str, names: Mapping[str, str]) -> str:
    """The id of the node that a question means; empty if none fits.

    In this order: the id before a dash, an id, a name in any case, the first name that contains it.

    Args:
        place: As the question file has it.
        names: Node id → name.

    Source: makeabilitylab/CapNav:annotator/src/pathfinding.js.
    """
    return next(iter(fitting_nodes(place, names)), "")


def with_ends(episode: Episode, names: Mapping[str, str]) -> Episode:
    """A question whose places are names, because no graph stood beside its file, with nodes.

    Places that are nodes already stay, and so does a question of which the graph lacks a place.

    Args:
        episode: With the places in ``extra``, as the file has them.
        names: Node id → name.
    """
    if episode.start_viewpoint_id or episode.goals:
        return episode
    told = episode.extra
    between = told.get("intermediate", ())
    places = [str(place) for place in (told.get("start", ""), *between, told.get("end", ""))]
    start, *later = (find_place(place, names) for place in places)
    if not start or not all(later):
        return episode
    titles = [*places[1:-1], str(told.get("end_detail") or places[-1])]
    goals = tuple(
        Goal(node_id, target=GoalObject(name=title))
        for node_id, title in zip(later, titles, strict=True)
    )
    return replace(
        episode,
        start_viewpoint_id=start,
        goals=goals[-1:],
        stages=goals if len(goals) > 1 else (),
        has_ground_truth=True,
    )


def on_nodes(run: EpisodeRun, names: Mapping[str, str]) -> EpisodeRun:
    """An answer that names its places instead of giving ids, over the nodes it means.

    Nothing changes unless every entry is a node, or the name of one node only.

    Args:
        run: The answer.
        names: Node id → name.
    """
    said = run.route.viewpoint_ids
    path = resolved_path(said, names)
    ids = tuple(node_id for node_id in path if node_id is not None)
    if ids == said or len(ids) < len(said):
        return run
    return replace(run, route=replace(run.route, viewpoint_ids=ids))
