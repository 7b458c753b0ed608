from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.episode_samples import CAPNAV

from waypost.domain.episode.answer_places import find_place
from waypost.domain.episode.import_report import ImportKind
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog

NAMES = {"node_1": "Bedroom", "node_2": "long hallway", "node_3": "bathroom", "node_4": "Hall"}


def graph(names: dict[str, str]) -> str:
    nodes = [
        {"id": key, "name": name, "position": {"x": 0, "y": 0, "z": index}}
        for index, (key, name) in enumerate(names.items())
    ]
    return json.dumps({"nodes": nodes, "edges": []})


@pytest.mark.parametrize(
    ("place", "node_id"),
    [
        ("node_3 — the bath", "node_3"),
        ("node_3 - the bath", "node_3"),
        ("node_2", "node_2"),
        ("BEDROOM", "node_1"),
        ("hall", "node_4"),
        ("hallw", "node_2"),
        ("kitchen", ""),
        ("", ""),
    ],
)
def test_places_are_found_as_capnav_finds_them(place: str, node_id: str) -> None:
    assert find_place(place, NAMES) == node_id


def test_questions_with_a_graph_are_episodes(tmp_path: Path) -> None:
    (tmp_path / "HM3D00010_QA.json").write_text(json.dumps(CAPNAV))
    (tmp_path / "HM3D00010-graph.json").write_text(graph(NAMES))
    log = ReadLog()
    for path in (tmp_path / "HM3D00010_QA.json", tmp_path):
        (episode,) = EPISODE_FORMATS.find(path).read(path, log)
        assert (episode.episode_id, episode.scene_id) == ("HM3D00010_0", "HM3D00010")
        assert episode.start_viewpoint_id == "node_1"
        assert [goal.viewpoint_id for goal in episode.stages] == ["node_4", "node_3"]
        assert [goal.viewpoint_id for goal in episode.goals] == ["node_3"]
        target = episode.goals[0].target
        assert target is not None
        assert target.name == "sink"
        assert episode.has_ground_truth
    assert log.findings == []
    assert log.warnings == []


def test_a_place_that_the_graph_lacks_is_named(tmp_path: Path) -> None:
    path = tmp_path / "HM3D00010_QA.json"
    path.write_text(json.dumps(CAPNAV))
    (tmp_path / "HM3D00010-graph.json").write_text(graph({"node_3": "bathroom"}))
    log = ReadLog()
    (episode,) = EPISODE_FORMATS.find(path).read(path, log)
    assert [(f.kind, f.value) for f in log.findings] == [
        (ImportKind.UNKNOWN_VIEWPOINT, "bedroom"),
        (ImportKind.UNKNOWN_VIEWPOINT, "Hall"),
    ]
    assert not episode.has_ground_truth


def test_without_a_graph_places_stay_names(tmp_path: Path) -> None:
    path = tmp_path / "HM3D00010_QA.json"
    path.write_text(json.dumps(CAPNAV))
    log = ReadLog()
    (episode,) = EPISODE_FORMATS.find(path).read(path, log)
    assert episode.start_viewpoint_id == ""
    assert episode.extra["start"] == "bedroom"
    assert "HM3D00010-graph.json does not stand beside it" in log.warnings[0]
    given = ReadLog(has_graphs=True)
    list(EPISODE_FORMATS.find(path).read(path, given))
    assert not given.warnings
