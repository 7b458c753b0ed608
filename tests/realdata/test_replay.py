"""Replays of the R2R fixture: agreement with the metrics, markers, tags, speed."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from deviations import first_deviation
from numpy.typing import NDArray

from waypost.app.main import main
from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.replay.panorama import markers_at
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.tags import TagKind, find_tags, tag_counts
from waypost.domain.replay.views import EquirectangularView, PerspectiveView
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.read_log import ReadLog
from waypost.metrics.profile import Scenery
from waypost.metrics.registry import PROFILES
from waypost.metrics.scoring import score_episode

pytestmark = pytest.mark.realdata

TWO_DEGREES = math.radians(2)


@pytest.fixture(scope="module")
def replays(shared_data: Path) -> list[Replay]:
    folder = shared_data / "r2r"
    episodes = {
        e.episode_id: e for e in EPISODE_FORMATS.read(folder / "R2R_val_unseen.json", ReadLog())
    }
    return [
        build_replay(
            episodes[run.episode_id],
            run,
            load_graph(folder / "connectivity", episodes[run.episode_id].scene_id),
        )
        for run in RUN_FORMATS.read(folder / "val_unseen_wander_agent.json", ReadLog())
    ]


def test_columns_end_at_the_metrics(replays: list[Replay]) -> None:
    profile = PROFILES["r2r"]
    keys = [metric.key for metric in profile.metrics]
    assert len(replays) == 2349
    for replay in replays:
        scored = score_episode(profile, replay.episode, replay.run, Scenery(graph=replay.graph))
        values = dict(zip(keys, scored.values, strict=True))
        assert replay.to_goal_m[-1] == values["NE"]
        assert (replay.to_goal_m[-1] < 3) == (values["SR"] == 1)
        assert (replay.oracle_m[-1] < 3) == (values["OSR"] == 1)
        assert replay.travelled_m[-1] == pytest.approx(values["TL"], abs=1e-9)
        assert replay.ndtw_so_far[-1] == pytest.approx(values["nDTW"], abs=1e-12)


def test_deviations_are_where_the_names_differ(replays: list[Replay]) -> None:
    for replay in replays:
        step = replay.first_deviation_step
        move = None if step is None else [at for _, at in replay.moves].index(step)
        reference, walked = replay.episode.reference, replay.run.route
        assert move == first_deviation(reference.viewpoint_ids, walked.viewpoint_ids)


def test_tags_of_a_whole_run(replays: list[Replay]) -> None:
    fresh = [build_replay(r.episode, r.run, r.graph) for r in replays]
    tagged = {
        replay.episode.episode_id: find_tags(replay, bool(replay.to_goal_m[-1] < 3))
        for replay in fresh
    }
    counts = {kind: len(names) for kind, names in tag_counts(tagged).items()}
    assert counts[TagKind.ORACLE_SUCCESS] == 366  # OSR − SR of the reference scores
    assert counts[TagKind.PERFECT] == 53
    assert counts[TagKind.LOOPING] == 840
    for replay in fresh:
        for tag in tagged[replay.episode.episode_id]:
            assert tag.step is not None
            assert 0 <= tag.step < len(replay)
            if tag.kind is TagKind.ORACLE_SUCCESS:
                assert replay.to_goal_m[tag.step] < 3 <= replay.to_goal_m[-1]


def test_turning_to_a_neighbour_centres_its_marker(shared_data: Path) -> None:
    checked = 0
    for path in sorted((shared_data / "r2r" / "connectivity").glob("*_connectivity.json")):
        graph = load_graph(path.parent, path.name.removesuffix("_connectivity.json"))
        for here, others in enumerate(graph.neighbours):
            if not others:
                continue
            name = graph.viewpoint_ids[here]
            episode = Episode("r2r", "", "1", graph.scene_id, Instruction(""))
            replay = build_replay(episode, EpisodeRun("1", route((name,))), graph)
            markers = markers_at(replay, 0)
            assert {m.viewpoint_id for m in markers} == {graph.viewpoint_ids[i] for i in others}
            for marker in markers:
                there = graph.positions_m[graph.index[marker.viewpoint_id]]
                east, north, _ = there - graph.positions_m[here]
                heading = math.atan2(east, north)  # 0 = +Y, clockwise, as in the R2R family
                # A level view does not show what is steep above or below; a raised gaze does.
                level = PerspectiveView(heading, 0.0, math.pi / 3, 640, 480)
                pixel = level.pixel_of(marker.direction)
                assert pixel is None or abs(pixel[0] - 320) < level.focal_px * math.tan(TWO_DEGREES)
                view = PerspectiveView(heading, marker.elevation_rad, math.pi / 3, 640, 480)
                assert view.pixel_of(marker.direction) == pytest.approx((320, 240), abs=1e-6)
                panorama = EquirectangularView(heading, 2048, 1024).pixel_of(marker.direction)
                assert panorama is not None
                assert abs(panorama[0] - 1024) / 2048 * 360 < 2
                checked += 1
    assert checked > 5000


def test_each_neighbour_is_in_a_discretised_view(replays: list[Replay]) -> None:
    views = [
        PerspectiveView(math.radians(heading), math.radians(up), math.pi / 3, 640, 480)
        for up in (-30, 0, 30)
        for heading in range(0, 360, 30)
    ]
    for replay in replays[::50]:
        for marker in markers_at(replay, 0):
            seen = [v for v in views if v.pixel_of(marker.direction) is not None]
            assert seen or abs(marker.elevation_rad) > math.radians(60)


def test_one_episode_from_the_command_line(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared_data / "r2r"
    options = ["--annotations", str(folder / "R2R_val_unseen.json"),
               "--connectivity", str(folder / "connectivity")]  # fmt: skip
    run = str(folder / "val_unseen_wander_agent.json")
    assert main(["replay", run, *options, "--episode", "1404_1", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    # Goes the wrong way first, walks back and forth, crosses the goal and leaves it.
    assert {tag["tag"]: tag["step"] for tag in shown["tags"]} == {
        "looping": 3,
        "wrong_first_turn": 1,
        "late_stop": 14,
        "oracle_success": 11,
    }
    assert shown["first_deviation_step"] == 1
    assert shown["metrics"]["OSR"] == 1
    assert np.isclose(shown["metrics"]["NE"], 3.355, atol=1e-3)


def in_steps(points_m: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points along a line, no further from each other than a forward action of VLN-CE leads."""
    parts = [points_m[:1]]
    for here, there in pairwise(points_m):
        count = max(1, math.ceil(float(np.linalg.norm(there - here)) / 0.25))
        shares = np.arange(1, count + 1)[:, None] / count
        parts.append(here + shares * (there - here))
    return np.concatenate(parts)


def test_a_walk_on_the_floor_follows_its_viewpoints(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The shortest paths as VLN-CE states: the floor under each camera, Y up, STOP at the end."""
    folder = shared_data / "r2r"
    connectivity = folder / "connectivity"
    annotations = folder / "R2R_val_unseen.json"
    states = {}
    for episode in EPISODE_FORMATS.read(annotations, ReadLog()):
        graph = load_graph(connectivity, episode.scene_id)
        places = [graph.index[name] for name in episode.reference.viewpoint_ids]
        walked = in_steps(graph.floor_positions_m[places])
        states[episode.episode_id] = [
            {"position": [x, z, -y], "heading": 0.0, "stop": at == len(walked) - 1}
            for at, (x, y, z) in enumerate(walked.tolist())
        ]
    results = tmp_path / "walk.json"
    results.write_text(json.dumps(states))
    given = ["--annotations", str(annotations), "--connectivity", str(connectivity)]
    asked = ["evaluate", "--profile", "vlnce", "--goal-distance", "straight-line", *given]
    main([*asked, "--results", str(results), "--json"])
    found = json.loads(capsys.readouterr().out)["metrics"]
    assert found["NE"]["value"] == pytest.approx(0.0, abs=1e-9)
    assert (found["SR"]["value"], found["SR"]["n"]) == (1.0, 2349)
    # On stairs floors differ by more than cameras do: the way is some centimetres longer.
    assert found["TL"]["value"] == pytest.approx(9.4797, abs=0.05)
    assert found["SPL"]["value"] == pytest.approx(1.0, abs=0.01)
    for name in ("4332_0", "2390_2"):
        assert main(["replay", str(results), *given, "--episode", name, "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert [tag["tag"] for tag in shown["tags"]] == ["perfect"]
