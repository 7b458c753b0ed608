"""The first thing a newcomer sees: where to start."""

from __future__ import annotations

from itertools import pairwise
from pathlib import PurePath

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from waypost.app.shell.project_address import names_apart, place_name, project_place
from waypost.app.window.start.job_pictures import JobPictures
from waypost.domain.base.visible_text import plain_tip
from waypost.widgets.parts import button, frame, heading, label, scroll_panel, set_property

_MAX_RECENT = 6
_RECENT_IN_ROW = 3


class WelcomePage(QWidget):
    """Ways in, the projects of before, and what can be done here."""

    sample_chosen = Signal()
    scene_chosen = Signal()
    project_chosen = Signal()
    run_chosen = Signal()
    recent_chosen = Signal(str)
    """Path of the project."""

    job_chosen = Signal(str)
    """Scope of the workspace in which the sample is to be opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Of its own: what is made later comes behind everything else in the order of the keyboard.
        recent = QWidget()
        self._recent = QGridLayout(recent)
        self._recent.setContentsMargins(0, 0, 0, 0)
        self._recent.setSpacing(2)
        self._recent_heading = heading("RECENT PROJECTS")
        self._recent_buttons: list[QPushButton] = []
        self._last = ""
        self._continue = button("", role="primary")
        self._continue.clicked.connect(lambda: self.recent_chosen.emit(self._last))
        self.sample_button = button("Open the sample", role="primary")
        self.jobs = JobPictures()
        self.jobs.chosen.connect(self.job_chosen)
        card = frame("card")
        body = QVBoxLayout(card)
        body.setContentsMargins(28, 20, 28, 20)
        body.setSpacing(8)
        body.addWidget(label("Waypost", "display"))
        body.addWidget(
            label(
                "Open a house, draw its navigation graph, drive agents through it, and say which "
                "passages each of them can travel.",
                "muted",
            )
        )
        body.addSpacing(6)
        body.addWidget(self._continue)
        body.addLayout(self._ways())
        body.addSpacing(6)
        body.addWidget(self._recent_heading)
        body.addWidget(recent)
        body.addSpacing(6)
        body.addWidget(heading("FIVE JOBS, SHOWN ON THE SAMPLE"))
        body.addWidget(self.jobs)
        card.setMinimumWidth(300)
        card.setMaximumWidth(1180)
        _centre(self, card)
        self.set_recent(())

    def _ways(self) -> QGridLayout:
        """Four buttons, two in a row, each over what it does."""
        rows = (
            (self.sample_button, "A furnished two-storey home with graph and agents", "sample"),
            (button("Open scene …"), "Start a project from .glb, .gltf, .usd, .obj, .ply", "scene"),
            (button("Open project …"), "Go on with a .waypost file", "project"),
            (button("Replay a run …"), "See what a model did, from its file of results", "run"),
        )
        self._ways_in = [made for made, _, _ in rows]
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for place, (made, text, which) in enumerate(rows):
            made.clicked.connect(getattr(self, f"{which}_chosen"))
            column, row = place % 2, 2 * (place // 2)
            grid.addWidget(made, row, column)
            grid.addWidget(label(text, "small"), row + 1, column)
        return grid

    @property
    def first_button(self) -> QPushButton:
        """What most people want next: to go on, or the sample."""
        return self._continue if self._last else self.sample_button

    def _set_last(self, path: str, words: str) -> None:
        """Offer to go on with the project that was open last, if there is one."""
        self._last = path
        self._continue.setText(
            f"Continue: {words or PurePath(place_name(project_place(path))).stem}"
        )
        self._continue.setAccessibleName(self._continue.text())
        self._continue.setToolTip(plain_tip(path))
        self._continue.setVisible(bool(path))
        set_property(self.sample_button, "role", None if path else "primary")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus."""
        pressed = self.focusWidget()
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_enter and isinstance(pressed, QAbstractButton) and not event.isAutoRepeat():
            pressed.click()
            return
        super().keyPressEvent(event)

    def set_recent(self, paths: tuple[str, ...], last_words: str = "") -> None:
        """Show the projects that were open before, newest first.

        Args:
            paths: Of the projects.
            last_words: Where somebody was in the first of them.
        """
        self._set_last(paths[0] if paths else "", last_words)
        for made in self._recent_buttons:
            self._recent.removeWidget(made)
            made.hide()
            made.deleteLater()
        self._recent_buttons = []
        shown = paths[:_MAX_RECENT]
        for place, (path, name) in enumerate(zip(shown, names_apart(shown), strict=True)):
            made = button(name, f"Open {path}", "link")
            made.setToolTip(plain_tip(path))
            made.clicked.connect(lambda _=False, path=path: self.recent_chosen.emit(path))
            self._recent.addWidget(made, *divmod(place, _RECENT_IN_ROW))
            self._recent_buttons.append(made)
        self._recent_heading.setVisible(bool(paths))
        in_order = (self._continue, *self._ways_in, *self._recent_buttons, *self.jobs.buttons)
        for before, after in pairwise(in_order):
            QWidget.setTabOrder(before, after)


def _centre(page: QWidget, card: QFrame) -> None:
    inner = QWidget()
    across = QHBoxLayout()
    across.addStretch(1)
    across.addWidget(card, 24)
    across.addStretch(1)
    down = QVBoxLayout(inner)
    down.addStretch(1)
    down.addLayout(across)
    down.addStretch(1)
    whole = QVBoxLayout(page)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.addWidget(scroll_panel(inner))
