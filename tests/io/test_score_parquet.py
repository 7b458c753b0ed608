"""Tables of scores: written whole or not at all."""

import errno

import numpy as np
import pyarrow.parquet as pq
import pytest

from waypost.domain.base.errors import WriteError
from waypost.io.score_parquet import ScoreParquetWriter


def test_pieces_become_one_table(tmp_path):
    path = tmp_path / "scores.parquet"
    with ScoreParquetWriter(path, ["SR"], {"waypost.profile": "r2r"}) as writer:
        writer.write("a", ["1", "2"], [np.array([1.0, np.nan])], [{1: "0/0"}])
        writer.write("b", [], [np.array([])], [{}])
        writer.write("b", ["1"], [np.array([0.5])], [{}])
        assert not path.exists()
    table = pq.read_table(path).to_pylist()
    assert table == [
        {"run": "a", "episode_id": "1", "SR": 1.0, "SR_undefined": None},
        {"run": "a", "episode_id": "2", "SR": None, "SR_undefined": "0/0"},
        {"run": "b", "episode_id": "1", "SR": 0.5, "SR_undefined": None},
    ]
    assert [entry.name for entry in tmp_path.iterdir()] == ["scores.parquet"]


def test_an_error_keeps_the_old_file(tmp_path):
    path = tmp_path / "scores.parquet"
    path.write_text("old")

    def fail():
        with ScoreParquetWriter(path, ["SR"], {}):
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["scores.parquet"]


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "no").write_text("a file")
    with pytest.raises(WriteError, match=r"scores\.parquet: file: cannot be written: "):
        ScoreParquetWriter(tmp_path / "no" / "scores.parquet", ["SR"], {})
    assert [entry.name for entry in tmp_path.iterdir()] == ["no"]


class _FullDisk:
    def write_table(self, table):
        raise OSError(errno.ENOSPC, "No space left on device")

    def close(self):
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("writes", [True, False])
def test_a_full_disk(tmp_path, writes):
    path = tmp_path / "scores.parquet"

    def fill():
        with ScoreParquetWriter(path, ["SR"], {}) as writer:
            writer._writer.close()
            writer._writer = _FullDisk()
            if writes:
                writer.write("a", ["1"], [np.array([1.0])], [{}])

    with pytest.raises(WriteError, match="No space left on device"):
        fill()
    assert list(tmp_path.iterdir()) == []
