"""What is packed or nested to fill the memory is refused; what streams, streams."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest

from waypost.domain.base.errors import ReadError
from waypost.io import file_reading, item_reading, reading_limits
from waypost.io.file_reading import MOST_PER_CHUNK, open_unpacked, read_file_bytes
from waypost.io.item_reading import read_items
from waypost.io.json_reading import read_json
from waypost.io.logs import text_lines
from waypost.io.logs.text_lines import read_lines
from waypost.io.read_log import ReadLog
from waypost.io.toml_reading import parse_toml

SWELLS = r"unpacks to more than 256 times its size; unpack it yourself if it is meant$"


def _bomb(path: Path, head: bytes, body: bytes, mebibytes: int = 400) -> Path:
    """A small gzip file that unpacks to many mebibytes of one text over and over."""
    piece = body * ((1 << 20) // len(body))
    with gzip.open(path, "wb", 9) as stream:
        stream.write(head)
        for _ in range(mebibytes):
            stream.write(piece)
    return path


@pytest.mark.parametrize(
    ("head", "body"), [(b'[{"a": 1},', b"null,"), (b'[{"a": 1},', b" "), (b'{"a": "', b"a")]
)
def test_what_swells_out_of_proportion_is_refused(tmp_path: Path, head: bytes, body: bytes) -> None:
    path = _bomb(tmp_path / "bomb.json.gz", head, body)
    assert path.stat().st_size < 1 << 20
    tracemalloc.start()
    with pytest.raises(ReadError, match=SWELLS):
        read_json(path)
    with pytest.raises(ReadError, match=SWELLS):
        list(read_items(path, ReadLog()))
    with pytest.raises(ReadError, match=SWELLS):
        list(read_lines(path, ReadLog()))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 4 * MOST_PER_CHUNK


@pytest.mark.parametrize("members", [1, 3])
def test_plain_repetition_is_unpacked_whole(tmp_path: Path, members: int) -> None:
    data = b"the same line over and over\n" * 50_000
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(data, 1) * members + b"\0" * 700)
    assert read_file_bytes(path) == data * members
    with open_unpacked(path) as stream:
        assert b"".join(iter(lambda: stream.read1(1000), b"")) == data * members


@pytest.mark.parametrize("cut", [1, 9, 1000])
def test_a_cut_is_said(tmp_path: Path, cut: int) -> None:
    packed = gzip.compress(bytes(range(256)) * 1000)
    path = tmp_path / "a.gz"
    path.write_bytes(packed[: -min(cut, len(packed) - 20)])
    with pytest.raises(ReadError, match="is a damaged or cut-off gzip file"):
        read_file_bytes(path)


def test_what_is_beyond_a_limit_is_said_with_the_way_to_raise_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    path.write_text("[" + "1," * 2_000_000 + "1]")
    sentence = "more than 1 MiB, which is as much as is read at once; WAYPOST_LARGER_FILES=4"
    with pytest.raises(ReadError, match=sentence):
        read_file_bytes(path, 1 << 20)
    monkeypatch.setattr(item_reading, "MOST_JSON_BYTES", 1 << 20)
    path.write_text('[1, "' + "a" * (8 << 20) + '"]')
    with pytest.raises(ReadError, match=f"here begins {sentence}"):
        list(read_items(path, ReadLog()))
    monkeypatch.setattr(text_lines, "MOST_LINE_CHARACTERS", 1 << 20)
    with pytest.raises(ReadError, match=f"a line holds {sentence}"):
        list(read_lines(path, ReadLog()))


def test_many_small_items_stream_past_every_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(item_reading, "MOST_JSON_BYTES", 5 << 20)
    path = tmp_path / "a.json"
    path.write_text("[" + ",".join(['{"a": "0123456789"}'] * 400_000) + "]")
    assert path.stat().st_size > 7 << 20
    assert sum(1 for _ in read_items(path, ReadLog())) == 400_000


@pytest.mark.parametrize(
    ("stated", "factor"),
    [("4", 4), ("1", 1), ("0", 1), ("-2", 1), ("nan", 1), ("inf", 1000), ("x", 1), ("", 1)],
)
def test_limits_are_raised_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, stated: str, factor: int
) -> None:
    monkeypatch.setenv(reading_limits.FACTOR_VARIABLE, stated)
    assert reading_limits.raised(1 << 20) == factor << 20


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "{b = " * 100_000,
        ".".join("a" * 50_000) + " = 1",
        "a" + '."b"' * 50_000,
        "a" + " . 'b'" * 50_000,
    ],
)
def test_toml_nested_without_end_is_refused(text: str) -> None:
    with pytest.raises(ReadError, match="is nested too deeply"):
        parse_toml(text, "a.toml")


def test_a_number_of_many_digits_in_toml_is_one_sentence() -> None:
    with pytest.raises(ReadError, match=r"^a\.toml: file: cannot be read: ValueError: "):
        parse_toml("a = " + "9" * 5000, "a.toml")


def test_keys_that_stand_twice_in_an_item_are_said(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"id": 1, "id": 2}]')
    log = ReadLog()
    assert [item.json.value for item in read_items(path, log)] == [{"id": 2}]
    assert log.warnings == [f"{path}: an object repeats the key 'id'; the last counts"]


def test_a_limit_that_is_met_exactly_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 100)
    assert read_file_bytes(path, 100) == b"x" * 100
    assert file_reading.read_plain_bytes(path, 100) == b"x" * 100
