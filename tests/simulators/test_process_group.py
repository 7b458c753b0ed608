"""A group is ended while its number is surely its own, and never after that."""

from __future__ import annotations

import os
import subprocess

import psutil
import pytest

from waypost.simulators.process_group import has_ended, kill_group, reaped

pytestmark = pytest.mark.skipif(os.name == "nt", reason="groups by number are of POSIX")


@pytest.fixture
def signalled(monkeypatch) -> list[int]:
    """Numbers of the groups that are signalled, which they are not."""
    numbers: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda number, _: numbers.append(number))
    return numbers


def started(script: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["/bin/sh", "-c", script], stdout=subprocess.PIPE, start_new_session=True
    )


def test_a_process_that_was_reaped_is_not_signalled_any_more(signalled):
    with started("exit 3") as process:
        assert process.wait() == 3
    kill_group(process)
    assert signalled == [], "the number may be another group's by now"
    assert has_ended(process)


def test_looking_whether_it_has_ended_does_not_give_its_number_away(signalled):
    with started("exit 3") as process:
        assert has_ended(process, 60.0)
        assert process.returncode is None
        assert psutil.pid_exists(process.pid)
        kill_group(process)
        assert signalled == [process.pid]
        assert reaped(process) == 3


def test_what_a_dead_process_left_behind_is_ended():
    with started("sleep 600 & echo $!") as process:
        left_behind = psutil.Process(int(process.stdout.readline()))
        assert has_ended(process, 60.0)
        assert left_behind.is_running()
        kill_group(process)
        assert psutil.wait_procs([left_behind], timeout=60.0)[1] == []
