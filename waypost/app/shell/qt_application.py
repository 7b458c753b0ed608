"""Makes the one Qt application of a process, whose thread alone collects reference cycles.

What Qt and vispy say goes into the log, instead of past it to standard error.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Generator, Sequence
from typing import Final, TypeVar

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from waypost.app.terminal.messages import say_error
from waypost.domain.base.progress import Progress
from waypost.services.cycle_collector import collect_in_qt_thread, collector_of

T = TypeVar("T")

_log = logging.getLogger("qt")

_LEVELS: Final = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
}


def the_qt_application(arguments: Sequence[str]) -> tuple[QApplication, bool]:
    """The application there is, else a new one.

    Args:
        arguments: Of the command line, for Qt.

    Returns:
        The application, and whether it is new.
    """
    there = QApplication.instance()
    if there is not None:
        if not isinstance(there, QApplication):
            raise TypeError("this process has a Qt application without windows")
        return there, False
    _log_qt_messages()
    made = QApplication([*arguments])
    collect_in_qt_thread(made)
    return made, True


def collecting(work: Generator[Progress, None, T]) -> Generator[Progress, None, T]:
    """Let cycles be collected wherever work yields; for a process whose event loop does not run."""
    try:
        while True:
            progress = next(work)
            collect_between()
            yield progress
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        work.close()


def collect_between() -> None:
    """Let cycles be collected here, where no event loop runs."""
    collector = collector_of(QApplication.instance())
    if collector is not None:
        collector.take_turn()


def _log_qt_messages() -> None:
    """Have Qt and vispy tell their messages to the log, until the process ends.

    What ends the process (the display cannot be reached) is said as an error; Qt would dump core.
    """
    # It has a handler of its own beside that of everything else.
    logging.getLogger("vispy").handlers.clear()
    qInstallMessageHandler(_log_message)


def _log_message(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    if kind is QtMsgType.QtFatalMsg:
        say_error(" ".join(text.split()))
        os._exit(2)
    category = getattr(context, "category", None) or "default"
    _log.log(_LEVELS.get(kind, logging.ERROR), "%s: %s", category, text)
