"""What the operating system enforces on a child: memory, files, the end of its parent.

The parent watches as well (``child.py``), which is all there is on systems without such limits.
"""

from __future__ import annotations

import os
import re
import select
import signal
import sys
from pathlib import Path
from typing import BinaryIO, Final

from waypost.io.confined.limits import ReadingLimits

if sys.platform != "win32":
    import fcntl
    import resource

MOST_THREADS: Final = 4
"""Of libraries that would start one per core; each reserves a stack."""

_RESERVED_BYTES: Final = 256_000_000
"""Writable address space that libraries still to be loaded reserve and never touch."""


class Confinement:
    """The limits of this process; they are widened as more files turn out to be read.

    Writable memory is limited (``RLIMIT_DATA``), not address space: mapped files and what the
    libraries of threads reserve are large and cost nothing.
    """

    def __init__(self, limits: ReadingLimits) -> None:
        self._limits = limits
        self._reserved_bytes = _RESERVED_BYTES + _untouched_bytes()

    def begin(self, input_bytes: int) -> None:
        """Let the system refuse what is beyond the limits, and leave no core dump."""
        if sys.platform == "win32":
            return
        seconds = round(self._limits.seconds) + 1
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_FSIZE, self._limits.most_bytes)
        # Ends an orphan at last on a system that does not tell it.
        _limit(resource.RLIMIT_CPU, seconds * MOST_THREADS)
        self.widen(input_bytes)

    def widen(self, input_bytes: int) -> None:
        """Allow the memory that belongs to so many bytes of input."""
        if sys.platform == "linux":
            allowed = self._limits.memory_bytes(input_bytes)
            _limit(resource.RLIMIT_DATA, allowed + self._reserved_bytes)


def end_with_parent(requests: BinaryIO) -> None:
    """Have the system end this process when the pipe is closed, even in the midst of a C call.

    The parent writes nothing more into it. The end of its process counts, not that of the thread
    which started the child, as it would with ``PR_SET_PDEATHSIG``.
    """
    if sys.platform != "linux":
        return
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    number = requests.fileno()
    fcntl.fcntl(number, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(number, fcntl.F_GETFL)
    fcntl.fcntl(number, fcntl.F_SETFL, flags | os.O_ASYNC)
    if select.select([number], [], [], 0)[0]:
        # It was closed before.
        os._exit(0)


def _limit(kind: int, most: int) -> None:
    """Set the soft limit; a limit that is stricter already stays."""
    if sys.platform != "win32":
        _, hard = resource.getrlimit(kind)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (soft, hard))


def _untouched_bytes() -> int:
    """Writable address space of this process that holds nothing."""
    if sys.platform != "linux":
        return 0
    told = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    kib = {name: int(value) for name, value in re.findall(r"(VmData|RssAnon):\s+(\d+) kB", told)}
    return max(0, (kib.get("VmData", 0) - kib.get("RssAnon", 0)) * 1024)
