"""The first thing a newcomer sees: where to start."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from waypost.domain.base.visible_text import plain_tip
from waypost.widgets.parts import button, frame, heading, label, scroll_panel

_MAX_RECENT = 6


class WelcomePage(QWidget):
    """Four ways in, and the projects of before."""

    sample_chosen = Signal()
    scene_chosen = Signal()
    project_chosen = Signal()
    run_chosen = Signal()
    recent_chosen = Signal(str)
    """Path of the project."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(2)
        self._recent_heading = heading("RECENT PROJECTS")
        self._recent_buttons: list[QPushButton] = []
        self.sample_button = button("Open the sample", role="primary")
        card = frame("card")
        body = QVBoxLayout(card)
        body.setContentsMargins(32, 28, 32, 28)
        body.setSpacing(10)
        body.addWidget(label("Waypost", "display"))
        body.addWidget(
            label(
                "Open a house, draw its navigation graph, drive agents through it, and say which "
                "passages each of them can travel.",
                "muted",
            )
        )
        body.addSpacing(10)
        rows = (
            (self.sample_button, "A furnished two-storey home with graph and agents", "sample"),
            (button("Open scene…"), "Start a project from .glb, .gltf, .usd, .obj, .ply", "scene"),
            (button("Open project…"), "Go on with a .waypost file", "project"),
            (button("Replay a run…"), "See what a model did, from its file of results", "run"),
        )
        for made, text, which in rows:
            made.clicked.connect(getattr(self, f"{which}_chosen"))
            body.addWidget(made)
            body.addWidget(label(text, "small"))
        body.addSpacing(10)
        body.addWidget(self._recent_heading)
        body.addLayout(self._recent)
        card.setMinimumWidth(300)
        card.setMaximumWidth(620)
        _centre(self, card)
        self.set_recent(())

    def set_recent(self, paths: tuple[str, ...]) -> None:
        """Show the projects that were open before, newest first."""
        for made in self._recent_buttons:
            self._recent.removeWidget(made)
            made.hide()
            made.deleteLater()
        self._recent_buttons = []
        for path in paths[:_MAX_RECENT]:
            made = button(PurePath(path).name, f"Open {path}", "link")
            made.setToolTip(plain_tip(path))
            made.clicked.connect(lambda _=False, path=path: self.recent_chosen.emit(path))
            self._recent.addWidget(made)
            self._recent_buttons.append(made)
        self._recent_heading.setVisible(bool(paths))


def _centre(page: QWidget, card: QFrame) -> None:
    inner = QWidget()
    across = QHBoxLayout()
    across.addStretch(1)
    across.addWidget(card, 4)
    across.addStretch(1)
    down = QVBoxLayout(inner)
    down.addStretch(1)
    down.addLayout(across)
    down.addStretch(1)
    whole = QVBoxLayout(page)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.addWidget(scroll_panel(inner))
