"""Matterport3D connectivity files, odd and broken ones included."""

import gzip
import json
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds.vln_worlds import connectivity_entries

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.import_report import ImportKind
from waypost.io.graphs.matterport_graphs import (
    has_graph,
    load_graph,
    read_connectivity,
)
from waypost.io.read_log import ReadLog

NAMES = ("a", "b", "c", "d", "e", "f")
POINTS = tuple((2.0 * i, 0.0, 1.5) for i in range(6))
EDGES = tuple((i, i + 1) for i in range(5))


def entries():
    return connectivity_entries(NAMES, POINTS, EDGES)


def read(tmp_path, records, name="scan_connectivity.json"):
    path = tmp_path / name
    path.write_text(json.dumps(records))
    log = ReadLog()
    return read_connectivity(path, log), log


def odd_entries():
    records = entries()
    records[2]["included"] = False
    records[0]["unobstructed"][4] = True
    records[5]["unobstructed"][5] = True
    records[1]["visible"][3] = True
    del records[3]["height"]
    records[4]["note"] = {"unknown": [1, 2.5, None]}
    return records


def test_positions_lengths_and_floor(tmp_path):
    graph, log = read(tmp_path, entries())
    assert not log.findings
    assert graph.scene_id == "scan"
    assert graph.geodesics_m[0].tolist() == [0, 2, 4, 6, 8, 10]
    assert graph.floor_positions_m[:, 2].tolist() == [0] * 6


def test_oddities_are_listed_and_kept(tmp_path):
    graph, log = read(tmp_path, odd_entries())
    found = {(finding.kind, finding.item_id, finding.value) for finding in log.findings}
    assert found == {
        (ImportKind.EXCLUDED_VIEWPOINT, "c", ""),
        (ImportKind.SELF_EDGE, "f", ""),
        (ImportKind.ASYMMETRIC_EDGE, "a", "a → e"),
        (ImportKind.NO_HEIGHT, "d", ""),
    }
    assert graph.viewpoint_ids == NAMES
    assert len(graph.geodesics_m) == 6
    assert graph.neighbours[0] == {1, 4}
    assert graph.neighbours[2] == frozenset()
    assert graph.path_between("b", "d") == ("b", "a", "e", "d")
    assert np.isnan(graph.floor_positions_m[3, 2])


def test_unknown_keys_and_excluded_viewpoints_are_kept(tmp_path):
    records = odd_entries()
    graph, _ = read(tmp_path, records)
    assert list(graph.records) == records


@pytest.mark.parametrize(
    ("break_it", "place", "reason"),
    [
        (lambda r: r[1]["unobstructed"].pop(), r"\[1\].unobstructed", "5 entries for 6"),
        (lambda r: r[1]["visible"].pop(), r"\[1\].visible", "5 entries for 6"),
        (lambda r: r[2]["pose"].__setitem__(7, float("nan")), r"\[2\].pose\[7\]", "not a usable"),
        (lambda r: r[2]["pose"].pop(), r"\[2\].pose", "15 numbers"),
        (lambda r: r[3].update(image_id="a"), r"\[3\]", r"of \[0\]"),
        (lambda r: r[3].pop("image_id"), r"\[3\].image_id", "missing"),
        (lambda r: r[4].update(height="high"), r"\[4\].height", "not a number"),
        (lambda r: r[4].update(included=1), r"\[4\].included", "not true or false"),
        (lambda r: r[5]["unobstructed"].__setitem__(0, 1), r"\[5\].unobstructed", "entry 0"),
        (lambda r: r.append(7), r"\[6\]", "not an object"),
    ],
)
def test_broken_files_are_refused_with_the_place(tmp_path, break_it, place, reason):
    records = entries()
    break_it(records)
    with pytest.raises(ReadError, match=f"{place}.*{reason}"):
        read(tmp_path, records)


def test_every_broken_viewpoint_is_named(tmp_path):
    records = entries()
    records[1]["unobstructed"].pop()
    records[4]["pose"][3] = None
    with pytest.raises(ReadError) as caught:
        read(tmp_path, records)
    assert "[1].unobstructed" in str(caught.value)
    assert "[4].pose[3]" in str(caught.value)


def test_of_many_faults_three_are_said_once_each_and_the_rest_is_counted(tmp_path):
    with pytest.raises(ReadError) as caught:
        read(tmp_path, [7] * 5)
    said = str(caught.value)
    assert [said.count(f"[{n}]") for n in range(5)] == [1, 1, 1, 0, 0]
    assert said.endswith("; and 2 more")


def test_an_empty_scan(tmp_path):
    graph, log = read(tmp_path, [])
    assert graph.viewpoint_ids == ()
    assert not log.findings


def test_a_folder_may_hold_packed_graphs(tmp_path):
    packed = tmp_path / "line_connectivity.json.gz"
    packed.write_bytes(gzip.compress(json.dumps(entries()).encode()))
    assert has_graph(tmp_path, "line")
    assert load_graph(tmp_path, "line").viewpoint_ids == NAMES
    assert not has_graph(tmp_path, "attic")


def test_graphs_are_read_once(tmp_path):
    (tmp_path / "scan_connectivity.json").write_text(json.dumps(entries()))
    assert has_graph(tmp_path, "scan")
    assert not has_graph(tmp_path, "other")
    assert load_graph(tmp_path, "scan") is load_graph(tmp_path, "scan")


def test_a_graph_that_was_changed_is_read_again(tmp_path):
    file = tmp_path / "scan_connectivity.json"
    file.write_text(json.dumps(entries()))
    before = load_graph(tmp_path, "scan")
    moved = entries()
    moved[0]["pose"][3] += 5.0
    file.write_text(json.dumps(moved))
    os.utime(file, ns=(7, 7))
    after = load_graph(tmp_path, "scan")
    assert after.positions_m[0, 0] == before.positions_m[0, 0] + 5.0


@given(st.data())
def test_random_damage_is_refused_or_read_whole(tmp_path_factory, data):
    text = json.dumps(odd_entries())
    cut = data.draw(st.integers(1, len(text)))
    junk = data.draw(st.sampled_from(["", "null", "]", "1", '"x"']))
    path = tmp_path_factory.mktemp("damage") / "scan_connectivity.json"
    path.write_text(text[: cut - 1] + junk + text[cut:])
    try:
        graph = read_connectivity(path, ReadLog())
    except ReadError:
        return
    assert len(graph.viewpoint_ids) == 6
