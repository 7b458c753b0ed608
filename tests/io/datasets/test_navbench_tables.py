from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.episode_samples import NAVBENCH, A, B
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportKind
from waypost.io.datasets import navbench_episodes, navbench_tables
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog

TABLE = (
    "scan,path_id,path,instruction,instr_id,heading,distance,level\r\n"
    f'X,7,{A} {B},"Go, then\nwait ""here""",0,1.5,5.03,easy\r\n'
    f'X,8,"[""{A}""]",Stay,1,,0,\r\n'
)


def read(path: Path) -> tuple[list[Episode], ReadLog]:
    log = ReadLog()
    entry = EPISODE_FORMATS.find(path)
    assert entry.name == "navbench-csv"
    return list(entry.read(path, log)), log


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_rows_are_episodes(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "hard.csv"
    text = TABLE.replace(",", separator).replace(f"Go{separator}", "Go,")
    path.write_bytes(b"\xef\xbb\xbf" + text.replace(f'""{separator}""', '"",""').encode())
    (first, second), log = read(path)
    assert (first.episode_id, first.source_id, first.split) == ("0", "7", "hard")
    assert first.instruction.text == 'Go, then\nwait "here"'
    assert first.reference.viewpoint_ids == (A, B)
    assert first.geodesic_m == 5.03
    assert first.extra == {"level": "easy"}
    assert second.has_ground_truth
    assert second.start_yaw_rad is None
    assert log.findings == []


def test_a_bad_row_is_reported_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(TABLE + f"X,9,{A} {B},Go,2,north,1,\n", newline="")
    episodes, log = read(path)
    assert len(episodes) == 2
    (finding,) = log.findings
    assert (finding.kind, finding.item_id) == (ImportKind.UNREADABLE, "2")
    assert "heading: is text, not a number" in finding.message


def test_a_text_with_a_comma_and_without_quotes_is_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(TABLE + f"X,9,{A} {B},Go, then wait,2,0,1,easy\n", newline="")
    episodes, log = read(path)
    assert len(episodes) == 2
    assert [finding.message for finding in log.findings] == [
        f"{path}: line 5: has more cells than the first line"
    ]


@pytest.mark.parametrize(
    "text",
    ["scan,path\nX,a\n", "", "just words", "scan,path_id,path,instruction,path\nX,7,a,Go,b\n"],
)
def test_other_tables_are_not_taken_for_tasks(tmp_path: Path, text: str) -> None:
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(ReadError):
        read(path)
    with pytest.raises(ReadError):
        list(navbench_tables.read(path, ReadLog()))


def test_a_cut_anywhere_gives_the_complete_rows_or_says_why(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    for data in (TABLE.encode(), gzip.compress(TABLE.encode())):
        for end in range(len(data)):
            path.write_bytes(data[:end])
            log = ReadLog()
            try:
                episodes = list(navbench_tables.read(path, log))
            except ReadError:
                continue
            assert len(episodes) <= 2
            assert all(episode.scene_id == "X" for episode in episodes)


TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    text=TEXT.filter(bool),
    heading=st.floats(0, 6.28),
    distance=st.floats(0.1, 1e6),
    path_id=st.integers(0, 10**6),
)
def test_json_to_table_and_back(
    tmp_path: Path, text: str, heading: float, distance: float, path_id: int
) -> None:
    record = NAVBENCH[0] | {
        "instruction": text, "heading": heading, "distance": distance, "path_id": path_id,
    }  # fmt: skip
    source = tmp_path / "in.json"
    source.write_text(json.dumps([record]))
    log = ReadLog()
    made = [replace(e, record=None) for e in navbench_episodes.read(source, log)]
    table = tmp_path / "out.csv"
    navbench_tables.write(table, made, log)
    (back,), _ = read(table)
    assert back.instruction.text == text
    assert back.geodesic_m == distance
    assert back.reference == made[0].reference
    assert back.start_yaw_rad == pytest.approx(made[0].start_yaw_rad, abs=1e-12)
    again = tmp_path / "again.csv"
    navbench_tables.write(again, [back], log)
    assert read(again)[0] == [back]
    assert log.findings == []
