"""Every demo episode of VLNVerse starts where and how it says; its scenes are not published."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from simulators.rooms import box, scene

from waypost.domain.base.frames import quaternion_from_yaw
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.route import Route
from waypost.domain.record.recording import placed_on, start_pose, take_header
from waypost.io.agent_files import shipped_agents
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_names import take_file_name
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriveCommand

pytestmark = [pytest.mark.realdata, pytest.mark.conformance]

FLAT = scene(box("floor", (-20.0, -20.0, -0.2), (20.0, 20.0, 0.0)))


@pytest.fixture(scope="module")
def episodes(shared_data: Path) -> list[Episode]:
    files = [shared_data / f"vlnverse/{kind}_grained_demo.json" for kind in ("fine", "coarse")]
    return [episode for file in files for episode in EPISODE_FORMATS.read(file, ReadLog())]


@pytest.fixture(scope="module")
def room_episodes(shared_data: Path) -> list[Episode]:
    """Every hundredth instruction of R2R val-unseen, on the floor of its scan."""
    file = shared_data / "r2r/R2R_val_unseen.json"
    every_hundredth = list(EPISODE_FORMATS.read(file, ReadLog()))[::100]
    folder = shared_data / "r2r/connectivity"
    return [placed_on(load_graph(folder, e.scene_id), e) for e in every_hundredth]


def degrees_between(a: float, b: float) -> float:
    return abs(math.degrees(math.remainder(a - b, math.tau)))


def first_move_yaw_rad(path: Route) -> float:
    """Scene yaw of the first step of a route that moves."""
    steps = np.diff(path.positions_m, axis=0)
    dx, dy, _ = steps[np.hypot(steps[:, 0], steps[:, 1]) > 1e-6][0]
    return math.atan2(dy, dx)


def test_all_twenty_start_poses_are_reproduced(episodes: list[Episode], tmp_path: Path) -> None:
    assert len(episodes) == 20
    human = shipped_agents()["human"]
    with SimulatorClient.start("physx") as client:
        client.load_scene(FLAT)
        for episode in episodes:
            position, yaw = start_pose(episode)
            client.spawn(human, position, yaw)
            header = take_header(episode, human, FLAT.content_hash)
            client.start_recording(tmp_path / take_file_name(episode), header)
            client.drive(DriveCommand(1.0), 60)
            status = client.stop_recording("stop")
            recording = read_recording(Path(status.file))
            samples = recording.trajectory
            assert recording.episode_id == episode.episode_id
            assert np.linalg.norm(samples.positions_m[0] - position) <= 0.01
            assert degrees_between(float(samples.yaws_rad[0]), yaw) <= 0.1
            turned = abs(float(np.dot(samples.quaternions[0], quaternion_from_yaw(yaw))))
            assert math.degrees(2 * math.acos(min(1.0, turned))) <= 0.1
            move = first_move_yaw_rad(episode.reference)
            assert degrees_between(float(samples.yaws_rad[0]), move) <= 0.1
            ahead = samples.positions_m[-1] - samples.positions_m[0]
            assert degrees_between(math.atan2(ahead[1], ahead[0]), move) <= 0.1


def test_starts_of_room_to_room_are_reproduced(
    room_episodes: list[Episode], tmp_path: Path
) -> None:
    assert len(room_episodes) == 24
    human = shipped_agents()["human"]
    with SimulatorClient.start("physx") as client:
        for episode in room_episodes:
            (x, y, z), yaw = start_pose(episode)
            client.load_scene(scene(box("floor", (x - 3, y - 3, z - 0.2), (x + 3, y + 3, z))))
            client.spawn(human, (x, y, z), yaw)
            client.start_recording(tmp_path / take_file_name(episode), {})
            status = client.stop_recording("stop")
            samples = read_recording(Path(status.file)).trajectory
            assert np.linalg.norm(samples.positions_m[0] - (x, y, z)) <= 0.01
            # An R2R heading is 0 along +Y and grows clockwise.
            heading = episode.record["heading"]
            ahead = (math.sin(heading), math.cos(heading))
            assert degrees_between(math.atan2(ahead[1], ahead[0]), samples.yaws_rad[0]) <= 0.1
