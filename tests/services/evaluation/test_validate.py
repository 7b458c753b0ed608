"""Validation of large and odd inputs."""

import json

import pytest
from worlds.vln_worlds import write_line_scan

from waypost.domain.base.errors import InputError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.services.evaluation import buckets
from waypost.services.evaluation.validate import validate


def exhaust(request):
    steps = validate(request)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def write(path, value):
    path.write_text(json.dumps(value))
    return path


def record(path_id, scan="line", heading=0.0):
    return {
        "distance": 4.0,
        "scan": scan,
        "path_id": path_id,
        "path": ["A", "B", "C"],
        "heading": heading,
        "instructions": ["go"],
    }


@pytest.fixture
def inputs(tmp_path):
    records = [record(n) for n in range(25_000)]
    runs = [{"instr_id": f"{n}_0", "trajectory": ["A", "B", "C"]} for n in range(24_999)]
    return (
        write(tmp_path / "R2R_train.json", records),
        write(tmp_path / "run.json", runs),
        write_line_scan(tmp_path / "connectivity", 2, 2),
    )


def test_large_inputs_are_checked_in_buckets(inputs, monkeypatch):
    monkeypatch.setattr(buckets, "IN_MEMORY_BYTES", 0)
    annotations, results, connectivity = inputs
    _, graphs, runs = exhaust(RunSource((results,), (annotations,), connectivity))
    assert graphs.report.found == 1
    assert (runs.report.expected, runs.report.found, runs.report.missing) == (25_000, 24_999, 1)
    assert [finding.item_id for finding in runs.report.findings] == ["24999_0"]


def test_headings_of_another_convention_are_doubted(tmp_path):
    """Along +X an R2R heading is π/2; pointing back it is 3π/2."""
    connectivity = write_line_scan(tmp_path / "connectivity", 2, 2)
    records = [record(n, heading=4.712 + n / 100) for n in range(20)]
    annotations = write(tmp_path / "R2R_val.json", records)
    found, _ = exhaust(RunSource((), (annotations,), connectivity))
    (finding,) = found.report.findings
    assert finding.kind == ImportKind.HEADING_MISMATCH
    assert "in 20 of 20 different starts" in finding.message


def test_a_scan_without_graph_is_missing(tmp_path):
    connectivity = write_line_scan(tmp_path / "connectivity", 2, 2)
    annotations = write(tmp_path / "R2R_val.json", [record(1), record(2, scan="attic")])
    runs = write(
        tmp_path / "run.json",
        [{"instr_id": f"{n}_0", "trajectory": ["A", "C"]} for n in (1, 2)],
    )
    _, graphs, results = exhaust(RunSource((runs,), (annotations,), connectivity))
    assert (graphs.report.expected, graphs.report.missing) == (2, 1)
    assert graphs.report.findings[0].item_id == "attic"
    assert [f.item_id for f in results.report.findings] == ["1_0"]


def test_no_folder(tmp_path):
    with pytest.raises(InputError, match="is no folder"):
        exhaust(RunSource(connectivity=tmp_path / "no"))


def test_episodes_that_come_twice(tmp_path):
    again = record(1) | {"path": ["A", "B"]}
    annotations = write(tmp_path / "R2R_val.json", [record(1), record(1), again, record(2)])
    (entry,) = exhaust(RunSource(annotations=(annotations,)))
    counts = entry.report.duplicated_identical, entry.report.duplicated_conflicting
    assert (entry.report.found, *counts) == (4, 1, 1)
    assert [found.item_id for found in entry.report.findings] == ["1_0", "1_0"]
