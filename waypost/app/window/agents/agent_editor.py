"""The agents of a project: choose, make, copy, remove; form and drawing beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QVBoxLayout, QWidget

from waypost.app.window.agents.agent_form import AgentForm
from waypost.app.window.agents.agent_preview import AgentPreview
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.services.agent_marks import agent_marks, free_name
from waypost.widgets.parts import button, heading, scroll_panel
from waypost.widgets.row_layouts import FlowRows

NEW_AGENT = AgentProfile(
    key="agent",
    name="New agent",
    shape=BodyShape.BOX,
    width_m=0.6,
    depth_m=0.8,
    height_m=1.2,
    step_limit_m=0.02,
    climbs_stairs=False,
    opens_doors=False,
    operates_elevators=False,
)
"""What a new agent starts from."""


def free_key(wanted: str, taken: Mapping[str, object]) -> str:
    """A key nobody has: the wanted one, or that with the first free number."""
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}_{number}" in taken:
        number += 1
    return f"{wanted}_{number}"


def neighbour_of(key: str, keys: Sequence[str]) -> str:
    """Who is shown once an agent is gone: the next one, after the last the one before."""
    if key not in keys or len(keys) < 2:
        return ""
    at = keys.index(key)
    return keys[at + 1] if at + 1 < len(keys) else keys[at - 1]


class AgentEditor(QWidget):
    """Edits the profiles of a project; holds none but the ones it was given."""

    profile_changed = Signal(object)
    """A new or changed ``AgentProfile``."""

    remove_chosen = Signal(str)
    """Key of the agent that the user wants taken out; see ``remove``."""

    agent_chosen = Signal(str)
    """Key of the agent that is shown now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._agents: dict[str, AgentProfile] = {}
        self._choice = QComboBox()
        self._choice.setAccessibleName("Agent")
        self._choice.activated.connect(self._on_chosen)
        self.form = AgentForm()
        self.form.profile_changed.connect(self._on_changed)
        self.preview = AgentPreview()
        self._new = button("New")
        self._copy = button("Duplicate")
        self._remove = button("Remove")
        self._remove.setToolTip("Its labels stay and become stale; undo brings it back")
        self._new.clicked.connect(lambda: self._add(NEW_AGENT))
        self._copy.clicked.connect(self._duplicate)
        self._remove.clicked.connect(self._on_remove)
        buttons = QWidget()
        row = FlowRows(buttons)
        for made in (self._new, self._copy, self._remove):
            row.addWidget(made)
        content = QWidget()
        self._body = QBoxLayout(QBoxLayout.Direction.TopToBottom, content)
        self._body.setContentsMargins(0, 0, 4, 0)
        self._body.setSpacing(12)
        self._body.addWidget(self.form)
        self._body.addWidget(self.preview, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(heading("AGENT"))
        layout.addWidget(self._choice)
        layout.addWidget(buttons)
        layout.addWidget(scroll_panel(content), 1)

    @property
    def current(self) -> str:
        """Key of the agent shown; empty for none."""
        key = self._choice.currentData()
        return key if isinstance(key, str) else ""

    def set_agents(self, agents: Mapping[str, AgentProfile], current: str = "") -> None:
        """Show the agents of a project.

        Args:
            agents: By key, in the order shown.
            current: The one to show; empty keeps the one shown, else the first.
        """
        wanted = current or self.current
        self._agents = dict(agents)
        self._choice.clear()
        for key, mark in agent_marks(self._agents).items():
            self._choice.addItem(mark.name, key)
        self._choice.setCurrentIndex(max(self._choice.findData(wanted), 0) if agents else -1)
        self._show_current()

    def _show_current(self) -> None:
        profile = self._agents.get(self.current)
        self.form.set_profile(profile)
        self.preview.set_profile(profile, agent_marks(self._agents).get(self.current))
        for made in (self._copy, self._remove):
            made.setEnabled(profile is not None)

    def _on_chosen(self, _index: int) -> None:
        self._show_current()
        self.agent_chosen.emit(self.current)

    def _on_changed(self, profile: AgentProfile) -> None:
        self._agents[profile.key] = profile
        marks = agent_marks(self._agents)
        for place, mark in enumerate(marks.values()):
            self._choice.setItemText(place, mark.name)
        self.preview.set_profile(profile, marks[profile.key])
        self.profile_changed.emit(profile)

    def _add(self, template: AgentProfile) -> None:
        name = free_name(template.name, {other.name for other in self._agents.values()})
        profile = replace(template, key=free_key(template.key, self._agents), name=name)
        self.set_agents({**self._agents, profile.key: profile}, profile.key)
        self.profile_changed.emit(profile)
        self.agent_chosen.emit(profile.key)

    def _duplicate(self) -> None:
        profile = self._agents[self.current]
        self._add(replace(profile, name=f"{profile.name} copy"))

    def _on_remove(self) -> None:
        self.remove_chosen.emit(self.current)

    def remove(self, key: str) -> None:
        """Take an agent out and show its neighbour."""
        neighbour = neighbour_of(key, list(self._agents))
        self.set_agents({k: v for k, v in self._agents.items() if k != key}, neighbour)
        self.agent_chosen.emit(self.current)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put form and drawing beside each other where both have room."""
        super().resizeEvent(event)
        is_wide = self.width() > self.fontMetrics().averageCharWidth() * 40 + 260
        direction = QBoxLayout.Direction
        self._body.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
