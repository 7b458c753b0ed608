"""Lets the physics go before pictures that processors have to paint."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

_RASTER_THREADS = "llvmpipe"
"""What Mesa calls the threads that paint where there is no graphics card."""

_NICENESS = 10


def put_physics_first(tasks: Path = Path("/proc/self/task")) -> int:
    """Have painting threads step back when processors are short, or samples would come late.

    With a graphics card there are no such threads, and idle processors are used as before.

    Args:
        tasks: One folder for each thread of this process.

    Returns:
        How many threads step back; 0 on other systems than Linux.
    """
    count = 0
    if sys.platform == "linux" and tasks.is_dir():
        for task in tasks.iterdir():
            # A thread may end meanwhile, and a system may forbid it.
            with contextlib.suppress(OSError):
                if (task / "comm").read_text().startswith(_RASTER_THREADS):
                    os.setpriority(os.PRIO_PROCESS, int(task.name), _NICENESS)
                    count += 1
    return count
