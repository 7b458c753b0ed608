"""The questions of the benchmark as a list, in step with the graph and the labels."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from waypost.domain.traverse.questions import QuestionRoute
from waypost.domain.traverse.task import Task
from waypost.widgets.grouped_list import GroupedList, ListRow

HALLUCINATED: str = "hallucinated, counted nowhere"
"""Heading of the questions that count nowhere."""


def question_rows(tasks: Sequence[Task], routes: Sequence[QuestionRoute]) -> tuple[ListRow, ...]:
    """Rows of a list of questions, those that count first.

    Args:
        tasks: In order; their index is the key of their row.
        routes: Of the same questions.
    """
    rows = [
        ListRow(
            str(index),
            task.question,
            f"{index + 1}",
            HALLUCINATED if task.is_hallucinated else "",
            "" if task.is_hallucinated else route.problem,
            " → ".join(task.places),
        )
        for index, (task, route) in enumerate(zip(tasks, routes, strict=True))
    ]
    return tuple(sorted(rows, key=lambda row: row.group))


class QuestionList(GroupedList):
    """Questions by number; ``row_activated`` asks to go where one starts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("question", "questions", parent)
