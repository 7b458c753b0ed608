"""Every fault of an engine at every moment, with the real worker: one sentence and never a hang."""

from __future__ import annotations

import json
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from faults.processes import wait_until
from patience import PATIENCE_S
from simulators.rooms import HUMAN, floor, scene

from waypost.domain.base.errors import SimulatorError, WorkerDiedError
from waypost.io.recordings.read_recording import read_recording
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engines import EngineLimits
from waypost.simulators.protocol import (
    SPOKEN_PROTOCOLS,
    DriveCommand,
    Message,
    encode_message,
    read_message,
)

pytestmark = pytest.mark.faults

WORKER = Path(__file__).parent / "programs" / "misbehaving_worker.py"
FAULTS = ("kill", "hang", "garbage", "slow", "memory")
SHORT_S = 2.0
NEVER_S = 3600.0
IN_TIME_S = NEVER_S / 10
"""No machine is so slow; who waited for an engine that is gone would need ``NEVER_S``."""

AHEAD = DriveCommand(1.0)


@pytest.fixture
def python(tmp_path: Path) -> str:
    """A Python with the misbehaving engine."""
    path = tmp_path / "python"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} {WORKER} "$@"\n')
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def start(python: str) -> Callable[..., SimulatorClient]:
    """Starts the misbehaving engine; only what is to time out has a short limit."""

    def started(fault: str, place: str, **limits: float) -> SimulatorClient:
        patience = {"start_s": NEVER_S, "load_s": NEVER_S, "request_s": NEVER_S, **limits}
        return SimulatorClient.start(
            "fake",
            python,
            limits=EngineLimits(**patience),
            options={"fault": fault, "place": place},
        )

    return started


@pytest.fixture(autouse=True)
def nothing_stays():
    before = set(psutil.Process().children(recursive=True))
    yield
    wait_until(lambda: set(psutil.Process().children(recursive=True)) <= before)


def fails(fault: str, what: str, run: Callable[[], object]) -> None:
    """What was asked fails in the words of the fault, in one sentence."""
    begun_s = time.monotonic()
    with pytest.raises(SimulatorError) as caught:
        run()
    said = str(caught.value)
    assert "\n" not in said
    assert time.monotonic() - begun_s < IN_TIME_S
    if fault == "kill":
        assert isinstance(caught.value, WorkerDiedError)
        assert caught.value.exit_code == -signal.SIGKILL
    elif fault == "hang":
        assert said == (
            f"the physics engine did not answer {what!r} within {SHORT_S:g} s and was ended"
        )
    elif fault == "garbage":
        assert said == (
            "the physics engine said what is no message (these bytes are not a Waypost message)"
            " and was ended"
        )
    else:
        assert "MemoryError" in said


def shorten_requests(client: SimulatorClient) -> None:
    """From now on: what came before had all the time of a slow machine."""
    worker = client._worker
    limits = replace(worker._launch.limits, request_s=SHORT_S)
    worker._launch = replace(worker._launch, limits=limits)


@pytest.mark.parametrize("fault", FAULTS)
def test_at_the_start(start, fault):
    if fault == "slow":
        start(fault, "start").close()
        return
    limits = {"start_s": SHORT_S} if fault == "hang" else {}
    fails(fault, "start", lambda: start(fault, "start", **limits))


@pytest.mark.parametrize("fault", FAULTS)
def test_while_a_scene_is_loaded(start, fault):
    limits = {"load_s": SHORT_S} if fault == "hang" else {}
    with start(fault, "load", **limits) as client:
        if fault != "slow":
            fails(fault, "load_scene", lambda: client.load_scene(scene(floor())))
        assert client.is_alive is (fault in {"slow", "memory"})
        if client.is_alive:
            client.load_scene(scene(floor()))
            client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
            assert client.drive(AHEAD, 12).speed_mps > 0.0


@pytest.mark.parametrize("fault", FAULTS)
def test_while_an_agent_is_driven(start, fault):
    with start(fault, "drive") as client:
        client.load_scene(scene(floor()))
        client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        if fault == "hang":
            shorten_requests(client)
        if fault != "slow":
            fails(fault, "drive", lambda: client.drive(AHEAD, 12))
        assert client.is_alive is (fault in {"slow", "memory"})
        if client.is_alive:
            client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
            assert client.drive_to((2.0, 0.0, 0.0)).reached
        else:
            with pytest.raises(WorkerDiedError):
                client.drive(AHEAD, 1)


@pytest.mark.parametrize("fault", FAULTS)
def test_while_a_drive_is_recorded(start, fault, tmp_path):
    with start(fault, "drive") as client:
        client.load_scene(scene(floor()))
        client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        status = client.start_recording(tmp_path / "take.csv", {})
        wait_until(lambda: client.recording_status().unsaved_rows == 0)
        if fault == "hang":
            shorten_requests(client)
        if fault != "slow":
            fails(fault, "drive", lambda: client.drive(AHEAD, 120))
        if client.is_alive:
            client.drive(AHEAD, 12)
            status = client.stop_recording("stop")
            wait_until(lambda: client.recording_status().unsaved_rows == 0)
    recording = read_recording(Path(status.file))
    rows = len(recording.trajectory)
    if fault in {"slow", "memory"}:
        assert rows == status.rows > 1
    else:
        # The first row was on the disk; an engine that says garbage has driven meanwhile.
        assert rows >= 1
    assert bool(recording.is_complete) is (fault in {"slow", "memory"})


@pytest.mark.parametrize("fault", FAULTS)
def test_when_it_is_closed(start, fault, tmp_path):
    client = start(fault, "close", close_s=0.5 if fault == "hang" else NEVER_S)
    client.load_scene(scene(floor()))
    client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    status = client.start_recording(tmp_path / "take.csv", {})
    client.drive(AHEAD, 12)
    begun_s = time.monotonic()
    client.close()
    assert time.monotonic() - begun_s < IN_TIME_S
    assert not client.is_alive
    # The take was ended and written before the engine was told.
    recording = read_recording(Path(status.file))
    assert len(recording.trajectory) == 3
    assert not recording.is_complete


def test_an_engine_may_idle_and_tells_of_its_start(python):
    heard: list[str] = []
    options = {"fault": "none", "place": "none"}
    with SimulatorClient.start("fake", python, options=options, on_progress=heard.append) as client:
        assert heard == ["nearly there"]
        wait_until(lambda: client.load_scene(scene(floor())) == ("idled 1",))


@pytest.fixture
def worker(tmp_path):
    """The process itself, to be told what no client says."""
    made = []

    def started(start_json: str | None) -> subprocess.Popen[bytes]:
        options = json.dumps({"fault": "none", "place": "none"})
        given = start_json or f'{{"protocols": {list(SPOKEN_PROTOCOLS)}, "options": {options}}}'
        given = given.replace("OPTIONS", options)
        bootstrap = Path(sys.modules["waypost"].__file__).parent / "simulators/worker/bootstrap.py"
        process = subprocess.Popen(
            [sys.executable, str(WORKER), str(bootstrap), "fake", given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        made.append(process)
        return process

    yield started
    for process in made:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()


def hello(process: subprocess.Popen[bytes]) -> Message:
    message = read_message(process.stdout)
    while message.kind == "progress":
        message = read_message(process.stdout)
    return message


def header(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<4sI", b"WPT\x01", len(data)) + data


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "these bytes are not a Waypost message"),
        (struct.pack("<4sI", b"WPT\x01", 2**32 - 1), "these bytes are not a Waypost message"),
        (header("[" * 100_000), "a message header is not JSON"),
        (header("[]"), "a message header lacks kind, id, values or arrays"),
        (
            header('{"kind":"a","id":1,"values":{},"arrays":[["<f8",[4611686018427387904]]]}'),
            "arrays of 36893488147419103232 bytes are too large",
        ),
        (
            header('{"kind":"a","id":1,"values":{},"arrays":[[["<f8"],[1]]]}'),
            "an array description",
        ),
    ],
    ids=["foreign", "huge header", "deep header", "no header", "huge array", "odd array"],
)
def test_a_worker_that_is_told_nonsense_says_so_and_ends(worker, said, reason):
    process = worker(None)
    assert hello(process).kind == "hello"
    process.stdin.write(said)
    process.stdin.flush()
    answer = read_message(process.stdout)
    assert (answer.kind, answer.request_id) == ("error", 0)
    assert answer.values["text"].startswith(
        f"the worker was told what is no message and ends: {reason}"
    )
    process.stdin.close()
    assert process.wait(PATIENCE_S) == 0


def test_a_worker_whose_client_ends_in_the_middle_of_a_message_ends(worker):
    process = worker(None)
    hello(process)
    whole = b"".join(encode_message(Message("floor_below", 1, {"point_m": [0, 0, 0]})))
    process.stdin.write(whole[:-3])
    process.stdin.close()
    assert process.wait(PATIENCE_S) == 0


def test_a_client_that_never_reads_cannot_fill_the_memory_of_a_worker(worker):
    process = worker(None)
    hello(process)
    request = b"".join(encode_message(Message("record_status", 1, {})))
    process.stdin.write(request * 50)
    process.stdin.close()
    replies = [read_message(process.stdout) for _ in range(50)]
    assert [reply.kind for reply in replies] == ["reply"] * 50
    assert process.wait(PATIENCE_S) == 0


@pytest.mark.parametrize(
    ("start_json", "spoken", "has_parameters"),
    [
        ('{"protocols": [2, 3], "options": OPTIONS}', 3, True),
        ('{"protocols": [3, 9], "options": OPTIONS}', 3, True),
        ('{"protocols": [1, 2], "options": OPTIONS}', 2, False),
        ('{"options": OPTIONS}', 2, False),
    ],
)
def test_worker_and_client_of_different_versions_find_a_common_one(
    worker, start_json, spoken, has_parameters
):
    process = worker(start_json)
    first = read_message(process.stdout)
    assert first.kind == ("progress" if has_parameters else "hello")
    said = first if first.kind == "hello" else hello(process)
    assert said.values["protocol"] == spoken
    assert ("parameters" in said.values["engine"]) is has_parameters


@pytest.mark.parametrize(("protocols", "theirs"), [("[4, 9]", "4 to 9"), ("[1, 1]", "1")])
def test_versions_that_cannot_talk_are_told_apart(worker, protocols, theirs):
    process = worker(f'{{"protocols": {protocols}, "options": OPTIONS}}')
    said = read_message(process.stdout)
    assert (said.kind, said.values["type"]) == ("error", "unavailable")
    assert said.values["text"] == (
        f"its worker speaks protocol 2 to 3 and the program {theirs};"
        " copy the worker of this Waypost there"
    )


@pytest.mark.heavy
def test_a_hundred_starts_and_stops_leave_nothing(start):
    def run(_: int) -> None:
        with start("none", "none") as client:
            client.load_scene(scene(floor()))

    own = psutil.Process()
    run(0)
    files, threads = own.num_fds(), own.num_threads()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, range(100)))
    # The last threads that read from workers may still be on their way out.
    wait_until(lambda: own.num_fds() <= files and own.num_threads() <= threads)
