from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixtures.episode_samples import (
    NAVBENCH,
    R2R,
    RXR_GUIDE,
    SAMPLES,
    VLNCE_R2R,
    VLNVERSE_COARSE,
    VLNVERSE_FINE,
    A,
    B,
    C,
)

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import EMPTY_ROUTE, route
from waypost.domain.episode.run import Decision, EpisodeRun, RunEnd
from waypost.io.datasets.episode_parts import parts_of
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.logs import waypost_runs
from waypost.io.logs.run_format import Way
from waypost.io.read_log import ReadLog
from waypost.services.conversion import (
    Conversion,
    ConversionRequest,
    convert,
)

SCAN = "8194nk5LbLH"


def entry(name: str, place: tuple[float, float, float], joined: list[bool]) -> dict[str, Any]:
    pose = [1.0, 0, 0, place[0], 0, 1, 0, place[1], 0, 0, 1, place[2], 0, 0, 0, 1]
    return {
        "image_id": name,
        "pose": pose,
        "included": True,
        "visible": joined,
        "unobstructed": joined,
        "height": 1.5,
    }


@pytest.fixture
def graphs(tmp_path: Path) -> Path:
    folder = tmp_path / "connectivity"
    folder.mkdir()
    entries = [
        entry(A, (0, 0, 1.5), [False, True, False]),
        entry(B, (2, 0, 1.5), [True, False, True]),
        entry(C, (2, 3, 2.5), [False, True, False]),
    ]
    (folder / f"{SCAN}_connectivity.json").write_text(json.dumps(entries))
    return folder


def saved(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def converted(source: Path, target: str, out: Path, **more: Any) -> Conversion:
    return convert(ConversionRequest(source, target, out, **more))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: f"{s.format}:{s.name}")
def test_a_format_into_itself_is_the_same_file(sample: Any, tmp_path: Path) -> None:
    out = tmp_path / f"out-{sample.name}"
    result = converted(sample.write(tmp_path), sample.format, out)
    text = out.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.split("\n") if line] if sample.is_lines else None
    assert (json.loads(text) if lines is None else lines) == sample.content
    assert result.kind == "episodes"
    assert result.written == result.read > 0


def test_r2r_episodes_get_positions_from_the_graph(tmp_path: Path, graphs: Path) -> None:
    source = saved(tmp_path, "R2R_val_seen.json", R2R[:1])
    out = tmp_path / "out.json"
    result = converted(source, "vlnce-r2r", out, connectivity=graphs)
    assert (result.read, result.written) == (2, 2)
    assert "the floor under each camera" in result.warnings[0]
    first = json.loads(out.read_text())["episodes"][0]
    assert first["start_position"] == [0.0, 0.0, 0.0]
    # R2R heading π/2 faces +X, which is a quarter turn to the right of Habitat's −Z.
    assert first["start_rotation"] == pytest.approx(
        [0, math.sin(-math.pi / 4), 0, math.cos(-math.pi / 4)]
    )
    assert first["reference_path"] == [[0, 0, 0], [2, 0, 0], [2, 1, -3]]
    assert first["goals"] == [{"position": [2.0, 1.0, -3.0], "radius": 3.0}]
    assert first["scene_id"] == f"mp3d/{SCAN}/{SCAN}.glb"


def test_a_start_heading_that_nobody_stated_is_said_or_left_out(
    tmp_path: Path, graphs: Path
) -> None:
    source = saved(tmp_path, "R2R_val_seen.json", [dict(R2R[0])])
    records = json.loads(source.read_text())
    del records[0]["heading"]
    source.write_text(json.dumps(records))
    habitat, isaac = tmp_path / "habitat.json", tmp_path / "isaac.json"
    # A record of Habitat cannot do without.
    result = converted(source, "vlnce-r2r", habitat, connectivity=graphs)
    assert any("2 episodes without a start heading" in f.message for f in result.findings)
    result = converted(source, "vlnverse-fine", isaac, connectivity=graphs)
    assert not any("start heading" in found.message for found in result.findings)
    assert all("start_rotation" not in record for record in json.loads(isaac.read_text()))
    (back,) = {episode.start_yaw_rad for episode in EPISODE_FORMATS.read(isaac, ReadLog())}
    assert back is None


def test_what_no_episode_has_leaves_the_target_untouched(tmp_path: Path) -> None:
    source = saved(tmp_path, "data.json", NAVBENCH)
    out = tmp_path / "out.json"
    out.write_text("before")
    with pytest.raises(InputError) as caught:
        converted(source, "vlnce-r2r", out)
    assert str(caught.value) == (
        f"{source}: episodes: none of the episodes can be held: episode 0 cannot be written as"
        " vlnce-r2r: it has no start position"
    )
    assert out.read_text() == "before"


def test_what_some_episodes_lack_is_reported(tmp_path: Path, graphs: Path) -> None:
    records = [NAVBENCH[0], {**NAVBENCH[0], "instr_id": 1, "scan": SCAN}]
    source = saved(tmp_path, "data.json", records)
    result = converted(source, "vlnce-r2r", tmp_path / "out.json", connectivity=graphs)
    assert (result.read, result.written) == (2, 1)
    assert [(f.kind, f.item_id, f.value) for f in result.findings] == [
        (ImportKind.UNREADABLE, "0", ""),
        (ImportKind.NOTE, "1", "viewpoints"),
    ]


def test_vlnverse_to_vlnce_and_back_is_the_same_pose(tmp_path: Path) -> None:
    source = saved(tmp_path, "fine.json", VLNVERSE_FINE)
    habitat, back = tmp_path / "habitat.json", tmp_path / "back.json"
    converted(source, "vlnce-r2r", habitat)
    converted(habitat, "vlnverse-fine", back)
    (record,) = json.loads(back.read_text())
    for key in ("start_position", "reference_path", "goals", "scan", "episode_id", "scene_id"):
        assert record[key] == VLNVERSE_FINE[0][key]
    assert record["start_rotation"] == pytest.approx(VLNVERSE_FINE[0]["start_rotation"])
    assert record["info"] == {"geodesic_distance": -1}


def test_a_vocabulary_does_not_move_into_another_format(tmp_path: Path) -> None:
    source = saved(tmp_path, "data.json", VLNCE_R2R)
    out = tmp_path / "out.json"
    converted(source, "vlnverse-fine", out)
    assert isinstance(json.loads(out.read_text()), list)


def test_one_style_of_several_becomes_the_text(tmp_path: Path) -> None:
    source = saved(tmp_path, "coarse.json", VLNVERSE_COARSE)
    out = tmp_path / "out.json"
    converted(source, "vlnverse-fine", out)
    assert json.loads(out.read_text())[0]["instruction"] == {"instruction_text": "Please"}


def test_what_is_lost_is_said_once_with_its_count(tmp_path: Path) -> None:
    source = saved(tmp_path, "coarse.json", VLNVERSE_COARSE * 3)
    result = converted(source, "vlnverse-fine", tmp_path / "out.json")
    assert [f.message for f in result.findings if f.kind is ImportKind.NOTE] == [
        "3 episodes lose this on the way to vlnverse-fine: further wordings"
    ]
    source = saved(tmp_path, "rxr.json", RXR_GUIDE)
    result = converted(source, "r2r", tmp_path / "out.json")
    assert {(f.value, f.item_id) for f in result.findings} == {
        ("language", "26"),
        ("times of words", "26"),
        ("members that only its own format knows", "26"),
    }


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: f"{s.format}:{s.name}")
def test_a_format_keeps_what_it_claims_to_keep(sample: Any, tmp_path: Path) -> None:
    """Written from its parts and read again, an episode lacks only what was said to be lost."""
    if sample.format == "capnav":
        pytest.skip("places are resolved in a graph that is not written")
    path = sample.write(tmp_path)
    entry = EPISODE_FORMATS.find(path)
    made = [replace(episode, record=None) for episode in entry.read(path, ReadLog())]
    log = ReadLog()
    out = tmp_path / f"out-{sample.name}"
    assert entry.write is not None
    entry.write(out, made, log)
    lost = {finding.value for finding in log.findings}
    for before, after in zip(made, entry.read(out, ReadLog()), strict=True):
        assert {str(part) for part in parts_of(before) - parts_of(after)} <= lost


RUNS = [
    {"instr_id": "4332_0", "trajectory": [[A, math.pi / 2, 0.0], [B, 0.0, 0.25], [C, 0.0, 0.0]]},
    {"instr_id": "9_0", "trajectory": [[A, 0.0, 0.0], [B, 0.0, 0.0]]},
]


def test_r2r_runs_walk_in_habitat(tmp_path: Path, graphs: Path) -> None:
    source = saved(tmp_path, "runs.json", RUNS)
    annotations = saved(tmp_path, "R2R_val_seen.json", R2R[:1])
    out = tmp_path / "out.json"
    result = converted(source, "vlnce-r2r", out, annotations=(annotations,), connectivity=graphs)
    assert (result.kind, result.read, result.written) == ("runs", 2, 1)
    (finding,) = result.findings
    assert finding.item_id == "9_0"
    states = json.loads(out.read_text())["4332_0"]
    assert [state["position"] for state in states] == [[0, 0, 0], [2, 0, 0], [2, 1, -3]]
    assert [state["heading"] for state in states] == pytest.approx([-math.pi / 2, 0, 0])
    assert any("which the VLN-CE server refuses" in text for text in result.warnings)


@pytest.mark.parametrize("target", ["waypost", "navgpt"])
def test_r2r_runs_come_back_from_other_formats(tmp_path: Path, target: str) -> None:
    source = saved(tmp_path, "runs.json", RUNS)
    there, back = tmp_path / "there.json", tmp_path / "back.json"
    converted(source, target, there)
    converted(there, "r2r", back)
    before = list(RUN_FORMATS.read(source, ReadLog()))
    after = list(RUN_FORMATS.read(back, ReadLog()))
    assert [run.episode_id for run in after] == [run.episode_id for run in before]
    for one, other in zip(before, after, strict=True):
        assert other.route.viewpoint_ids == one.route.viewpoint_ids
        if target == "waypost":
            assert other.route.yaws_rad == pytest.approx(one.route.yaws_rad)


def test_r2r_runs_come_back_bit_for_bit(tmp_path: Path) -> None:
    """0.1 is no longer 0.1 after π/2 − (π/2 − 0.1); ids and unknown keys stay as they were too."""
    poses = [["a", 0.1, 0.3], ["b", 5e-324, -0.2]]
    records = [
        {"note": [1], "instr_id": 7, "trajectory": poses},
        {"instr_id": "8", "trajectory": poses},
    ]
    source = saved(tmp_path, "runs.json", records)
    there, back = tmp_path / "there.jsonl", tmp_path / "back.json"
    converted(source, "waypost", there)
    converted(there, "r2r", back)
    assert json.loads(back.read_text()) == records
    lines = [json.loads(line) for line in there.read_text().splitlines()]
    lines[0]["viewpoints"] = ["a", "c"]
    there.write_text("\n".join(map(json.dumps, lines)))
    converted(there, "r2r", back)
    changed, kept = json.loads(back.read_text())
    assert [pose[0] for pose in changed["trajectory"]] == ["a", "c"]
    assert kept == records[1]


def test_the_words_of_the_episode_go_along(tmp_path: Path) -> None:
    source = saved(tmp_path, "runs.json", RUNS[:1])
    annotations = saved(tmp_path, "R2R_val_seen.json", R2R)
    out = tmp_path / "out.jsonl"
    converted(source, "waypost", out, annotations=(annotations,))
    (run,) = RUN_FORMATS.read(out, ReadLog())
    assert (run.scene_id, run.instruction) == (SCAN, "Walk to the exit. ")


BARE = EpisodeRun(
    "7", decisions=(Decision(0, 1),), end=RunEnd(called_stop=True), scene_id="X", instruction="Go"
)
WAYS = {
    "positions": route(positions_m=[[0, 0, 0], [1, 0, 0]], yaws_rad=[0, 0]),
    "viewpoints": route([A, B]),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "name", [entry.name for entry in RUN_FORMATS if entry.write and entry.name != "score-totals"]
)
def test_what_a_run_format_needs_is_what_its_writer_asks_for(
    tmp_path: Path, name: str, way: str
) -> None:
    known = RUN_FORMATS.find(tmp_path, name)
    write = known.write
    assert write is not None
    run = replace(BARE, route=WAYS[way])
    is_refused = known.way not in {None, way}
    if is_refused:
        with pytest.raises(InputError, match="needs"):
            write(tmp_path / "out.json", [run], ReadLog())
    else:
        write(tmp_path / "out.json", [run], ReadLog())


@pytest.mark.parametrize("way", [None, *Way])
@pytest.mark.parametrize("name", [entry.name for entry in RUN_FORMATS if entry.write])
def test_what_is_written_is_read_again(tmp_path: Path, name: str, way: Way | None) -> None:
    """Also of runs with no content at all; what a format cannot hold so is refused in words."""
    walked = EMPTY_ROUTE if way is None else WAYS[way]
    run = EpisodeRun("7", walked, end=RunEnd(True, has_fallen=False, is_stuck=None), scene_id="X")
    source = tmp_path / "run.jsonl"
    waypost_runs.write(source, [run], ReadLog())
    out = tmp_path / "out.json"
    refusal = ""
    try:
        result = convert(ConversionRequest(source, name, out, "runs"))
    except InputError as error:
        refusal = str(error)
    if refusal:
        assert re.search("it has no |needs the instruction's text|holds totals only", refusal)
        return
    again = RUN_FORMATS.find(out)
    (found,) = again.read(out, ReadLog())
    assert (again.name, result.written) == (name, 1)
    known = (found.end.called_stop, found.end.has_fallen, found.end.is_stuck)
    if name in {"waypost", "vlnpe-lmdb"}:
        assert known == (True, False, None)


def test_the_source_is_never_overwritten(tmp_path: Path) -> None:
    source = saved(tmp_path, "data.json", NAVBENCH)
    with pytest.raises(InputError, match="is the source, which is never overwritten"):
        converted(source, "r2r", tmp_path / "." / "data.json")


@pytest.mark.parametrize(
    ("target", "reason"),
    [("nothing", "format: 'nothing' is no format"), ("waypost", "is no format")],
)
def test_unknown_targets_are_named(tmp_path: Path, target: str, reason: str) -> None:
    source = saved(tmp_path, "data.json", NAVBENCH)
    with pytest.raises(ReadError) as caught:
        converted(source, target, tmp_path / "out.json")
    assert reason in str(caught.value)


def test_neither_episodes_nor_runs(tmp_path: Path) -> None:
    source = saved(tmp_path, "data.json", {"a": 1})
    with pytest.raises(ReadError, match="holds neither episodes nor runs"):
        converted(source, "r2r", tmp_path / "out.json")


def test_formats_that_are_only_read(tmp_path: Path) -> None:
    source = saved(tmp_path, "data.json", NAVBENCH)
    with pytest.raises(InputError, match="rxr-pose-trace is read and not written"):
        converted(source, "rxr-pose-trace", tmp_path / "out.json")


def test_progress_counts_what_was_read(tmp_path: Path) -> None:
    source = saved(tmp_path, "data.json", NAVBENCH * 2500)
    told: list[float] = []
    convert(
        ConversionRequest(source, "navbench-csv", tmp_path / "out.csv"),
        lambda progress: told.append(progress.done),
    )
    assert told == [1000, 2000]
    assert sum(1 for _ in EPISODE_FORMATS.read(tmp_path / "out.csv", ReadLog())) == 2500
