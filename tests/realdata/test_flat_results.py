"""DUET's groups, written flat, keep every score and pass the rules of the leaderboard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.services.conversion import ConversionRequest, convert
from waypost.services.evaluation.evaluate import evaluate
from waypost.services.evaluation.validate import validate

pytestmark = pytest.mark.realdata


@pytest.mark.parametrize("name", ["results", "results_repeats"])
def test_groups_of_duet(shared_data: Path, tmp_path: Path, name: str) -> None:
    folder = shared_data / "peers/duet-r2r"
    graphs = shared_data / "r2r/connectivity"
    annotations = (folder / "annotations.json",)
    grouped, flat = folder / f"{name}.json", tmp_path / "flat.json"
    result = convert(
        ConversionRequest(
            grouped, "r2r", flat, annotations=annotations, connectivity=graphs, is_flat=True
        )
    )
    assert (result.read, result.written) == (60, 60)
    verdicts = [
        exhaust(validate(RunSource((file,), annotations, graphs)))[-1].servers
        for file in (grouped, flat)
    ]
    assert [bool(one.refusals) for (one,) in verdicts] == [True, False]
    runs = exhaust(
        evaluate(RunSource((grouped, flat), annotations, graphs, profile_key="r2r"))
    ).runs
    means = [{key: found.value for key, found in run.metrics.items()} for run in runs]
    for key in ("TL", "NE", "SR", "OSR", "SPL"):
        assert means[1][key] == pytest.approx(means[0][key], abs=1e-12)


def test_the_file_that_could_not_be_flat(shared_data: Path, tmp_path: Path) -> None:
    """A, B, A, B, C is 8 m long for the official scorer, which reads the first of each entry."""
    source, out = shared_data / "found/runs/no_flat/res.json", tmp_path / "flat.json"
    convert(ConversionRequest(source, "r2r", out, is_flat=True))
    third = json.loads(out.read_text())[2]
    names = [entry[0] for entry in third["trajectory"]]
    assert len(names) == 5
    assert names[:2] == names[2:4]
    assert all(isinstance(entry, list) for entry in third["trajectory"])
