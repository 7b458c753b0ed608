"""Leaves running timers in cycles and has another thread make objects; made to be watched.

``collected_timers.py automatic`` leaves Python's own collector on, which destroys the timers in
that thread, and ends before the event loop would crash. ``collected_timers.py qt`` has the
collector of the Qt thread, and runs the event loop until no timer is left.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
import weakref

from patience import PATIENCE_S
from PySide6.QtCore import QCoreApplication, QTimer

from waypost.services.cycle_collector import collect_in_qt_thread
from waypost.services.object_deaths import watch_deaths_if_asked


class Holder:
    """Holds a running timer, and itself."""

    def __init__(self) -> None:
        self.timer = QTimer()
        self.timer.start(1)
        self.itself = self


def main() -> None:
    """Run one of the two."""
    application = QCoreApplication([])
    watch_deaths_if_asked()
    if sys.argv[1] == "qt":
        collect_in_qt_thread(application)
    gc.collect()
    left = [weakref.ref(Holder()) for _ in range(50)]
    kept: list[list[int]] = []
    worker = threading.Thread(
        target=lambda: kept.extend([number] for number in range(300_000)), name="worker"
    )
    worker.start()
    worker.join()
    if sys.argv[1] == "automatic":
        sys.stdout.write(f"{sum(ref() is not None for ref in left)} timers left")
        sys.stdout.flush()
        # The event loop would look for timers that are gone.
        os._exit(0)
    deadline = time.monotonic() + PATIENCE_S
    while any(ref() is not None for ref in left) and time.monotonic() < deadline:
        application.processEvents()
    for _ in range(100):
        application.processEvents()
    sys.stdout.write(f"{sum(ref() is not None for ref in left)} timers left")


if __name__ == "__main__":
    main()
