from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from fixtures.episode_samples import (
    CVDN,
    FGR2R,
    NAVBENCH,
    R2R,
    R4R,
    REVERIE,
    RXR_FOLLOWER,
    RXR_GUIDE,
    SOON,
    A,
    B,
    C,
    D,
)

from waypost.domain.episode.episode import Episode, GoalObject, Segment, TimedWord, Turn
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import Route
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog


def read(folder: Path, content: Any, name: str = "data.json") -> tuple[list[Episode], ReadLog]:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    log = ReadLog()
    episodes = list(EPISODE_FORMATS.find(path).read(path, log))
    log.finish()
    return episodes, log


def kinds(log: ReadLog) -> list[ImportKind]:
    return [finding.kind for finding in log.findings]


def test_r4r_tells_the_path_from_the_shortest_way(tmp_path: Path) -> None:
    (episode,), log = read(tmp_path, R4R)
    assert episode.episode_id == "0_0"
    assert episode.reference == Route((A, B, C, A))
    assert episode.alternatives["shortest"] == Route((A,))
    assert episode.geodesic_m == 0.0
    assert episode.extra["distance"] == 21.5
    assert episode.goals[0].viewpoint_id == A
    assert episode.has_ground_truth
    assert log.findings == []


def test_fgr2r_parts_count_viewpoints_from_one(tmp_path: Path) -> None:
    (first, second), _ = read(tmp_path, FGR2R)
    assert first.episode_id == "4332_0"
    assert first.instruction.segments == (
        Segment("walk to the child 's room", 0, 3),
        Segment("and wait", 3, 3),
    )
    assert second.instruction.segments == (Segment("go forward", 0, 2),)


def test_fgr2r_of_the_test_split_has_no_parts_of_the_path(tmp_path: Path) -> None:
    record = {
        key: value for key, value in FGR2R[0].items() if key not in {"chunk_view", "distance"}
    }
    episodes, log = read(tmp_path, [{**record, "path": [A]}])
    assert [episode.instruction.segments for episode in episodes] == [(), ()]
    assert not episodes[0].has_ground_truth
    assert kinds(log) == [ImportKind.NO_GROUND_TRUTH]


@pytest.mark.parametrize(
    ("views", "reason"),
    [
        ([[[1, 5], [4, 4]], [[1, 3]]], "chunk_view[0][0]: is no part of a path of 4 viewpoints"),
        ([[[0, 1], [4, 4]], [[1, 3]]], "chunk_view[0][0]: is no part of a path of 4 viewpoints"),
        ([[[1, 4]], [[1, 3]]], "chunk_view[0]: has 1 parts, and the instruction has 2"),
    ],
)
def test_fgr2r_parts_outside_the_path_are_refused(tmp_path: Path, views: Any, reason: str) -> None:
    episodes, log = read(tmp_path, [{**FGR2R[0], "chunk_view": views}])
    assert episodes == []
    assert reason in log.findings[0].message
    assert log.findings[0].item_id == "4332"


def test_fgr2r_never_runs_what_a_file_says(tmp_path: Path) -> None:
    evil = {**FGR2R[0], "new_instructions": "__import__('os').abort()"}
    episodes, log = read(tmp_path, [evil])
    assert episodes == []
    assert "is no list in Python's notation" in log.findings[0].message


def test_rxr_guide_words_keep_their_times(tmp_path: Path) -> None:
    episodes, _ = read(tmp_path, RXR_GUIDE)
    episode = episodes[0]
    assert (episode.episode_id, episode.source_id, episode.split) == ("26", "11", "val_seen")
    assert episode.instruction.language == "hi-IN"
    assert episode.instruction.words == (
        TimedWord("ठीक", 0.4, 1.0),
        TimedWord("now", None, None),
    )
    assert episode.start_yaw_rad == pytest.approx(math.pi / 2 - 3.105381634905035)
    assert episode.geodesic_m is None
    assert episode.geodesic_note == "the file states no distance"


def test_rxr_follower_points_at_the_instruction(tmp_path: Path) -> None:
    episodes, _ = read(tmp_path, RXR_FOLLOWER)
    assert [(e.episode_id, e.source_id) for e in episodes] == [("31", "26"), ("32", "26")]
    assert episodes[0].reference == Route((A, C, B))
    assert episodes[0].extra["metrics"]["spl"] == 0.9479355350139731


def test_reverie_without_boxes_says_so(tmp_path: Path) -> None:
    episodes, log = read(tmp_path, REVERIE)
    assert [episode.episode_id for episode in episodes] == ["4332_105_0", "4332_105_1"]
    assert episodes[0].goals[0].target == GoalObject("105")
    assert "no box files" in log.warnings[0]


BOXES = {
    f"8194nk5LbLH_{C}": {"105": {"name": "plant", "visible_pos": [3], "bbox2d": [[1, 2, 3, 4]]}},
    f"8194nk5LbLH_{B}": {"105": {"name": "plant", "visible_pos": []}},
    f"8194nk5LbLH_{D}": {"105": {"visible_pos": [0, 1]}, "7": {"visible_pos": [5]}},
    f"another_{A}": {"105": {"visible_pos": [3]}},
}


def test_reverie_objects_are_seen_where_one_box_file_says(tmp_path: Path) -> None:
    (tmp_path / "BBoxes.json").write_text(json.dumps(BOXES))
    episodes, log = read(tmp_path, REVERIE)
    assert episodes[0].goals[0].target == GoalObject("105", visible_from=frozenset({C, D}))
    assert log.warnings == []


def test_reverie_objects_are_seen_where_a_folder_of_box_files_says(tmp_path: Path) -> None:
    (tmp_path / "BBox").mkdir()
    (tmp_path / "annotations").mkdir()
    for name, objects in BOXES.items():
        viewpoint = name.partition("_")[2]
        (tmp_path / "BBox" / f"{name}.json").write_text(json.dumps({viewpoint: objects}))
    (tmp_path / "BBox" / "8194nk5LbLH_broken.json").write_text("{")
    episodes, log = read(tmp_path / "annotations", REVERIE)
    assert episodes[0].goals[0].target == GoalObject("105", visible_from=frozenset({C, D}))
    assert [found.item_id for found in log.findings] == ["8194nk5LbLH_broken.json"]


def test_a_reverie_object_that_nobody_sees_is_reported(tmp_path: Path) -> None:
    unseen = f"8194nk5LbLH_{B}"
    (tmp_path / "BBoxes.json").write_text(json.dumps({unseen: BOXES[unseen]}))
    episodes, log = read(tmp_path, REVERIE)
    assert episodes[0].goals[0].target == GoalObject("105", visible_from=frozenset())
    assert "no box file shows object 105" in log.findings[0].message


@pytest.mark.parametrize("is_folder", [False, True])
def test_box_files_of_other_scans_leave_it_open_who_sees_an_object(
    tmp_path: Path, is_folder: bool
) -> None:
    other = BOXES[f"another_{A}"]
    if is_folder:
        (tmp_path / "BBox").mkdir()
        (tmp_path / "BBox" / f"another_{A}.json").write_text(json.dumps({A: other}))
    else:
        (tmp_path / "BBoxes.json").write_text(json.dumps({f"another_{A}": other}))
    episodes, log = read(tmp_path, REVERIE)
    assert episodes[0].goals[0].target == GoalObject("105", visible_from=None)
    assert log.findings == []
    assert "no viewpoint of 8194nk5LbLH" in " ".join(log.warnings)


def test_reverie_test_split_has_no_object(tmp_path: Path) -> None:
    record = {key: value for key, value in REVERIE[0].items() if key not in {"objId", "distance"}}
    episodes, _ = read(tmp_path, [{**record, "path": [A], "id": "4332"}])
    assert [episode.episode_id for episode in episodes] == ["4332_0", "4332_1"]
    assert episodes[0].goals == ()
    assert not episodes[0].has_ground_truth


def test_soon_keeps_the_outline_in_the_headings_of_the_file(tmp_path: Path) -> None:
    (first, second), log = read(tmp_path, SOON)
    assert first.episode_id == "0-1_0"
    assert first.instruction.text == "Find the white sink."
    assert first.instruction.styles == {"object_name": "sink"}
    target = first.goals[0].target
    assert target is not None
    assert (target.name, target.object_id) == ("sink", "44")
    assert target.polygons_rad == {C: ((6.1, 0.2), (6.3, 0.2), (6.3, -0.2), (6.1, -0.2))}
    assert first.start_yaw_rad is None
    assert not second.has_ground_truth
    assert kinds(log) == [ImportKind.NO_GROUND_TRUTH]


def test_soon_as_first_released_has_several_paths(tmp_path: Path) -> None:
    record = {
        "path": [[A, B, C], [D, C]],
        "instructions": [["a sink", "white", "near a door", "Find the white sink.", "id-9"]],
        "bboxes": SOON[0]["bboxes"],
    }
    episodes, _ = read(tmp_path, [record])
    assert [episode.episode_id for episode in episodes] == ["0-0_0", "0-1_0"]
    assert [episode.scene_id for episode in episodes] == ["8194nk5LbLH"] * 2
    assert episodes[1].reference == Route((D, C))
    assert episodes[0].instruction.text == "Find the white sink."


def test_cvdn_has_one_goal_per_end_and_three_references(tmp_path: Path) -> None:
    (first, second), log = read(tmp_path, CVDN)
    assert first.episode_id == "12"
    assert [goal.viewpoint_id for goal in first.goals] == [C, D]
    assert first.alternatives == {
        "planner": Route((B, C)),
        "player": Route((B, A, C, D)),
        "trusted": Route((B, A, C, D)),
    }
    assert first.reference == first.alternatives["trusted"]
    assert first.start_viewpoint_id == B
    assert first.start_yaw_rad == pytest.approx(-math.pi / 2)
    assert first.instruction.dialogue == (
        Turn("navigator", "Left?", 0, A),
        Turn("oracle", "No, right.", 1, B),
    )
    assert not second.has_ground_truth
    assert kinds(log) == [ImportKind.NO_GROUND_TRUTH]


@pytest.mark.parametrize(
    ("history", "places"),
    [([A, B], ("", "")), ([A, B, C], ("", C)), (None, ("", "")), ([A, B, 7], ("", ""))],
)
def test_cvdn_places_off_the_walk_have_no_viewpoint(
    tmp_path: Path, history: list[object] | None, places: tuple[str, str]
) -> None:
    turns = [{"nav_idx": at, "role": "oracle", "message": "On."} for at in (-1, 2)]
    record = {**CVDN[0], "dialog_history": turns, "nav_history": history}
    (episode,), _ = read(tmp_path, [record])
    assert tuple(turn.viewpoint_id for turn in episode.instruction.dialogue) == places
    assert [turn.at_pose for turn in episode.instruction.dialogue] == [-1, 2]


def test_cvdn_trusts_the_planner_where_the_player_missed_its_goal(tmp_path: Path) -> None:
    (episode,), _ = read(tmp_path, [{**CVDN[0], "player_path": [B, A]}])
    assert episode.alternatives["trusted"] == Route((B, C))


def test_navbench_ids_are_those_of_the_instruction(tmp_path: Path) -> None:
    (episode,), _ = read(tmp_path, NAVBENCH, "NavBench_Easy.json")
    assert (episode.episode_id, episode.source_id, episode.split) == ("0", "6327", "easy")
    assert episode.instruction.text == "Go up,\r\nthen “wait”. "
    assert episode.geodesic_m == 5.03


@pytest.mark.parametrize(("stated", "normal"), [(7, "7"), ("7", "7"), (7.0, "7"), (" 7 ", "7")])
def test_one_id_in_several_spellings(tmp_path: Path, stated: Any, normal: str) -> None:
    (episode,), log = read(tmp_path, [{**NAVBENCH[0], "instr_id": stated}])
    assert episode.episode_id == normal
    assert log.findings == []


def test_an_id_with_leading_zeros_is_another_one(tmp_path: Path) -> None:
    (episode,), log = read(tmp_path, [{**NAVBENCH[0], "instr_id": "007"}])
    assert episode.episode_id == "007"
    (finding,) = log.findings
    assert (finding.kind, finding.item_id, finding.value) == (
        ImportKind.AMBIGUOUS_ID,
        "007",
        "007",
    )


@pytest.mark.parametrize("bad", [None, True, [], {}, "  "])
def test_what_is_no_id_is_refused(tmp_path: Path, bad: Any) -> None:
    record = {**RXR_GUIDE[0], "instruction_id": bad}
    episodes, log = read(tmp_path, [record])
    assert episodes == []
    assert kinds(log) == [ImportKind.UNREADABLE]


def test_headings_in_degrees_are_noticed_once_with_the_largest(tmp_path: Path) -> None:
    records = [{**NAVBENCH[0], "instr_id": n, "heading": 90.0 * n} for n in range(4)]
    _, log = read(tmp_path, records)
    (finding,) = log.findings
    assert finding.kind is ImportKind.DEGREES_FOR_RADIANS
    assert (finding.item_id, finding.value) == ("3", "270")


@pytest.mark.parametrize(
    ("heading", "yaw"),
    [(-0.0, math.pi / 2), (0.0, math.pi / 2), (2 * math.pi + 1, math.pi / 2 - 1), (-1, None)],
)
def test_headings_wrap(tmp_path: Path, heading: float, yaw: float | None) -> None:
    (episode,), log = read(tmp_path, [{**NAVBENCH[0], "heading": heading}])
    assert episode.start_yaw_rad == pytest.approx(math.pi / 2 + 1 if yaw is None else yaw)
    assert log.findings == []


@pytest.mark.parametrize(("distance", "has_goal"), [(0, True), (None, False), (-1, False)])
def test_a_path_of_one_viewpoint_is_a_goal_only_at_distance_zero(
    tmp_path: Path, distance: float | None, has_goal: bool
) -> None:
    (episode,), log = read(tmp_path, [{**NAVBENCH[0], "path": [A], "distance": distance}])
    assert episode.has_ground_truth is has_goal
    assert (ImportKind.NO_GROUND_TRUTH in kinds(log)) is not has_goal
    assert [goal.viewpoint_id for goal in episode.goals] == ([A] if has_goal else [])


@pytest.mark.parametrize("record", [NAVBENCH[0], R2R[1]], ids=["navbench", "r2r"])
@pytest.mark.parametrize(
    ("distance", "note", "kind"),
    [
        (math.inf, "inf in the file is no distance", ImportKind.NOT_FINITE),
        (-1, "-1 in the file means unknown", ImportKind.UNKNOWN_VALUE),
        (None, "the file states no distance", None),
    ],
)
def test_what_is_no_distance_is_unknown(
    tmp_path: Path, record: Any, distance: float | None, note: str, kind: ImportKind | None
) -> None:
    odd = {**record, "path": [A, B], "heading": None, "distance": distance}
    (episode,), log = read(tmp_path, [odd])
    assert (episode.geodesic_m, episode.geodesic_note) == (None, note)
    assert episode.start_yaw_rad is None
    assert kinds(log) == ([] if kind is None else [kind])


def test_a_record_is_written_whole_and_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text(json.dumps(REVERIE))
    entry = EPISODE_FORMATS.find(path)
    log = ReadLog()
    first = next(iter(entry.read(path, log)))
    assert entry.write is not None
    entry.write(tmp_path / "out.json", [first], log)
    assert json.loads((tmp_path / "out.json").read_text()) == REVERIE
    assert "written whole, with all 2 of its instructions; 1 were asked for" in (
        log.findings[-1].message
    )
