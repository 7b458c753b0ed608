from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixtures.episode_samples import SAMPLES, Sample
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportKind
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog

IDS = [f"{sample.format}:{sample.name}" for sample in SAMPLES]
by_sample = pytest.mark.parametrize("sample", SAMPLES, ids=IDS)


def read(path: Path, name: str = "") -> tuple[list[Episode], ReadLog]:
    log = ReadLog()
    return list(EPISODE_FORMATS.find(path, name).read(path, log)), log


def strict_json(path: Path) -> Any:
    def refuse(token: str) -> float:
        raise ValueError(token)

    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    if ".jsonl" in path.name:
        return [json.loads(line, parse_constant=refuse) for line in text.split("\n") if line]
    return json.loads(text, parse_constant=refuse)


def test_every_json_format_has_a_sample() -> None:
    assert {entry.name for entry in EPISODE_FORMATS} == {sample.format for sample in SAMPLES} | {
        "navbench-csv",
        "rxr-pose-trace",
    }


@by_sample
def test_the_content_shows_the_format(sample: Sample, tmp_path: Path) -> None:
    path = sample.write(tmp_path)
    assert EPISODE_FORMATS.find(path).name == sample.format


@by_sample
def test_another_name_changes_nothing(sample: Sample, tmp_path: Path) -> None:
    known = sample.write(tmp_path)
    other = tmp_path / "data"
    other.write_bytes(known.read_bytes())
    assert EPISODE_FORMATS.find(other).name == sample.format


@pytest.mark.parametrize(
    "sample",
    [each for each in SAMPLES if each.is_lines],
    ids=[name for name, each in zip(IDS, SAMPLES, strict=True) if each.is_lines],
)
def test_a_file_of_one_line_is_one_episode(sample: Sample, tmp_path: Path) -> None:
    """As a sample cut out with ``head -1``, or one episode written by ``waypost convert``."""
    whole = sample.write(tmp_path)
    all_of_them, _ = read(whole)
    data = whole.read_bytes()
    text = (gzip.decompress(data) if whole.suffix == ".gz" else data).decode("utf-8")
    one = tmp_path / "one.jsonl"
    one.write_text(text.split("\n")[0] + "\n", encoding="utf-8")
    assert EPISODE_FORMATS.find(one).name == sample.format
    (episode,), log = read(one, sample.format)
    assert (episode.episode_id, log.findings) == (all_of_them[0].episode_id, [])


@by_sample
def test_exactly_one_record_of_every_episode_is_written_back(
    sample: Sample, tmp_path: Path
) -> None:
    path = sample.write(tmp_path)
    entry = EPISODE_FORMATS.find(path)
    log = ReadLog()
    assert entry.write is not None
    (tmp_path / "out").mkdir()
    out = tmp_path / "out" / sample.name
    entry.write(out, entry.read(path, log), log)
    assert strict_json(out) == sample.content
    assert [list(record) for record in _records(strict_json(out))] == [
        list(record) for record in _records(sample.content)
    ]
    assert read(out)[0] == [
        replace(episode, split=other.split)
        for episode, other in zip(read(path)[0], read(out)[0], strict=True)
    ]


def _records(content: Any) -> list[Any]:
    if isinstance(content, dict):
        content = content.get("episodes", content.get("questions"))
    return list(content)


@by_sample
def test_packed_files_are_read_and_written(sample: Sample, tmp_path: Path) -> None:
    plain = sample.write(tmp_path)
    episodes, _ = read(plain)
    misnamed = tmp_path / "misnamed" / sample.name
    misnamed.parent.mkdir()
    misnamed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read(misnamed)[0] == episodes
    entry = EPISODE_FORMATS.find(misnamed)
    log = ReadLog()
    packed = tmp_path / f"{sample.name}.gz"
    assert entry.write is not None
    entry.write(packed, entry.read(misnamed, log), log)
    assert strict_json(packed) == sample.content


@by_sample
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_are_fine(sample: Sample, tmp_path: Path, encoding: str) -> None:
    path = sample.write(tmp_path)
    episodes, _ = read(path)
    path.write_bytes(sample.text().encode(encoding))
    assert read(path)[0] == episodes


@by_sample
def test_json_lines_of_any_format(sample: Sample, tmp_path: Path) -> None:
    if sample.format == "capnav":
        pytest.skip("questions come in one document")
    path = sample.write(tmp_path)
    episodes, _ = read(path)
    lines = tmp_path / sample.name
    records = _records(sample.content) * 2
    lines.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    twice, _ = read(lines)
    assert [episode.instruction for episode in twice] == [
        episode.instruction for episode in episodes
    ] * 2


@by_sample
def test_a_cut_anywhere_gives_the_complete_records_or_says_why(
    sample: Sample, tmp_path: Path
) -> None:
    path = sample.write(tmp_path)
    whole, _ = read(path)
    data = path.read_bytes()
    for end in range(0, len(data), 1 if len(data) < 900 else 7):
        path.write_bytes(data[:end])
        log = ReadLog()
        try:
            episodes = list(EPISODE_FORMATS.find(path, sample.format).read(path, log))
        except ReadError:
            continue
        assert episodes == whole[: len(episodes)]
        ends_with_a_record = sample.is_lines and data[:end].rstrip().endswith(b"}")
        if len(episodes) < len(whole) and not ends_with_a_record:
            assert log.counts[ImportKind.TRUNCATED] == 1


@by_sample
def test_a_cut_gzip_gives_the_complete_records_or_says_why(sample: Sample, tmp_path: Path) -> None:
    path = sample.write(tmp_path)
    whole, _ = read(path)
    data = gzip.compress(path.read_bytes())
    for end in range(0, len(data), 5):
        path.write_bytes(data[:end])
        try:
            episodes, _ = read(path, sample.format)
        except ReadError:
            continue
        assert episodes == whole[: len(episodes)]


@by_sample
def test_nan_is_read_with_a_warning_and_never_written(sample: Sample, tmp_path: Path) -> None:
    first, *rest = _records(sample.content)
    records: Any = [{**first, "odd": [float("nan"), float("-inf")]}, *rest]
    if isinstance(sample.content, dict):
        records = {**sample.content, next(k for k in ("episodes", "questions") if k in
                   sample.content): records}  # fmt: skip
    path = replace(sample, content=records).write(tmp_path)
    entry = EPISODE_FORMATS.find(path)
    log = ReadLog()
    assert entry.write is not None
    out = tmp_path / f"out-{sample.name}"
    entry.write(out, entry.read(path, log), log)
    assert any("NaN" in warning for warning in log.warnings)
    assert _records(strict_json(out))[0]["odd"] == [None, None]


@by_sample
def test_one_bad_record_does_not_stop_the_others(sample: Sample, tmp_path: Path) -> None:
    if sample.format == "capnav":
        pytest.skip("a task file is checked as a whole")
    path = sample.write(tmp_path)
    whole, _ = read(path)
    records = [*_records(sample.content), {"episode_id": 99}, 5]
    path.write_text(json.dumps(records), encoding="utf-8")
    episodes, log = read(path, sample.format)
    assert len(episodes) == len(whole)
    bad = [found for found in log.findings if found.kind is ImportKind.UNREADABLE]
    assert [found.value for found in bad] == [f"[{len(records) - 2}]", f"[{len(records) - 1}]"]


@by_sample
def test_without_their_records_episodes_are_written_from_their_parts(
    sample: Sample, tmp_path: Path
) -> None:
    path = sample.write(tmp_path)
    entry = EPISODE_FORMATS.find(path)
    log = ReadLog()
    made = [replace(episode, record=None) for episode in entry.read(path, log)]
    assert entry.write is not None
    out = tmp_path / f"again-{sample.name}"
    if sample.format == "capnav":
        with pytest.raises(InputError, match="it has no start and goal in a graph"):
            entry.write(out, made, ReadLog())
        assert not out.exists()
        return
    entry.write(out, made, ReadLog())
    assert EPISODE_FORMATS.find(out).name == sample.format
    again, _ = read(out)
    for before, after in zip(made, again, strict=True):
        assert after.episode_id == before.episode_id
        assert after.scene_id == before.scene_id
        assert after.instruction == before.instruction
        assert after.reference == before.reference
        assert [goal.viewpoint_id for goal in after.goals] == [
            goal.viewpoint_id for goal in before.goals
        ]
        assert after.start_position_m == before.start_position_m
        if before.start_yaw_rad is None or sample.format in {"rxr-follower", "soon"}:
            assert after.start_yaw_rad is before.start_yaw_rad
        else:
            assert after.start_yaw_rad == pytest.approx(before.start_yaw_rad, abs=1e-12)
        assert after.geodesic_m == before.geodesic_m
        assert after.stages == before.stages or sample.format == "vlnverse-long-horizon"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False,
    allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner,
    max_size=3),
    max_leaves=6,
)  # fmt: skip


@by_sample
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(extra=st.dictionaries(st.text(min_size=1, max_size=6).map("x-{}".format), JSON, max_size=3))
def test_unknown_members_survive(sample: Sample, tmp_path: Path, extra: dict[str, Any]) -> None:
    records = [{**record, **extra} for record in _records(sample.content)]
    content: Any = records
    if isinstance(sample.content, dict):
        key = "questions" if sample.format == "capnav" else "episodes"
        content = {**sample.content, **extra, key: records}
    source = replace(sample, content=content)
    entry = EPISODE_FORMATS.find(source.write(tmp_path))
    log = ReadLog()
    out = tmp_path / f"out-{sample.name}"
    assert entry.name == sample.format
    assert entry.write is not None
    entry.write(out, entry.read(tmp_path / sample.name, log), log)
    assert strict_json(out) == content


@by_sample
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_wrong_values_are_reported_and_never_raised(
    sample: Sample, tmp_path: Path, data: st.DataObject
) -> None:
    records = _records(sample.content)
    index = data.draw(st.integers(0, len(records) - 1))
    key = data.draw(st.sampled_from(sorted(records[index])))
    records[index] = {**records[index], key: data.draw(JSON)}
    path = tmp_path / sample.name
    path.write_text(json.dumps(records), encoding="utf-8")
    try:
        episodes, log = read(path, sample.format)
    except ReadError:
        assert sample.format == "capnav"
        return
    assert len(episodes) <= sum(max(1, len(_texts(record))) for record in records)
    assert len(episodes) == len(read(path, sample.format)[0])
    if not episodes:
        assert log.counts[ImportKind.UNREADABLE] or records[index][key] in ([], {})


def _texts(record: dict[str, Any]) -> Any:
    texts = record.get("instructions")
    return texts if isinstance(texts, list) else []
