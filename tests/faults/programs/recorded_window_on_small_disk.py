"""Records in the real window onto a disk that is full or read-only; needs a mount namespace.

``recorded_window_on_small_disk.py full|read_only PROJECT HOME`` prints what the window showed,
one JSON value a line; the last one of ``full`` is the text of the two files of the take.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from faults.programs.recorded_window import PATIENCE_S, begin_recording

from waypost.app.record.take_recorder import TakePhase
from waypost.app.window.startup import opened_window
from waypost.app.window.window import MainWindow
from waypost.demo.performance import wait_until


def say(value: Any) -> None:
    """Print a value for the test."""
    sys.stdout.write(json.dumps(value) + "\n")


def mount(*arguments: str) -> None:
    """Call mount."""
    subprocess.run(["mount", *arguments], check=True)


def stop(window: MainWindow) -> None:
    """Stop as a participant does, and wait for what comes after."""
    session = window.record.session
    session.recorder.stop()
    wait_until(lambda: session.has_next, PATIENCE_S, "the result")


def fill_and_empty(window: MainWindow, folder: Path) -> None:
    """Fill the disk under a take, and give the room back while it is driven on."""
    session = window.record.session
    strip, recorder = session.instruction, session.recorder
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    wait_until(lambda: "No space left" in strip._problem.text(), PATIENCE_S, "the warning")
    say({"problem": strip._problem.text(), "is_seen": strip.isVisible(), "phase": recorder.phase})
    begin_ns = recorder.time_ns
    wait_until(lambda: recorder.time_ns > begin_ns + 1_000_000_000, PATIENCE_S, "a second more")
    say({"problem": strip._problem.text(), "phase": recorder.phase})
    filler.unlink()
    wait_until(lambda: not strip._problem.text(), PATIENCE_S, "the room to be used")
    stop(window)
    say({"title": session.card.page.title, "rows": recorder.time_ns // 50_000_000 + 1})
    say([path.read_text() for path in sorted(folder.glob("*_take001*"))])


def close_the_folder(window: MainWindow, folder: Path) -> None:
    """Take the permissions away under a take, then make the disk read-only for the next one."""
    session = window.record.session
    recorder = session.recorder
    folder.chmod(0o500)
    begin_ns = recorder.time_ns
    wait_until(lambda: recorder.time_ns > begin_ns + 1_000_000_000, PATIENCE_S, "a second more")
    say(session.instruction._problem.text())
    stop(window)
    say(session.card.page.title)
    folder.chmod(0o700)
    mount("-o", "remount,ro", str(folder))
    session.go_on()
    wait_until(lambda: session.card.page.title.startswith("Episode"), PATIENCE_S, "the episode")
    session.go_on()
    wait_until(lambda: session.has_next, PATIENCE_S, "the refusal")
    say([session.card.page.title, session.card.page.text])
    mount("-o", "remount,rw", str(folder))
    session.go_on()
    wait_until(lambda: session.card.page.title.startswith("Episode"), PATIENCE_S, "the episode")
    session.go_on()
    wait_until(lambda: recorder.phase is TakePhase.RECORDING, PATIENCE_S, "the recording")
    stop(window)
    say(session.card.page.title)


def main() -> None:
    """Run one of the two."""
    case, project, home = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    with opened_window(home, home) as window:
        window.bench.open_path(project)
        wait_until(lambda: window.bench.scene is not None, PATIENCE_S, "the scene")
        folder = window.record.desk.takes_folder
        folder.mkdir(parents=True, exist_ok=True)
        mount("-t", "tmpfs", "-o", "size=128k", "none", str(folder))
        begin_recording(window, project)
        (fill_and_empty if case == "full" else close_the_folder)(window, folder)


if __name__ == "__main__":
    main()
