"""Files dragged onto the window from outside: says what dropping them opens, and opens it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QDropEvent, QWindow
from PySide6.QtWidgets import QApplication, QWidget

from waypost.app.replay.spec import REPLAY
from waypost.app.shell.workbench import Workbench
from waypost.app.window.notices import Notices
from waypost.app.window.workspaces import Workspaces
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Work
from waypost.domain.base.visible_text import breakable, one_line
from waypost.services.jobs import Job, JobRunner
from waypost.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from waypost.app.window.drop_outcome import DropOutcome
    from waypost.services.path_kinds import PathKind

_Type = QEvent.Type
_DRAGS: Final = frozenset({_Type.DragEnter, _Type.DragMove, _Type.DragLeave, _Type.Drop})


class FileDrops(QObject):
    """Hears drags of files before the fields of the window, which would take them as text.

    Args:
        window: Takes the drops.
        card: Says during a drag what will happen.
        jobs: Looks at what is dragged.
        is_free: Whether something may be opened now; in a recording nothing shows.
        run_at_hand: Name of the run that is looked at; empty for none.
    """

    chosen = Signal(object)
    """The ``DropOutcome`` of what was dropped."""

    refused = Signal(str)
    """One sentence: why nothing of what was dropped is opened."""

    def __init__(
        self,
        window: QWidget,
        card: EmptyState,
        jobs: JobRunner,
        is_free: Callable[[], bool],
        run_at_hand: Callable[[], str],
    ) -> None:
        super().__init__(window)
        self._window, self.card, self._jobs = window, card, jobs
        self._is_free, self._run_at_hand = is_free, run_at_hand
        self._handle: QWindow | None = None
        self._paths: tuple[Path, ...] = ()
        self._looking: Job | None = None
        self._found: DropOutcome | str | None = None
        self._is_dropped = False
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hear drags at the native window, from when there is one."""
        if watched is self._window:
            if event.type() == _Type.Show and self._handle is not self._window.windowHandle():
                self._handle = self._window.windowHandle()
                self._handle.installEventFilter(self)
            return False
        if event.type() not in _DRAGS:
            return False
        return self._hear(event)

    def _hear(self, event: QEvent) -> bool:
        """Whether a drag is of files, and therefore nobody else's."""
        if not isinstance(event, QDropEvent):
            was_ours = bool(self._paths)
            if not self._is_dropped:
                self._end()
            return was_ours
        paths = _local_paths(event.mimeData())
        if not paths:
            return False
        if not self._is_free() or QApplication.activeModalWidget() is not None:
            self._end()
            event.ignore()
            return True
        # Whatever the other program proposes: the files stay where they are.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if paths != self._paths:
            self._begin(paths)
        if event.type() == _Type.Drop:
            self._is_dropped = True
            self._act()
        return True

    def _begin(self, paths: tuple[Path, ...]) -> None:
        self._end()
        self._paths = paths
        names = paths[0].name if len(paths) == 1 else f"{len(paths)} files"
        self.card.invite(breakable(f"Looking at {one_line(names)} …"))
        job = self._jobs.start(f"Looking at {names}", _looking_at(paths))
        self._looking = job
        job.succeeded.connect(lambda kinds: self._take(job, kinds))
        job.failed.connect(lambda error: self._take(job, error))
        job.cancelled.connect(lambda: self._end() if job is self._looking else None)

    def _take(self, job: Job, found: dict[Path, PathKind] | Exception) -> None:
        if job is not self._looking:
            return
        self._found = outcome = _outcome(found, self._run_at_hand())
        if isinstance(outcome, str):
            self.card.invite("This cannot be opened", breakable(outcome))
        else:
            self.card.invite(breakable(outcome.told), "Let go to do so.")
        self._act()

    def _act(self) -> None:
        """Do what was said, once it is dropped and looked at."""
        found = self._found
        if not self._is_dropped or found is None:
            return
        self._end()
        # The other program waits until the drop was heard; a question would hold it up.
        if isinstance(found, str):
            QTimer.singleShot(0, self, lambda: self.refused.emit(found))
        else:
            QTimer.singleShot(0, self, lambda: self.chosen.emit(found))

    def _end(self) -> None:
        job, self._looking = self._looking, None
        self._paths, self._found, self._is_dropped = (), None, False
        if job is not None:
            job.cancel()
        self.card.invite("")


def _looking_at(paths: tuple[Path, ...]) -> Work[dict[Path, PathKind]]:
    # The job waits for the import of every format, not the window.
    from waypost.app.window.drop_outcome import kinds_of  # noqa: PLC0415

    return (yield from kinds_of(paths))


def _outcome(found: dict[Path, PathKind] | Exception, run_at_hand: str) -> DropOutcome | str:
    """What is to be done, or why nothing is."""
    if isinstance(found, Exception):
        return str(found)
    from waypost.app.window.drop_outcome import drop_outcome  # noqa: PLC0415 - as above

    try:
        return drop_outcome(found, run_at_hand)
    except InputError as error:
        return str(error)


def _local_paths(content: QMimeData) -> tuple[Path, ...]:
    urls = content.urls() if content.hasUrls() else []
    return tuple(dict.fromkeys(Path(url.toLocalFile()) for url in urls if url.isLocalFile()))


def take_drops(
    window: QWidget,
    bench: Workbench,
    workspaces: Workspaces,
    notices: Notices,
    jobs: JobRunner,
    is_free: Callable[[], bool],
) -> FileDrops:
    """Let a window open what is dropped on it, as its menu does.

    Args:
        window: Takes the drops.
        bench: Opens projects and scenes.
        workspaces: Replay among them, which opens runs.
        notices: Tell why nothing is opened.
        jobs: Looks at what is dragged.
        is_free: Whether something may be opened now.
    """

    def run_at_hand() -> str:
        is_shown = workspaces.shown is REPLAY
        chosen = workspaces.of(REPLAY).chosen_runs if is_shown else ()
        return next((name for name in chosen if name in bench.project.replay.sources), "")

    drops = FileDrops(window, EmptyState(window), jobs, is_free, run_at_hand)
    drops.chosen.connect(lambda outcome: _open(bench, workspaces, outcome))
    drops.refused.connect(notices.warn)
    return drops


def _open(bench: Workbench, workspaces: Workspaces, outcome: DropOutcome) -> None:
    before = bench.document

    def go_on(*_: object) -> None:
        # A project that is refused takes no runs; neither does the one that stays open.
        if bench.opening is not None or bench.document is not before:
            _open_rest(workspaces, outcome)

    if outcome.project is None:
        _open_rest(workspaces, outcome)
    else:
        bench.open_path(outcome.project).succeeded.connect(go_on)


def _open_rest(workspaces: Workspaces, outcome: DropOutcome) -> None:
    if outcome.runs:
        workspaces.of(REPLAY).files.open_at_once(*outcome.runs)
    elif outcome.folder is not None:
        workspaces.of(REPLAY).files.open_folder(outcome.folder)
    elif outcome.given is not None:
        workspaces.of(REPLAY).files.give(outcome.given)
