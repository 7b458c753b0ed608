"""Records onto a disk that is full or read-only; needs a mount namespace.

``recording_on_small_disk.py full|full_at_stop|read_only FOLDER`` prints what the recording said,
one JSON value a line.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from patience import PATIENCE_S
from simulators.engines import start_engine
from simulators.rooms import HUMAN, floor, scene

from waypost.domain.base.errors import InputError
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriveCommand, RecordingStatus

AHEAD = DriveCommand(0.2, 0.0, 0.5)


def say(value: Any) -> None:
    """Print a value for the test."""
    sys.stdout.write(json.dumps(value) + "\n")


def until_saved(client: SimulatorClient) -> RecordingStatus:
    """Wait until the disk has everything."""
    deadline_s = time.monotonic() + PATIENCE_S
    while True:
        status = client.recording_status()
        if status is None or (not status.unsaved_rows and not status.problem):
            return status
        if time.monotonic() > deadline_s:
            raise SystemExit(f"never saved: {status}")
        time.sleep(0.05)


def until_refused(client: SimulatorClient) -> RecordingStatus:
    """Drive until the disk is full and the recording says so."""
    deadline_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline_s:
        telemetry = client.drive(AHEAD, 60)
        if telemetry.recording.problem:
            return client.drive(AHEAD, 600).recording
        time.sleep(0.01)
    raise SystemExit("the disk never filled up")


def main() -> None:
    """Run one of the three."""
    case, folder = sys.argv[1], Path(sys.argv[2])
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(folder)], check=True)
    filler = folder / "filler"
    filler.write_bytes(bytes(64 * 1024))
    with start_engine("fake") as client:
        client.load_scene(scene(floor()))
        client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        if case == "read_only":
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
            try:
                client.start_recording(folder / "e.csv", {})
            except InputError as error:
                say(str(error))
            return
        client.start_recording(folder / "e.csv", {})
        refused = until_refused(client)
        say(asdict(refused))
        if case == "full":
            filler.unlink()
            say(asdict(until_saved(client)))
            client.drive(AHEAD, 60)
            say(asdict(client.stop_recording("stop")))
        else:
            say(asdict(client.stop_recording("stop")))
            filler.unlink()
            say(asdict(until_saved(client)))
        for path in sorted(folder.glob("e_take001*")):
            say(path.read_text())


if __name__ == "__main__":
    main()
