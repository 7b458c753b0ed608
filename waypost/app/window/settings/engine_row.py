"""One engine in the settings: whether it drives, what was found of it, its Python, a trial."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from waypost.domain.base.errors import WaypostError
from waypost.domain.base.progress import Progress
from waypost.domain.base.sentences import capitalised
from waypost.domain.base.visible_text import breakable
from waypost.services.engine.engine_check import EngineCheck, check_engine
from waypost.services.jobs import Job, JobRunner
from waypost.simulators.engine_search import FoundEngine
from waypost.simulators.engines import EngineChoice, EngineKind
from waypost.widgets.form_fields import PathField
from waypost.widgets.parts import QuietBar, button, label, set_property

_INDENT_PX = 26
_CHECK, _STOP = "Check", "Stop"
_LOOKING = "Looking for it …"


class EngineRow(QWidget):
    """One engine.

    Args:
        kind: Which.
        python: Its Python as the settings name it; empty where it is looked for.
        jobs: Runs the trial.
    """

    python_changed = Signal()
    """Another Python was named, once the field is left."""

    def __init__(self, kind: EngineKind, python: str, jobs: JobRunner) -> None:
        super().__init__()
        self.kind = kind
        self._jobs = jobs
        self._job: Job | None = None
        self.choice = QRadioButton(kind.title)
        self.choice.setAccessibleName(f"{kind.title} drives")
        self.choice.setEnabled(kind.drives)
        self.state = label(_LOOKING, "muted")
        self.result = label("", "muted")
        self.result.hide()
        self.bar = QuietBar()
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.check = button(_CHECK, f"Check {kind.title}")
        self.check.clicked.connect(self._check_or_stop)
        self.python = PathField(
            f"Python of {kind.title}",
            lambda: QFileDialog.getOpenFileName(self, self._named("Python"), self.python.path)[0],
            "Empty: it is looked for. The file, or the folder that has it.",
            lambda: QFileDialog.getExistingDirectory(self, self._named("Folder"), self.python.path),
        )
        self.python.line.setText(python)
        self.python.line.setPlaceholderText(f"or in {kind.python_variable}")
        self.python.line.editingFinished.connect(self._on_edited)
        self._known_python = python
        self._lay_out()

    @property
    def chosen(self) -> EngineChoice:
        """This engine, in the Python that is named."""
        return EngineChoice(self.kind.name, self.python.path or None)

    def show_found(self, found: FoundEngine) -> None:
        """Say what was found, or why not."""
        python = f"Python {found.python_version}, {found.python}" if found.python else ""
        if found.is_there:
            version = found.version or "of unknown version"
            text = f"Found {version} · {python}"
        else:
            is_name = found.reason.startswith((self.kind.title, found.python or self.kind.title))
            text = f"{found.reason if is_name else capitalised(found.reason)}."
        if self.kind.caution:
            text += f" · {self.kind.caution}" if found.is_there else f" ({self.kind.caution})"
        self._say_state(text, "muted" if found.is_there else "warning")
        is_asked = self.kind.has_own_python or not found.is_there or bool(self.python.path)
        self.python.setVisible(is_asked)

    def add(self, part: QWidget) -> None:
        """Put more below it that is asked of this engine."""
        self._below.addWidget(part)

    def stop(self) -> None:
        """Call off a trial under way; nothing is said of it any more."""
        job, self._job = self._job, None
        if job is not None:
            job.cancel()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.choice, 1)
        head.addWidget(self.check)
        self._below = below = QVBoxLayout()
        below.setContentsMargins(_INDENT_PX, 0, 0, 0)
        below.setSpacing(4)
        for part in (self.state, self.python, self.bar, self.result):
            below.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 8)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addLayout(below)

    def _named(self, what: str) -> str:
        return f"{what} of {self.kind.title}"

    def _on_edited(self) -> None:
        """Forget what is about another Python, and have this one looked for."""
        if self.python.path == self._known_python:
            return
        self._known_python = self.python.path
        self.stop()
        self._end_check()
        self.result.hide()
        self._say_state(_LOOKING, "muted")
        self.python_changed.emit()

    def _check_or_stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            return
        self.check.setText(_STOP)
        self.bar.show_busy()
        self.bar.show()
        self._say(f"Starting {self.kind.title}", "muted")
        self._job = job = self._jobs.start(f"Checking {self.kind.title}", check_engine(self.chosen))
        job.progressed.connect(lambda progress: self._on_progress(job, progress))
        job.succeeded.connect(lambda check: self._on_checked(job, check))
        job.failed.connect(lambda error: self._on_failed(job, error))
        job.cancelled.connect(lambda: self._on_ended(job, "Called off", "muted"))

    def _on_progress(self, job: Job, progress: Progress) -> None:
        if job is self._job:
            self._say(progress.message, "muted")

    def _on_checked(self, job: Job, check: EngineCheck) -> None:
        self._on_ended(job, check.sentence, "good" if check.is_right else "error")

    def _on_failed(self, job: Job, error: Exception) -> None:
        # What nobody foresaw may have no words of its own.
        said = str(error) if isinstance(error, WaypostError) else f"unexpected {error!r}"
        self._on_ended(job, said, "error")

    def _on_ended(self, job: Job, sentence: str, role: str) -> None:
        if job is self._job:
            self._end_check()
            self._say(sentence, role)

    def _end_check(self) -> None:
        self._job = None
        self.check.setText(_CHECK)
        self.bar.hide()

    def _say(self, sentence: str, role: str) -> None:
        self.result.setText(breakable(capitalised(sentence)))
        set_property(self.result, "role", role)
        self.result.show()

    def _say_state(self, sentence: str, role: str) -> None:
        self.state.setText(breakable(sentence))
        set_property(self.state, "role", role)
