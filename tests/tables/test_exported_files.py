"""Exported tables to the byte, as the files beside this one have them.

Parquet packs otherwise with each release of its library; there columns, types, values and
metadata are compared.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow.parquet as pq
import pytest
from fixtures.row_examples import FOUR, make_row, make_rows
from fixtures.study_examples import NOON, assigned, drive_next, study_of

from waypost.domain.base.progress import exhaust
from waypost.domain.causes.blind_marks import BlindCount
from waypost.domain.record.study import Study
from waypost.domain.record.take_rules import Feedback, TakeAnswers, TakeRules
from waypost.services.study.export import export_study
from waypost.services.study.submissions import ExportWish
from waypost.tables.episode_table import EpisodeCauses, write_episode_table

EXPECTED = Path(__file__).parent / "exported"
RULES = TakeRules(Feedback.NONE, shows_map=True, time_limit_s=90.5)
ANSWERS = {
    1: TakeAnswers(True, 1, "=which door?", NOON),
    2: TakeAnswers(False, 3, "=which door?", NOON),
}
"""Take → what was answered after it."""


def scored_study() -> Study:
    """Three people, eight takes: scores with odd digits, undefined ones, takes without any."""
    study = assigned(study_of([2, 1, 2], 3, count=3, overlap=3))
    for turn in range(3):
        for person in (turn % 3, (turn + 1) % 3, (turn + 2) % 3):
            study = drive_next(
                study, f"P-{person}", path_length_m=(turn + 1) * 3.3 + person / 7,
                pause_ns=turn * 333_333_333, wall_duration_ns=0 if person == 2 else 61_000_000_123,
            )  # fmt: skip
    takes = {}
    for number, (key, take) in enumerate(study.takes.items()):
        ne = None if number % 3 == 0 else number * 1e-6 / 3
        scores = {"vlnce.SR": number / 7, "vlnce.NE": ne, "a.b": None}
        if number % 4 == 1:
            scores = {"r2r.X": number / 3, **scores}
        reason = ("=no goal", 'far, "away"\nline')[number % 2]
        notes = {name: reason for name, value in scores.items() if value is None}
        scores = {} if number % 5 == 4 else scores
        takes[key] = replace(
            take,
            rules=RULES if number == 2 else take.rules,
            scores=MappingProxyType(scores),
            score_notes=notes,
            profile="vlnce" if scores else "",
            answers=ANSWERS.get(number),
        )
    return replace(study, takes=MappingProxyType(takes))


def write_exports(folder: Path) -> None:
    """Everything that is compared, in one folder."""
    exhaust(export_study(folder, ExportWish((), None, False), scored_study(), folder, seed=5))
    rows = make_rows(
        *FOUR.rows,
        replace(make_row("=7_9"), split="\ud800a", reference_m=None, turn_count=None),
        name='=a,"b"',
    )
    causes = EpisodeCauses({"7_0": ("Door", "Region")}, "ana", {"7_0": BlindCount(1, 0, 2)})
    for suffix in ("csv", "parquet"):
        write_episode_table(folder / f"episodes.{suffix}", rows, causes=causes)


def parquet_document(path: Path) -> Any:
    """Columns, types, values and metadata."""
    table = pq.read_table(path)
    metadata = table.schema.metadata or {}
    return {
        "columns": {field.name: str(field.type) for field in table.schema},
        "rows": table.to_pylist(),
        "metadata": {key.decode(): text.decode() for key, text in metadata.items()},
    }


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports") / "out"
    write_exports(folder)
    return folder


@pytest.mark.parametrize(
    "name", ["scores.csv", "participants.csv", "averages.csv", "averages.json", "episodes.csv"]
)
def test_texts_are_the_same_to_the_byte(written: Path, name: str) -> None:
    assert (written / name).read_bytes() == (EXPECTED / name).read_bytes()


@pytest.mark.parametrize("name", ["scores.parquet", "episodes.parquet"])
def test_parquet_holds_the_same(written: Path, name: str) -> None:
    expected = json.loads((EXPECTED / f"{name}.json").read_text(encoding="utf-8"))
    assert parquet_document(written / name) == expected
