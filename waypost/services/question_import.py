"""Takes the questions of a file into a project."""

from __future__ import annotations

from dataclasses import replace

from waypost.domain.project import Project
from waypost.io.datasets.capnav_tasks import CapnavTasks
from waypost.io.labels.capnav_hallucinated import listed_as_hallucinated, with_hallucinated


def with_questions(project: Project, found: CapnavTasks, *, is_added: bool) -> Project:
    """The project with the questions of a file, in place of its own or behind them.

    Those that the project's traverse file lists as hallucinated are marked. What is remembered of
    a file is that of the first one.

    Args:
        project: The project.
        found: What the file holds.
        is_added: Whether the questions that are there stay, in front.
    """
    new = with_hallucinated(found.tasks, listed_as_hallucinated(project.graph.extra))
    if is_added and project.tasks:
        return replace(project, tasks=(*project.tasks, *new))
    return replace(project, tasks=new, graph=replace(project.graph, extra=found.extra))
