"""What a process of a pool does first: it logs as the one that started it, and ends with it."""

from __future__ import annotations

import os
import threading
from multiprocessing import parent_process

from waypost.services.terminal_log import log_worker_process


def begin_pool_process(is_verbose: bool) -> None:
    """Call this first in a process that was started to help.

    Args:
        is_verbose: As the process that started it.
    """
    log_worker_process(is_verbose)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Leave nothing behind where the process that asked was killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
