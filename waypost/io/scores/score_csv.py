"""Scores of a batch as a table for spreadsheets: one row per item, rater and criterion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.score.batch import BatchItemKey
from waypost.domain.score.score_merging import ScoredRows
from waypost.domain.score.score_rows import ScoreRow
from waypost.domain.score.sheet import Sheet, SheetKey
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import reader
from waypost.io.scores.typed_row import TypedRow
from waypost.io.table_cells import table_rows, write_csv_table

CELLS: Final[Mapping[str, Callable[[ScoreRow], Any]]] = MappingProxyType(
    {
        "batch": lambda row: row.sheet.key.batch,
        "item": lambda row: row.sheet.key.item,
        "rater": lambda row: row.sheet.key.rater,
        "criterion": lambda row: row.criterion,
        "score": lambda row: row.score,
        "cannot_judge": lambda row: row.cannot_judge,
        "comment": lambda row: row.comment,
        "state": lambda row: row.sheet.state.value,
        "round": lambda row: row.sheet.key.round,
        "rubric": lambda row: row.rubric,
        "rubric_version": lambda row: row.sheet.rubric_version,
        "total": lambda row: row.total,
        "is_flagged": lambda row: row.sheet.is_flagged,
        "skip_reason": lambda row: row.sheet.skip_reason,
        "is_seeing": lambda row: row.sheet.is_seeing,
        "agreement_score": lambda row: row.agreement_score,
        "sheet_comment": lambda row: row.sheet.comments.get("", ""),
        "active_s": lambda row: row.sheet.active_s,
        "changed_utc": lambda row: row.sheet.changed_at,
        "submitted_utc": lambda row: row.sheet.submitted_at,
        "decided_by": lambda row: row.sheet.decided_by,
        "decided_utc": lambda row: row.sheet.decided_at,
        "decision_comment": lambda row: row.sheet.decision_comment,
        "source": lambda row: row.source,
        "task": lambda row: row.instruction.task,
        "language": lambda row: row.instruction.language,
        "text": lambda row: row.instruction.text,
    }
)
"""Column → what it says of a row."""

COLUMNS: Final = tuple(CELLS)

_NEEDED: Final = ("batch", "item", "rater", "criterion", "score", "rubric_version")


def write_score_csv(path: Path, rows: Iterable[ScoreRow]) -> None:
    """Write the rows; see ``write_csv_table``."""
    write_csv_table(path, COLUMNS, map(_cells, rows))


def _cells(row: ScoreRow) -> list[Any]:
    return [read(row) for read in CELLS.values()]


@reader
def read_score_csv(path: Path) -> ScoredRows:
    """Read the sheets of a table of scores; see ``parse_score_csv``.

    Raises:
        ReadError: Naming the line and column, and what is wrong there.
    """
    return parse_score_csv(read_file_text(path), str(path))


def parse_score_csv(text: str, file: str) -> ScoredRows:
    """Read the sheets that ``write_score_csv`` wrote.

    Raises:
        ReadError: Naming the line and column: a number, a state or a time is none, or a sheet has
            a criterion twice.
    """
    groups: dict[SheetKey, list[TypedRow]] = {}
    texts: dict[BatchItemKey, str] = {}
    rubrics: dict[str, str] = {}
    for row in table_rows(text, file, _NEEDED):
        line = TypedRow(row, file)
        key = SheetKey(
            line.name("batch"), line.name("item"), line.name("rater"), line.whole("round", 1)
        )
        groups.setdefault(key, []).append(line)
        if "text" in row.cells:
            texts[BatchItemKey(key.batch, key.item)] = line.text("text")
        if line.text("rubric").strip():
            rubrics[key.batch] = line.text("rubric")
    sheets = tuple(_sheet(key, lines) for key, lines in groups.items())
    return ScoredRows(sheets, texts=texts, rubrics=rubrics)


def _sheet(key: SheetKey, lines: Iterable[TypedRow]) -> Sheet:
    scores: dict[str, int] = {}
    comments: dict[str, str] = {}
    cannot: list[str] = []
    seen: set[str] = set()
    for line in lines:
        criterion = line.name("criterion")
        if criterion in seen:
            raise line.error("criterion", f"repeats the {criterion} of {key.item} by {key.rater}")
        seen.add(criterion)
        if line.text("score").strip():
            scores[criterion] = line.whole("score", 0)
        if line.truth("cannot_judge"):
            cannot.append(criterion)
        if line.text("comment"):
            comments[criterion] = line.text("comment")
    if line.text("sheet_comment"):
        comments[""] = line.text("sheet_comment")
    return Sheet(
        key,
        line.whole("rubric_version", 1),
        MappingProxyType(scores),
        tuple(cannot),
        MappingProxyType(comments),
        line.truth("is_flagged"),
        line.seconds("active_s"),
        line.moment("changed_utc"),
        skip_reason=line.text("skip_reason"),
        is_seeing=line.truth("is_seeing"),
        state=line.state(),
        submitted_at=line.moment("submitted_utc"),
        decided_by=line.text("decided_by"),
        decided_at=line.moment("decided_utc"),
        decision_comment=line.text("decision_comment"),
    )
