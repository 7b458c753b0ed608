"""Ends a process with whatever it has started: the Python of an engine may be a script.

On POSIX a group is signalled by the number of its first process. Once that process is reaped the
number may be given to somebody else, so nothing is signalled any more, and whoever wants to know
whether it has ended looks without reaping it.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Final

_DEATH_S: Final = 2.0
_LOOK_AGAIN_S: Final = 0.01

_reaping = threading.RLock()
"""Nothing is reaped between a look whether it was and the signal. The collector may end a forgotten
worker meanwhile, in the same thread."""


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a process at once, with whatever it has started; nothing if it was reaped before.

    Args:
        process: Started with ``start_new_session=True``.
    """
    with _reaping:
        if process.returncode is not None:
            return
        if sys.platform != "win32":
            if process.pid > 1:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
        else:
            import psutil  # noqa: PLC0415 - a window elsewhere starts without it

            with contextlib.suppress(psutil.Error):
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
        process.kill()
        # Whoever asks right after whether it lives must hear that it does not.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_DEATH_S)


def reaped(process: subprocess.Popen[bytes]) -> int:
    """The exit code of a process once it has ended; its group cannot be ended afterwards."""
    has_ended(process, math.inf)
    with _reaping:
        return process.wait()


def has_ended(process: subprocess.Popen[bytes], within_s: float = 0.0) -> bool:
    """Whether a process has ended; it is not reaped, so that its group can still be ended.

    Args:
        process: Any.
        within_s: So long is it waited for.
    """
    end_s = time.monotonic() + within_s
    while not _is_over(process):
        rest_s = end_s - time.monotonic()
        if rest_s <= 0:
            return False
        time.sleep(min(rest_s, _LOOK_AGAIN_S))
    return True


def _is_over(process: subprocess.Popen[bytes]) -> bool:
    if process.returncode is not None:
        return True
    if sys.platform == "win32" or not hasattr(os, "waitid"):
        # Windows keeps the number while the handle is open; older Pythons on macOS cannot look.
        return process.poll() is not None
    try:
        seen = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    except ChildProcessError:  # another thread has reaped it
        return True
    return seen is not None
