"""Jobs end all day long, and nothing crashes when they are let go of."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LOOP = Path(__file__).parent / "programs" / "jobs_in_a_loop.py"
ROUNDS = 400

pytestmark = pytest.mark.faults


def test_a_thousand_jobs_end_without_a_crash(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(LOOP), str(tmp_path), str(ROUNDS)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, f"{ROUNDS} rounds\n"), done.stderr
