"""The batch of the sample home: instructions to score, and what two simulated raters say of them.

Nobody judged here: the scores are written by us, and the names of the raters say so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from waypost.domain.base.frames import Vec3
from waypost.domain.score.batch import deal
from waypost.domain.score.batch_making import BatchWish, make_batch
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import NO_SCORES, ScoreBook
from waypost.domain.score.sheet_edits import set_comment, set_score, submit
from waypost.io.scores.rubric_files import shipped_rubrics
from waypost.sample.navigation import PLACES

BATCH: Final = "Sample instructions"
RATERS: Final = ("Sample rater 1", "Sample rater 2")
RUBRIC: Final = "vlnverse-fine"
SEED: Final = 1
SCENE_ID: Final = "home"
GRAPHS: Final = "runs/connectivity"
SCORED_AT: Final = datetime(2026, 1, 6, 9, 0, tzinfo=UTC)

_TO_SOFA: Final = ("Entrance", "Hall", "Living room", "Sofa")
_TO_STUDY: Final = ("Back hall", "Corridor corner", "Study")
_TO_BEDROOM: Final = ("Kitchen", "Stair foot", "Landing", "Upper hall", "Gallery", "Bedroom")
_TO_DECK: Final = ("Dining room", "Garden door", "Deck")
_PERSON, _SCRIPT = "person", "script"


@dataclass(frozen=True, slots=True)
class SampleInstruction:
    """One instruction and its scores: clarity, naturalness and accuracy, 1 to 5."""

    item: str
    way: tuple[str, ...]
    """Names of places."""

    task: str
    source: str
    text: str
    scores: tuple[tuple[int, int, int], tuple[int, int, int]]
    """Of each of ``RATERS``."""

    comment: str = ""
    """Of the first of them, on the whole."""

    expected_accuracy: str = ""
    """Of an attention check."""


INSTRUCTIONS: Final = (
    SampleInstruction(
        "sofa_1", _TO_SOFA, "full", _PERSON,
        "With the front door behind you, walk down the hall past the stairs. Turn left into the"
        " living room, go straight on, and stop at the near end of the sofa.",
        ((5, 5, 5), (5, 4, 5)),
    ),
    SampleInstruction(
        "sofa_2", _TO_SOFA, "full", _SCRIPT,
        "Move forward 2.4 m. Turn left 90 degrees. Move forward 3.8 m. Stop.",
        ((4, 1, 5), (3, 1, 5)), "Right to the metre, but who measures while walking?",
    ),
    SampleInstruction(
        "sofa_3", _TO_SOFA, "short", _PERSON,
        "Wait for me at the sofa, will you?",
        ((3, 5, 4), (2, 5, 4)),
    ),
    SampleInstruction(
        "study_1", _TO_STUDY, "full", _PERSON,
        "Follow the narrow corridor to its corner, turn right, and stop on the rug between the"
        " desk and the window.",
        ((5, 5, 5), (5, 5, 5)),
    ),
    SampleInstruction(
        "study_2", _TO_STUDY, "full", _SCRIPT,
        "Go along corridor. Turn left at corner. Arrive at rug.",
        ((3, 2, 2), (4, 2, 1)), "The corridor turns right.",
    ),
    SampleInstruction(
        "bedroom_1", _TO_BEDROOM, "full", _PERSON,
        "Leave the kitchen and climb the stairs on your right. At the top turn left, and left"
        " again along the balustrade; the bedroom is then on your right.",
        ((4, 4, 5), (4, 5, 5)),
    ),
    SampleInstruction(
        "bedroom_2", _TO_BEDROOM, "full", _SCRIPT,
        "Go to stairs. Go up stairs. Go to balustrade. Go to door. Stop at bedroom.",
        ((3, 2, 4), (3, 1, 3)),
    ),
    SampleInstruction(
        "deck_1", _TO_DECK, "full", "check",
        "Take the lift to the tenth floor and stop beside the swimming pool.",
        ((4, 4, 1), (5, 5, 1)), expected_accuracy="1",
    ),
)  # fmt: skip
"""Three paths in several wordings, and an attention check."""


def sample_scores(rater: str = "") -> ScoreBook:
    """Rubric, batch, and the sheets of two simulated raters.

    Args:
        rater: Who is to score it as well; empty for nobody.

    Raises:
        ReadError: If the shipped rubric cannot be read.
    """
    return with_sample_scores(NO_SCORES, rater)


def with_sample_scores(book: ScoreBook, rater: str) -> ScoreBook:
    """A book that has the batch of the sample, dealt to somebody as well.

    Args:
        book: Of a copy of the sample. One that has other batches or rubrics only stays as it is.
        rater: Who is to score it; empty for nobody.

    Returns:
        The same book if there is nothing to add.

    Raises:
        ReadError: If the shipped rubric cannot be read.
    """
    if not book.batches and not book.rubrics:
        wish = BatchWish(BATCH, shipped_rubrics()[RUBRIC], RATERS, seed=SEED, graphs_path=GRAPHS)
        book = _scored(make_batch(book, wish, [*map(_instruction, INSTRUCTIONS)]))
    return _dealt_to(book, rater) if rater and BATCH in book.batches else book


def _dealt_to(book: ScoreBook, rater: str) -> ScoreBook:
    """The order of everybody else stays: it depends on the seed and the name only."""
    batch = book.batches[BATCH]
    if rater in batch.assigned:
        return book
    names = (*batch.raters, rater)
    assigned = deal(book.items_of(BATCH), names, batch.overlap_share, batch.seed)
    batches = {**book.batches, BATCH: replace(batch, assigned=assigned)}
    return replace(book, batches=MappingProxyType(batches))


def _instruction(entry: SampleInstruction) -> InstructionText:
    expected = {"expected.accuracy": entry.expected_accuracy} if entry.expected_accuracy else {}
    return InstructionText(
        entry.item,
        entry.text,
        entry.source,
        entry.task,
        language="en",
        scene_id=SCENE_ID,
        path_m=tuple(_positions(entry.way)),
        extra=MappingProxyType(expected),
    )


def _positions(way: Iterable[str]) -> Iterable[Vec3]:
    spots = {name: position for name, position, _ in PLACES}
    return (spots[name] for name in way)


def _scored(book: ScoreBook) -> ScoreBook:
    criteria = [entry.key for entry in book.rubric_of(BATCH).criteria]
    for entry in INSTRUCTIONS:
        for rater, scores in zip(RATERS, entry.scores, strict=True):
            where = BATCH, entry.item, rater
            for criterion, score in zip(criteria, scores, strict=True):
                book = set_score(book, book.sheet(*where), criterion, score, SCORED_AT)
            if entry.comment and rater == RATERS[0]:
                book = set_comment(book, book.sheet(*where), "", entry.comment, SCORED_AT)
            book = submit(book, book.sheet(*where), SCORED_AT)
    return book
