"""Comparisons of a batch as a table for spreadsheets: one row per pair, rater and criterion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.rounds import RoundState
from waypost.domain.score.batch import BatchItemKey
from waypost.domain.score.comparison import Better, ComparisonKey, PairComparison
from waypost.domain.score.comparison_rows import ComparisonRow
from waypost.domain.score.score_merging import ScoredRows
from waypost.io.scores.typed_row import TypedRow
from waypost.io.table_cells import table_rows, write_csv_table

_FIRST, _SECOND = "first", "second"

COMPARISON_CELLS: Final[Mapping[str, Callable[[ComparisonRow], Any]]] = MappingProxyType(
    {
        "batch": lambda row: row.said.key.batch,
        "item": lambda row: row.said.key.pair,
        "rater": lambda row: row.said.key.rater,
        "criterion": lambda row: row.criterion,
        "score": lambda row: row.score,
        "better": lambda row: row.better.value if row.better else None,
        "cannot_judge": lambda row: row.cannot_judge,
        "on_left": lambda row: _SECOND if row.said.is_swapped else _FIRST,
        "comment": lambda row: row.said.comment,
        "state": lambda row: row.said.state.value,
        "round": lambda row: row.said.round,
        "is_flagged": lambda row: row.said.is_flagged,
        "skip_reason": lambda row: row.said.skip_reason,
        "is_seeing": lambda row: row.said.is_seeing,
        "agreement_score": lambda row: row.agreement_score,
        "rubric": lambda row: row.rubric,
        "rubric_version": lambda row: row.rubric_version,
        "active_s": lambda row: row.said.active_s,
        "changed_utc": lambda row: row.said.changed_at,
        "submitted_utc": lambda row: row.said.submitted_at,
        "decided_by": lambda row: row.said.decided_by,
        "decided_utc": lambda row: row.said.decided_at,
        "decision_comment": lambda row: row.said.decision_comment,
        "first_item": lambda row: row.instructions[0].item,
        "second_item": lambda row: row.instructions[1].item,
        "first_source": lambda row: row.sources[0],
        "second_source": lambda row: row.sources[1],
        "first_task": lambda row: row.instructions[0].task,
        "second_task": lambda row: row.instructions[1].task,
        "first_text": lambda row: row.instructions[0].text,
        "second_text": lambda row: row.instructions[1].text,
    }
)
"""Column → what it says of a row; ``score`` is that of ``BETTER_SCORES``."""

NEEDED: Final = ("batch", "item", "rater", "criterion", "better", "on_left")


def write_comparison_csv(path: Path, rows: Iterable[ComparisonRow]) -> None:
    """Write the rows; see ``write_csv_table``."""
    cells = ([read(row) for read in COMPARISON_CELLS.values()] for row in rows)
    write_csv_table(path, tuple(COMPARISON_CELLS), cells)


def parse_comparison_csv(text: str, file: str) -> ScoredRows:
    """Read the comparisons that ``write_comparison_csv`` wrote, each without the rounds before.

    Raises:
        ReadError: Naming the line and column: a name is empty, an answer, a side, a state, a
            number or a time is none, or a comparison has a criterion twice.
    """
    groups: dict[ComparisonKey, list[TypedRow]] = {}
    texts: dict[BatchItemKey, str] = {}
    pairs: dict[tuple[str, str], tuple[str, str]] = {}
    rubrics: dict[str, str] = {}
    for row in table_rows(text, file, NEEDED):
        line = TypedRow(row, file)
        key = ComparisonKey(line.name("batch"), line.name("item"), line.name("rater"))
        groups.setdefault(key, []).append(line)
        both = line.text("first_item"), line.text("second_item")
        if all(both):
            pairs[key.batch, key.pair] = both
        for item, column in zip(both, ("first_text", "second_text"), strict=True):
            if item and line.text(column).strip():
                texts[BatchItemKey(key.batch, item)] = line.text(column)
        if line.text("rubric").strip():
            rubrics[key.batch] = line.text("rubric")
    said = tuple(_comparison(key, lines) for key, lines in groups.items())
    return ScoredRows(comparisons=said, texts=texts, pairs=pairs, rubrics=rubrics)


def _comparison(key: ComparisonKey, lines: list[TypedRow]) -> PairComparison:
    answers: dict[str, Better] = {}
    cannot: list[str] = []
    seen: set[str] = set()
    for line in lines:
        criterion, better = line.name("criterion"), line.text("better").strip()
        if criterion in seen:
            raise line.error("criterion", f"repeats the {criterion} of {key.pair} by {key.rater}")
        seen.add(criterion)
        if better and better not in list(Better):
            raise line.error("better", f"{better!r} is none of {', '.join(Better)}")
        if better:
            answers[criterion] = Better(better)
        if line.truth("cannot_judge"):
            cannot.append(criterion)
    last = lines[-1]
    return PairComparison(
        key,
        round=last.whole("round", 1),
        answers=MappingProxyType(answers),
        comment=last.text("comment"),
        active_s=last.seconds("active_s"),
        cannot_judge=tuple(cannot),
        is_flagged=last.truth("is_flagged"),
        skip_reason=last.text("skip_reason"),
        is_seeing=last.truth("is_seeing"),
        is_swapped=_is_swapped(last),
        changed_at=last.moment("changed_utc"),
        # Tables of before comparisons had a state tell it by when they were submitted.
        state=last.state(RoundState.OPEN),
        submitted_at=last.moment("submitted_utc"),
        decided_by=last.text("decided_by"),
        decided_at=last.moment("decided_utc"),
        decision_comment=last.text("decision_comment"),
    )


def _is_swapped(line: TypedRow) -> bool:
    side = line.text("on_left").strip()
    if side not in {_FIRST, _SECOND}:
        raise line.error("on_left", f"{side!r} is neither {_FIRST} nor {_SECOND}")
    return side == _SECOND
