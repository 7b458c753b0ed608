from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from waypost.domain.episode.import_report import ImportKind
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog

pytestmark = pytest.mark.realdata


@pytest.mark.parametrize("grain", ["fine", "coarse"])
def test_vlnverse_starts_look_along_their_first_step(shared_data: Path, grain: str) -> None:
    path = shared_data / "vlnverse" / f"{grain}_grained_demo.json"
    entry = EPISODE_FORMATS.find(path)
    assert entry.name == f"vlnverse-{grain}"
    log = ReadLog()
    episodes = list(entry.read(path, log))
    assert len(episodes) == 10
    for episode in episodes:
        points = episode.reference.positions_m
        assert points is not None
        assert episode.start_position_m == tuple(points[0])
        steps = np.diff(points[:, :2], axis=0)
        moving = steps[np.hypot(*steps.T) > 1e-6][0]
        assert episode.start_yaw_rad is not None
        off = math.remainder(episode.start_yaw_rad - math.atan2(moving[1], moving[0]), math.tau)
        assert abs(math.degrees(off)) < 0.1
        assert len(np.unique(points, axis=0)) < len(points)
    assert set(log.counts) == {ImportKind.UNKNOWN_VALUE}
    assert log.counts[ImportKind.UNKNOWN_VALUE] == 10


def test_vlnverse_orders_swapped_are_noticed_in_every_episode(
    shared_data: Path, tmp_path: Path
) -> None:
    path = shared_data / "vlnverse" / "fine_grained_demo.json"
    records = json.loads(path.read_text())
    for record in records:
        w, x, y, z = record["start_rotation"]
        record["start_rotation"] = [x, y, z, w]
    swapped = tmp_path / "swapped.json"
    swapped.write_text(json.dumps(records))
    log = ReadLog()
    list(EPISODE_FORMATS.find(swapped).read(swapped, log))
    assert log.counts[ImportKind.HEADING_MISMATCH] == 10


@pytest.mark.parametrize(
    "name",
    [
        "r2r/R2R_val_unseen.json",
        "r2r/R2R_val_seen.json",
        "vlnverse/fine_grained_demo.json",
        "vlnverse/coarse_grained_demo.json",
        "capnav/SAMPLE-QA.json",
    ],
)
def test_real_files_are_written_back_as_they_were(
    shared_data: Path, tmp_path: Path, name: str
) -> None:
    path = shared_data / name
    entry = EPISODE_FORMATS.find(path)
    log = ReadLog()
    assert entry.write is not None
    entry.write(tmp_path / "out.json", entry.read(path, log), log)
    assert json.loads((tmp_path / "out.json").read_text()) == json.loads(path.read_text())
    assert log.counts[ImportKind.UNREADABLE] == 0


def test_vlnverse_as_vlnce_and_back_is_the_same_pose(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "vlnverse" / "fine_grained_demo.json"
    log = ReadLog()
    episodes = list(EPISODE_FORMATS.find(path).read(path, log))
    habitat = tmp_path / "habitat.json"
    writer = EPISODE_FORMATS.find(path, "vlnce-r2r").write
    assert writer is not None
    writer(habitat, [replace(episode, record=None) for episode in episodes], ReadLog())
    entry = EPISODE_FORMATS.find(habitat)
    assert entry.name == "vlnce-r2r"
    for before, after in zip(episodes, entry.read(habitat, log), strict=True):
        assert after.start_position_m == before.start_position_m
        assert after.reference == before.reference
        assert after.start_yaw_rad == pytest.approx(before.start_yaw_rad, abs=1e-9)
        assert after.goals[0].position_m == before.goals[0].position_m
        assert after.instruction.text == before.instruction.text
