"""Which way each question of a project leads, and which moves of its graph that needs."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterable

from waypost.domain.base.progress import exhaust
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.needed_moves import Move, graph_of, is_joined, needed_moves
from waypost.domain.traverse.places import places_of
from waypost.domain.traverse.questions import QuestionRoute
from waypost.domain.traverse.task import Task


def question_routes(tasks: Iterable[Task], graph: NavigationGraph) -> tuple[QuestionRoute, ...]:
    """Where each question leads along."""
    return exhaust(question_route_steps(tasks, graph))


def question_route_steps(
    tasks: Iterable[Task], graph: NavigationGraph
) -> Generator[None, None, tuple[QuestionRoute, ...]]:
    """``question_routes`` in steps, between which the rest can wait."""
    joined = graph_of(graph)
    known: dict[tuple[str, ...], frozenset[Move]] = {}
    routes: list[QuestionRoute] = []
    for task in tasks:
        yield
        matches = places_of(task, graph)
        ids = tuple(match.node_id for match in matches)
        problem = "; ".join(match.problem for match in matches if match.problem)
        if problem:
            routes.append(QuestionRoute(matches, frozenset(), problem))
            continue
        if ids not in known:
            known[ids] = needed_moves(joined, ids)
        apart = [
            f"nothing joins {a.place} and {b.place}"
            for a, b in itertools.pairwise(matches)
            if not is_joined(joined, a.node_id, b.node_id)
        ]
        routes.append(QuestionRoute(matches, known[ids], "; ".join(apart)))
    return tuple(routes)


def needed_by_questions(tasks: Iterable[Task], routes: Iterable[QuestionRoute]) -> frozenset[Move]:
    """Every move that some question needs which is not hallucinated.

    Args:
        tasks: What is asked.
        routes: Of the same questions.
    """
    asked = (route for task, route in zip(tasks, routes, strict=True) if not task.is_hallucinated)
    return frozenset(move for route in asked for move in route.moves)


def needed_by_questions_steps(
    tasks: Iterable[Task], graph: NavigationGraph
) -> Generator[None, None, frozenset[Move]]:
    """``needed_by_questions`` in steps, between which the rest can wait."""
    asked = tuple(task for task in tasks if not task.is_hallucinated)
    routes = yield from question_route_steps(asked, graph)
    return needed_by_questions(asked, routes)
