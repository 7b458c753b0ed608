"""What holds for every form of run file: recognised by content, packing, damage, round trips."""

import gzip
import json

import pytest
from fixtures.run_samples import OPENNAV_LOG, SAMPLES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.import_report import ImportKind
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.read_log import ReadLog

BY_NAME = {entry.name: entry for entry in RUN_FORMATS}
TEXTS = {"mapgpt-console", "discussnav-log"}


def read(path, name=""):
    log = ReadLog()
    return list(RUN_FORMATS.find(path, name).read(path, log)), log


def put(folder, name, data):
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_every_form_has_a_sample_or_a_test_of_its_own():
    assert BY_NAME.keys() - SAMPLES.keys() == {"r2r", "vlnpe-lmdb", "score-totals"}
    assert len(BY_NAME) == len(RUN_FORMATS.formats)


@pytest.mark.parametrize("name", SAMPLES)
def test_content_tells_the_form_whatever_the_file_is_called(tmp_path, name):
    suffix = ".csv" if name == "vlnverse-csv" else ".data"
    path = put(tmp_path, "x" + suffix, SAMPLES[name][1])
    assert RUN_FORMATS.find(path).name == name
    accepting = [entry.name for entry in RUN_FORMATS if entry.can_read(_head(path))]
    assert accepting == [name]


def _head(path):
    from waypost.io.file_head import read_head

    return read_head(path)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("packing", ["bom", "gzip", "utf-16", "crlf"])
def test_packing_does_not_matter(tmp_path, name, packing):
    file, text = SAMPLES[name]
    plain, _ = read(put(tmp_path, file, text))
    data = {
        "bom": b"\xef\xbb\xbf" + text.encode(),
        "gzip": gzip.compress(text.encode()),
        "utf-16": text.encode("utf-16"),
        "crlf": text.replace("\n", "\r\n").encode(),
    }[packing]
    (tmp_path / "packed").mkdir()
    packed, log = read(put(tmp_path / "packed", file, data))
    assert packed == plain
    assert log.counts[ImportKind.TRUNCATED] == 0
    assert len(plain) > 0


@pytest.mark.parametrize("name", [name for name in SAMPLES if BY_NAME[name].write])
def test_written_in_the_same_form_nothing_is_lost(tmp_path, name):
    file, text = SAMPLES[name]
    path = put(tmp_path, file, text)
    runs, log = read(path)
    target = tmp_path / "out" / file
    if name == "capnav":
        BY_NAME[name].write(tmp_path / "out", runs, log)
        target = tmp_path / "out" / "HM3D00010" / file
    else:
        BY_NAME[name].write(target, runs, log)
    again, _ = read(target)
    assert again == runs
    assert _values(target) == _values(path)


def _values(path):
    text = path.read_text()
    if path.suffix == ".csv":
        return text
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]
    return value if not isinstance(value, dict) or "a_t" not in value else [value]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_of_no_use_is_one_sentence(tmp_path, name):
    for data in (b"", b"   \n"):
        with pytest.raises(ReadError) as caught:
            list(BY_NAME[name].read(put(tmp_path, "x.csv", data), ReadLog()))
        assert str(caught.value).startswith(f"{tmp_path}/x.csv: ")
    with pytest.raises(ReadError, match="does not exist"):
        list(BY_NAME[name].read(tmp_path / "nothing.json", ReadLog()))


@pytest.mark.parametrize("name", SAMPLES)
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(share=st.floats(0, 1), packed=st.booleans())
def test_a_cut_file_gives_whole_items_or_says_why_not(tmp_path, name, share, packed):
    file, text = SAMPLES[name]
    whole, _ = read(put(tmp_path, file, text))
    data = gzip.compress(text.encode()) if packed else text.encode()
    path = put(tmp_path, "cut-" + file, data[: int(len(data) * share)])
    log = ReadLog()
    try:
        runs = list(BY_NAME[name].read(path, log))
    except ReadError:
        return
    if name == "vlnverse-csv":
        assert len(runs) == 1
        assert len(runs[0].route) <= len(whole[0].route)
        return
    kept = [run for run in whole if any(run == other for other in runs)]
    assert len(kept) == len(runs)
    if len(data) != len(path.read_bytes()) and len(runs) < len(whole):
        is_line_end = path.read_bytes().rstrip().endswith(b"}") and not packed
        assert log.counts[ImportKind.TRUNCATED] or is_line_end or name in TEXTS


@given(size=st.integers(0, len(OPENNAV_LOG)))
@settings(max_examples=60, deadline=None)
def test_a_cut_open_nav_log_gives_whole_episodes(tmp_path_factory, size):
    folder = tmp_path_factory.mktemp("cut")
    whole, _ = read(put(folder, "whole.log", OPENNAV_LOG), "opennav")
    log = ReadLog()
    try:
        runs = list(
            BY_NAME["opennav"].read(put(folder, "cut.log", OPENNAV_LOG.encode()[:size]), log)
        )
    except ReadError:
        return
    assert all(run in whole for run in runs)
    assert len(runs) == 2 or log.counts[ImportKind.TRUNCATED] or not runs


@pytest.mark.parametrize("name", SAMPLES)
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_any_bytes_in_between_never_crash(tmp_path, name, data):
    file, text = SAMPLES[name]
    raw = bytearray(text.encode())
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at : at + data.draw(st.integers(0, 6))] = data.draw(st.binary(max_size=6))
    path = put(tmp_path, file, bytes(raw))
    log = ReadLog()
    try:
        runs = list(BY_NAME[name].read(path, log))
    except ReadError:
        return
    for run in runs:
        assert all(0 <= d.first_pose <= d.end_pose <= len(run.route) for d in run.decisions)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - TEXTS - {"vlnverse-csv"}))
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_any_value_in_any_place_never_crashes(tmp_path, name, data):
    file, text = SAMPLES[name]
    try:
        value, is_lines = json.loads(text), False
    except json.JSONDecodeError:
        value, is_lines = [json.loads(line) for line in text.splitlines()], True
    places = list(_places(value))
    parent, key = data.draw(st.sampled_from(places))
    parent[key] = data.draw(JSON_VALUES)
    out = "".join(json.dumps(v) + "\n" for v in value) if is_lines else json.dumps(value)
    path = put(tmp_path, file, out)
    log = ReadLog()
    try:
        runs = list(BY_NAME[name].read(path, log))
    except ReadError:
        return
    for run in runs:
        assert isinstance(run.episode_id, str)
        assert all(0 <= d.first_pose <= d.end_pose <= len(run.route) for d in run.decisions)


def _places(value):
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def test_the_text_of_open_nav_is_recognised_too(tmp_path):
    path = put(tmp_path, "navigator_log.log", OPENNAV_LOG)
    assert RUN_FORMATS.find(path).name == "opennav"


def test_unknown_content_is_told(tmp_path):
    with pytest.raises(
        ReadError, match='no runs in a known format, but a JSON object with the key "a"'
    ):
        RUN_FORMATS.find(put(tmp_path, "x.json", '{"a": 1}'))
    with pytest.raises(ReadError, match="'nope' is no format"):
        RUN_FORMATS.find(put(tmp_path, "y.json", "[]"), "nope")
