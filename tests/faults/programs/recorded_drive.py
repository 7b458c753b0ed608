"""Records a drive at the pace of the wall clock until somebody ends it.

``recorded_drive.py BACKEND FOLDER`` prints the process id of the worker and the file, then, for
every telemetry, the monotonic clock, the rows recorded so far and how many of them are in the file.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from simulators.engines import start_engine
from simulators.rooms import HUMAN, floor, scene

from waypost.services.engine.pacing import StepPacer
from waypost.simulators.protocol import DriveCommand


def main() -> None:
    """Drive a circle."""
    with start_engine(sys.argv[1]) as client:
        client.load_scene(scene(floor()))
        client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        status = client.start_recording(Path(sys.argv[2]) / "e.csv", {})
        sys.stdout.write(f"{client.process_id}\n{status.file}\n")
        pacer = StepPacer(2 / 120)
        while True:
            while not pacer.take(time.monotonic()):
                time.sleep(pacer.wait_s(time.monotonic()))
            telemetry = client.drive(DriveCommand(0.5, 0.0, 0.5), 2)
            status = telemetry.recording
            sys.stdout.write(
                f"{time.monotonic()} {status.rows} {status.rows - status.unsaved_rows}\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
