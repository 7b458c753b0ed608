"""Stated distances of published episodes hold against their scans; those that cannot are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog
from waypost.services.evaluation.episode_checks import EpisodeChecks
from waypost.services.evaluation.validate import validate

pytestmark = pytest.mark.realdata

RIGHT = (
    ("r2r/R2R_val_unseen.json", "r2r/connectivity"),
    ("r2r/R2R_val_seen.json", "r2r/connectivity"),
    ("peers/duet-reverie/REVERIE_val_unseen.json", "r2r/connectivity"),
    ("peers/lattice/annotations.json", "peers/lattice/connectivity"),
    ("peers/r4r/R4R_val_unseen.json", "r2r/connectivity"),
    ("peers/vlnce/val_unseen.json.gz", ""),
    ("peers/vlnce-rxr/val_unseen_guide.json.gz", ""),
    ("peers/vln-pe/annotations.json", ""),
    ("peers/vlnverse/annotations.json", ""),
    ("peers/vlnverse-human/annotations.json", ""),
)


@pytest.mark.parametrize(("file", "connectivity"), RIGHT)
def test_right_distances_are_left_alone(shared_data: Path, file: str, connectivity: str) -> None:
    log = ReadLog()
    checks = EpisodeChecks(shared_data / connectivity if connectivity else None, log)
    for episode in EPISODE_FORMATS.read(shared_data / file, ReadLog()):
        checks.add(episode)
    assert log.counts[ImportKind.WRONG_DISTANCE] == 0


def test_a_way_shorter_than_the_straight_line_is_found(shared_data: Path) -> None:
    folder = shared_data / "found/runs/geodesic"
    source = RunSource((folder / "pred.json",), (folder / "ann.json",))
    episodes, _runs = exhaust(validate(source))
    (finding,) = episodes.report.findings
    assert (finding.kind, finding.item_id) == (ImportKind.WRONG_DISTANCE, "1")
    assert "3.00 m, but the straight line from start to goal is 6.00 m" in finding.message
