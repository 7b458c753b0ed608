"""Finding entries by a few typed letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def match_score(query: str, text: str) -> float | None:
    """How well a text answers a query; every word of the query must be found.

    Letters of a word may have gaps between them; starts of words, whole runs and short texts
    score higher. Case is ignored.

    Returns:
        The score, higher is better; ``None`` if a word is not found.
    """
    lowered = text.casefold()
    total = 0.0
    for word in query.casefold().split():
        score = _word_score(word, lowered)
        if score is None:
            return None
        total += score
    return total - 0.01 * len(lowered)


def best_matches(
    query: str, items: Iterable[T], texts: Sequence[str], limit: int = 200
) -> tuple[T, ...]:
    """The items that answer a query, best first; all of them in their order if it is blank.

    Args:
        query: What was typed.
        items: What is searched.
        texts: The text of each item.
        limit: At most this many are returned.
    """
    if not query.strip():
        return tuple(items)[:limit]
    scored: list[tuple[float, int, T]] = []
    for index, (item, text) in enumerate(zip(items, texts, strict=True)):
        score = match_score(query, text)
        if score is not None:
            scored.append((-score, index, item))
    scored.sort(key=lambda entry: entry[:2])
    return tuple(item for _, _, item in scored[:limit])


def _word_score(word: str, text: str) -> float | None:
    at = text.find(word)
    if at >= 0:
        is_start = at == 0 or not text[at - 1].isalnum()
        return 10.0 * len(word) + (8.0 if is_start else 0.0) - 0.05 * at
    score, position = 0.0, -1
    for letter in word:
        found = text.find(letter, position + 1)
        if found < 0:
            return None
        if found == 0 or not text[found - 1].isalnum():
            score += 4.0
        elif found == position + 1:
            score += 2.0
        else:
            score += 0.5
        position = found
    return score
