"""``waypost tour`` and ``waypost panoramas`` as they are called, on the coloured room."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixtures.picture_folders import read_picture
from fixtures.recorded_takes import walk as recorded_walk
from patience import PATIENCE_S
from PySide6.QtWidgets import QApplication
from worlds.coloured_room import CENTRE, EAST, FLOOR, NORTH, SOUTH, WEST, coloured_room, surface_of

from tools.recording_files import write_recording
from tools.scene_files.write_glb import write_glb
from waypost.app.main import main
from waypost.domain.base.frames import CAPNAV
from waypost.domain.project import Project
from waypost.domain.replay.views import EquirectangularView, direction_of_angles
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph
from waypost.io.camera_takes.encoders import codec_of
from waypost.io.camera_takes.opencv import cv2
from waypost.io.camera_takes.pose_files import read_poses
from waypost.io.graphs.capnav_graph import write_capnav_graph
from waypost.store.project_store import ProjectStore

pytestmark = [pytest.mark.gui, pytest.mark.usefixtures("qapp")]


def ways() -> NavigationGraph:
    """Middle, 2 m north of it, 2 m east of that."""
    x, y, _ = CENTRE
    nodes = [
        Node("n1", "Middle", CENTRE),
        Node("n2", "North", (x, y + 2.0, 0.0)),
        Node("n3", "North east", (x + 2.0, y + 2.0, 0.0)),
    ]
    return build_graph(nodes, [Edge("e1", "n1", "n2"), Edge("e2", "n2", "n3")])


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A project over the room."""
    folder = tmp_path / "room"
    folder.mkdir()
    write_glb(coloured_room(), folder / "room.glb")
    path = folder / "room.waypost"
    project = Project(name="room", scene_path="room.glb", graph=ways())
    ProjectStore.create(path, project, "tester").close()
    return path


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return dict(json.loads(capsys.readouterr().out))


def pictures_of(path: Path) -> list[np.ndarray]:
    reader = cv2.VideoCapture(str(path))
    pictures = []
    while True:
        is_read, picture = reader.read()
        if not is_read:
            reader.release()
            return pictures
        pictures.append(picture[..., ::-1])


def test_a_tour_is_filmed_along_the_graph(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "tour.mp4"
    arguments = ["--project", str(room), "--nodes", "middle, n3", "--out", str(out), "--json"]
    assert main(["tour", *arguments, "--size", "160x120"]) == 0
    document = printed(capsys)
    # 4 m at 1 m/s, two pictures a second, and the one at the start.
    assert {
        key: document[key] for key in ("pictures", "fps", "width_px", "height_px", "nodes")
    } == {
        "pictures": 9,
        "fps": 2.0,
        "width_px": 160,
        "height_px": 120,
        "nodes": ["n1", "n2", "n3"],
    }
    assert document["horizontal_fov_deg"] == 75.0
    assert document["codec"] == codec_of(out).name
    reader = cv2.VideoCapture(str(out))
    assert reader.get(cv2.CAP_PROP_FPS) == pytest.approx(2.0)
    reader.release()
    pictures = pictures_of(out)
    assert [picture.shape for picture in pictures] == [(120, 160, 3)] * 9
    seen = [surface_of(picture[60, 80]) for picture in pictures]
    assert seen[:4] == [NORTH] * 4
    assert seen[5:] == [EAST] * 4
    taken, _ = read_poses(Path(document["poses"]))
    x, y, _ = CENTRE
    assert [picture.pose.position_m for picture in taken] == [
        pytest.approx((x + max(0.0, n / 2 - 2), y + min(2.0, n / 2), 1.5)) for n in range(9)
    ]
    degrees = [math.degrees(picture.pose.yaw_rad) for picture in taken]
    assert degrees == pytest.approx([90.0] * 4 + [45.0] + [0.0] * 4)


def test_a_graph_file_serves_as_well(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = tmp_path / "graph.json"
    write_capnav_graph(graph, ways(), CAPNAV)
    out = tmp_path / "tour.mp4"
    scene = ["--scene", str(room.with_name("room.glb")), "--graph", str(graph)]
    more = ["--frame", "capnav", "--fps", "4", "--speed", "2", "--fov", "60", "--fov-axis"]
    assert (
        main(
            [
                "tour",
                *scene,
                *more,
                "vertical",
                "--nodes",
                "North,Middle",
                "--out",
                str(out),
                "--size",
                "160x120",
                "--background",
                "#ff0000",
                "--json",
            ]
        )
        == 0
    )
    document = printed(capsys)
    assert (document["pictures"], document["fps"], document["vertical_fov_deg"]) == (5, 4.0, 60.0)
    assert surface_of(pictures_of(out)[0][60, 80]) == SOUTH


def test_a_recording_is_filmed_through_its_eyes(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    x, y, _ = CENTRE
    take = tmp_path / "take.csv"
    recording = recorded_walk([(x, y), (x - 1.0, y), (x - 1.0, y + 1.0)])
    write_recording(take, recording)
    out = tmp_path / "tour.mp4"
    scene = ["--scene", str(room.with_name("room.glb"))]
    command = ["tour", *scene, "--recording", str(take), "--out", str(out), "--json"]
    assert main([*command, "--size", "160x120"]) == 0
    assert printed(capsys)["pictures"] == 5
    taken, _ = read_poses(tmp_path / "tour.poses.csv")
    for picture in taken:
        at = recording.trajectory.positions_m[picture.index * 10]
        assert picture.pose.position_m == (at[0], at[1], at[2] + 1.5)
    seen = [surface_of(picture[60, 80]) for picture in pictures_of(out)]
    assert (seen[1], seen[-1]) == (WEST, NORTH)


def test_heights_of_a_camera_get_no_eyes_on_top(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    x, y, _ = CENTRE
    take = tmp_path / "demo.csv"
    rows = [f"{x + n / 100},{y},1.4,1,0,0,{n}" for n in range(30)]
    take.write_text("\n".join(["pos_x,pos_y,pos_z,look_x,look_y,look_z,frame", *rows]) + "\n")
    out = tmp_path / "tour.mp4"
    command = ["tour", "--project", str(room), "--recording", str(take), "--out", str(out)]
    assert main([*command, "--size", "160x120"]) == 0
    assert "--eye-height 0 is used" in capsys.readouterr().err
    taken, _ = read_poses(tmp_path / "tour.poses.csv")
    assert {picture.pose.position_m[2] for picture in taken} == {1.4}
    assert surface_of(pictures_of(out)[0][60, 80]) == EAST


def test_panoramas_look_where_the_manifest_says(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "panoramas"
    sizes = ["--size", "128x128", "--equirectangular-size", "256x128"]
    assert main(["panoramas", "--project", str(room), "--out", str(out), *sizes, "--json"]) == 0
    assert printed(capsys)["pictures"] == 15
    manifest = json.loads((out / "panoramas.json").read_text())
    names = {picture["file"] for node in manifest["nodes"] for picture in node["pictures"]}
    assert names | {"panoramas.json"} == {entry.name for entry in out.iterdir()}
    assert {"n1_h000.png", "n1_h270.png", "n3_equirectangular.png"} < names
    *views, sphere = manifest["nodes"][0]["pictures"]
    for view, wall in zip(views, (NORTH, EAST, SOUTH, WEST), strict=True):
        assert surface_of(read_picture(out / view["file"])[64, 64]) == wall
    whole = read_picture(out / sphere["file"])
    lens = EquirectangularView(sphere["centre_r2r_heading_rad"], 256, 128)
    for degrees, wall in ((10, NORTH), (100, EAST), (190, SOUTH), (280, WEST)):
        column, row = lens.pixel_of(direction_of_angles(math.radians(degrees), 0.0))
        assert surface_of(whole[int(row), int(column)]) == wall
    assert surface_of(whole[126, 10]) == FLOOR


def test_a_reference_picture_shows_what_it_is_to_look_at(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "goal"
    x, y, _ = CENTRE
    command = ["panoramas", "--project", str(room), "--views", "reference", "--nodes", "Middle"]
    more = ["--look-at", f"{x - 4},{y},1.5", "--format", "jpg", "--out", str(out), "--json"]
    assert main([*command, *more]) == 0
    capsys.readouterr()
    (picture,) = json.loads((out / "panoramas.json").read_text())["nodes"][0]["pictures"]
    assert picture["r2r_heading_deg"] == pytest.approx(270.0)
    assert surface_of(read_picture(out / "n1_reference.jpg")[256, 256]) == WEST


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["tour", "--nodes", "Cellar", "--out", "o.mp4"], "no node of this id or name"),
        (["tour", "--nodes", "Middle", "--out", "o.mp4"], "needs two nodes"),
        (["tour", "--nodes", "Middle,North", "--out", "o.avi"], "does not end with .mp4"),
        (["tour", "--nodes", "Middle,North", "--out", "o.mp4", "--size", "big"], "no size"),
        (["tour", "--nodes", "Middle,North", "--out", "o.mp4", "--size", "101x100"], "even"),
        (["tour", "--nodes", "Middle,North", "--out", "o.mp4", "--fov", "nan"], "no angle"),
        (["tour", "--nodes", "Middle,North", "--out", "o.mp4", "--fps", "0"], "per second"),
        (["tour", "--nodes", "n1,n2", "--out", "o.mp4", "--background", "sky"], "no colour"),
        (["tour", "--out", "o.mp4"], "either --nodes or a --recording"),
        (["tour", "--recording", "no.csv", "--out", "o.mp4"], "does not exist"),
        (["tour", "--nodes", "n1,n2", "--scene", __file__, "--out", "o.mp4"], "either --project"),
        (["panoramas", "--out", "o", "--views", "reference", "--nodes", "n1"], "either --heading"),
        (["panoramas", "--out", "o", "--views", "reference", "--heading", "0"], "needs --nodes"),
        (["panoramas", "--out", "o", "--look-at", "1,2,3"], "belongs to"),
        (["panoramas", "--out", "o", "--equirectangular-size", "200x200"], "twice as wide"),
        (["panoramas", "--out", "o", "--eye-height", "inf"], "not between"),
        (["panoramas", "--out", "."], "is not empty"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(
    room: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert main([*arguments, "--project", str(room)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert reason in error
    assert error.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_without_a_display_one_sentence_says_so(room: Path, tmp_path: Path) -> None:
    bare = {
        key: value
        for key, value in os.environ.items()
        if key not in {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    }
    command = [sys.executable, "-m", "waypost.app.main", "panoramas", "--project", str(room)]
    for more, reason in (({}, "need a display"), ({"QT_QPA_PLATFORM": "offscreen"}, "OpenGL")):
        done = subprocess.run(
            [*command, "--out", str(tmp_path / "o")],
            env=bare | more,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2
        assert reason in done.stderr
        assert done.stderr.splitlines()[-1].startswith("error: pictures need")
    assert not (tmp_path / "o").exists()


def has_picture(folder: Path) -> bool:
    """Whether there is a file with something in it; files take other names meanwhile."""
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            if path.is_file() and path.stat().st_size:
                return True
    return False


@pytest.mark.faults
@pytest.mark.parametrize("name", ["tour", "panoramas"])
def test_ctrl_c_leaves_nothing_half_written(room: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    options = {
        "tour": [
            "--nodes",
            "n1,n3",
            "--fps",
            "200",
            "--speed",
            "0.05",
            "--out",
            str(out / "t.mp4"),
        ],
        "panoramas": ["--equirectangular-size", "8192x4096", "--out", str(out / "p")],
    }[name]
    command = [sys.executable, "-m", "waypost.app.main", name, "--project", str(room), *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            # A picture is on the disk: work is well under way.
            while not has_picture(out):
                assert process.poll() is None, process.communicate()[1]
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            assert "stopped; no " in process.stderr.read()
            assert process.wait(timeout=PATIENCE_S) == 130
        finally:
            process.kill()
    assert not list(out.iterdir())


def test_the_sample_home_has_panoramas(sample: Path, tmp_path: Path, qapp: QApplication) -> None:
    out = tmp_path / "panoramas"
    command = ["panoramas", "--project", str(sample), "--out", str(out), "--size", "256x256"]
    names = "Hall,Kitchen,Living room,Bedroom"
    assert main([*command, "--nodes", names, "--equirectangular-size", "512x256"]) == 0
    assert len(list(out.glob("*.png"))) == 20
    for path in out.glob("*_equirectangular.png"):
        picture = read_picture(path)
        assert picture.std() > 20, f"{path.name} is nearly of one colour"
        # The ceiling is drawn; behind it all would be nearly black.
        assert picture[:8].min() > 60, path.name
