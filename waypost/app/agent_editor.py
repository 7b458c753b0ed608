"""The dialog in which agents are made, changed and taken out; every change is one undo step."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from waypost.app.workbench import Workbench
from waypost.domain.agent import AgentProfile
from waypost.domain.project import remove_agent, set_agent
from waypost.widgets.agent_form import AgentForm
from waypost.widgets.parts import button, label

_KEY_ROLE = Qt.ItemDataRole.UserRole


class AgentEditor(QDialog):
    """Agents of the project on the left, the form of the chosen one on the right.

    Args:
        bench: What is open.
        parent: Owner.
    """

    def __init__(self, bench: Workbench, parent: QWidget) -> None:
        super().__init__(parent)
        self._bench = bench
        self.setWindowTitle("Agents")
        self.resize(820, 600)
        self._list = QListWidget()
        self._list.setAccessibleName("Agents of the project")
        self._list.setMaximumWidth(190)
        self._form = AgentForm()
        self._note = label("Labels of a changed agent become stale.", "muted")
        duplicate, remove = button("Duplicate"), button("Remove")
        duplicate.clicked.connect(self._duplicate)
        remove.clicked.connect(self._remove)
        close = button("Close", role="primary")
        close.clicked.connect(self.accept)
        left = QVBoxLayout()
        left.addWidget(self._list, 1)
        row = QHBoxLayout()
        row.addWidget(duplicate)
        row.addWidget(remove)
        left.addLayout(row)
        foot = QHBoxLayout()
        foot.addWidget(self._note, 1)
        foot.addWidget(close)
        right = QVBoxLayout()
        right.addWidget(self._form, 1)
        right.addLayout(foot)
        layout = QHBoxLayout(self)
        layout.addLayout(left)
        layout.addLayout(right, 1)
        self._list.currentItemChanged.connect(self._show_chosen)
        self._form.profile_changed.connect(self._change)
        bench.project_changed.connect(self._fill)
        bench.document_replaced.connect(self._fill)

    def open_with(self, key: str) -> None:
        """Show the dialog at an agent."""
        self._fill()
        self._choose(key)
        self.show()
        self.raise_()

    def _fill(self, *_: object) -> None:
        chosen = self._chosen_key()
        agents = self._bench.project.agents
        shown = [self._list.item(i).data(_KEY_ROLE) for i in range(self._list.count())]
        if shown != list(agents):
            self._list.blockSignals(True)
            self._list.clear()
            for key in agents:
                item = QListWidgetItem()
                item.setData(_KEY_ROLE, key)
                self._list.addItem(item)
            self._list.blockSignals(False)
            self._choose(chosen if chosen in agents else next(iter(agents), ""))
        for i, profile in enumerate(agents.values()):
            self._list.item(i).setText(profile.name)
        self._show_chosen()

    def _choose(self, key: str) -> None:
        for i in range(self._list.count()):
            if self._list.item(i).data(_KEY_ROLE) == key:
                self._list.setCurrentRow(i)

    def _chosen_key(self) -> str:
        item = self._list.currentItem()
        return str(item.data(_KEY_ROLE)) if item else ""

    def _show_chosen(self, *_: object) -> None:
        self._form.set_profile(self._bench.project.agents.get(self._chosen_key()))

    def _change(self, profile: AgentProfile) -> None:
        document = self._bench.document
        if document:
            project = set_agent(document.project, profile)
            document.edit(f"Change {profile.name}", project, ("agent", profile.key))

    def _duplicate(self) -> None:
        document, key = self._bench.document, self._chosen_key()
        if document is None or key not in document.project.agents:
            return
        original = document.project.agents[key]
        number = 2
        while f"{key}_{number}" in document.project.agents:
            number += 1
        copy = replace(original, key=f"{key}_{number}", name=f"{original.name} {number}")
        document.edit(f"Duplicate {original.name}", set_agent(document.project, copy))
        self._choose(copy.key)

    def _remove(self) -> None:
        document, key = self._bench.document, self._chosen_key()
        if document and len(document.project.agents) > 1 and key in document.project.agents:
            name = document.project.agents[key].name
            document.edit(f"Remove {name}", remove_agent(document.project, key))
