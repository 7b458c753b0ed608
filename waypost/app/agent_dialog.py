"""The dialog in which agents are made, changed and taken out; every change is one undo step."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from waypost.app.workbench import Workbench
from waypost.domain.agent import AgentProfile
from waypost.domain.project import remove_agent, set_agent
from waypost.widgets.agent_editor import AgentEditor
from waypost.widgets.parts import button, label


class AgentDialog(QDialog):
    """Agents of the open project.

    Args:
        bench: What is open.
        parent: Owner.
    """

    def __init__(self, bench: Workbench, parent: QWidget) -> None:
        super().__init__(parent)
        self._bench = bench
        self._opened_count = 0
        self.setWindowTitle("Agents")
        self.resize(860, 620)
        self.editor = AgentEditor()
        self.editor.profile_changed.connect(self._change)
        self.editor.profile_removed.connect(self._remove)
        close = button("Close", role="primary")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(label("Labels of a changed agent become stale.", "muted"), 1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.editor, 1)
        layout.addLayout(foot)
        bench.project_changed.connect(self._fill)
        bench.document_replaced.connect(self._fill)

    def open_at(self, key: str) -> None:
        """Show the dialog at an agent; what is changed until it is closed is one step."""
        self._opened_count += 1
        self.editor.set_agents(self._bench.project.agents, key)
        self.show()
        self.raise_()
        self.activateWindow()

    def _fill(self, *_: object) -> None:
        if self.isVisible():
            self.editor.set_agents(self._bench.project.agents)

    def _change(self, profile: AgentProfile) -> None:
        document = self._bench.document
        if document:
            project = set_agent(document.project, profile)
            document.edit(
                f"Change {profile.name}", project, ("agent", profile.key, self._opened_count)
            )

    def _remove(self, key: str) -> None:
        document = self._bench.document
        if document and key in document.project.agents:
            name = document.project.agents[key].name
            document.edit(f"Remove {name}", remove_agent(document.project, key))
