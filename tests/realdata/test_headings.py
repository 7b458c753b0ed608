"""Headings of Room-to-Room point anywhere: no slice of them is doubted, in any size."""

from __future__ import annotations

import json
import math
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.heading_checks import HeadingCheck
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog
from waypost.services.evaluation.episode_checks import EpisodeChecks, add_start
from waypost.services.evaluation.validate import validate

pytestmark = pytest.mark.realdata

SIZES = (1, 3, 10)


@pytest.fixture(scope="module")
def records(shared_data: Path) -> list[dict[str, Any]]:
    names = ("R2R_val_unseen", "R2R_val_seen")
    files = (shared_data / "r2r" / f"{name}.json" for name in names)
    return [record for file in files for record in json.loads(file.read_text())]


def slices(records: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Every path alone, and all paths of a scan in threes and tens, as they stand and shuffled."""
    of_scan = defaultdict(list)
    for record in records:
        of_scan[record["scan"]].append(record)
    for paths in of_scan.values():
        shuffled = random.Random(5).sample(paths, len(paths))
        for size in SIZES:
            for order in (paths, shuffled):
                yield from (order[at : at + size] for at in range(0, len(order), size))


def findings(folder: Path, connectivity: Path, chosen: list[dict[str, Any]]) -> list[ImportKind]:
    file = folder / "R2R_slice.json"
    file.write_text(json.dumps(chosen))
    log = ReadLog()
    checks = EpisodeChecks(connectivity, log)
    for episode in EPISODE_FORMATS.read(file, log):
        checks.add(episode)
    checks.finish()
    log.finish()
    return [*log.counts]


def test_no_slice_of_right_headings_is_doubted(
    shared_data: Path, tmp_path: Path, records: list[dict[str, Any]]
) -> None:
    connectivity = shared_data / "r2r" / "connectivity"
    tried = 0
    for chosen in slices(records):
        assert findings(tmp_path, connectivity, chosen) == [], chosen
        tried += 1
    assert tried > 2 * len(records)


def test_every_slice_in_degrees_is_noticed(
    shared_data: Path, tmp_path: Path, records: list[dict[str, Any]]
) -> None:
    """Unless all its headings are so small that they may be radians."""
    connectivity = shared_data / "r2r" / "connectivity"
    for chosen in slices(records):
        turned = [{**each, "heading": math.degrees(each["heading"])} for each in chosen]
        if max(each["heading"] for each in turned) > 4 * math.pi:
            found = findings(tmp_path, connectivity, turned)
            assert found == [ImportKind.DEGREES_FOR_RADIANS]


def test_the_slice_that_was_doubted(shared_data: Path) -> None:
    source = RunSource(
        annotations=(shared_data / "found/runs/heading_flag_1.json",),
        connectivity=shared_data / "r2r/connectivity",
    )
    reports = exhaust(validate(source))
    assert [entry.report.findings for entry in reports] == [(), ()]


@pytest.mark.parametrize("turn_rad", [math.pi, math.pi / 2, -math.pi / 2])
def test_starts_of_vlnverse_in_another_frame_are_noticed(
    shared_data: Path, turn_rad: float
) -> None:
    """Its ten demo episodes face their first step to 0.1°: enough to tell."""
    right, turned = HeadingCheck(), HeadingCheck()
    for episode in EPISODE_FORMATS.read(shared_data / "vlnverse/fine_grained_demo.json", ReadLog()):
        assert episode.start_yaw_rad is not None
        add_start(right, episode, None)
        points = episode.reference.positions_m
        assert points is not None
        moves = [point - points[0] for point in points if (point != points[0]).any()]
        step = math.atan2(moves[0][1], moves[0][0])
        turned.add(episode.episode_id, episode.start_yaw_rad + turn_rad, step)
    assert right.finding() is None
    finding = turned.finding()
    assert finding is not None
    assert finding.kind is ImportKind.HEADING_MISMATCH
