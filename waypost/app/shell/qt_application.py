"""Makes the one Qt application of a process, whose thread alone collects reference cycles."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeVar

from PySide6.QtWidgets import QApplication

from waypost.app.shell.qt_log import log_qt_messages
from waypost.domain.base.progress import Progress
from waypost.services.cycle_collector import collect_in_qt_thread, collector_of

T = TypeVar("T")


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
    log_qt_messages()
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
