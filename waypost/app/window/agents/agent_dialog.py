"""The dialog in which agents are made, changed and taken out; every change is one undo step."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from waypost.app.shell.workbench import Workbench
from waypost.app.window.agents.agent_editor import AgentEditor, neighbour_of
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.visible_text import breakable
from waypost.domain.project import remove_agent, set_agent
from waypost.domain.traverse.agent import AgentProfile
from waypost.io.agent_files import write_agent
from waypost.services.agent_marks import agent_names
from waypost.widgets.parts import button, label

_STALE = "Labels of a changed agent become stale."


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
        self.editor.remove_chosen.connect(self._ask_removal)
        save = button("Save as file …", "Save the agent as a file for the command line")
        save.clicked.connect(self._ask_file)
        close = button("Close", role="primary")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        self._told = label(_STALE, "muted")
        foot.addWidget(self._told, 1)
        foot.addWidget(save)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.editor, 1)
        layout.addLayout(foot)
        bench.project_changed.connect(self._fill)
        bench.document_replaced.connect(self._fill)

    def open_at(self, key: str) -> None:
        """Show the dialog at an agent; what is changed until it is closed is one step."""
        self._opened_count += 1
        self._told.setText(_STALE)
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
            name = agent_names(project.agents)[profile.key]
            document.edit(f"Change {name}", project, ("agent", profile.key, self._opened_count))

    def _ask_file(self) -> None:
        document = self._bench.document
        profile = document.project.agents.get(self.editor.current) if document else None
        if document is None or profile is None:
            return
        start = str(document.store.root / f"{profile.key}.toml")
        path, _ = QFileDialog.getSaveFileName(self, "Save agent", start, "Agents (*.toml)")
        if not path:
            return
        try:
            write_agent(Path(path), profile)
        except InputError as error:
            self._told.setText(breakable(str(error)))
        else:
            name = agent_names(document.project.agents)[profile.key]
            self._told.setText(breakable(f"{name} is saved in {path}."))

    def _ask_removal(self, key: str) -> None:
        """Take out an agent; one that has labels only after a yes."""
        project = self._bench.project
        count = sum(passage.agent_key == key for passage in project.labels)
        if not count or key not in project.agents:
            self._remove(key)
            return
        box = QMessageBox(self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        name, labels = agent_names(project.agents)[key], counted(count, "label", "labels")
        box.setWindowTitle("Remove an agent")
        box.setText(f"{name} has {labels}. Remove it?")
        box.setInformativeText("They stay in the project and become stale; undo brings it back.")
        remove = box.addButton("Remove it", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("Keep it", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        remove.clicked.connect(lambda: self._remove(key))
        box.open()

    def _remove(self, key: str) -> None:
        document = self._bench.document
        if document and key in document.project.agents:
            name = agent_names(document.project.agents)[key]
            neighbour = neighbour_of(key, list(document.project.agents))
            if self._bench.agent and self._bench.agent.key == key:
                self._bench.choose_agent(neighbour)
            self.editor.remove(key)
            document.edit(f"Remove {name}", remove_agent(document.project, key))
