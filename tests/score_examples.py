"""A small batch of instructions to score: three raters, six items, a rubric of four criteria."""

from __future__ import annotations

from datetime import UTC, datetime
from types import MappingProxyType

from waypost.domain.score.batch import BatchItem, BatchItemKey, ScoreBatch, deal
from waypost.domain.score.comparison import Better, ComparisonKey, PairComparison
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.rubric import (
    Check,
    CheckKind,
    Condition,
    Criterion,
    Level,
    Rubric,
    ScaleKind,
)
from waypost.domain.score.score_book import NO_SCORES, ScoreBook, add_batch, save_rubric
from waypost.domain.score.sheet_edits import set_score, submit

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
CLARITY = Criterion(
    "clarity", "Clarity", ScaleKind.LIKERT, 1, 5, (Level(1, "Unclear"), Level(5, "Clear"))
)
RUBRIC = Rubric(
    "own",
    1,
    "Ours",
    (
        CLARITY,
        Criterion("accuracy", "Accuracy", ScaleKind.LIKERT, 1, 5),
        Criterion(
            "actions", "Actions", ScaleKind.POINTS, 0, 2, only_if=Condition("actions_given")
        ),
        Criterion(
            "short", "At most 8 words", ScaleKind.YES_NO, 0, 1, is_required=False,
            check=Check(CheckKind.AT_MOST_WORDS, 8),
        ),
    ),
)  # fmt: skip
TEXTS = (
    "Go to the kitchen.",
    "Turn left at the sofa,\nthen stop.",
    "रसोई में जाओ और रुको।",
    "اذهب إلى المطبخ ثم توقف",
    "走到厨房，然后停下。",
    "Go 🙂, \"stop\"; =1+1, and wait at the door that you see behind the table",
)  # fmt: skip
RATERS = ("ana", "ben", "cem")


def items_of(batch: str = "demo") -> tuple[BatchItem, ...]:
    """Six items; the second has its actions given, half are by a model."""
    return tuple(
        BatchItem(
            BatchItemKey(batch, f"i{number}"),
            InstructionText(
                f"i{number}",
                text,
                "human" if number % 2 else "model A",
                facts=("actions_given",) if number == 1 else (),
            ),
        )
        for number, text in enumerate(TEXTS)
    )


def batch_of(name: str = "demo", overlap_share: float = 1.0) -> ScoreBatch:
    """The batch of those items."""
    assigned = deal(items_of(name), RATERS, overlap_share, 7)
    return ScoreBatch(name, RUBRIC.identity, 7, overlap_share, assigned)


def book_of(overlap_share: float = 1.0) -> ScoreBook:
    """Nothing is scored yet."""
    return add_batch(save_rubric(NO_SCORES, RUBRIC), batch_of("demo", overlap_share), items_of())


def scored(book: ScoreBook, item: str, rater: str, *scores: int) -> ScoreBook:
    """After a rater has scored clarity, accuracy and so on, and submitted."""
    asked = RUBRIC.asked(book.instruction("demo", item), {})
    for criterion, score in zip(asked, scores, strict=False):
        sheet = book.sheet("demo", item, rater)
        book = set_score(book, sheet, criterion.key, score, NOON)
    return submit(book, book.sheet("demo", item, rater), NOON, 12.5)


def whole_book() -> ScoreBook:
    """Something of every kind."""
    pairs = ScoreBatch(
        "pairs",
        RUBRIC.identity,
        7,
        1.0,
        MappingProxyType({"ana": ("p",)}),
        MappingProxyType({"p": ("i0", "i1")}),
    )
    book = add_batch(scored(book_of(), "i0", "ana", 4, 5), pairs, items_of("pairs"))
    answer = PairComparison(
        ComparisonKey("pairs", "p", "ana"),
        answers=MappingProxyType({"clarity": Better.FIRST}),
        submitted_at=NOON,
    )
    return ScoreBook(
        book.rubrics, book.batches, book.items, book.sheets, MappingProxyType({answer.key: answer})
    )
