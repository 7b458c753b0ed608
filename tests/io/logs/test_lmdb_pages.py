from __future__ import annotations

import struct
from pathlib import Path

import pytest

from waypost.domain.base.errors import ReadError
from waypost.io.logs import vlnpe_lmdb
from waypost.io.logs.lmdb_pages import check_pages
from waypost.io.read_log import ReadLog

lmdb = pytest.importorskip("lmdb")
pytest.importorskip("msgpack")

PAGE = 4096


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """300 records on branch, leaf and overflow pages."""
    path = tmp_path / "runs.lmdb"
    with lmdb.open(str(path), map_size=1 << 26) as opened, opened.begin(write=True) as writing:
        for number in range(300):
            size = 20_000 if number % 50 == 0 else 200
            value = b"\x81\xa4info\x81\xa4text\xda" + struct.pack(">H", size) + b"x" * size
            writing.put(f"{number:04}".encode(), value)
    return path


def read(path: Path) -> list[str]:
    return [run.episode_id for run in vlnpe_lmdb.read(path, ReadLog())]


def cut(path: Path, size: int) -> None:
    data = path / "data.mdb"
    data.write_bytes(data.read_bytes()[:size])


def test_a_whole_database_is_read_in_the_order_of_its_keys(database):
    assert read(database) == [f"{number:04}" for number in range(300)]


def test_a_database_cut_anywhere_is_one_sentence(database):
    size = (database / "data.mdb").stat().st_size
    assert size % PAGE == 0
    whole = (database / "data.mdb").read_bytes()
    for length in sorted({*range(0, size, 3 * PAGE), 1, 100, PAGE + 100, size - 1, size - PAGE}):
        (database / "data.mdb").write_bytes(whole[:length])
        with pytest.raises(ReadError, match="is no whole LMDB database: it ") as caught:
            check_pages(database, database / "data.mdb")
        assert caught.value.file == str(database)


def test_a_cut_database_is_refused_before_it_is_mapped(database):
    cut(database, 3 * PAGE)
    with pytest.raises(ReadError, match="it is cut off before page"):
        read(database)


def test_pages_that_were_never_written_may_lack(database):
    """A transaction may give up its last pages again, and does not write them."""
    data = database / "data.mdb"
    content = bytearray(data.read_bytes())
    for place in (0, PAGE):
        last_page = place + 16 + 120
        (number,) = struct.unpack_from("=Q", content, last_page)
        struct.pack_into("=Q", content, last_page, number + 5)
    data.write_bytes(content)
    assert len(read(database)) == 300


def damaged(content: bytearray, place: int, kind: str, value: int) -> None:
    for page in (0, PAGE):
        struct.pack_into(kind, content, page + 16 + place, value)


@pytest.mark.parametrize(
    ("place", "kind", "value", "words"),
    [
        (0, "=I", 7, "does not begin like one"),
        (4, "=I", 2, "of version 2, not 1"),
        (24, "=I", 0, "pages of 0 bytes"),
        (24, "=I", 4097, "pages of 4097 bytes"),
        (112, "=Q", 1 << 40, "begins with page 1099511627776"),
        (112, "=Q", 0, "begins with page 0"),
        (120, "=Q", 1, "begins with page"),
    ],
)
def test_a_damaged_header_is_one_sentence(place, kind, value, words, database):
    data = database / "data.mdb"
    content = bytearray(data.read_bytes())
    damaged(content, place, kind, value)
    data.write_bytes(content)
    with pytest.raises(ReadError, match=words):
        read(database)


def outcome(database: Path) -> str:
    try:
        read(database)
    except ReadError as error:
        return error.file
    return "is read"


def test_any_damaged_page_is_a_sentence_or_read_and_kills_nobody(database):
    data = database / "data.mdb"
    whole = data.read_bytes()
    outcomes = set()
    for page in range(2, len(whole) // PAGE, 9):
        content = bytearray(whole)
        content[page * PAGE : page * PAGE + 200] = b"\xff" * 200
        data.write_bytes(content)
        outcomes.add(outcome(database))
    assert outcomes == {str(database), "is read"}
