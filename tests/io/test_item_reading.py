"""Streaming of JSON items: every shape of file, packed, cut off, with odd numbers."""

import gzip
import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.import_report import ImportKind
from waypost.io import file_head, file_reading, item_reading
from waypost.io.file_head import read_head
from waypost.io.item_reading import read_items
from waypost.io.read_log import MOST_FINDINGS, ReadLog

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


def _read(path: Path, under: str = "", *, as_lines: bool = False):
    log = ReadLog()
    items = list(read_items(path, log, under, as_lines=as_lines))
    return [(item.key, item.json.value) for item in items], log


def _write(tmp_path: Path, data: bytes | str, name: str = "items.json") -> Path:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize(
    ("text", "under", "expected"),
    [
        ('[{"a": 1}, {"a": 2}]', "", [("", {"a": 1}), ("", {"a": 2})]),
        ('{"x": [1], "y": [2]}', "", [("x", [1]), ("y", [2])]),
        ('{"v": 7, "episodes": [1, 2], "w": 8}', "episodes", [("", 1), ("", 2)]),
        ('{"episodes": {"a": 1}}', "episodes", [("a", 1)]),
        ("[3, 4]", "episodes", [("", 3), ("", 4)]),
        ('{"a": 1}\n{"a": 2}\n', "", [("", {"a": 1}), ("", {"a": 2})]),
        ('{"a": 1}\n\n{"a": 2}', "", [("", {"a": 1}), ("", {"a": 2})]),
        ("[1]\n[2]", "", [("", [1]), ("", [2])]),
        ("[]", "", []),
        ("{}", "", []),
        ('{\n "a": {"b": 1}\n}', "", [("a", {"b": 1})]),
        ("[[1], [2]]\n", "", [("", [1]), ("", [2])]),
    ],
)
@pytest.mark.parametrize("packing", ["plain", "bom", "gzip", "utf-16"])
def test_shapes(tmp_path, text, under, expected, packing):
    data = {
        "plain": text.encode(),
        "bom": b"\xef\xbb\xbf" + text.encode(),
        "gzip": gzip.compress(text.encode()),
        "utf-16": text.encode("utf-16"),
    }[packing]
    items, log = _read(_write(tmp_path, data), under)
    assert items == expected
    assert not log.findings


def test_other_members_are_kept(tmp_path):
    _, log = _read(_write(tmp_path, '{"v": {"w": [7]}, "episodes": [1], "z": null}'), "episodes")
    assert log.document == {"v": {"w": [7]}, "z": None}


def test_a_lone_record_of_json_lines(tmp_path):
    path = _write(tmp_path, '{"a": [1], "b": 2}\n')
    assert _read(path, as_lines=True)[0] == [("", {"a": [1], "b": 2})]
    assert _read(path)[0] == [("a", [1]), ("b", 2)]


def test_values_without_line_ends_between(tmp_path):
    items, _ = _read(_write(tmp_path, '{"a": 1}{"a": 2} {"a": 3}'), as_lines=True)
    assert [value["a"] for _, value in items] == [1, 2, 3]


def test_places(tmp_path):
    log = ReadLog()
    lines = _write(tmp_path, '{"a": 1}\n{"a": 2}', "lines")
    assert [i.json.place for i in read_items(lines, log)] == ["line 1", "line 2"]
    nested = _write(tmp_path, '{"episodes": [5, 6]}', "nested")
    assert [i.json.place for i in read_items(nested, log, "episodes")] == [
        "episodes[0]",
        "episodes[1]",
    ]


@given(st.lists(JSON_VALUES, max_size=8), st.integers(0, 400))
def test_cut_anywhere_gives_the_complete_items(tmp_path_factory, values, cut):
    text = json.dumps(values)
    cut = min(cut, len(text))
    path = _write(tmp_path_factory.mktemp("cut"), text[:cut])
    if cut == 0:
        with pytest.raises(ReadError, match="is empty"):
            _read(path)
        return
    items, log = _read(path)
    assert [value for _, value in items] == values[: len(items)]
    assert log.counts[ImportKind.TRUNCATED] == (cut < len(text))
    complete = [end for end in range(len(values)) if len(json.dumps(values[: end + 1])) <= cut]
    assert len(items) >= len(complete)


@given(st.dictionaries(st.text(max_size=6), JSON_VALUES, max_size=6))
def test_objects_in_small_chunks(tmp_path_factory, values):
    path = _write(tmp_path_factory.mktemp("chunks"), json.dumps(values, indent=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(item_reading, "_CHUNK_BYTES", 3)
        items, log = _read(path)
    assert dict(items) == values
    assert not log.findings


def test_a_cut_off_gzip(tmp_path):
    noise = random.Random(1)
    rows = [{"n": n, "t": f"{noise.random()}" * 3} for n in range(2000)]
    data = gzip.compress(json.dumps(rows).encode())
    path = _write(tmp_path, data[: len(data) // 2])
    items, log = _read(path)
    assert 900 < len(items) < 1100
    assert read_head(path).first_has("n", "t")
    assert items[-1][1]["n"] == len(items) - 1
    assert log.counts[ImportKind.TRUNCATED] == 1
    assert f"its {len(items)} complete items" in log.findings[0].message


def test_cut_off_lines(tmp_path):
    items, log = _read(_write(tmp_path, '{"a": 1}\n{"a": 2}\n{"a"'))
    assert len(items) == 2
    assert log.counts[ImportKind.TRUNCATED] == 1


def test_odd_numbers_are_read_with_a_warning(tmp_path):
    items, log = _read(_write(tmp_path, '[{"a": NaN}, {"a": -Infinity}]'))
    assert math.isnan(items[0][1]["a"])
    assert items[1][1]["a"] == -math.inf
    assert any("NaN appears 1×" in text for text in log.warnings)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line|file: is empty"),
        ("  \n", "is empty"),
        ("hello", "is not JSON"),
        ("[1 2]", "a comma is missing"),
        ("[1, 2,]", "comma stands before the end"),
        ('{"a" 1}', "a colon"),
        ("[1] tail", "goes on"),
        ('[{"a": }]', "line 1: is not JSON"),
        ("[" * 100_000, "nested too deeply|ends in"),
    ],
)
def test_what_is_not_json(tmp_path, text, reason):
    with pytest.raises(ReadError, match=reason):
        _read(_write(tmp_path, text))


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(ReadError, match="does not exist"):
        _read(tmp_path / "none")
    with pytest.raises(ReadError, match="is a folder"):
        _read(tmp_path)


def test_bytes_that_are_no_text(tmp_path):
    with pytest.raises(ReadError, match="is not utf-8"):
        _read(_write(tmp_path, b'["\xff"]'))


def test_the_head_closes_what_is_open(tmp_path):
    rows = [{"id": n, "path": [[1.5, 2.5]], "say": 'a "quoted" ] text'} for n in range(5000)]
    head = read_head(_write(tmp_path, json.dumps({"episodes": rows})))
    assert head.sample["episodes"][:100] == rows[:100]
    assert head.first[0] == rows[0]
    assert not head.is_lines


def test_the_head_of_lines_folders_and_text(tmp_path):
    lines = read_head(_write(tmp_path, '{"a": 1}\n{"a": 2}\n{"a'))
    assert lines.is_lines
    assert lines.sample == [{"a": 1}, {"a": 2}]
    assert lines.first_has("a")
    folder = read_head(tmp_path)
    assert folder.is_folder
    assert folder.names == ("items.json",)
    text = read_head(_write(tmp_path, "step 1: go\nstep 2", "log.txt"))
    assert text.sample is None
    assert text.text.startswith("step 1")


def test_the_log_is_bounded():
    log = ReadLog()
    for step in range(MOST_FINDINGS + 7):
        log.add(ImportKind.NO_EDGE, "no edge", step=step)
    assert len(log.findings) == MOST_FINDINGS
    assert log.left_out == 7
    assert log.counts[ImportKind.NO_EDGE] == MOST_FINDINGS + 7


class _Stream:
    """A file whose disk fails."""

    def read1(self, size):
        raise OSError("input/output error")

    def __enter__(self):
        return self

    def __exit__(self, *details):
        return None


def test_a_disk_that_fails(tmp_path, monkeypatch):
    path = _write(tmp_path, "[1]")
    for module in (item_reading, file_head):
        monkeypatch.setattr(module, "open_unpacked", lambda path: _Stream())
    with pytest.raises(ReadError, match="input/output error"):
        _read(path)
    with pytest.raises(ReadError, match="input/output error"):
        read_head(path)


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    def refuse(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    path = _write(tmp_path, "[1]")
    monkeypatch.setattr(file_reading.os, "open", refuse)
    with pytest.raises(ReadError, match=r"cannot be read: Permission denied$"):
        _read(path)


@pytest.mark.parametrize(
    ("text", "under", "items", "complete"),
    [
        ("[1, 23", "", [("", 1)], 1),
        ('{"a": 1, "b"', "", [("a", 1)], 1),
        ('{"a": 1, "b":', "", [("a", 1)], 1),
        ('{"a": 1, "b": {"c"', "", [("a", 1)], 1),
        ('{"a": {"b": 1}', "", [("a", {"b": 1})], 1),
        ('{"v": 1, "episodes": [{"n": 1}, {"n"', "episodes", [("", {"n": 1})], 1),
        ('{"episodes": [{"n": 1}', "episodes", [("", {"n": 1})], 1),
    ],
)
def test_where_a_file_may_end(tmp_path, text, under, items, complete):
    found, log = _read(_write(tmp_path, text), under)
    assert found == items
    assert log.counts[ImportKind.TRUNCATED] == 1
    assert f"its {complete} complete items" in log.findings[0].message


def test_cut_off_packed_lines(tmp_path):
    noise = random.Random(2)
    text = "".join(json.dumps({"n": n, "t": str(noise.random())}) + "\n" for n in range(3000))
    data = gzip.compress(text.encode())
    items, log = _read(_write(tmp_path, data[: len(data) // 2]))
    assert 1000 < len(items) < 2000
    assert log.counts[ImportKind.TRUNCATED] == 1


def test_odd_values(tmp_path):
    with pytest.raises(ReadError, match="too many digits"):
        _read(_write(tmp_path, "[" + "9" * 5000 + "]"))
    with pytest.raises(ReadError, match="a colon"):
        _read(_write(tmp_path, "{1: 2}"))
    blank = _write(tmp_path, '{"a": 1}\n' + "\n" * 400_000 + '{"a": 2}')
    assert [value["a"] for _, value in _read(blank)[0]] == [1, 2]


@pytest.mark.parametrize(
    ("data", "sample"),
    [
        (b"[1, 2}", None),
        (b"]", None),
        (b'{"a" 1, ', None),
        (b"[\xff\xfe", []),
        (b'[{"a": 1}, {"b"', [{"a": 1}, {}]),
        (b"[1] tail", [1]),
        (b'{"a": {"b": [1, 2', {"a": {"b": [1]}}),
        (b'[[1, {"a": [2, [', [[1, {"a": [2, []]}]]),
        (b"[" * 100_000, None),
    ],
)
def test_heads_of_odd_files(tmp_path, data, sample):
    assert read_head(_write(tmp_path, data)).sample == sample


def test_first_items_of_heads(tmp_path):
    assert read_head(_write(tmp_path, "[]")).first is None
    assert read_head(_write(tmp_path, "{}")).first is None
    assert read_head(_write(tmp_path, '{"x": {"a": 1}}')).first == {"a": 1}
    assert not read_head(_write(tmp_path, "[7]")).first_has("a")


def test_the_log_warns_once_and_takes_many_findings():
    log = ReadLog()
    log.warn("odd")
    log.warn("odd")
    assert log.warnings == ["odd"]
    log.note_angle("heading", math.nan, "1")
    log.note_angle("heading", "north", "1")
    log.note_angle("heading", 300.0, "2")
    log.note_angle("heading", 20.0, "3")
    log.finish()
    log.finish()
    assert [finding.item_id for finding in log.findings] == ["2"]
    log.extend(log.findings * 2)
    assert log.counts[ImportKind.DEGREES_FOR_RADIANS] == 3


def test_a_gzip_without_its_end(tmp_path):
    """All lines are there, only the check sum behind them is not."""
    data = gzip.compress(b'{"a": 1}\n{"a": 2}\n')
    path = _write(tmp_path, data[:-8])
    items, log = _read(path)
    assert [value["a"] for _, value in items] == [1, 2]
    assert log.counts[ImportKind.TRUNCATED] == 1
    assert read_head(path).is_lines


def test_one_long_line(tmp_path):
    rows = [{"n": n, "t": "x" * 50} for n in range(20_000)]
    items, log = _read(_write(tmp_path, json.dumps({"episodes": rows})), "episodes")
    assert [value for _, value in items] == rows
    assert not log.findings


@pytest.mark.parametrize("end", ["", "\n", "\n\n  \n"])
def test_a_lone_line_is_not_parsed_as_a_whole(tmp_path, monkeypatch, end):
    """Items come one by one, so that a thread that reads a large file gives way in between."""
    monkeypatch.setattr(item_reading.json, "loads", lambda text: pytest.fail(f"parses {text}"))
    assert _read(_write(tmp_path, '{"a": 1}' + end))[0] == [("a", 1)]
    assert _read(_write(tmp_path, "[1, 2]" + end))[0] == [("", 1), ("", 2)]
