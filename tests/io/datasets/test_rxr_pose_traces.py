from __future__ import annotations

import io
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixtures.episode_samples import A, B

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.route import Route
from waypost.io.datasets.rxr_pose_traces import read_pose_trace
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog


def camera(heading: float, elevation: float, position: tuple[float, float, float]) -> Any:
    """Row-major camera to world, Y up, looking along −Z, of an R2R heading and elevation."""
    c, s = math.cos(-heading), math.sin(-heading)
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    c, s = math.cos(elevation), math.sin(elevation)
    raised = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    matrix = np.eye(4)
    matrix[:3, :3] = turn @ raised
    matrix[:3, 3] = position
    return matrix.reshape(16)


def parts(**changes: Any) -> dict[str, Any]:
    arrays: dict[str, Any] = {
        "pano": np.array([[A], [A], [B]]),
        "time": np.array([[0.0], [0.117], [2.5]], dtype=np.float32),
        "extrinsic_matrix": np.array(
            [
                camera(0.0, 0.0, (1, 1.5, -2)),
                camera(math.pi / 2, 0.25, (1, 1.5, -2)),
                camera(math.pi, -0.5, (3, 1.5, -2)),
            ],
            dtype=np.float32,
        ),
        "image_mask": np.zeros((2, 8, 16), dtype=bool),
    }
    arrays.update(changes)
    return {key: value for key, value in arrays.items() if value is not None}


def saved(folder: Path, name: str = "000026_guide_pose_trace.npz", **changes: Any) -> Path:
    path = folder / name
    np.savez(path, **parts(**changes))
    return path


def test_headings_turn_right_from_plus_y(tmp_path: Path) -> None:
    trace = read_pose_trace(saved(tmp_path))
    assert (trace.trace_id, trace.role) == ("26", "guide")
    assert trace.viewpoint_ids == (A, B)
    assert trace.poses.viewpoint_ids == (A, A, B)
    np.testing.assert_allclose(trace.poses.positions_m, [[1, 2, 1.5], [1, 2, 1.5], [3, 2, 1.5]])
    np.testing.assert_allclose(trace.poses.yaws_rad, [math.pi / 2, 0, -math.pi / 2], atol=1e-6)
    np.testing.assert_allclose(trace.poses.elevations_rad, [0, 0.25, -0.5], atol=1e-6)
    np.testing.assert_allclose(trace.times_s, [0, 0.117, 2.5], atol=1e-6)
    assert trace.audio_times_s is None


def test_the_published_snapshot_of_pangea(tmp_path: Path) -> None:
    # First line of google-research/pangea:testdata/snapshots.jsonl, looking along +X.
    matrix = [-0.00806074775, 0.0, -0.99996751546, -0.52819299, 0.0, 1.0, 0.0, -1.65631997,
              0.99996751546, 0.0, -0.00806074775, 3.81784009, 0.0, 0.0, 0.0, 1.0]  # fmt: skip
    path = saved(
        tmp_path,
        pano=np.array([["15791b161c944d269ae3727bf19fc1a6"]]),
        time=np.array([[0.0]]),
        extrinsic_matrix=np.array([matrix]),
    )
    trace = read_pose_trace(path)
    np.testing.assert_allclose(trace.poses.positions_m, [[-0.52819299, -3.81784009, -1.65631997]])
    np.testing.assert_allclose(trace.poses.yaws_rad, [-0.00806083], atol=1e-7)


def test_a_follower_heard_the_guide(tmp_path: Path) -> None:
    audio = np.array([[0.0], [0.0], [1.5]])
    path = saved(tmp_path, "000031_follower_pose_trace.npz", audio_time=audio)
    entry = EPISODE_FORMATS.find(path)
    (episode,) = entry.read(path, ReadLog())
    assert entry.name == "rxr-pose-trace"
    assert episode.episode_id == "31"
    assert episode.reference == Route((A, B))
    assert len(episode.dense_reference_m) == 3
    assert episode.extra["role"] == "follower"
    assert episode.extra["audio_times_s"].tolist() == [0.0, 0.0, 1.5]


def test_a_name_that_tells_nothing_is_noted(tmp_path: Path) -> None:
    log = ReadLog()
    path = saved(tmp_path, "trace.npz")
    (episode,) = EPISODE_FORMATS.find(path).read(path, log)
    assert episode.episode_id == "trace"
    assert "does not tell guide from follower" in log.findings[0].message


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"time": np.array([0.0, 2.0, 1.0])}, "time[2]: goes back"),
        ({"time": np.array([0.0, 1.0])}, "time: holds 2 moments for 3 panoramas"),
        ({"time": np.array([0.0, np.nan, 1.0])}, "time: holds NaN or infinity"),
        ({"pano": np.zeros((3, 1))}, "pano: holds no text"),
        ({"pano": np.zeros((0, 1), dtype=str)}, "pano: is empty"),
        ({"extrinsic_matrix": np.zeros((3, 12))}, "is not 3 matrices of 16 numbers"),
        ({"extrinsic_matrix": np.zeros((3, 16))}, "extrinsic_matrix[0]: is no rotation"),
        ({"extrinsic_matrix": np.array([["x"] * 16] * 3)}, "holds no numbers"),
        ({"extrinsic_matrix": None}, "extrinsic_matrix: is missing"),
    ],
)
def test_arrays_that_do_not_fit(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_pose_trace(saved(tmp_path, **changes))
    assert reason in str(caught.value)


class Evil:
    def __reduce__(self) -> Any:
        return (pytest.fail, ("a pickle in a file was run",))


def test_pickles_are_never_run(tmp_path: Path) -> None:
    path = tmp_path / "000026_guide_pose_trace.npz"
    np.savez(path, **parts(pano=np.array([[Evil()], [A], [B]], dtype=object)))
    with pytest.raises(ReadError) as caught:
        read_pose_trace(path)
    assert "is no whole numpy archive" in str(caught.value)


def test_an_archive_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "000026_guide_pose_trace.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("pano", "extrinsic_matrix"):
            archive.writestr(f"{name}.npy", b"")
        with archive.open("time.npy", "w", force_zip64=True) as member:
            chunk = b"\0" * (1 << 24)
            for _ in range(5):
                member.write(chunk)
    with pytest.raises(ReadError) as caught:
        read_pose_trace(path)
    assert "is larger than 64 MiB when unpacked" in str(caught.value)


def test_a_cut_anywhere_is_an_error_with_a_reason(tmp_path: Path) -> None:
    stream = io.BytesIO()
    np.savez(stream, **parts())
    data = stream.getvalue()
    path = tmp_path / "000026_guide_pose_trace.npz"
    for end in range(0, len(data), 3):
        path.write_bytes(data[:end])
        with pytest.raises(ReadError):
            read_pose_trace(path)


def test_damaged_bytes_are_an_error_or_the_same_trace(tmp_path: Path) -> None:
    whole = read_pose_trace(saved(tmp_path))
    path = tmp_path / "000026_guide_pose_trace.npz"
    data = path.read_bytes()
    for at in range(0, len(data), 11):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x5A]) + data[at + 1 :])
        try:
            trace = read_pose_trace(path)
        except ReadError:
            continue
        assert trace.poses == whole.poses
