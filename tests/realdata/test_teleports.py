"""A submission whose agent jumps is refused by its server and never perfect."""

from __future__ import annotations

from pathlib import Path

import pytest

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.tags import TagKind
from waypost.services.evaluation.validate import validate
from waypost.services.replay.loading import replay_all

pytestmark = pytest.mark.realdata


def test_a_teleport_is_a_finding_and_never_perfect(shared_data: Path) -> None:
    folder = shared_data / "found/runs/teleport"
    source = RunSource((folder / "pred.json",), (folder / "ann.json",))
    *_, results = exhaust(validate(source))
    told = [(found.kind, found.step, found.value) for found in results.report.findings]
    assert told == [
        (ImportKind.TELEPORT, 3, "3.00 m"),
        (ImportKind.TELEPORT, 5, "2.25 m"),
    ]
    (verdict,) = results.servers
    assert [refusal.count for refusal in verdict.refusals] == [2]
    (shown,) = exhaust(replay_all(source)).attempts
    assert TagKind.PERFECT not in {tag.kind for tag in shown.tags}
    assert [tag.step for tag in shown.tags if tag.kind is TagKind.TELEPORT] == [3]
