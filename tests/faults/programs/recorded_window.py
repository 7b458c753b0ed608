"""Records in the real window until it is killed; says how far it has come.

``recorded_window.py PROJECT HOME`` prints the process id of the physics worker, then for every
telemetry the rows of the take and how many of them are in the file.
"""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
from gui.studies import CODE
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from waypost.app.record.take_recorder import TakePhase
from waypost.app.window.startup import opened_window
from waypost.app.window.window import MainWindow
from waypost.demo.performance import wait_until
from waypost.simulators.protocol import Telemetry

PATIENCE_S = 60


def begin_recording(window: MainWindow, project: Path) -> None:
    """Open the study and record its next episode, turning on the spot."""
    window.show()
    window.activateWindow()
    bench, before = window.bench, window.bench.document
    bench.open_path(project)
    wait_until(lambda: bench.document is not before, PATIENCE_S, "the project")
    wait_until(lambda: bench.scene is not None, PATIENCE_S, "the scene")
    window.show_workspace("record")
    record = window.record
    record.people.set_selected([CODE])
    record.refresh()
    record.begin()
    wait_until(lambda: record.session.has_next, PATIENCE_S, "the page before the episode")
    record.session.go_on()
    recorder = record.session.recorder
    wait_until(lambda: recorder.phase is TakePhase.RECORDING, PATIENCE_S, "the recording")
    QTest.keyPress(window.windowHandle(), Qt.Key.Key_A)


def worker() -> psutil.Process:
    """The physics worker of this process."""
    (found,) = [
        child
        for child in psutil.Process().children(recursive=True)
        if any("bootstrap" in part for part in child.cmdline())
    ]
    return found


def main() -> None:
    """Record until killed."""
    project, home = Path(sys.argv[1]), Path(sys.argv[2])

    def tell(telemetry: Telemetry) -> None:
        if (status := telemetry.recording) is not None:
            sys.stdout.write(f"{status.rows} {status.rows - status.unsaved_rows}\n")
            sys.stdout.flush()

    with opened_window(home, home) as window:
        begin_recording(window, project)
        sys.stdout.write(f"{worker().pid}\n")
        sys.stdout.flush()
        window.engine.telemetry_received.connect(tell)
        wait_until(lambda: False, PATIENCE_S, "the kill")


if __name__ == "__main__":
    main()
