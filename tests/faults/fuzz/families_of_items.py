"""Annotations, runs and logs of every format of the registries, and what is replayed from them."""

from __future__ import annotations

import gzip
import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lmdb
import msgpack
import numpy as np
from faults.fuzz.byte_mutation import damage_bytes
from faults.fuzz.family import Family, Sample, samples_of
from faults.fuzz.invariants import check_episodes, check_runs, require
from faults.fuzz.value_mutation import mutate_value
from fixtures import episode_samples, run_samples, rxr_files
from fixtures.replay_files import write_run
from worlds import capnav_worlds

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.io.datasets.guide_traces import read_guide_trace
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.read_log import ReadLog
from waypost.io.run_catalogue import list_runs
from waypost.services.path_kinds import PathKind, kind_of_path
from waypost.services.replay.run_companions import search_companions
from waypost.services.replay.run_index import index_run

_NAVBENCH_TABLE = (
    "scan,path_id,path,instruction,instr_id,heading,distance,level\r\n"
    f'X,7,{episode_samples.A} {episode_samples.B},"Go, then\nwait ""here""",0,1.5,5.03,easy\r\n'
    f'X,8,"[""{episode_samples.A}""]",Stay,1,,0,\r\n'
)
_BOXES = {"8194nk5LbLH_" + "c" * 32: {"105": {"name": "plant", "visible_pos": [1, 2]}}}


def _episode_samples(folder: Path) -> list[Sample]:
    samples = [
        Sample(entry.name, {entry.name: entry.text().encode()}) for entry in episode_samples.SAMPLES
    ]
    samples += [
        Sample(f"{name}.gz", {f"{name}.gz": gzip.compress(content, 1, mtime=0)})
        for sample in samples[::4]
        for name, content in sample.files.items()
    ]
    samples.append(Sample("hard.csv", {"hard.csv": _NAVBENCH_TABLE.encode()}))
    trace = rxr_files.write_trace(folder / "a" / "000026_guide_pose_trace.npz")
    samples.append(samples_of(trace.parent, trace.name))
    reverie = json.dumps(episode_samples.REVERIE).encode()
    boxes = {"BBoxes.json": json.dumps(_BOXES).encode(), "REVERIE_val_seen.json": reverie}
    samples.append(Sample("REVERIE_val_seen.json", boxes))
    capnav_worlds.write_world(folder / "capnav")
    samples.append(samples_of(folder / "capnav" / "graphs", "flat-QA.json"))
    return samples


def _read_episodes(path: Path, rng: random.Random) -> None:
    log = ReadLog()
    if path.suffix == ".npz":
        read_guide_trace(path)
    name = rng.choice(EPISODE_FORMATS.formats).name if rng.random() < 0.1 else ""
    check_episodes(EPISODE_FORMATS.read(path, log, name))
    log.finish()


_R2R_RUNS: list[dict[str, Any]] = [
    {"instr_id": "7_0", "trajectory": [["A", 0.0, 0.1], ["B", 1.5, 0.0]]},
    {"instr_id": "7_1", "trajectory": [["A"], ["B", "C"]], "predObjId": 105},
    {"instr_id": "7_2", "path": ["A", "B"], "trajectory": ["A", "B"]},
]
_TOTALS = {"vlnpe": {"TL": 7.0, "NE": 1.0, "OS": 0.5, "SR": 0.5, "SPL": 0.4, "Count": 2}}


def _run_samples(folder: Path) -> list[Sample]:
    samples = [Sample(name, {name: text.encode()}) for name, text in run_samples.SAMPLES.values()]
    more = {"submit.json": _R2R_RUNS, "result.json": _TOTALS}
    for name, value in more.items():
        samples.append(Sample(name, {name: json.dumps(value).encode()}))
    name, csv = run_samples.SAMPLES["vlnverse-csv"]
    samples.append(Sample("", {name: csv.encode(), "kujiale_0010_1_3.csv": csv.encode()}))
    name, scores = run_samples.SAMPLES["navid-stats"]
    samples.append(Sample("", {name: scores.encode(), "stats_8.json": scores.encode()}))
    stats, text = run_samples.SAMPLES["opennav"]
    log = run_samples.OPENNAV_LOG.encode()
    samples.append(Sample("", {stats: text.encode(), "navigator_log.log": log}))
    samples.append(Sample("opennav.log", {"opennav.log": log}))
    capnav_worlds.write_world(folder / "capnav")
    samples.append(samples_of(folder / "capnav" / "results"))
    case, content = run_samples.SAMPLES["mapgpt"]
    samples.append(
        Sample("", {case: content.encode(), "run.log": run_samples.MAPGPT_CONSOLE.encode()})
    )
    return [sample for sample in samples if sample.files]


def _read_runs(path: Path, rng: random.Random) -> None:
    log = ReadLog()
    name = rng.choice(RUN_FORMATS.formats).name if rng.random() < 0.1 else ""
    if name == "vlnpe-lmdb":
        name = ""
    check_runs(RUN_FORMATS.read(path, log, name))
    log.finish()


_INFO = {
    "success": 1.0, "osr": 1.0, "TL": 7.25, "spl": 0.75, "ndtw": 0.5, "steps": 900,
    "episode_id": 31, "trajectory_id": "8", "fail_reason": "", "reference_path": [[0.0, 0.0, 0.0]],
}  # fmt: skip


def _packed_array(values: Any) -> dict[bytes, Any]:
    array = np.asarray(values, dtype=np.float32)
    return {
        b"nd": True,
        b"type": array.dtype.str,
        b"kind": b"",
        b"shape": list(array.shape),
        b"data": array.tobytes(),
    }


def _lmdb_records() -> dict[str, Any]:
    robot = {"position": _packed_array([[1, 2, 0], [1, 3, 0]]), "yaw": _packed_array([0, 1])}
    return {
        "8_31": {"info": _INFO, "finish_status": "success", "fail_reason": "success"},
        "8_32": {"info": _INFO | {"episode_id": 32}, "episode_data": {"robot_info": robot}},
        "timestamp_": {"timestamp": 12.5},
    }


def _database(folder: Path, records: dict[str, Any]) -> bytes:
    folder.mkdir(parents=True)
    with (
        lmdb.open(str(folder), map_size=1 << 20) as database,
        database.begin(write=True) as writing,
    ):
        for key, value in records.items():
            packed = value if isinstance(value, bytes) else msgpack.packb(value, use_bin_type=True)
            writing.put(key.encode(errors="replace")[:500] or b"x", packed)
    return (folder / "data.mdb").read_bytes()


def _lmdb_samples(folder: Path) -> list[Sample]:
    """Whole databases, with the records beside them for the mutations."""
    sample = _database(folder / "a.lmdb", _lmdb_records())
    many = {f"8_{n}": _lmdb_records()["8_31"] for n in range(60)}
    more = _database(folder / "b.lmdb", many)
    return [
        Sample("sample_data0.lmdb", {"sample_data0.lmdb/data.mdb": data}) for data in (sample, more)
    ]


def _mutate_lmdb(rng: random.Random, sample: Sample, samples: Sequence[Sample]) -> Sample:
    """Pages damaged, or a whole database of wrong records."""
    ((name, data),) = sample.files.items()
    if rng.random() < 0.6:
        return Sample(sample.target, {name: damage_bytes(rng, data)})
    records = _lmdb_records()
    key = rng.choice(list(records))
    if rng.random() < 0.7:
        value = mutate_value(rng, records[key])
        try:
            records[key] = msgpack.packb(value, use_bin_type=True, unicode_errors="surrogatepass")
        except (OverflowError, ValueError, TypeError):
            records[key] = msgpack.packb(None)
    else:
        records[key] = damage_bytes(rng, msgpack.packb(records[key]))
    with _scratch() as folder:
        return Sample(sample.target, {name: _database(folder / "x", records)})


def _read_lmdb(path: Path, rng: random.Random) -> None:
    check_runs(RUN_FORMATS.read(path, ReadLog()))


def _scratch() -> Any:
    import tempfile

    class Folder(tempfile.TemporaryDirectory[str]):
        def __enter__(self) -> Path:  # type: ignore[override]
            return Path(super().__enter__())

    return Folder()


def _replay_samples(folder: Path) -> list[Sample]:
    """Results with annotations and connectivity beside them."""
    (folder / "r2r").mkdir()
    write_run(folder / "r2r", {"7_0": "ABC", "7_1": "ABUBCD", "7_2": "AAB"})
    rxr_files.write_rxr(folder / "rxr")
    return [samples_of(folder / "r2r"), samples_of(folder / "rxr")]


def _read_replay(path: Path, rng: random.Random) -> None:
    """Index a run as the window does, then replay each row."""
    is_r2r = (path / "R2R_val.json").exists() or (path / "model.json").exists()
    names = (
        ("model.json", "R2R_val.json")
        if is_r2r
        else ("rxr_val_unseen_follower.jsonl", "rxr_val_unseen_guide.jsonl.gz")
    )
    request = RunSource((path / names[0],), (path / names[1],), path / "connectivity")
    index = exhaust(index_run(request, path / "cache"))
    for row in index.rows.rows:
        for value in row.values:
            require(value is None or math.isfinite(value), "score is not finite")
        index.replayed(row.episode_id, row.attempt)


def _dropped_samples(folder: Path) -> list[Sample]:
    (folder / "e").mkdir()
    (folder / "r").mkdir()
    return [*_episode_samples(folder / "e"), *_run_samples(folder / "r")]


def _read_dropped(path: Path, rng: random.Random) -> None:
    """Tell what it is, and look for runs and for what belongs to them, as the window does."""
    kind = kind_of_path(path)
    if path.is_dir():
        exhaust(list_runs(path))
    if kind is PathKind.RUN:
        exhaust(search_companions(path))


ITEMS = (
    Family("episodes", "Annotations of every format", _episode_samples, _read_episodes, weight=3),
    Family("runs", "Runs and logs of every format", _run_samples, _read_runs, weight=3),
    Family(
        "lmdb",
        "Evaluation databases (LMDB)",
        _lmdb_samples,
        _read_lmdb,
        _mutate_lmdb,
        has_child=True,
    ),
    Family(
        "replay",
        "Runs scored and replayed",
        _replay_samples,
        _read_replay,
        may_write=True,
    ),
    Family("dropped", "Files dropped onto the window", _dropped_samples, _read_dropped),
)
"""What episodes and runs come in."""
