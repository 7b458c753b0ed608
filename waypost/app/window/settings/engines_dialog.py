"""The form of the engines: which one drives, what was found of each, and where its Python is."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from waypost.app.window.settings.engine_extras import EngineExtras
from waypost.app.window.settings.engine_row import EngineRow
from waypost.services.engine.engine_check import search_engines
from waypost.services.jobs import Job, JobRunner
from waypost.services.settings import Settings
from waypost.simulators.engine_search import FoundEngine
from waypost.simulators.engines import CAMERA_ENGINE, ENGINE_KINDS
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.parts import label

_ABOUT = (
    "Labels, takes and measures name the engine that drove. One that runs goes on until it is"
    " started anew: click it in the strip below the window."
)


class EnginesDialog(FormDialog):
    """Asks which engine drives.

    Args:
        settings: As they are.
        jobs: Run the search and the trials.
        parent: Qt owner.
    """

    def __init__(self, settings: Settings, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__("Engines", "Use this", parent)
        self.setMinimumWidth(640)
        self._jobs = jobs
        self._search: Job | None = None
        self.rows = {
            kind.name: EngineRow(kind, settings.python_of(kind.name), jobs)
            for kind in ENGINE_KINDS.values()
        }
        self.extras = EngineExtras(settings, ENGINE_KINDS[CAMERA_ENGINE].title)
        self.rows[CAMERA_ENGINE].add(self.extras)
        self.extras.changed.connect(self._on_extras)
        self._group = QButtonGroup(self)
        layout = QVBoxLayout(self.content)
        layout.setContentsMargins(0, 0, 12, 0)
        layout.addWidget(label(_ABOUT, "muted"))
        for name, row in self.rows.items():
            self._group.addButton(row.choice)
            row.choice.setChecked(name == settings.engine)
            row.python_changed.connect(self.search)
            layout.addWidget(row)
        layout.addStretch(1)
        self.primary.setDefault(True)
        self.primary.clicked.connect(self.accept)
        self.finished.connect(self._stop)
        self._on_extras()
        self.search()

    def changed_of(self, settings: Settings) -> Settings:
        """Settings with what was chosen."""
        engine = next(
            (name for name, row in self.rows.items() if row.choice.isChecked()),
            settings.engine,
        )
        pythons = {name: row.python.path for name, row in self.rows.items() if row.python.path}
        return replace(
            self.extras.put_into(settings),
            engine=engine,
            engine_pythons=MappingProxyType(pythons),
            simulator_python="",
        )

    def search(self) -> None:
        """Look for every engine anew; the newest search counts."""
        if self._search is not None:
            self._search.cancel()
        pythons = {name: row.python.path for name, row in self.rows.items()}
        search = self._jobs.start("Looking for engines", search_engines(pythons))
        search.succeeded.connect(lambda found: self._on_found(search, found))
        self._search = search

    def _on_extras(self) -> None:
        self.primary.setEnabled(not self.extras.problem)
        self.fail(self.extras.problem)
        self.fit()

    def _on_found(self, search: Job, found: tuple[FoundEngine, ...]) -> None:
        if search is not self._search:
            return
        self._search = None
        for one in found:
            self.rows[one.kind.name].show_found(one)
        self.fit()

    def _stop(self) -> None:
        if self._search is not None:
            self._search.cancel()
        for row in self.rows.values():
            row.stop()
