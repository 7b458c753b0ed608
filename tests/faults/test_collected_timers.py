"""Running timers in cycles, and a thread that makes objects: where Python's own collector kills."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from waypost.services.object_deaths import SWITCH

SCRIPT = Path(__file__).parent / "programs" / "collected_timers.py"

pytestmark = pytest.mark.faults


def run(way: str) -> subprocess.CompletedProcess[str]:
    """Let the script live or die; what the watch says is on standard error."""
    tests = str(SCRIPT.parents[2])
    path = os.pathsep.join([tests, *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, str(SCRIPT), way],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, SWITCH: "1", "PYTHONPATH": path},
    )


def test_with_the_collector_of_the_qt_thread_the_process_lives() -> None:
    done = run("qt")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 timers left", "")


def test_without_it_the_watch_says_which_timers_died_where() -> None:
    done = run("automatic")
    assert (done.returncode, done.stdout) == (0, "0 timers left")
    # Qt warns of the timers as well, and of nothing else.
    lines = [line for line in done.stderr.splitlines() if line.startswith("QTimer died")]
    assert len(lines) == 50
    assert all("(Holder.__init__), destroyed in worker at" in line for line in lines)
