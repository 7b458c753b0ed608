"""Makes desks, asks them for pictures and drops them; run by ``test_jobs_in_a_loop``.

A job that Qt destroyed while Python let go of it crashed this within 30 rounds.
"""

from __future__ import annotations

import faulthandler
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

from fixtures.lent_pictures import who_gets_pictures, write_pictures
from PySide6.QtCore import QCoreApplication


def main(folder: Path, rounds: int) -> None:
    """Go round and round."""
    faulthandler.enable()
    application = QCoreApplication([])
    gc.disable()
    write_pictures(folder)

    def wait(condition: Callable[[], bool]) -> None:
        while not condition():
            application.processEvents()
            time.sleep(0.0005)

    for number in range(rounds):
        who_gets_pictures(folder, ("places", "frames")[number % 2], wait)
        application.processEvents()
        gc.collect(1)
        application.processEvents()
    sys.stdout.write(f"{rounds} rounds\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
