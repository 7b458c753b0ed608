"""Pictures of the five jobs on the start page; each opens the sample where that job is done."""

from __future__ import annotations

from importlib import resources
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from waypost.widgets.parts import label

_JOBS: Final = (
    ("graph", "Draw", "Nodes and edges of a house"),
    ("traverse", "Drive and label", "Who can travel which passage"),
    ("record", "Record", "People who follow instructions"),
    ("score", "Score", "Instructions, by a rubric"),
    ("replay", "Replay", "What a model did, step by step"),
)
"""Scope of the workspace, what the job is called, and what it is about."""

_PICTURE: Final = QSize(192, 108)


class JobPictures(QWidget):
    """Five pictures side by side, each over the name of a job and a line about it."""

    chosen = Signal(str)
    """Scope of the workspace of the job."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: list[QToolButton] = []
        """From the left to the right."""

        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        for scope, name, words in _JOBS:
            row.addLayout(self._column(scope, name, words), 1)

    def _column(self, scope: str, name: str, words: str) -> QVBoxLayout:
        made = QToolButton()
        made.setIcon(QIcon(_picture(scope)))
        made.setIconSize(_PICTURE)
        made.setAccessibleName(f"{name}: {words}")
        made.setToolTip(f"Open the sample in {scope.title()}")
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        made.clicked.connect(lambda: self.chosen.emit(scope))
        self.buttons.append(made)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(made)
        column.addWidget(label(name))
        column.addWidget(label(words, "small"))
        column.addStretch(1)
        return column


def _picture(scope: str) -> QPixmap:
    """The shipped picture of a job."""
    data = (resources.files("waypost.resources") / "jobs" / f"{scope}.jpg").read_bytes()
    found = QPixmap()
    found.loadFromData(data)
    return found
