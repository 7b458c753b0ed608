"""Scores of every episode: killed, full, or in the place of what is no file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from fixtures.replay_files import RunFiles, write_run

from waypost.app.main import main

WRITES_FOR_EVER = """
import sys
from pathlib import Path
import numpy as np
from waypost.io.score_parquet import ScoreParquetWriter
with ScoreParquetWriter(Path(sys.argv[1]), ["SR"], {}) as writer:
    for number in range(10**9):
        ids = [f"{number}-{row}" for row in range(10_000)]
        writer.write("a", ids, [np.random.rand(len(ids))], [{}])
        print(number, flush=True)
"""


def _evaluate(files: RunFiles, out: Path) -> int:
    words = [
        "--annotations",
        files.annotations,
        "--results",
        files.results,
        "--connectivity",
        files.connectivity,
        "--per-episode",
        out,
    ]
    return main(["evaluate", "--profile", "r2r", *map(str, words)])


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system has no nameless files")
def test_a_kill_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    path.write_text("old")
    command = [sys.executable, "-c", WRITES_FOR_EVER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == "20\n":
                break
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["scores.parquet"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    real = tmp_path / "real.parquet"
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link.parquet"
    link.symlink_to(real)
    assert _evaluate(files, link) in {0, 1}
    assert link.is_symlink()
    assert pq.read_table(real).num_rows == 1
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_file_keeps_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    pipe = tmp_path / "pipe.parquet"
    os.mkfifo(pipe)
    device, folder = tmp_path / "device.parquet", tmp_path / "folder.parquet"
    device.symlink_to("/dev/null")
    folder.mkdir()
    before = sorted(tmp_path.iterdir())
    for place in (pipe, device, folder):
        assert _evaluate(files, place) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"error: {place}: file: cannot be written: ")
        assert err.count("\n") == 1
    assert pipe.is_fifo()
    assert Path("/dev/null").is_char_device()
    assert sorted(tmp_path.iterdir()) == before
