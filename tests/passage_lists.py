"""What a person does with the queue of passages, and reads of it."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QLineEdit, QTableView

from waypost.annotators.traverse.passage_list import PassageList


def shown_titles(queue: PassageList) -> list[str]:
    """From where to where, row by row."""
    view = queue.findChild(QTableView)
    assert view is not None
    model = view.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def search(queue: PassageList, query: str) -> None:
    """Type into the search field."""
    field = queue.findChild(QLineEdit)
    assert field is not None
    field.setText(query)


def said_words(queue: PassageList) -> list[str]:
    """What stands around the rows: the heading, and how many are decided."""
    return [label.text() for label in queue.findChildren(QLabel)]
