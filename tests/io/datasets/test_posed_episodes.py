"""Episodes with positions: VLN-CE and VLNVerse."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixtures.episode_samples import (
    VLNCE_R2R,
    VLNCE_RXR,
    VLNVERSE_COARSE,
    VLNVERSE_DIALOGUE,
    VLNVERSE_FINE,
    VLNVERSE_LONG_HORIZON,
    VLNVERSE_VISUAL,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from waypost.domain.episode.episode import Episode, TimedWord, Turn
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog


def read(folder: Path, content: Any, name: str = "data.json") -> tuple[list[Episode], ReadLog]:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    log = ReadLog()
    return list(EPISODE_FORMATS.find(path).read(path, log)), log


def kinds(log: ReadLog) -> list[ImportKind]:
    return [finding.kind for finding in log.findings]


def test_vlnce_poses_come_into_the_scene_frame(tmp_path: Path) -> None:
    (first, second), log = read(tmp_path, VLNCE_R2R)
    assert (first.episode_id, first.source_id, first.scene_id) == ("1", "4", "8194nk5LbLH")
    assert first.start_position_m == (1.0, 2.0, 0.5)
    # A quarter turn to the left from −Z, the scene's +Y, faces −X.
    assert first.start_yaw_rad == pytest.approx(math.pi)
    assert first.reference == route(positions_m=[[1, 2, 0.5], [-1, 2, 0.5], [-3, 2, 0.5]])
    assert first.goals[0].position_m == (-3.0, 2.0, 0.5)
    assert first.goals[0].radius_m == 3.0
    assert first.geodesic_m == 6.425554275512695
    assert second.start_yaw_rad == pytest.approx(math.pi / 2)
    assert not second.has_ground_truth
    assert kinds(log) == [ImportKind.NO_GROUND_TRUTH]
    assert list(log.document) == ["episodes", "instruction_vocab"]


def test_vlnce_vocabulary_may_stand_first_and_be_long(tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(20_000)]
    content = {"instruction_vocab": {"word_list": words}, "episodes": VLNCE_R2R["episodes"]}
    path = tmp_path / "data.json"
    path.write_text(json.dumps(content))
    entry = EPISODE_FORMATS.find(path)
    assert entry.name == "vlnce-r2r"
    log = ReadLog()
    assert entry.write is not None
    entry.write(tmp_path / "out.json", entry.read(path, log), log)
    written = json.loads((tmp_path / "out.json").read_text())
    assert written == content
    assert list(written) == list(content)


@pytest.mark.parametrize("name", ["val_unseen_gt.json", "val_unseen_gt.json.gz"])
def test_vlnce_dense_paths_come_from_the_second_file(tmp_path: Path, name: str) -> None:
    truth = {
        "9": {"locations": [[0, 0, 0]], "forward_steps": 0, "actions": [0]},
        "2": {"locations": [[1, 0, 2], [1, 0, 1.75]], "forward_steps": 1, "actions": [1, 0]},
        "1": {"locations": [[1, 0.5, -2], [0.75, 0.5, -2]], "forward_steps": 1, "actions": []},
    }
    data = json.dumps(truth).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    (first, second), log = read(tmp_path, VLNCE_R2R, "val_unseen.json")
    assert first.dense_reference_m == route(positions_m=[[1, 2, 0.5], [0.75, 2, 0.5]])
    assert second.dense_reference_m == route(positions_m=[[1, -2, 0], [1, -1.75, 0]])
    assert log.warnings == [f"{tmp_path / name}: 1 paths belong to no episode"]


def test_a_damaged_second_file_loses_dense_paths_and_no_episode(tmp_path: Path) -> None:
    path = tmp_path / "val_unseen_gt.json"
    path.write_text('{"1": {"locations": [[1, 0.5]]}, "2": {"locations": [[1, 0, 2]]}}')
    (first, second), log = read(tmp_path, VLNCE_R2R, "val_unseen.json")
    assert len(first.dense_reference_m) == 0
    assert len(second.dense_reference_m) == 1
    assert '["1"].locations[0]: has 2 numbers, not 3' in log.findings[0].message
    for damage in ('{"1": {"locations": [[1, 0.5', "", "[}"):
        path.write_text(damage)
        episodes, log = read(tmp_path, VLNCE_R2R, "val_unseen.json")
        assert len(episodes) == 2
        assert any(str(path) in finding.message for finding in log.findings)


def test_rxr_in_habitat_is_known_by_its_instruction(tmp_path: Path) -> None:
    truth = {
        "26": {"locations": [[9, 9, 9]]},
        "1": {"locations": [[0, 0, 0], [0, 0, -0.25]]},
    }
    (tmp_path / "val_seen_guide_gt.json").write_text(json.dumps(truth))
    (episode,), _ = read(tmp_path, VLNCE_RXR, "val_seen_guide.json")
    assert (episode.episode_id, episode.source_id, episode.split) == ("26", "17", "val_seen")
    assert episode.instruction.language == "te-IN"
    assert episode.instruction.words == (TimedWord("ముందుకు", 0.0, 1.5),)
    # By the file's own episode id, although another path has the instruction's number.
    assert episode.dense_reference_m == route(positions_m=[[0, 0, 0], [0, 0.25, 0]])


@pytest.mark.parametrize("file", ["val_unseen_follower.json", "any.json"])
def test_two_followers_of_one_instruction_are_two_episodes(tmp_path: Path, file: str) -> None:
    record = VLNCE_RXR["episodes"][0]
    told = {"role": "follower"} if file == "any.json" else {}
    people = [
        {
            **record,
            "episode_id": episode,
            "info": {**record.get("info", {}), **told},
            "instruction": {**record["instruction"], **demonstration},
        }
        for episode, demonstration in (
            ("201", {"demonstration_id": "5001"}),
            ("202", {"demonstration_id": 5002}),
            ("203", {}),
        )
    ]
    truth = {"202": {"locations": [[0, 0, 0], [0, 0, -0.25]]}}
    path = tmp_path / file
    path.with_name(f"{path.stem}_gt.json").write_text(json.dumps(truth))
    episodes, _ = read(tmp_path, {"episodes": people}, file)
    assert [episode.episode_id for episode in episodes] == ["26_5001", "26_5002", "26_203"]
    assert len(episodes[1].dense_reference_m) == 2
    guides = {"episodes": [{**people[0], "info": {"role": "guide"}}]}
    (guide,), _ = read(tmp_path, guides, file)
    assert guide.episode_id == "26"


def test_vlnverse_keeps_repeated_points_and_distrusts_minus_one(tmp_path: Path) -> None:
    (episode,), log = read(tmp_path, VLNVERSE_FINE)
    assert episode.scene_id == "kujiale_0010"
    assert episode.start_position_m == (1.0, 2.0, 0.0)
    assert episode.start_yaw_rad == pytest.approx(math.pi / 6)
    assert len(episode.reference) == 3
    assert episode.geodesic_m is None
    assert episode.geodesic_note == "-1 in the file means unknown"
    assert kinds(log) == [ImportKind.UNKNOWN_VALUE]


def test_vlnverse_coarse_has_styles(tmp_path: Path) -> None:
    (episode,), _ = read(tmp_path, VLNVERSE_COARSE)
    assert episode.instruction.text == "Please"
    assert dict(episode.instruction.styles) == {
        "natural": "Could you",
        "formal": "Please",
        "casual": "Hey",
    }


def test_vlnverse_long_horizon_has_stages(tmp_path: Path) -> None:
    (episode,), _ = read(tmp_path, VLNVERSE_LONG_HORIZON)
    assert [goal.position_m for goal in episode.stages] == [(1.5, 2.0, 0.0), (4.0, 2.0, 0.0)]
    assert episode.goals == (episode.stages[1],)
    assert episode.stages[0].extra == {"name": "desk"}
    listed = [{**VLNVERSE_FINE[0], "stages": [{"position": [1, 2, 0]}, {"position": [3, 2, 0]}]}]
    (other,), _ = read(tmp_path, listed)
    assert [goal.position_m for goal in other.stages] == [(1.0, 2.0, 0.0), (3.0, 2.0, 0.0)]
    assert other.goals[0].position_m == tuple(VLNVERSE_FINE[0]["goals"]["position"])


def test_vlnverse_picture_and_conversation(tmp_path: Path) -> None:
    (seen,), _ = read(tmp_path, VLNVERSE_VISUAL)
    assert seen.instruction.picture == "images/goal_4.png"
    (talk,), _ = read(tmp_path, VLNVERSE_DIALOGUE)
    assert talk.instruction.dialogue == (
        Turn("agent", "Which?"),
        Turn("navigator", "Left?"),
        Turn("oracle", "Right."),
        Turn("", "Bye."),
    )


def test_vlnverse_test_split_has_a_goal_and_no_path(tmp_path: Path) -> None:
    record = {key: value for key, value in VLNVERSE_FINE[0].items() if key != "reference_path"}
    (episode,), _ = read(tmp_path, {"episodes": [record]})
    assert len(episode.reference) == 0
    assert episode.has_ground_truth
    del record["goals"]
    (episode,), log = read(tmp_path, {"episodes": [record]})
    assert not episode.has_ground_truth
    assert ImportKind.NO_GROUND_TRUTH in kinds(log)


def test_start_and_goal_may_be_one_place(tmp_path: Path) -> None:
    record = {
        **VLNVERSE_FINE[0],
        "reference_path": [[1.0, 2.0, 0.0]],
        "goals": {"position": [1.0, 2.0, 0.0], "radius": 3.0},
    }
    (episode,), log = read(tmp_path, [record])
    assert episode.has_ground_truth
    assert len(episode.reference) == 1
    assert kinds(log) == [ImportKind.UNKNOWN_VALUE]


COORDINATE = st.floats(-50, 50)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    points=st.lists(st.tuples(COORDINATE, COORDINATE, COORDINATE), min_size=1, max_size=6),
    yaw=st.floats(-math.pi, math.pi),
    is_negated=st.booleans(),
)
def test_one_episode_in_both_frames_is_the_same_in_the_scene(
    tmp_path: Path, points: list[tuple[float, float, float]], yaw: float, is_negated: bool
) -> None:
    sign = -1 if is_negated else 1
    habitat_half = (yaw - math.pi / 2) / 2
    turn = [0.0, sign * math.sin(habitat_half), 0.0, sign * math.cos(habitat_half)]
    habitat = {
        **VLNCE_R2R["episodes"][0],
        "start_position": [points[0][0], points[0][2], -points[0][1]],
        "start_rotation": turn,
        "reference_path": [[x, z, -y] for x, y, z in points],
        "goals": [{"position": [points[-1][0], points[-1][2], -points[-1][1]], "radius": 3.0}],
    }
    isaac = {
        **VLNVERSE_FINE[0],
        "start_position": list(points[0]),
        "start_rotation": [math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)],
        "reference_path": [list(point) for point in points],
        "goals": {"position": list(points[-1]), "radius": 3.0},
    }
    (one,), first_log = read(tmp_path, {"episodes": [habitat]}, "habitat.json")
    (other,), second_log = read(tmp_path, [isaac], "isaac.json")
    assert one.start_position_m == other.start_position_m
    assert one.reference == other.reference
    assert one.goals[0].position_m == other.goals[0].position_m
    assert one.start_yaw_rad is not None
    assert other.start_yaw_rad is not None
    assert math.remainder(one.start_yaw_rad - other.start_yaw_rad, math.tau) == pytest.approx(
        0, abs=1e-9
    )
    assert first_log.findings == []
    assert kinds(second_log) == [ImportKind.UNKNOWN_VALUE]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(yaw=st.floats(0.1, 2 * math.pi - 0.1).filter(lambda yaw: abs(yaw - math.pi) > 0.1))
def test_swapped_orders_are_noticed_whatever_the_heading(tmp_path: Path, yaw: float) -> None:
    w, z = math.cos(yaw / 2), math.sin(yaw / 2)
    swapped = {**VLNVERSE_FINE[0], "start_rotation": [0.0, 0.0, z, w]}
    (episode,), log = read(tmp_path, [swapped])
    (finding,) = [found for found in log.findings if found.kind is ImportKind.HEADING_MISMATCH]
    assert finding.item_id == "kujiale_0010_4_4"
    assert "read as x, y, z, w with Z up it is upright" in finding.message
    ((name, other),) = episode.other_yaws_rad.items()
    assert name == "quaternion as x, y, z, w with Z up"
    assert math.remainder(other - yaw, math.tau) == pytest.approx(0, abs=1e-9)
    habitat = {**VLNCE_R2R["episodes"][0], "start_rotation": [w, 0.0, z, 0.0]}
    _, log = read(tmp_path, {"episodes": [habitat]})
    (finding,) = log.findings
    assert finding.kind is ImportKind.HEADING_MISMATCH
    assert "read as w, x, y, z with Y up it is upright" in finding.message


def test_habitat_numbers_in_a_vlnverse_file_are_noticed(tmp_path: Path) -> None:
    _, log = read(tmp_path, [{**VLNVERSE_FINE[0], "start_rotation": [0.0, 0.6, 0.0, 0.8]}])
    messages = [f.message for f in log.findings if f.kind is ImportKind.HEADING_MISMATCH]
    assert "read as x, y, z, w with Y up it is upright" in messages[0]


@pytest.mark.parametrize(
    ("rotation", "yaw", "message"),
    [
        ([0, 0, 0, 0], None, "start rotation has length zero"),
        ([2.0, 0.0, 0.0, 2.0], math.pi / 2, "start rotation has length 2.828, not 1"),
    ],
)
def test_quaternions_that_are_none_are_reported(
    tmp_path: Path, rotation: list[float], yaw: float | None, message: str
) -> None:
    (episode,), log = read(tmp_path, [{**VLNVERSE_FINE[0], "start_rotation": rotation}])
    assert episode.start_yaw_rad == (None if yaw is None else pytest.approx(yaw))
    (finding,) = [found for found in log.findings if found.kind is ImportKind.BAD_QUATERNION]
    assert finding.message.startswith(message)


def test_a_tilted_start_is_a_note(tmp_path: Path) -> None:
    # 30° about X after 90° about Z: no order makes that upright.
    tilted = [0.6830127, 0.1830127, 0.1830127, 0.6830127]
    _, log = read(tmp_path, [{**VLNVERSE_FINE[0], "start_rotation": tilted}])
    (note,) = [found for found in log.findings if found.kind is ImportKind.NOTE]
    assert note.message == "start rotation, read as w, x, y, z with Z up, leans by 30°"


@pytest.mark.parametrize(
    ("member", "value", "reason"),
    [
        ("start_rotation", [0, 0, 1], "start_rotation: holds 3 numbers, not 4"),
        ("start_position", [0, 0], "has 2 numbers, not 3"),
        ("start_position", [0, math.nan, 0], "nan is not a usable number"),
        ("reference_path", [[0, 0, 0], [0, "x", 0]], "reference_path[1][1]: is text"),
        ("goals", [{"radius": 3}], "goals[0].position: is missing"),
    ],
)
def test_bad_vlnce_episodes_name_the_place(
    tmp_path: Path, member: str, value: Any, reason: str
) -> None:
    bad = {**VLNCE_R2R["episodes"][0], member: value}
    episodes, log = read(tmp_path, {"episodes": [bad]})
    assert episodes == []
    assert reason in log.findings[0].message
    assert log.findings[0].item_id == "1"


def test_positions_are_exact(tmp_path: Path) -> None:
    odd = 0.1 + 0.2
    record = {**VLNCE_R2R["episodes"][0], "reference_path": [[odd, -odd, 1e-17]]}
    (episode,), _ = read(tmp_path, {"episodes": [record]})
    assert episode.reference.positions_m is not None
    assert np.array_equal(episode.reference.positions_m, [[odd, -1e-17, -odd]])
