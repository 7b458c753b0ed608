"""Pose traces are found near the annotations and read as stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fixtures.rxr_files import WALK, write_trace
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.guide_trace import GuideStay
from waypost.io.datasets.guide_traces import find_guide_trace, read_guide_trace

NAME = "000026_guide_pose_trace.npz"


@pytest.mark.parametrize(
    ("annotations", "trace"),
    [
        ("rxr_val_unseen_guide.jsonl.gz", "pose_traces/rxr_val_unseen"),
        ("rxr_val_unseen_guide.jsonl.gz", "pose_traces/rxr_train"),  # ids are in one split only
        ("rxr_val_unseen_guide.jsonl.gz", "pose_traces/val_unseen"),
        ("rxr_val_unseen_guide.jsonl.gz", "pose_traces"),
        ("rxr_val_unseen_guide.jsonl.gz", "."),
        ("annotations/rxr_val_unseen_guide.jsonl.gz", "pose_traces/rxr_val_unseen"),
        ("RxR_VLNCE_v0/val_unseen/val_unseen_guide.json.gz", "rxr-data/pose_traces/rxr_val_unseen"),
        ("RxR_VLNCE_v0/val_unseen/val_unseen_guide.json.gz", "RxR_VLNCE_v0/pose_traces"),
    ],
)
def test_where_traces_are_found(tmp_path: Path, annotations: str, trace: str) -> None:
    path = tmp_path / annotations
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    wanted = write_trace(tmp_path / trace / NAME)
    assert find_guide_trace(path, "val_unseen", "26") == wanted
    assert find_guide_trace(path, "val_unseen", "27") is None
    assert find_guide_trace(path.parent, "", "26") in {wanted, None}


def test_the_folder_of_the_split_comes_first(tmp_path: Path) -> None:
    for split in ("rxr_train", "rxr_val_seen"):
        write_trace(tmp_path / "pose_traces" / split / NAME)
    found = find_guide_trace(tmp_path / "guide.jsonl", "val_seen", "26")
    assert found == tmp_path / "pose_traces" / "rxr_val_seen" / NAME


@pytest.mark.parametrize("name", ["", "7_0", "-1", "²", "9" * 5_000, "../26", "26\n"])
def test_other_ids_have_no_trace(tmp_path: Path, name: str) -> None:
    write_trace(tmp_path / NAME)
    assert find_guide_trace(tmp_path / "guide.jsonl", "", name) is None


def test_a_split_is_no_way_out_of_the_folder(tmp_path: Path) -> None:
    write_trace(tmp_path / "elsewhere" / NAME)
    inner = tmp_path / "a" / "b" / "c"
    (inner / "pose_traces").mkdir(parents=True)
    split = "../../../../elsewhere"
    assert find_guide_trace(inner / "guide.jsonl", split, "26") is None


def test_stays_begin_with_their_first_snapshot(tmp_path: Path) -> None:
    found = read_guide_trace(write_trace(tmp_path / NAME))
    assert found.problem == ""
    assert found.stays == (
        GuideStay("A", (0.0, 0.0, 1.5), pytest.approx(0.117)),
        GuideStay("B", (2.0, 0.0, 1.5), pytest.approx(2.75)),
        GuideStay("C", (4.0, 0.0, 1.5), pytest.approx(6.01)),
    )


def test_no_person_walks_without_end(tmp_path: Path) -> None:
    walk = [("AB"[number % 2], 0.1 * number) for number in range(5_001)]
    assert len(read_guide_trace(write_trace(tmp_path / NAME, walk[:-1])).stays) == 5_000
    with pytest.raises(ReadError, match=r"pano\[5000\]: is the end of 5,000 stays"):
        read_guide_trace(write_trace(tmp_path / NAME, walk))


@given(times=st.lists(st.floats(width=32), min_size=len(WALK), max_size=len(WALK)))
def test_any_times_give_ascending_stays_or_a_reason(
    tmp_path_factory: pytest.TempPathFactory, times: list[float]
) -> None:
    path = tmp_path_factory.mktemp("trace") / NAME
    write_trace(path, time=np.array(times, dtype=np.float32))
    is_usable = bool(np.isfinite(times).all()) and bool((np.diff(times) >= 0).all())
    if is_usable:
        starts = [stay.start_s for stay in read_guide_trace(path).stays]
        assert starts == sorted(starts)
        return
    with pytest.raises(ReadError) as caught:
        read_guide_trace(path)
    assert str(caught.value).startswith(f"{path}: time")
