"""The worker dies, never starts, or is fed nonsense; the client says so and can go on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import psutil
import pytest
from faults.processes import lives, wait_for_end, wait_until
from import_path import IMPORT_PATH
from simulators.engines import FAKE_WORKER, start_engine
from simulators.rooms import HUMAN, floor, scene

import waypost
from waypost.domain.base.errors import EngineUnavailableError, SimulatorError, WorkerDiedError
from waypost.domain.scene.scene import Mesh
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engines import EngineLimits
from waypost.simulators.protocol import DriveCommand

pytestmark = pytest.mark.faults

WITH_FAKE = f"{sys.executable} {FAKE_WORKER}"
ENGINES = pytest.mark.parametrize("backend", ["physx", "fake"])


def python_like(folder: Path, script: str) -> str:
    """An executable that stands for the Python of the worker."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{textwrap.dedent(script)}\n")
    path.chmod(0o755)
    return str(path)


@ENGINES
def test_a_killed_worker_is_reported_and_can_be_restarted(backend):
    with start_engine(backend) as client:
        client.load_scene(scene(floor()))
        client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)

        def kill(_):
            os.kill(client.process_id, signal.SIGKILL)
            return True

        with pytest.raises(WorkerDiedError, match="can be restarted") as caught:
            client.drive_to((9.0, 0.0, 0.0), on_telemetry=kill)
        assert caught.value.exit_code == -signal.SIGKILL
        assert not client.is_alive
        for _ in range(2):
            with pytest.raises(WorkerDiedError):
                client.drive(DriveCommand(1.0), 1)
        with pytest.raises(WorkerDiedError):
            client.load_scene(scene(floor()))
        client.restart()
        client.load_scene(scene(floor()))
        client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        assert client.drive_to((2.0, 0.0, 0.0)).reached


def test_a_missing_python_is_one_clear_sentence(tmp_path):
    missing = str(tmp_path / "no" / "python")
    with pytest.raises(EngineUnavailableError, match="cannot be started") as caught:
        SimulatorClient.start("physx", python=missing)
    assert missing in str(caught.value)


def test_a_python_without_numpy_is_one_clear_sentence(tmp_path):
    python = python_like(tmp_path, f'exec {sys.executable} -S "$@"')
    with pytest.raises(EngineUnavailableError, match="the worker needs numpy"):
        SimulatorClient.start("physx", python=python)


def test_a_python_without_the_engine_is_one_clear_sentence(tmp_path):
    (tmp_path / "sapien.py").write_text("print('noise'); raise ImportError('no sapien')")
    python = python_like(
        tmp_path, f'PYTHONPATH={tmp_path} exec {sys.executable} {FAKE_WORKER} "$@"'
    )
    with pytest.raises(EngineUnavailableError, match="sapien is not installed for this Python"):
        SimulatorClient.start("physx", python=python)
    with SimulatorClient.start("fake", python=python) as client:
        assert client.engine.name == "fake"


def test_what_an_engine_prints_does_not_disturb_the_messages(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import atexit, builtins, os, threading\n"
        "real = builtins.__import__\n"
        "def noisy(name, *rest):\n"
        "    if name.startswith('waypost.simulators.backends'):\n"
        "        print('noise', flush=True); os.write(1, b'more noise\\n')\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = noisy\n"
    )
    python = python_like(
        tmp_path, f'PYTHONPATH={tmp_path} exec {sys.executable} {FAKE_WORKER} "$@"'
    )
    with SimulatorClient.start("fake", python=python) as client:
        assert client.load_scene(scene(floor())) == ()
        client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        os.kill(client.process_id, signal.SIGKILL)
        with pytest.raises(WorkerDiedError) as caught:
            client.drive(DriveCommand(), 1)
    assert "more noise" in caught.value.detail


def test_a_worker_that_dies_at_start_gives_its_exit_code_and_last_words(tmp_path):
    answers = f'[ "$1" = -c ] && exec {sys.executable} "$@"'
    python = python_like(tmp_path, f"{answers}\necho 'libvulkan exploded' >&2; exit 7")
    with pytest.raises(WorkerDiedError, match=r"\(exit code 7\), it last said: libvul") as caught:
        SimulatorClient.start("physx", python=python)
    assert caught.value.exit_code == 7
    assert caught.value.detail == "libvulkan exploded"


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
def test_what_is_no_python_is_one_clear_sentence():
    with pytest.raises(EngineUnavailableError, match=r"run: /bin/sh is no Python that answers: "):
        SimulatorClient.start("physx", python="/bin/sh")


def test_a_program_that_says_something_else_is_named_with_its_first_line(tmp_path):
    """``echo`` ends, ``yes`` goes on for ever, and none can steer the terminal."""
    worker = Path(waypost.__file__).parent / "simulators" / "worker" / "bootstrap.py"
    for program, before in (("echo", ""), ("yes", ""), ("printf '\\033[2J%s'", "⟨ESC⟩[2J")):
        python = python_like(tmp_path, f'exec {program} "$@"')
        with pytest.raises(EngineUnavailableError) as caught:
            SimulatorClient.start("physx", python=python)
        assert str(caught.value).startswith(
            f"the engine 'physx' cannot run: {python} is not a Python that can import the worker; "
            f"it said: {before}{worker}"
        )


def test_a_program_that_is_no_worker_is_ended(tmp_path):
    before = set(psutil.Process().children())
    python = python_like(tmp_path, "echo 'I am something else'; exec sleep 60")
    with pytest.raises(SimulatorError):
        SimulatorClient.start("physx", python=python)
    assert set(psutil.Process().children()) <= before


def test_a_worker_that_never_answers_is_ended(tmp_path):
    before = set(psutil.Process().children())
    python = python_like(tmp_path, "exec sleep 60")
    with pytest.raises(SimulatorError, match=r"did not answer 'start' within 0\.2 s"):
        SimulatorClient.start("physx", python=python, limits=EngineLimits(start_s=0.2))
    assert set(psutil.Process().children()) <= before


def test_the_worker_ends_when_the_client_is_killed():
    script = (
        "import sys; from simulators.engines import start_engine;"
        "client = start_engine('fake'); print(client.process_id, flush=True);"
        "sys.stdin.read()"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": IMPORT_PATH},
    )
    with owner:
        worker = psutil.Process(int(owner.stdout.readline()))
        owner.kill()
        wait_for_end(worker)


@pytest.mark.skipif(shutil.which("setsid") is None, reason="sessions are of POSIX")
def test_what_a_worker_leaves_behind_in_a_session_of_its_own_holds_nobody_up(tmp_path):
    """It has the pipes of the worker, which would never end."""
    python = python_like(
        tmp_path, f'setsid sleep 600 &\necho $! >{tmp_path}/pid\nexec {WITH_FAKE} "$@"'
    )
    client = SimulatorClient.start("fake", python=python, limits=EngineLimits(close_s=0.2))
    left_behind = psutil.Process(int((tmp_path / "pid").read_text()))
    readers = client._worker._threads
    try:
        client.close()
        assert not client.is_alive
        assert lives(left_behind)
    finally:
        left_behind.kill()
    wait_until(lambda: not any(reader.is_alive() for reader in readers))


def test_a_client_that_is_forgotten_leaves_no_process():
    client = start_engine("fake")
    worker = psutil.Process(client.process_id)
    del client
    wait_for_end(worker)


@ENGINES
def test_nonsense_triangles_are_dropped_with_a_warning_and_the_rest_works(backend):
    good = floor()
    vertices = np.concatenate([good.vertices, [[np.nan, 0, 0], [np.inf, 1, 1]]])
    faces = np.concatenate([good.faces, [[0, 1, 8], [0, 1, 9], [0, 0, 0], [0, 1, 77]]])
    bad = Mesh("floor", vertices.astype(np.float32), faces.astype(np.int32))
    empty = Mesh("nothing", np.full((3, 3), np.nan, np.float32), np.array([[0, 1, 2]], np.int32))
    with start_engine(backend) as client:
        assert client.load_scene(scene(bad, empty)) == (
            "floor: dropped 4 of 16 triangles without area",
            "nothing: dropped 1 of 1 triangles without area",
        )
        client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        assert client.drive_to((3.0, 0.0, 0.0)).reached


@ENGINES
def test_a_request_that_fails_inside_the_engine_is_an_answer_not_a_crash(backend):
    with start_engine(backend) as client:
        client.load_scene(scene(floor()))
        with pytest.raises(SimulatorError, match="load_scene failed: KeyError"):
            client._worker.ask("load_scene", {})
        assert client.is_alive
        assert client.load_scene(scene(floor())) == ()
