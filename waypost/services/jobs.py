"""Runs a plain generator on a thread, so that long work can report, be cancelled and fail.

The generator knows no thread: it yields ``Progress`` and returns its result, and a test simply
exhausts it (``domain.progress.exhaust``). It may be cancelled at every ``yield``, where it sees
``GeneratorExit``.
"""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QObject, Qt, QThread, Signal

from waypost.domain.base.errors import Cancelled, WaypostError
from waypost.domain.base.progress import Progress, Work

_log = logging.getLogger(__name__)


class JobState(StrEnum):
    """Where a job stands."""

    PENDING = "pending"
    RUNNING = "running"
    CANCELLED = "cancelled"
    ERROR = "error"
    SUCCESS = "success"

    @property
    def is_final(self) -> bool:
        """Whether the job has ended, one way or the other."""
        return self not in {JobState.PENDING, JobState.RUNNING}


class Job(QObject):
    """One piece of background work; every signal is emitted in the thread that owns the job.

    Exactly one of ``succeeded``, ``failed`` and ``cancelled`` is emitted. A job that was asked
    to stop never succeeds, even when its result was already under way.
    """

    progressed = Signal(object)
    """The newest ``Progress``; older ones the window had no time for are left out."""

    succeeded = Signal(object)
    """What the generator returned."""

    failed = Signal(object)
    """The exception the generator raised."""

    cancelled = Signal()
    state_changed = Signal(object)
    """The new ``JobState``."""

    _news = Signal()

    def __init__(self, title: str, work: Work[Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self.error: Exception | None = None
        self.result: Any = None
        self._state = JobState.PENDING
        self._cancel_asked = threading.Event()
        self._inbox = _Inbox()
        self._thread = _GeneratorThread(work, self._cancel_asked, self._tell, self)
        self._news.connect(self._read_news, Qt.ConnectionType.QueuedConnection)

    @property
    def state(self) -> JobState:
        """Where the job stands."""
        return self._state

    @property
    def is_cancel_asked(self) -> bool:
        """Whether it is to stop; work that waits between two yields asks this from its thread."""
        return self._cancel_asked.is_set()

    def start(self) -> None:
        """Begin the work; a job runs once."""
        if self._state is JobState.PENDING:
            self._set_state(JobState.RUNNING)
            self._thread.start()

    def cancel(self) -> None:
        """Ask the work to stop at its next ``yield``; harmless when it has ended."""
        self._cancel_asked.set()
        if self._state is JobState.PENDING:
            self._thread.drop_work()
            self._set_state(JobState.CANCELLED)
            self.cancelled.emit()
            self._let_go()

    def wait(self, timeout_s: float = 30.0) -> bool:
        """Join the thread and deliver its outcome, without needing an event loop.

        Returns:
            Whether the thread has ended.
        """
        if not self._thread.wait(max(1, round(timeout_s * 1000))):
            return False
        self._read_news()
        return True

    def _let_go(self) -> None:
        """Forget all listeners: they may hold the job, in a cycle that Python cannot see."""
        signals = (
            self.progressed,
            self.succeeded,
            self.failed,
            self.cancelled,
            self.state_changed,
        )
        with warnings.catch_warnings():
            # PySide warns where nobody listens, and has no way to ask.
            warnings.simplefilter("ignore", RuntimeWarning)
            for signal in signals:
                with suppress(RuntimeError):
                    signal.disconnect()
        self._thread.let_go()

    def _tell(self, news: Progress | _Outcome) -> None:
        if self._inbox.put(news):
            self._news.emit()

    def _read_news(self) -> None:
        progress, outcome = self._inbox.take()
        if self._state.is_final:
            return
        if progress is not None:
            self.progressed.emit(progress)
        if outcome is not None:
            # The thread has nothing left to do but return; a destroyed running QThread aborts.
            self._thread.wait()
            self._finish(outcome)

    def _finish(self, outcome: _Outcome) -> None:
        if outcome.error is not None and not isinstance(outcome.error, Cancelled):
            self.error = outcome.error
            self._set_state(JobState.ERROR)
            self.failed.emit(outcome.error)
        elif self._cancel_asked.is_set() or outcome.error is not None:
            self._set_state(JobState.CANCELLED)
            self.cancelled.emit()
        else:
            self.result = outcome.result
            self._set_state(JobState.SUCCESS)
            self.succeeded.emit(outcome.result)
        self._let_go()

    def _set_state(self, state: JobState) -> None:
        self._state = state
        self.state_changed.emit(state)


class JobRunner(QObject):
    """Starts jobs, keeps them alive while they run, and joins every thread at the end."""

    job_started = Signal(object)
    """The ``Job``."""

    job_ended = Signal(object)
    """The ``Job``, in its final state."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: list[Job] = []
        self._is_shut_down = False

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs that have not ended."""
        return tuple(self._jobs)

    def start(self, title: str, work: Work[Any]) -> Job:
        """Run a generator in the background.

        The job is started when control returns to the event loop at the latest; connect to its
        signals right after this call, none is emitted before.

        Raises:
            RuntimeError: After ``shutdown``.
        """
        if self._is_shut_down:
            raise RuntimeError("no job can start while the application ends")
        job = Job(title, work, self)
        self._jobs.append(job)
        job.state_changed.connect(self._forget_ended)
        job.start()
        self.job_started.emit(job)
        return job

    def shutdown(self, timeout_s: float = 10.0) -> tuple[str, ...]:
        """Cancel and join every job; start no more.

        Args:
            timeout_s: For all jobs together.

        Returns:
            Titles of jobs that sat in one long step and could not be joined, also those of runners
            that were shut down before. Leave the process with ``os._exit`` then: a QThread
            destroyed while it runs aborts.
        """
        self._is_shut_down = True
        deadline = time.monotonic() + timeout_s
        pending = self.jobs
        for job in pending:
            job.cancel()
        stuck = [job for job in pending if not job.wait(max(0.0, deadline - time.monotonic()))]
        for job in stuck:
            # They outlive whoever owns this runner.
            job.setParent(None)
        _STUCK[:] = [job for job in (*_STUCK, *stuck) if not job.wait(0.0)]
        return tuple(job.title for job in _STUCK)

    def _forget_ended(self, state: JobState) -> None:
        if not state.is_final:
            return
        for job in [job for job in self._jobs if job.state.is_final]:
            self._jobs.remove(job)
            self.job_ended.emit(job)
            # Not by ``deleteLater``: Qt destroying a job while Python lets go of it crashes.
            job.setParent(None)


_STUCK: list[Job] = []


class _Outcome:
    """How a generator ended."""

    def __init__(self, result: Any = None, error: Exception | None = None) -> None:
        self.result = result
        self.error = error


class _Inbox:
    """The newest progress and the outcome, passed from the thread to the job's owner."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._progress: Progress | None = None
        self._outcome: _Outcome | None = None
        self._is_announced = False

    def put(self, news: Progress | _Outcome) -> bool:
        """Leave news; returns whether the reader must be told."""
        with self._lock:
            if isinstance(news, _Outcome):
                self._outcome = news
            else:
                self._progress = news
            must_tell = not self._is_announced
            self._is_announced = True
            return must_tell

    def take(self) -> tuple[Progress | None, _Outcome | None]:
        """Read and empty."""
        with self._lock:
            news = self._progress, self._outcome
            self._progress = self._outcome = None
            self._is_announced = False
            return news


class _GeneratorThread(QThread):
    """Steps through the generator until it ends or is asked to stop."""

    def __init__(
        self,
        work: Work[Any],
        cancel_asked: threading.Event,
        tell: Callable[[Progress | _Outcome], None],
        parent: QObject,
    ) -> None:
        # It goes with its job: what tells it holds the job, which holds it.
        super().__init__(parent)
        self._work: Work[Any] | None = work
        self._cancel_asked = cancel_asked
        self._tell = tell

    def let_go(self) -> None:
        """Forget whom to tell; the work has ended."""
        self._tell = _tell_nobody

    def drop_work(self) -> None:
        """Close the generator of a job that never started."""
        if self._work is not None:
            self._work.close()
            self._work = None

    def run(self) -> None:
        work, self._work = self._work, None
        if work is None:
            return
        try:
            outcome = self._step_through(work)
        except Exception as error:
            if not isinstance(error, WaypostError):
                _log.debug("a job failed unexpectedly", exc_info=error)
            outcome = _Outcome(error=error)
        self._tell(outcome)

    def _step_through(self, work: Work[Any]) -> _Outcome:
        while not self._cancel_asked.is_set():
            try:
                progress = next(work)
            except StopIteration as stop:
                return _Outcome(result=stop.value)
            self._tell(progress)
        work.close()
        return _Outcome(error=Cancelled("cancelled"))


def _tell_nobody(_news: Progress | _Outcome) -> None:
    pass
