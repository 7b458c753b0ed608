from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from waypost.services.engine.drawing_priority import put_physics_first

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux names its threads so")

PAINTER = """
import ctypes, sys
ctypes.CDLL(None).prctl(15, sys.argv[1].encode(), 0, 0, 0)
print("named", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize(("name", "count"), [("llvmpipe-0", 1), ("python", 0)])
def test_only_painting_threads_step_back(name, count):
    process = subprocess.Popen(
        [sys.executable, "-c", PAINTER, name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout.readline() == "named\n"
        before = os.getpriority(os.PRIO_PROCESS, process.pid)
        assert put_physics_first(Path(f"/proc/{process.pid}/task")) == count
        after = os.getpriority(os.PRIO_PROCESS, process.pid)
        assert after == (10 if count else before)
        process.stdin.close()


def test_where_no_thread_can_be_seen_nothing_happens(tmp_path):
    assert put_physics_first(tmp_path / "absent") == 0
    (tmp_path / "77").mkdir()
    assert put_physics_first(tmp_path) == 0
