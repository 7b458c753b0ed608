"""A rubric that changes: its next version, and what that leaves to score anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from waypost.domain.base.errors import EditError
from waypost.domain.score.rubric import Rubric, criteria_to_score_anew
from waypost.domain.score.score_book import ScoreBook, save_rubric
from waypost.domain.score.sheet_edits import change_rubric, to_score_anew


class RubricNews(NamedTuple):
    """What a batch has to score anew."""

    batch: str
    criteria: tuple[str, ...]
    """Titles of those whose scores do not carry over."""

    sheets: int
    """Submitted ones of which the new version asks more."""


class SavedRubric(NamedTuple):
    """A book with another version of a rubric."""

    book: ScoreBook
    news: tuple[RubricNews, ...]
    """Of each batch that is scored by it from now on."""


def versions_of(book: ScoreBook, shipped: Mapping[str, Rubric], key: str) -> tuple[Rubric, ...]:
    """Every version of a rubric that is known, the oldest first."""
    found = {rubric.version: rubric for own, rubric in book.rubrics.items() if own.key == key}
    if key in shipped:
        found.setdefault(shipped[key].version, shipped[key])
    return tuple(rubric for _, rubric in sorted(found.items()))


def batches_to_change(book: ScoreBook, rubric: Rubric) -> tuple[str, ...]:
    """The batches of sheets that are scored by another version of a rubric."""
    return tuple(
        name
        for name, batch in book.batches.items()
        if batch.rubric.key == rubric.key
        and batch.rubric.version != rubric.version
        and not batch.pairs
    )


def save_version(book: ScoreBook, rubric: Rubric, batches: Iterable[str] = ()) -> SavedRubric:
    """The book with a version of a rubric, and batches that are scored by it from now on.

    Sheets keep the version that they were filled in by.

    Raises:
        InputError: If the rubric cannot be used, see ``check_rubric``.
        EditError: If the book has this version with other content, a batch is not there or scored
            by another rubric, or it is compared in pairs.
    """
    book = save_rubric(book, rubric)
    news = []
    for name in batches:
        before = book.rubric_of(name)
        if before.key != rubric.key:
            raise EditError(f"{name} is scored by the rubric {before.key!r}")
        book = change_rubric(book, name, rubric.version)
        anew = criteria_to_score_anew(before, rubric)
        titles = tuple(entry.title for entry in rubric.criteria if entry.key in anew)
        sheets = sum(bool(to_score_anew(book, sheet)) for sheet in book.current_sheets(name))
        news.append(RubricNews(name, titles, sheets))
    return SavedRubric(book, tuple(news))


def news_words(news: RubricNews) -> str:
    """``pilot: Accuracy, Style are new to score on 12 sheets``."""
    if not news.criteria:
        return f"{news.batch}: nothing is new to score"
    verb = "is" if len(news.criteria) == 1 else "are"
    noun = "sheet" if news.sheets == 1 else "sheets"
    titles = ", ".join(news.criteria)
    return f"{news.batch}: {titles} {verb} new to score on {news.sheets:,} {noun}"
