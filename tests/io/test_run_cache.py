"""The cache gives back exactly what it was given, or nothing."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import tempfile
import time
import zlib
from pathlib import Path

import pytest
from fixtures.row_examples import COLUMNS, FOUR, make_row
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError, WriteError
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.replay.run_rows import RunRow, RunRows
from waypost.domain.replay.tags import Tag, TagKind
from waypost.io.file_identity import identify
from waypost.io.kept_records import NOWHERE, RecordWriter, read_record
from waypost.io.run_cache import IndexedRun, RunCache
from waypost.io.run_rows_codec import BLOCK, decode_rows, encode_rows

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.lists(
    st.builds(
        RunRow,
        episode_id=TEXT,
        attempt=st.integers(1, 3),
        scene_id=TEXT,
        split=TEXT,
        instruction=TEXT,
        is_success=st.none() | st.booleans(),
        values=st.tuples(*[st.none() | NUMBERS] * 3),
        reasons=st.tuples(*[TEXT] * 3),
        tags=st.lists(
            st.builds(Tag, st.sampled_from(TagKind), st.none() | st.integers(0, 99), TEXT),
            max_size=3,
        ).map(tuple),
        step_count=st.integers(0, 10_000),
        ended_by=TEXT,
        reference_m=st.none() | NUMBERS,
        turn_count=st.none() | st.integers(0, 9),
    ),
    max_size=5,
).map(tuple)


@given(ROWS, st.booleans())
def test_rows_come_back(rows: tuple[RunRow, ...], has_metrics: bool) -> None:
    columns = COLUMNS if has_metrics else ()
    if not has_metrics:
        rows = tuple(dataclasses.replace(row, values=(), reasons=()) for row in rows)
    table = RunRows("model", "/m.json", "r2r", "R2R", columns, rows)
    back = decode_rows(json.loads(json.dumps(list(encode_rows(table)))))
    assert back.rows == rows
    assert (back.name, back.source, back.profile_key) == ("model", "/m.json", "r2r")
    assert (back.profile_title, back.columns, back.is_whole) == ("R2R", columns, True)


@pytest.mark.parametrize(
    "change",
    [
        {"texts": [7]},
        {"name": 3},
        {"values": [[0.0]]},
        {"values": [["x", 0.0, None, 1.0]] * 3},
        {"values": [[10**400, 0.0, None, 1.0]] * 3},
        {"values": [[math.nan, 0.0, None, 1.0]] * 3},
        {"values": [[0.0, 0.0, None, math.inf]] * 3},
        {
            "codes": {
                "scene_id": [-1] * 4,
                "split": [0] * 4,
                "instruction": [0] * 4,
                "ended_by": [0] * 4,
            }
        },
        {"tags": [[["looping", 1, -1]]] * 4},
        {"reasons": [[[0, -1]], [], []]},
        {"tags": [[]]},
        {"tags": [[["rumour", 1, 0]]] * 4},
        {"reasons": [[[9, 0]], [], []]},
        {"codes": {}},
        {"metrics": [{}]},
    ],
)
def test_rows_of_another_shape_are_refused(change: dict[str, object]) -> None:
    head, block = encode_rows(FOUR)
    values = [head | change if change.keys() & head.keys() else head, block | change]
    with pytest.raises(ValueError, match="holds no rows"):
        decode_rows(values)


def kept(cache: RunCache, identity: str = "abc", texts: tuple[str, ...] = ("[1]", "[2]")) -> Path:
    rows = dataclasses.replace(FOUR, rows=FOUR.rows[: len(texts)])
    finding = ImportFinding(ImportKind.NOTE, "7_0", None, "", "a note")
    writer = cache.begin(identity)
    places = tuple(writer.append(text) for text in texts)
    run = IndexedRun(rows, "R2R", "radians", {"found": 2}, (finding,), ("odd",), places=places)
    return cache.keep(identity, run, writer)


def test_a_run_comes_back_with_its_replays(tmp_path: Path) -> None:
    cache = RunCache(tmp_path / "cache")
    replays = kept(cache)
    back = cache.load("abc")
    assert back is not None
    assert back.rows.rows == FOUR.rows[:2]
    assert (back.format, back.conventions, dict(back.coverage)) == ("R2R", "radians", {"found": 2})
    assert (back.findings[0].message, back.warnings) == ("a note", ("odd",))
    assert back.replays == replays
    assert [read_record(replays, place) for place in back.places] == [[1], [2]]
    assert cache.load("other") is None
    assert cache.load("") is None


@given(st.floats(0, 1, exclude_max=True), st.none() | st.integers(1, 255))
def test_damage_is_never_trusted(share: float, flip: int | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        cache = RunCache(Path(folder))
        kept(cache)
        file = Path(folder) / "abc.rows"
        content = bytearray(file.read_bytes())
        place = int(share * len(content))
        if flip is None:
            del content[place:]
        else:
            content[place] ^= flip
        file.write_bytes(bytes(content))
        back = cache.load("abc")
        # A bit of the header of zlib may change without any change of what is packed.
        assert back is None or back.rows.rows == FOUR.rows[:2]


@pytest.mark.parametrize(
    "change",
    [
        {"version": 99},
        {"replays": "../elsewhere.replays"},
        {"replays": "abc.rows"},
        {"replay_bytes": 1},
        {"places": []},
        {"row_count": 3},
        {"texts": None},
    ],
)
def test_files_that_do_not_fit_count_as_missing(tmp_path: Path, change: dict[str, object]) -> None:
    cache = RunCache(tmp_path)
    kept(cache)
    file = tmp_path / "abc.rows"
    lines = [json.loads(line) for line in zlib.decompress(file.read_bytes()).splitlines()]
    changed = [
        value | {key: change[key] for key in value.keys() & change.keys()} for value in lines
    ]
    assert changed != lines
    file.write_bytes(zlib.compress("\n".join(map(json.dumps, changed)).encode()))
    assert cache.load("abc") is None


def test_a_run_kept_again_replaces_the_one_before(tmp_path: Path) -> None:
    cache = RunCache(tmp_path)
    first, second = kept(cache), kept(cache, texts=("[3]",))
    assert not first.exists()
    back = cache.load("abc")
    assert back is not None
    assert read_record(second, back.places[0]) == [3]


def test_the_least_used_goes_first(tmp_path: Path) -> None:
    cache = RunCache(tmp_path)
    old = kept(cache, "old")
    new = kept(cache, "new")
    left = tmp_path / "killed.unfinished"
    left.write_bytes(b"x")
    day_before = time.time() - 100_000
    for path in (old, tmp_path / "old.rows", left):
        os.utime(path, (day_before, day_before))
    cache.shrink(1 << 30, set())
    assert not left.exists()
    assert cache.load("old") is not None
    os.utime(tmp_path / "old.rows", (day_before, day_before))
    os.utime(old, (day_before, day_before))
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    cache.shrink(size - 1, set())
    assert cache.load("old") is None
    assert cache.load("new") is not None
    assert new.exists()


def test_what_is_too_large_is_not_kept(tmp_path: Path) -> None:
    with RecordWriter(tmp_path / "r", 40) as writer:
        first = writer.append('"short"')
        assert writer.append(json.dumps("long" + "".join(map(str, range(99))))) == NOWHERE
        assert writer.byte_count == first[1]
        writer.flush()
        assert read_record(tmp_path / "r", first) == "short"
    with pytest.raises(ReadError, match="byte 1: cannot be read"):
        read_record(tmp_path / "r", (1, 4))
    with pytest.raises(ReadError, match="gone: file: does not exist"):
        read_record(tmp_path / "gone", first)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WriteError, match="cannot be written"):
        RunCache(tmp_path / "file").begin("abc")


def digest(*paths: Path, also: str = "") -> str:
    work = identify(paths, (also,))
    while True:
        try:
            next(work)
        except StopIteration as end:
            return str(end.value)


def test_an_identity_changes_with_names_sizes_times_and_options(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    file = tmp_path / "inner" / "a.json"
    file.write_text("1")
    os.utime(file, ns=(5, 5))
    seen = [digest(tmp_path), digest(tmp_path, also="r2r"), digest(file), digest(tmp_path / "no")]
    file.write_text("22")
    os.utime(file, ns=(5, 5))
    seen.append(digest(tmp_path))
    os.utime(file, ns=(6, 6))
    seen.append(digest(tmp_path))
    file.rename(tmp_path / "inner" / "b.json")
    seen.append(digest(tmp_path))
    assert len(set(seen)) == len(seen) == 7
    (tmp_path / ".hidden").write_text("x")
    assert digest(tmp_path) == seen[-1]


def test_what_lies_behind_a_link_belongs_to_an_identity(tmp_path: Path) -> None:
    results, elsewhere = tmp_path / "results", tmp_path / "elsewhere"
    results.mkdir()
    elsewhere.mkdir()
    log = elsewhere / "a.json"
    log.write_text("1")
    os.utime(log, ns=(5, 5))
    (results / "logs").symlink_to(elsewhere, target_is_directory=True)
    (elsewhere / "back").symlink_to(results, target_is_directory=True)
    before = digest(results)
    os.utime(log, ns=(6, 6))
    after = digest(results)
    assert before != after
    (results / "__pycache__").mkdir()
    assert digest(results) == after


def test_many_rows_are_kept_in_blocks(tmp_path: Path) -> None:
    cache = RunCache(tmp_path)
    writer = cache.begin("abc")
    rows = tuple(make_row(str(number)) for number in range(2 * BLOCK + 1))
    places = tuple(writer.append(str(number)) for number in range(len(rows)))
    run = IndexedRun(dataclasses.replace(FOUR, rows=rows), "", "", {}, places=places)
    replays = cache.keep("abc", run, writer)
    back = cache.load("abc")
    assert back is not None
    assert (back.rows.rows, back.places) == (rows, places)
    assert read_record(replays, back.places[-1]) == 2 * BLOCK


def test_an_unreadable_number_of_rows_is_no_crash(tmp_path: Path) -> None:
    cache = RunCache(tmp_path)
    writer = cache.begin("abc")
    run = IndexedRun(
        dataclasses.replace(FOUR, rows=(make_row("1", (float("nan"),) * 3),)),
        "",
        "",
        {},
        places=(NOWHERE,),
    )
    with pytest.raises(WriteError, match="cannot be written"):
        cache.keep("abc", run, writer)
    assert list(tmp_path.iterdir()) == []
