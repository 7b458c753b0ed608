"""The critical spot of the passage at hand: a picture from above, and the way to it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from waypost.services.agent_marks import AgentMark
from waypost.viewers.map.spot_plan import SpotPlan
from waypost.viewers.map.spot_view import SpotView
from waypost.widgets.parts import button, heading


class SpotCard(QWidget):
    """Hidden while nothing is critical; an empty frame while the picture is being made."""

    chosen = Signal()
    """The camera is to go to the spot."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = SpotView()
        self._go = button("", "Show the spot in the scene", "link")
        self._go.clicked.connect(self.chosen)
        self.view.chosen.connect(self.chosen)
        top = QHBoxLayout()
        title = heading("CRITICAL SPOT")
        title.setWordWrap(False)
        top.addWidget(title, 1)
        top.addWidget(self._go)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(top)
        layout.addWidget(self.view)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.set_key("")
        self.hide()

    def set_key(self, key: str) -> None:
        """Write another key on the link."""
        self._go.setText(f"Show it  {key}".rstrip())

    def show_spot(
        self, spot: SpotPlan | None, words: str = "", mark: AgentMark | None = None
    ) -> None:
        """Show a spot, or an empty frame; see ``SpotView.set_spot``."""
        self.view.set_spot(spot, words, mark)
        self.show()
