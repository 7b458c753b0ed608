"""Processes that help end with the one that has started them, however that ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from faults.processes import wait_for_end
from import_path import IMPORT_PATH

pytestmark = pytest.mark.faults

_LONG = """
import time
from waypost.services.evaluation.executors import Executor
def work(number):
    time.sleep(600 * number)
    return number
if __name__ == "__main__":
    for found in Executor(workers=2).run(work, [0, 1, 1]):
        print(found, flush=True)
"""


def test_nothing_is_left_of_an_evaluation_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "long.py"
    script.write_text(_LONG)
    asking = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": IMPORT_PATH},
    )
    with asking:
        assert asking.stdout is not None
        assert asking.stdout.readline() == b"0\n"
        # the resource tracker, and those that work
        children = psutil.Process(asking.pid).children(recursive=True)
        assert len(children) >= 2
        asking.kill()
        for child in children:
            wait_for_end(child)
