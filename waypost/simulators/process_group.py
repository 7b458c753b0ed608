"""Ends a process with whatever it has started: the Python of an engine may be a script."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import Final

import psutil

_DEATH_S: Final = 2.0


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a process at once, with whatever it has started.

    Args:
        process: Started with ``start_new_session=True``.
    """
    if sys.platform != "win32":
        if process.pid > 1:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
    else:
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
    process.kill()
    # Whoever asks right after whether it lives must hear that it does not.
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_DEATH_S)
