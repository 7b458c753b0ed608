"""Flat result files are what the R2R leaderboard takes, and as long as they were."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds.vln_worlds import graph_run, grid_graph, line_graph, write_line_scan

from waypost.domain.base.errors import InputError
from waypost.domain.episode.flat_path import flat_run
from waypost.domain.episode.run import Decision
from waypost.services.conversion import ConversionRequest, convert

GRID = grid_graph(4, 3)


def leaderboard_length_m(trajectory, graph, start):
    """The length by R2R's rules: the first element of an entry counts, neighbours only."""
    names = [entry[0] for entry in trajectory]
    assert names[0] == start
    places = [graph.index[name] for name in names]
    for here, there in pairwise(places):
        assert here == there or there in graph.neighbours[here]
    return sum(graph.geodesic_rows[a][b] for a, b in pairwise(places))


@given(path=st.lists(st.sampled_from(GRID.viewpoint_ids), min_size=1, max_size=9))
def test_any_jumps_become_neighbours_and_keep_the_length(path):
    run = graph_run(path)
    flat = flat_run(run, GRID)
    entries = [[name] for name in flat.run.route.viewpoint_ids]
    jumped = sum(GRID.geodesic_rows[GRID.index[a]][GRID.index[b]] for a, b in pairwise(path))
    assert leaderboard_length_m(entries, GRID, path[0]) == pytest.approx(jumped, abs=1e-9)
    assert flat.inserted == len(entries) - len(path)
    kept = iter(flat.run.route.viewpoint_ids)
    assert all(name in kept for name in path)
    assert flat.run.decisions == ()


def test_neighbours_in_a_row_stay_as_they_are():
    path = ["0,0", "0,1", "0,0", "0,0", "1,0"]
    assert flat_run(graph_run(path), GRID).run.route.viewpoint_ids == tuple(path)


def test_without_a_graph_nothing_is_filled():
    assert flat_run(graph_run("AC"), None).run.route.viewpoint_ids == ("A", "C")


@pytest.mark.parametrize("path", ["AX", "XA", "X"])
def test_what_the_graph_does_not_have_is_no_flat_run(path):
    with pytest.raises(InputError, match="line has no viewpoint X"):
        flat_run(graph_run(path), line_graph(2, 2))


def write(path, value):
    path.write_text(json.dumps(value))
    return path


@pytest.fixture
def request_of(tmp_path):
    record = {
        "distance": 6.0, "scan": "line", "path_id": 1, "path": list("ABCD"), "heading": 0.0,
        "instructions": ["go", "walk"],
    }  # fmt: skip
    annotations = write(tmp_path / "R2R_val.json", [record])
    connectivity = write_line_scan(tmp_path / "connectivity", 2, 2, 2)

    def made(trajectory, **changed):
        results = [{"instr_id": "1_0", "trajectory": trajectory, "predObjId": "7"}]
        wanted = {
            "source": write(tmp_path / "run.json", results),
            "target_name": "r2r",
            "out": tmp_path / "flat.json",
            "annotations": (annotations,),
            "connectivity": connectivity,
            "is_flat": True,
        }
        return ConversionRequest(**{**wanted, **changed})

    return made


@pytest.mark.parametrize(
    ("trajectory", "flat"),
    [
        ([["A"], ["B", "C", "B"], ["C", "D"]], "ABCBCD"),
        ([["A"], ["B"], ["C"], ["D"], ["A"]], "ABCDCBA"),
        ([["A", 0.5, 0.1], ["D", 1.0, 0.0]], "ABCD"),
        (["A", "B", ["B", 1.0, 0.0]], "ABB"),
    ],
)
def test_a_file_is_written_flat(request_of, trajectory, flat):
    request = request_of(trajectory)
    result = convert(request)
    assert (result.written, result.unreadable) == (1, 0)
    assert "positions" not in "".join(result.warnings)
    (record,) = json.loads(request.out.read_text())
    assert "".join(entry[0] for entry in record["trajectory"]) == flat
    assert all(len(entry) in (1, 3) for entry in record["trajectory"])
    assert record["predObjId"] == "7"


def test_headings_stay_where_they_were_and_none_is_made_up(request_of):
    request = request_of([["A", 0.5, 0.1], ["C", 1.25, -0.25]])
    result = convert(request)
    (record,) = json.loads(request.out.read_text())
    assert record["trajectory"] == [["A", 0.5, 0.1], ["B"], ["C", 1.25, -0.25]]
    (note,) = [found for found in result.findings if found.kind == "note"]
    assert note.message == "1_0: 1 viewpoint added where it goes on without an edge"


def test_without_graphs_it_is_said_that_nothing_was_filled(request_of):
    request = request_of([["A"], ["C"]], connectivity=None)
    result = convert(request)
    assert "moves without an edge could not be filled" in result.warnings[0]
    (record,) = json.loads(request.out.read_text())
    assert record["trajectory"] == [["A"], ["C"]]


def test_a_run_off_the_graph_is_left_out_and_named(request_of):
    result = convert(request_of([["A"], ["X"]]))
    assert (result.read, result.written) == (1, 0)
    (finding,) = result.findings
    assert finding.message == "run 1_0 cannot be written flat: line has no viewpoint X"


def test_only_result_files_are_flat(request_of):
    with pytest.raises(InputError, match="--flat is for results that are converted to r2r"):
        convert(request_of([["A"]], target_name="waypost"))


def test_decisions_over_several_viewpoints_are_taken_apart():
    run = graph_run("ABCB", decisions=(Decision(1, 3), Decision(3, 4)))
    assert flat_run(run, line_graph(2, 2)).run.decisions == ()
