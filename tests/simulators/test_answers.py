"""What a worker says is believed only where it is what was asked for."""

from __future__ import annotations

import dataclasses
import json
import math
import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from waypost.domain.base.errors import InputError, SimulatorError, WorkerDiedError
from waypost.simulators.answers import AnswerError, restored
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import (
    PROTOCOL_VERSION,
    Message,
    RecordingStatus,
    Telemetry,
    encode_message,
    telemetry_to_values,
)

TELEMETRY = Telemetry(10**9, (1.0, 2.0, 0.0), 0.5, 0.3, 0.0)
HELLO = {
    "protocol": PROTOCOL_VERSION,
    "engine": {"name": "fake", "version": "1", "title": "Fake"},
    "settings_hash": "ab",
}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"time_ns": 1.5}, "telemetry.time_ns"),
        ({"time_ns": True}, "telemetry.time_ns"),
        ({"time_ns": 10**30}, "telemetry.time_ns"),
        ({"position_m": [1.0, 2.0]}, "telemetry.position_m"),
        ({"position_m": [1.0, 2.0, math.nan]}, r"telemetry.position_m\[2\]"),
        ({"position_m": [1.0, 2.0, 10**400]}, r"telemetry.position_m\[2\]"),
        ({"position_m": [1.0, 2.0, "3"]}, r"telemetry.position_m\[2\]"),
        ({"position_m": "abc"}, "telemetry.position_m"),
        ({"yaw_rad": None}, "telemetry.yaw_rad"),
        ({"speed_mps": math.inf}, "telemetry.speed_mps"),
        ({"contacts": [{"point_m": [0, 0, 0]}]}, r"telemetry.contacts\[0\]"),
        ({"contacts": None}, "telemetry.contacts"),
        ({"blocked_by": 3}, "telemetry.blocked_by"),
        ({"is_falling": 0}, "telemetry.is_falling"),
        ({"recording": {"file": "/a.csv"}}, "telemetry.recording"),
        ({"new": 1}, "telemetry"),
    ],
)
def test_every_wrong_value_is_named(change: dict[str, Any], place: str) -> None:
    values = json.loads(json.dumps(telemetry_to_values(TELEMETRY)))
    assert restored(Telemetry, values, "telemetry") == TELEMETRY
    with pytest.raises(AnswerError, match=f"^{place} is no "):
        restored(Telemetry, values | change, "telemetry")


def test_a_value_that_is_missing_is_named() -> None:
    values = telemetry_to_values(TELEMETRY)
    del values["yaw_rad"]
    with pytest.raises(AnswerError, match=r"^telemetry is no Telemetry"):
        restored(Telemetry, values, "telemetry")


def _worker(folder: Path, *said: bytes) -> SimulatorClient:
    """A client of a program that has its answers ready, says them at once and stays alive."""
    (folder / "said").write_bytes(b"".join(said))
    program = folder / "python"
    program.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, sys\n"
        f"sys.stdout.buffer.write(pathlib.Path({str(folder / 'said')!r}).read_bytes())\n"
        "sys.stdout.buffer.flush()\n"
        "sys.stdin.buffer.read()\n"
    )
    program.chmod(0o755)
    return SimulatorClient.start("fake", str(program))


def _said(number: int, values: Any, kind: str = "reply") -> bytes:
    return b"".join(encode_message(Message(kind, number, values)))


def _raw(header: str) -> bytes:
    text = header.encode()
    return struct.pack("<4sI", b"WPT\x01", len(text)) + text


@pytest.mark.parametrize(
    "hello", [{}, HELLO | {"protocol": "2"}, HELLO | {"engine": []}, HELLO | {"settings_hash": 1}]
)
def test_a_greeting_that_is_none(tmp_path: Path, hello: dict[str, Any]) -> None:
    with pytest.raises(SimulatorError, match="said something that cannot be used"):
        _worker(tmp_path, _said(0, hello, "hello"))


def test_after_nonsense_the_worker_is_ended(tmp_path: Path) -> None:
    nonsense = {"floor_m": [0.0, "x", 0.0]}
    with _worker(tmp_path, _said(0, HELLO, "hello"), _said(1, nonsense)) as client:
        with pytest.raises(SimulatorError, match=r"\(floor_m\[1\] is no finite number\)"):
            client.floor_below((0.0, 0.0, 0.0))
        with pytest.raises(WorkerDiedError):
            client.floor_below((0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    "header",
    [
        "[" * 100_000,
        '{"kind": "reply", "id": ' + "9" * 5_000 + ', "values": {}, "arrays": []}',
        '{"kind": "reply", "id": 1, "values": {}, "arrays": [["<f8", [4611686018427387904]]]}',
        '{"kind": "reply", "id": 1, "values": {}, "arrays": [["<f8", [1, 1, 1e3]]]}',
    ],
)
def test_what_is_no_message_is_a_death_at_once(tmp_path: Path, header: str) -> None:
    with (
        _worker(tmp_path, _said(0, HELLO, "hello"), _raw(header), b"x" * 100) as client,
        pytest.raises(SimulatorError),
    ):
        client._worker.ask("floor_below", {}, timeout_s=3600.0)


@pytest.mark.parametrize("text", ["", "  ", None, 7])
def test_a_refusal_without_words_says_so(tmp_path: Path, text: object) -> None:
    error = _said(1, {"type": "request", "text": text}, "error")
    with (
        _worker(tmp_path, _said(0, HELLO, "hello"), error) as client,
        pytest.raises(InputError, match=r"^no reason was given$"),
    ):
        client.floor_below((0.0, 0.0, 0.0))


def test_a_recording_is_told_as_it_is(tmp_path: Path) -> None:
    status = RecordingStatus("/a.csv", 3, 0, "", 10**8, 10**8)
    told = _said(1, {"recording": dataclasses.asdict(status)})
    with _worker(tmp_path, _said(0, HELLO, "hello"), told, _said(2, {"recording": None})) as client:
        assert client.recording_status() == status
        assert client.recording_status() is None
