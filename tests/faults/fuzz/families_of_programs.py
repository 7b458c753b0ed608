"""What Waypost itself keeps or hears: projects, caches, settings, exports, the engine's words."""

from __future__ import annotations

import dataclasses
import io
import json
import math
import random
import sqlite3
import struct
import subprocess
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest import mock

from faults.fuzz.family import Family, Sample, samples_of
from faults.fuzz.file_mutation import mutate_file
from faults.fuzz.invariants import check_graph, require, require_finite
from faults.fuzz.text_mutation import ODD_NUMBERS
from faults.fuzz.value_mutation import NUMBERS, ODD_TEXTS, dump_json, mutate_value
from fixtures.recorded_takes import study_of_walks
from fixtures.row_examples import FOUR
from worlds import capnav_worlds

from waypost.domain.causes.replay_book import ReplayBook
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.domain.replay.run_rows import RunRows
from waypost.io.agent_files import shipped_agents
from waypost.io.kept_records import read_record
from waypost.io.run_cache import IndexedRun, RunCache
from waypost.io.study_exports import MANIFEST, SCHEMA, remove_earlier_export
from waypost.services.settings import Settings, SettingsFile
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import (
    PROTOCOL_VERSION,
    DriveCommand,
    DriveOutcome,
    EngineInfo,
    Message,
    MoverSettings,
    RecordingStatus,
    Telemetry,
    encode_message,
    outcome_to_values,
    telemetry_to_values,
)
from waypost.store.project_store import ProjectStore

_NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


def _project_samples(folder: Path) -> list[Sample]:
    judged = capnav_worlds.judged()
    source = RunSource((Path("runs/model.json"),), name="model")
    project = Project(
        name="Flat",
        scene_path="flat.glb",
        graph=judged.graph,
        labels=judged.labels,
        agents=shipped_agents(),
        study=study_of_walks(),
        replay=ReplayBook(MappingProxyType({source.name: source})),
    )
    path = folder / "a.waypost"
    ProjectStore.create(path, project, "A", clock=lambda: _NOON).close()
    return [samples_of(folder, path.name)]


def _read_project(path: Path, rng: random.Random) -> None:
    store = ProjectStore.open(path, clock=lambda: _NOON)
    try:
        project = store.load()
        check_graph(project.graph)
        for agent in project.agents.values():
            require_finite((agent.width_m, agent.depth_m, agent.height_m), "size of an agent")
        require(isinstance(project.name, str), "name of the project")
    finally:
        store.close()


def _mutate_rows(rng: random.Random, sample: Sample, samples: Sequence[Sample]) -> Sample:
    """A whole data base with wrong values in its rows, or with other tables."""
    ((name, data),) = sample.files.items()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(data)
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
        for _ in range(rng.choice((1, 1, 2, 3))):
            try:
                _wrong_row(rng, connection)
            except (sqlite3.Error, OverflowError, UnicodeEncodeError, ValueError):
                continue
        connection.commit()
        return Sample(sample.target, {name: connection.serialize()})


def _wrong_row(rng: random.Random, connection: sqlite3.Connection) -> None:
    tables = [
        row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")
    ]
    table = rng.choice(tables)
    columns = [row[1] for row in connection.execute(f'pragma table_info("{table}")')]
    column = rng.choice(columns)
    kind = rng.random()
    if kind < 0.75:
        rowids = [row[0] for row in connection.execute(f'select rowid from "{table}"')]
        if rowids:
            rowid = rng.choice(rowids)
            (old,) = connection.execute(
                f'select "{column}" from "{table}" where rowid = ?', (rowid,)
            ).fetchone()
            connection.execute(
                f'update or ignore "{table}" set "{column}" = ? where rowid = ?',
                (_cell(rng, old), rowid),
            )
    elif kind < 0.85:
        connection.execute(f'delete from "{table}" where rowid % 2 = {rng.randrange(2)}')
    elif kind < 0.9:
        connection.execute(f'drop table "{table}"')
    elif kind < 0.95:
        connection.execute(f'alter table "{table}" rename column "{column}" to "x"')
    else:
        other = rng.choice(columns)
        connection.execute(f'update or ignore "{table}" set "{column}" = "{other}"')


def _cell(rng: random.Random, old: Any) -> Any:
    if isinstance(old, str) and old[:1] in {"{", "["} and rng.random() < 0.6:
        try:
            return dump_json(mutate_value(rng, json.loads(old)))
        except ValueError:
            pass
    numbers = [n for n in NUMBERS if not isinstance(n, int) or abs(n) < 2**63]
    choices = (
        rng.choice(ODD_TEXTS),
        rng.choice(numbers),
        rng.choice(ODD_NUMBERS),
        None,
        b"\xff\x00",
    )
    return rng.choice(choices)


def _cache_samples(folder: Path) -> list[Sample]:
    cache = RunCache(folder)
    rows: RunRows = dataclasses.replace(FOUR, rows=FOUR.rows[:2])
    finding = ImportFinding(ImportKind.NOTE, "7_0", None, "", "a note")
    writer = cache.begin("abc")
    places = tuple(writer.append(text) for text in ("[1]", "[2]"))
    run = IndexedRun(rows, "R2R", "radians", {"found": 2}, (finding,), ("odd",), places=places)
    replays = cache.keep("abc", run, writer)
    sample = samples_of(folder)
    return [
        Sample(
            "abc.rows",
            {"abc.rows": sample.files["abc.rows"], replays.name: sample.files[replays.name]},
        )
    ]


def _read_cache(path: Path, rng: random.Random) -> None:
    """A damaged cache counts as empty; what it gives must be rows."""
    found = RunCache(path.parent).load("abc")
    if found is None:
        return
    for row in found.rows.rows:
        require(isinstance(row.episode_id, str), "episode id")
        for value in row.values:
            require(value is None or math.isfinite(value), "score")
    for place in found.places:
        if found.replays is not None:
            read_record(found.replays, place)


def _settings_samples(folder: Path) -> list[Sample]:
    path = folder / "settings.toml"
    SettingsFile(path).save(
        Settings(
            annotator="A",
            theme="light",
            text_scale_percent=150,
            shortcuts=MappingProxyType({"undo": "Ctrl+Y"}),
            recent_projects=("/a.waypost",),
            introduction_done=True,
        )
    )
    return [samples_of(folder, path.name)]


def _read_settings(path: Path, rng: random.Random) -> None:
    """Never fails: what cannot be used is said and left."""
    settings, sentence = SettingsFile(path).load()
    require(isinstance(settings, Settings) and "\n" not in sentence, "sentence about the settings")
    SettingsFile(path).save(dataclasses.replace(settings, annotator="B"))


def _export_samples(folder: Path) -> list[Sample]:
    manifest = json.dumps({"schema": SCHEMA, "schema_version": 1, "study": "walk", "takes": []})
    take = "takes/P-AAAA/home_1_0_0a1b2c_take1.csv"
    return [Sample("", {MANIFEST: manifest.encode(), take: b"x", "takes/P-AAAA/own.txt": b"mine"})]


def _read_export(path: Path, rng: random.Random) -> None:
    """What an earlier export left is removed, and nothing else."""
    mine = path / "takes" / "P-AAAA" / "own.txt"
    is_there = mine.exists()
    remove_earlier_export(path)
    require(mine.exists() == is_there, "a file of somebody else was removed")


_PREFIX = struct.Struct("<4sI")


def _talk() -> list[Message]:
    """What a worker says while the calls of ``_ask_everything`` go on."""
    status = RecordingStatus("/a.csv", 3, 0, "", 10**8, 10**8)
    telemetry = Telemetry(10**9, (1.0, 2.0, 0.0), 0.5, 0.3, 0.0, recording=status, clearance_m=0.4)
    outcome = DriveOutcome(
        True, (1.0, 2.0, 0.0), 1.0, 0.0, False, (), 0.0, 2.0, None, ((0.0, 0.0, 0.0),)
    )
    engine = dataclasses.asdict(EngineInfo("fake", "1", "Fake"))
    hello = {
        "protocol": PROTOCOL_VERSION,
        "engine": engine,
        "settings_hash": MoverSettings().settings_hash,
    }
    values = [
        {"telemetry": telemetry_to_values(telemetry)},
        {},
        {"telemetry": telemetry_to_values(telemetry), "outcome": outcome_to_values(outcome)},
        {"floor_m": [0.0, 0.0, 0.0]},
        {"recording": dataclasses.asdict(status)},
        {"telemetry": telemetry_to_values(telemetry)},
    ]
    replies = [Message("reply", number, said) for number, said in enumerate(values, start=1)]
    return [Message("hello", 0, hello), *replies]


def _talk_samples(folder: Path) -> list[Sample]:
    data = b"".join(part for message in _talk() for part in encode_message(message))
    return [Sample("worker.bin", {"worker.bin": data})]


def _mutate_talk(rng: random.Random, sample: Sample, samples: Sequence[Sample]) -> Sample:
    """One message with wrong values and a fitting length; or any bytes."""
    ((name, data),) = sample.files.items()
    if rng.random() < 0.3:
        return Sample(name, {name: mutate_file(rng, data)})
    messages = [b"".join(encode_message(message)) for message in _talk()]
    chosen = rng.randrange(len(messages))
    header = json.loads(messages[chosen][_PREFIX.size :])
    if rng.random() < 0.8:
        header["values"] = mutate_value(rng, header["values"])
    else:
        header = mutate_value(rng, header)
    if rng.random() < 0.1:
        said = {"kind": "error", "values": {"type": "request", "text": rng.choice(ODD_TEXTS)}}
        header = {"id": chosen, "arrays": [], **said}
    text = dump_json(header).encode(errors="surrogatepass")
    messages[chosen] = _PREFIX.pack(b"WPT\x01", len(text)) + text
    return Sample(name, {name: b"".join(messages)})


class _Said:
    """A process that has said everything already, and is dead afterwards."""

    pid = 0
    returncode = 0

    def __init__(self, data: bytes) -> None:
        self.stdin, self.stdout, self.stderr = io.BytesIO(), io.BytesIO(data), io.BytesIO()

    def poll(self) -> int:
        return 0

    def wait(self, timeout: float | None = None) -> int:
        return 0

    def kill(self) -> None:
        """It is dead."""


def _read_talk(path: Path, rng: random.Random) -> None:
    """Ask everything of a worker whose answers are in the file."""
    said = _Said(path.read_bytes())
    agent = shipped_agents()["wheelchair"]
    with (
        mock.patch.object(subprocess, "Popen", return_value=said),
        SimulatorClient.start("fake") as client,
    ):
        telemetry = client.spawn(agent, (0.0, 0.0, 0.0), 0.0)
        require_finite(telemetry.position_m, "position of the agent")
        require_finite((telemetry.yaw_rad, telemetry.speed_mps), "motion of the agent")
        require(isinstance(telemetry.time_ns, int), "time")
        outcome = client.drive_to((1.0, 2.0, 0.0))
        require(isinstance(outcome.reached, bool), "outcome of a drive")
        require_finite(outcome.stopped_at_m, "end of a drive")
        require_finite(outcome.path_m, "path of a drive")
        floor = client.floor_below((0.0, 0.0, 0.0))
        require_finite(floor or (0.0,), "floor")
        status = client.recording_status()
        require(status is None or isinstance(status.rows, int), "rows of a recording")
        client.drive(DriveCommand(), 1)


PROGRAMS = (
    Family(
        "project-bytes", "Project files: bytes", _project_samples, _read_project, may_write=True
    ),
    Family(
        "project-rows", "Project files: rows", _project_samples, _read_project, _mutate_rows,
        may_write=True,
    ),
    Family("caches", "Cache of runs", _cache_samples, _read_cache),
    Family("settings", "Settings (TOML)", _settings_samples, _read_settings, may_write=True),
    Family("exports", "Folders of earlier exports", _export_samples, _read_export, may_write=True),
    Family(
        "worker", "What an engine's worker says", _talk_samples, _read_talk, _mutate_talk,
        names_file=False, weight=2,
    ),
)  # fmt: skip
"""Files and words between Waypost's own parts, which disks, people and engines can spoil."""
