"""A run is indexed once, row by row; replays come back the same from the cache and the source."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fixtures.replay_files import write_run

from waypost.domain.base.errors import InputError, WriteError
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.tags import TagKind
from waypost.io.kept_records import RecordWriter
from waypost.services.replay import run_index
from waypost.services.replay.loading import replay_all
from waypost.services.replay.row_making import rows_of
from waypost.services.replay.run_identity import source_identity
from waypost.services.replay.run_index import RowsProgress, RunIndex, index_run

WALKS = {"7_0": "ABC", "7_1": "ABABC", "7_2": "ABCDE"}


def request(folder: Path, walked: dict[str, str] | None = None, **options: str) -> RunSource:
    files = write_run(folder, walked or WALKS)
    return RunSource((files.results,), (files.annotations,), files.connectivity, **options)


def index(asked: RunSource, folder: Path) -> RunIndex:
    return exhaust(index_run(asked, folder / "cache"))


def test_rows_hold_what_the_table_and_the_charts_need(tmp_path: Path) -> None:
    made = index(request(tmp_path), tmp_path)
    first, looping, late = made.rows.rows
    assert [row.episode_id for row in made.rows.rows] == ["7_0", "7_1", "7_2"]
    keys = [column.key for column in made.rows.columns]
    values = dict(zip(keys, looping.values, strict=True))
    # A-B-A-B-C: 8 m walked in four steps where 4 m lead to the goal.
    assert (values["TL"], values["SPL"], values["NE"]) == (8.0, 0.5, 0.0)
    assert (looping.is_success, looping.step_count, looping.turn_count) == (True, 4, 0)
    assert (looping.reference_m, looping.scene_id, looping.split) == (4.0, "line", "val")
    assert (first.instruction, looping.instruction) == ("Walk on.", "Second.")
    assert TagKind.LOOPING in {tag.kind for tag in looping.tags}
    assert late.is_success is False
    assert {tag.kind: tag.step for tag in late.tags}[TagKind.LATE_STOP] == 4
    assert made.coverage["found"] == made.coverage["expected"] == 3
    assert (made.rows.name, made.rows.profile_key, made.rows.is_whole) == ("model", "r2r", True)


def test_a_file_that_ends_in_the_middle_is_said_also_from_the_cache(tmp_path: Path) -> None:
    asked = request(tmp_path)
    asked.file.write_text(asked.file.read_text()[:-20])
    for is_from_cache in (False, True):
        found = index(asked, tmp_path)
        assert found.is_from_cache is is_from_cache
        assert found.warnings == (
            f"{asked.file} ends in the middle; its 2 complete items were read",
        )


def test_rows_are_those_of_a_run_in_memory(tmp_path: Path) -> None:
    asked = request(tmp_path)
    whole = rows_of(exhaust(replay_all(asked)))
    made = index(asked, tmp_path).rows
    assert (whole.rows, whole.columns) == (made.rows, made.columns)


def test_the_second_time_a_run_opens_from_the_cache(tmp_path: Path) -> None:
    asked = request(tmp_path)
    first, second = index(asked, tmp_path), index(asked, tmp_path)
    assert (first.is_from_cache, second.is_from_cache) == (False, True)
    assert second.rows.rows == first.rows.rows
    assert dict(second.coverage) == dict(first.coverage)
    assert (second.format, second.conventions) == (first.format, first.conventions)
    (tmp_path / "model.json").unlink()  # what was kept needs no source
    for made in (first, second):
        shown = made.replayed("7_1")
        assert shown.replay.viewpoint_ids == ("A", "B", "A", "B", "C")
        assert shown.scores.values["SPL"] == 0.5
        assert shown.replay.episode.instruction.text == "Second."


@pytest.mark.parametrize(
    "change",
    [
        lambda folder, asked: dataclasses.replace(asked, profile_key="duet"),
        lambda folder, asked: _appended(folder / "model.json", asked),
        lambda folder, asked: _appended(folder / "R2R_val.json", asked),
        lambda folder, asked: _appended(folder / "connectivity" / "line_connectivity.json", asked),
    ],
)
def test_any_change_makes_it_read_anew(
    tmp_path: Path, change: Callable[[Path, RunSource], RunSource]
) -> None:
    asked = request(tmp_path)
    index(asked, tmp_path)
    assert not index(change(tmp_path, asked), tmp_path).is_from_cache


def test_a_changed_graph_of_capnav_makes_it_read_anew(tmp_path: Path) -> None:
    graph = {"nodes": [{"id": f"n{n}", "name": f"Room {n}"} for n in range(2)], "edges": []}
    question = {"question": "From Room 0 to Room 1?", "nodes_involved": ["Room 0", "Room 1"]}
    (tmp_path / "home-QA.json").write_text(json.dumps({"questions": [question]}))
    (tmp_path / "run.json").write_text(json.dumps([{"instr_id": "home_0", "trajectory": ["n0"]}]))
    beside = tmp_path / "home-graph.json"
    asked = RunSource((tmp_path / "run.json",), (tmp_path / "home-QA.json",))
    given = tmp_path / "given" / "graphs" / "home-graph.json"
    labels = tmp_path / "given" / "traverse" / "home-traverse.json"
    for folder in (given.parent, labels.parent):
        folder.mkdir(parents=True)
    with_graph = dataclasses.replace(asked, connectivity=given)
    with_folder = dataclasses.replace(asked, connectivity=given.parent)
    cases = (
        (asked, beside), (with_graph, given), (with_graph, labels),
        (with_folder, given), (with_folder, labels),
    )  # fmt: skip
    for request_, file in cases:
        file.write_text(json.dumps(graph))
        before = exhaust(source_identity(request_))
        assert exhaust(source_identity(request_)) == before
        file.write_text(json.dumps({**graph, "nodes": graph["nodes"][:1]}))
        assert exhaust(source_identity(request_)) != before, file


@pytest.mark.parametrize("is_folder", [False, True])
def test_what_lies_beside_the_annotations_makes_it_read_anew(
    tmp_path: Path, is_folder: bool
) -> None:
    asked = request(tmp_path)
    before = exhaust(source_identity(asked))
    (tmp_path / "R2R_val_gt.json").write_text("{}")
    with_dense = exhaust(source_identity(asked))
    boxes = tmp_path / "BBox" / "scan_a.json" if is_folder else tmp_path / "BBoxes.json"
    boxes.parent.mkdir(exist_ok=True)
    boxes.write_text("{}")
    with_boxes = exhaust(source_identity(asked))
    boxes.write_text('{"a": {"7": {"visible_pos": [1]}}}')
    changed = exhaust(source_identity(asked))
    assert len({before, with_dense, with_boxes, changed}) == 4


def test_replays_of_a_large_file_are_kept_as_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = request(tmp_path)
    small = index(asked, tmp_path / "small")
    monkeypatch.setattr(run_index, "_SMALL_BYTES", 10)
    large = index(asked, tmp_path / "large")
    assert (large.rows.rows, large.coverage) == (small.rows.rows, small.coverage)
    assert len(large.kept.places) == len(small.kept.places) == 3
    assert index(asked, tmp_path / "large").is_from_cache
    assert index(asked, tmp_path / "small").is_from_cache


def test_all_rows_are_shown_before_their_replays_are_kept(tmp_path: Path) -> None:
    work = index_run(request(tmp_path), tmp_path / "cache")
    whole = None
    while whole is None:
        progress = next(work)
        assert isinstance(progress, RowsProgress)
        if progress.index is not None and progress.index.rows.is_whole:
            whole = progress.index
    assert len(whole.rows) == 3
    assert whole.kept.places == {}
    assert whole.replayed("7_1").scores.values["SPL"] == 0.5
    rows = whole.rows
    assert exhaust(work).rows is rows
    assert len(whole.kept.places) == 3
    assert whole.kept.waiting == {}


def test_keeping_replays_counts_up_to_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_index, "_OFTEN_S", -1.0)
    steps = index_run(request(tmp_path), tmp_path / "cache")
    told = [(one.done, one.total) for one in steps if "Keep" in one.message]
    assert told == [(1, 3), (2, 3), (3, 3)]


def _appended(path: Path, asked: RunSource) -> RunSource:
    path.write_text(path.read_text() + "\n")
    return asked


def test_a_damaged_cache_is_read_anew(tmp_path: Path) -> None:
    asked = request(tmp_path)
    index(asked, tmp_path)
    for file in (tmp_path / "cache").glob("*.rows"):
        file.write_bytes(b"nonsense")
    assert not index(asked, tmp_path).is_from_cache
    again = index(asked, tmp_path)
    assert again.is_from_cache
    for file in (tmp_path / "cache").glob("*.replays"):
        file.write_bytes(b"nonsense")
    assert again.replayed("7_1").scores.values["SPL"] == 0.5


def test_every_attempt_has_a_row(tmp_path: Path) -> None:
    asked = request(tmp_path)
    runs = json.loads(asked.file.read_text())
    again = {**runs[0], "trajectory": [["A", 1.5, 0.0], ["B", 1.5, 0.0]]}
    asked.file.write_text(json.dumps([*runs, again, runs[0], {**runs[0], "instr_id": "8_0"}]))
    made = index(asked, tmp_path)
    assert [row.key for row in made.rows.rows] == [
        ("7_0", 1), ("7_1", 1), ("7_2", 1), ("7_0", 2), ("7_0", 3),
    ]  # fmt: skip
    assert made.coverage["duplicated_conflicting"] == 1
    assert made.coverage["duplicated_identical"] == 1
    assert made.coverage["foreign"] == 1
    assert len(made.replayed("7_0", 2).replay) == 2
    assert len(made.replayed("7_0", 3).replay) == 3
    with pytest.raises(InputError, match="has 3 runs, counted from 1, not 4"):
        made.replayed("7_0", 4)


def test_rows_appear_while_the_run_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_index, "_FIRST_ROWS", 2)
    work = index_run(request(tmp_path), tmp_path / "cache")
    seen: list[tuple[int, bool]] = []
    while True:
        try:
            progress = next(work)
        except StopIteration as end:
            whole: RunIndex = end.value
            break
        assert isinstance(progress, RowsProgress)
        if progress.index is not None:
            rows = progress.index.rows
            seen.append((len(rows), rows.is_whole))
            assert progress.index.replayed(rows.rows[-1].episode_id).replay.viewpoint_ids[0] == "A"
    assert (2, False) in seen
    assert (len(whole.rows), whole.rows.is_whole) == (3, True)


def test_a_cancelled_index_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_index, "_FIRST_ROWS", 2)
    work = index_run(request(tmp_path), tmp_path / "cache")
    found = None
    while found is None:
        progress = next(work)
        assert isinstance(progress, RowsProgress)
        found = progress.index
    work.close()
    assert list((tmp_path / "cache").iterdir()) == []
    assert found.replayed("7_1").scores.values["SPL"] == 0.5


def test_a_full_disk_costs_the_cache_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: RecordWriter, text: str) -> None:
        raise WriteError(str(self.path), "No space left on device")

    monkeypatch.setattr(RecordWriter, "append", refuse)
    made = index(request(tmp_path), tmp_path)
    assert len(made.rows) == 3
    assert "No space left on device" in made.warnings[0]
    assert made.replayed("7_1").scores.values["SPL"] == 0.5
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_cache_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    asked = request(tmp_path)
    (tmp_path / "cache").write_text("in the way")
    made = index(asked, tmp_path)
    assert "replays are read from their source each time" in made.warnings[0]
    assert made.replayed("7_2").replay.ended_by == "end of path"


def test_a_run_without_any_episode_asked_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"model.json: file: has no run of any episode in R2R_val.json"
    ):
        index(request(tmp_path, {"9_0": "AB"}), tmp_path)


def test_without_annotations_nothing_is_judged(tmp_path: Path) -> None:
    asked = request(tmp_path)
    made = index(RunSource((asked.file,)), tmp_path)
    row = made.rows.rows[0]
    assert (row.is_success, row.reference_m, row.turn_count) == (None, None, None)
    assert all(value is None for value in row.values)
    assert all(row.reasons)
    assert made.coverage["expected"] == 3
