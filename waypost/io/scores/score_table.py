"""Scores of people as a table of ``item``, ``rater``, ``criterion`` and ``score``, to compare."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from waypost.domain.base.errors import ReadError
from waypost.domain.score.given_score import GivenScore
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import reader
from waypost.io.table_cells import TableRow, number_in, table_rows

NEEDED: Final = ("item", "rater", "criterion", "score")
COUNTED: Final = "agreement_score"
"""Column that stands in place of ``score`` where a table has it."""


@dataclass(frozen=True, slots=True)
class GivenScores:
    """What a table of scores holds."""

    scores: tuple[GivenScore, ...]
    without_score: int
    """Rows whose score is empty: not judged, skipped, not answered yet, or not to be counted."""


@reader
def read_score_table(path: Path) -> GivenScores:
    """Read a table of scores; see ``parse_score_table``.

    Raises:
        ReadError: Naming the line and column, and what is wrong there.
    """
    return parse_score_table(read_file_text(path), str(path))


def parse_score_table(text: str, file: str) -> GivenScores:
    """Read a table of scores; of further columns only ``COUNTED`` is looked at.

    Raises:
        ReadError: Naming the line and column, and what is wrong there: a name is empty, a score
            is no finite number, a rater has scored an item twice on a criterion, or nothing is
            scored at all.
    """
    found: dict[tuple[str, str, str], GivenScore] = {}
    without = 0
    for row in table_rows(text, file, NEEDED):
        given = _given_score(row, file)
        if given is None:
            without += 1
            continue
        if given[:3] in found:
            reason = f"repeats the {given.criterion} of {given.item} by {given.rater}"
            raise ReadError(file, f"line {row.line}", reason)
        found[given[:3]] = given
    if not found:
        raise ReadError(file, "score", "there is no score in it")
    return GivenScores(tuple(found.values()), without)


def _given_score(row: TableRow, file: str) -> GivenScore | None:
    names = []
    for column in NEEDED[:3]:
        name = row.cells.get(column, "").strip()
        if not name:
            raise ReadError(file, f"line {row.line}, {column}", "is empty")
        names.append(name)
    column = COUNTED if COUNTED in row.cells else "score"
    text = row.cells.get(column, "").strip()
    if not text:
        return None
    score = number_in(text)
    if score is None:
        raise ReadError(file, f"line {row.line}, {column}", f"{text!r} is no finite number")
    return GivenScore(names[0], names[1], names[2], score)
