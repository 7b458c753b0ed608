"""What the log of a process tells on standard error: a line per event, nothing that steers it.

Waypost's own warnings are told always, tracebacks and what libraries say only to those who asked
for more (``-v``): a warning of numpy or Pillow is not addressed to whoever opened a file.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final, Self

from waypost.domain.base.visible_text import visible_line

_OWN: Final = "waypost"
_log = logging.getLogger(_OWN)

_UNRAISABLE: Final = "python.unraisable"
"""Log of what Python can only report: an exception in a destructor is of no use to a user."""


class TerminalFormatter(logging.Formatter):
    """Makes one line of each record; lines of a traceback follow, set in.

    Nothing in a record, whatever file it quotes, can make a line that looks like another one.
    """

    is_verbose = False
    """Whether tracebacks follow."""

    def format(self, record: logging.LogRecord) -> str:
        """The text of a record, without a line end at its end."""
        line = visible_line(f"{record.levelname} {record.name}: {record.getMessage()}")
        if not self.is_verbose or not record.exc_info or record.exc_info[1] is None:
            return line
        told = _traceback_lines(traceback.TracebackException(*record.exc_info))
        return "\n".join([line, *(f"    {visible_line(text)}" for text in told)])


class TerminalLog:
    """Hands the log to standard error while it is entered; what was set up before is back after.

    Also takes over what would reach standard error past the log: Python's warnings, exceptions of
    threads, of destructors and of slots of a window.
    """

    def __init__(self) -> None:
        self._formatter = TerminalFormatter()
        self._handler = _StandardErrorHandler()
        self._handler.setFormatter(self._formatter)
        self._handler.addFilter(self._is_told)
        self._before: tuple[Any, ...] = ()

    def __enter__(self) -> Self:
        root = logging.getLogger()
        self._before = (
            root.level,
            warnings.showwarning,
            sys.excepthook,
            threading.excepthook,
            sys.unraisablehook,
        )
        root.addHandler(self._handler)
        root.setLevel(logging.WARNING)
        warnings.showwarning = _log_warning
        sys.excepthook = _log_exception
        threading.excepthook = _log_thread_exception
        sys.unraisablehook = _log_unraisable
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        root = logging.getLogger()
        root.removeHandler(self._handler)
        (level, warnings.showwarning, sys.excepthook, threading.excepthook, sys.unraisablehook) = (
            self._before
        )
        root.setLevel(level)

    @property
    def is_verbose(self) -> bool:
        """Whether everything is told, with tracebacks."""
        return self._formatter.is_verbose

    @is_verbose.setter
    def is_verbose(self, value: bool) -> None:
        self._formatter.is_verbose = value
        logging.getLogger().setLevel(logging.DEBUG if value else logging.WARNING)

    def _is_told(self, record: logging.LogRecord) -> bool:
        return self.is_verbose or record.name.partition(".")[0] == _OWN


class _StandardErrorHandler(logging.StreamHandler[Any]):
    """Writes to what standard error is at that moment; without one (``2>&-``) nothing is told."""

    def emit(self, record: logging.LogRecord) -> None:
        if sys.stderr is not None:
            self.stream = sys.stderr
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """A closed standard error is no reason to stop; there is nowhere to say it."""


def _traceback_lines(found: traceback.TracebackException) -> Iterator[str]:
    """The lines of a traceback, its causes first; what an error says is one of them."""
    before = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    if before is not None:
        yield from _traceback_lines(before)
        yield "which led to"
    for entry in found.stack.format():
        yield from entry.splitlines()
    yield "".join(found.format_exception_only()).rstrip("\n")


def log_worker_process(is_verbose: bool) -> None:
    """The same for a process that was started to help, until it ends.

    Args:
        is_verbose: As the process that started it.
    """
    TerminalLog().__enter__().is_verbose = is_verbose


def _log_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,  # noqa: ARG001 - the signature is Python's
    line: str | None = None,  # noqa: ARG001
) -> None:
    text = f"{filename}:{lineno}: {category.__name__}: {message}"
    logging.getLogger("python.warnings").warning("%s", text)


def _log_exception(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    _log.error(
        "unexpected %s: %s; -v shows where", kind.__name__, error, exc_info=(kind, error, trace)
    )


def _log_thread_exception(found: threading.ExceptHookArgs) -> None:
    error = found.exc_value
    if error is not None and not isinstance(error, SystemExit):
        _log_exception(found.exc_type, error, found.exc_traceback)


def _log_unraisable(found: Any) -> None:
    error = found.exc_value
    logging.getLogger(_UNRAISABLE).warning(
        "%s in %r",
        type(error).__name__,
        found.object,
        exc_info=(type(error), error, found.exc_traceback),
    )
