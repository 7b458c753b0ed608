"""Takes of people as rows beside those of models; what is left out is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from recorded_takes import EPISODE, KEY, study_of_walks, write_walk

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.record.study import Study
from waypost.domain.record.study_edits import add_take
from waypost.services.replay.take_index import index_takes
from waypost.services.study.takes import take_of_file


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Two takes of one episode: all of the way, and half a metre of it."""
    study = study_of_walks()
    for name, length_m in (("one", 4.0), ("two", 0.5)):
        file = tmp_path / "takes" / f"{name}.csv"
        write_walk(file, [(0, 0), (length_m, 0)])
        study = add_take(study, take_of_file(study, tmp_path, file, lambda _: EPISODE))
    return study


def test_takes_are_attempts_with_replays(study: Study, tmp_path: Path) -> None:
    index = exhaust(index_takes(study, tmp_path, {KEY: EPISODE}, "People"))
    assert [(row.key, row.is_success) for row in index.rows.rows] == [
        (("1_0", 1), True),
        (("1_0", 2), False),
    ]
    assert (index.rows.name, index.warnings) == ("People", ())
    assert index.replayed("1_0", 2).replay.travelled_m[-1] == pytest.approx(0.5, abs=0.01)
    with pytest.raises(InputError, match="has no take 3"):
        index.replayed("1_0", 3)


def test_a_take_whose_file_is_gone_is_said(study: Study, tmp_path: Path) -> None:
    (tmp_path / "takes" / "one.csv").unlink()
    index = exhaust(index_takes(study, tmp_path, {KEY: EPISODE}, "People"))
    assert [row.is_success for row in index.rows.rows] == [False]
    (told,) = index.warnings
    assert told.startswith("takes/one.csv: ")


def test_excluded_takes_and_unknown_episodes(study: Study, tmp_path: Path) -> None:
    first, second = study.takes.values()
    left = replace(study, takes={second.key: replace(second, excluded_reason="fell asleep")})
    with pytest.raises(InputError, match="no take of the study can be replayed"):
        exhaust(index_takes(left, tmp_path, {KEY: EPISODE}, "People"))
    with pytest.raises(InputError, match="no take of the study can be replayed"):
        exhaust(index_takes(study, tmp_path, {}, "People"))
    assert first.summary.is_complete
