"""What Qt and vispy say goes into the log, instead of past it to standard error."""

from __future__ import annotations

import logging
import os
from typing import Final

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from waypost.app.terminal.messages import say_error

_log = logging.getLogger("qt")

_LEVELS: Final = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
}


def log_qt_messages() -> None:
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
