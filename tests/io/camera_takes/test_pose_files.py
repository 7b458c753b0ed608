from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.record.camera_take import (
    CameraPose,
    FieldOfView,
    FovAxis,
    PictureSize,
    TourPicture,
    TourSettings,
    walk,
)
from waypost.io.camera_takes.pose_files import poses_path, read_poses, write_poses

SIZE = PictureSize(640, 480)
FOV = FieldOfView(math.radians(75.0))
_numbers = st.floats(-1e6, 1e6)


def test_the_file_equals_the_path(tmp_path: Path) -> None:
    taken = walk([(0.1, 0.2, 0.3), (2.0, 0.0, 0.3), (2.0, 2.0, 0.3)], TourSettings())
    path = poses_path(tmp_path / "my tour.mp4")
    write_poses(path, taken, FOV, SIZE)
    assert path.name == "my tour.poses.csv"
    read, fov = read_poses(path)
    assert read == taken
    assert fov == FOV


def test_the_lines_say_what_they_mean(tmp_path: Path) -> None:
    pose = CameraPose((1.0, 2.0, 1.5), math.pi / 2, 0.0)
    path = tmp_path / "p.csv"
    fov = FieldOfView(math.pi / 2, FovAxis.VERTICAL)
    write_poses(path, [TourPicture(0, 0, pose)], fov, PictureSize(480, 480))
    header, line = path.read_text().splitlines()
    assert header.split(",")[:9] == [
        "picture",
        "time_ns",
        "x_m",
        "y_m",
        "z_m",
        "qw",
        "qx",
        "qy",
        "qz",
    ]
    values = [float(value) for value in line.split(",")]
    half = math.sqrt(0.5)
    assert values == pytest.approx(
        [0, 0, 1, 2, 1.5, half, 0, 0, half, math.pi / 2, 0, math.pi / 2, math.pi / 2]
    )


@given(
    st.lists(
        st.builds(
            CameraPose,
            st.tuples(_numbers, _numbers, _numbers),
            st.floats(-math.pi, math.pi),
            st.floats(-1.5, 1.5),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, poses) -> None:
    path = tmp_path_factory.mktemp("poses") / "p.csv"
    taken = tuple(TourPicture(i, i * 500_000_000, pose) for i, pose in enumerate(poses))
    write_poses(path, taken, FOV, SIZE)
    assert read_poses(path)[0] == taken


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ReadError, match="line 1: the columns"):
        read_poses(path)
    write_poses(path, walk([(0, 0, 0), (1, 0, 0)], TourSettings()), FOV, SIZE)
    path.write_text(path.read_text().replace("1500000000", "soon").replace("1000000000", "soon"))
    with pytest.raises(ReadError, match="line 4: is not a pose"):
        read_poses(path)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("x_m", "nan"),
        ("z_m", "inf"),
        ("yaw_rad", "-inf"),
        ("pitch_rad", "1e999"),
        ("horizontal_fov_rad", "nan"),
        ("horizontal_fov_rad", "9"),
        ("picture", "1.5"),
        ("time_ns", "9" * 5_000),
        ("y_m", "long " * 20_000),
        ("y_m", ""),
    ],
)
def test_a_value_that_no_camera_has_names_its_line(tmp_path: Path, column: str, value: str) -> None:
    taken = walk([(0.1, 0.2, 0.3), (2.0, 0.0, 0.3), (2.0, 2.0, 0.3)], TourSettings())
    path = tmp_path / "p.csv"
    write_poses(path, taken, FOV, SIZE)
    header, *lines = path.read_text().splitlines()
    cells = lines[1].split(",")
    cells[header.split(",").index(column)] = value
    path.write_text("\n".join([header, lines[0], ",".join(cells), *lines[2:]]))
    with pytest.raises(ReadError) as caught:
        read_poses(path)
    assert str(caught.value).startswith(f"{path}: line 3: is not a pose: ")
    assert len(str(caught.value)) < len(str(path)) + 300
