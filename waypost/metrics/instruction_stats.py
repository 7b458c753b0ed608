"""What the texts of instructions are made of: lengths, words, landmarks, actions, likeness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.word_list import WordList
from waypost.domain.score.words import is_latin, sentences, words

NEAR: Final = 90.0
"""Similarity in percent from which two texts are near-duplicates."""

MOST_COMPARED: Final = 20_000
"""Different texts up to which every pair is compared."""

NO_WORD_LIST: Final = "no text is in a language with a word list"
TOO_MANY: Final = f"more than {MOST_COMPARED:,} different texts"

_ROWS_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Spread:
    """A count per text, over all texts."""

    mean: float
    median: float
    least: int
    most: int


class NearDuplicate(NamedTuple):
    """Two texts that are nearly the same."""

    first: str
    """Item."""

    second: str
    similarity: float
    """Percent; 100 is the same but for case and what stands between words."""


@dataclass(frozen=True, slots=True)
class NamedWords:
    """Words of a list, as the texts use them."""

    per_text: Spread
    counts: tuple[tuple[str, int], ...]
    """How often each stands in all texts, the most frequent first."""

    without: tuple[str, ...]
    """Items whose text has none."""


@dataclass(frozen=True, slots=True)
class InstructionStats:
    """What the texts are made of."""

    count: int
    languages: tuple[tuple[str, int], ...]
    """As files say; empty where they do not."""

    characters: Spread
    words: Spread
    sentences: Spread
    vocabulary: int
    """Different words, without case."""

    running_words: int
    once: int
    """Words that stand once in all texts."""

    listed: int
    """Texts in a language with a word list; the next three are over these alone."""

    assumed: int
    """Of these, texts without a language that are taken for English by their letters."""

    landmarks: NamedWords | None
    """``None`` with ``NO_WORD_LIST`` as the reason; so are the next two."""

    actions: NamedWords | None
    missing_end_point: tuple[str, ...] | None
    """Items whose last sentence neither says to stop nor names a landmark."""

    near_duplicates: tuple[NearDuplicate, ...] | None
    """The most similar first; ``None`` with ``TOO_MANY`` as the reason."""


def instruction_stats(
    instructions: Sequence[InstructionText], word_list: WordList
) -> InstructionStats:
    """Count what texts are made of.

    Args:
        instructions: At least one.
        word_list: Of English; counts texts whose language begins with its own, and those without
            a language whose letters are Latin.
    """
    split = [words(entry.text) for entry in instructions]
    vocabulary = Counter(word.casefold() for found in split for word in found)
    listed = [entry for entry in instructions if _is_of(entry, word_list)]
    return InstructionStats(
        len(instructions),
        tuple(Counter(entry.language for entry in instructions).most_common()),
        _spread(len(entry.text) for entry in instructions),
        _spread(map(len, split)),
        _spread(len(sentences(entry.text)) for entry in instructions),
        len(vocabulary),
        vocabulary.total(),
        sum(count == 1 for count in vocabulary.values()),
        len(listed),
        sum(not entry.language for entry in listed),
        _named_words(listed, word_list.landmarks_in),
        _named_words(listed, word_list.actions_in),
        tuple(e.item for e in listed if not word_list.has_end_point(e.text)) if listed else None,
        near_duplicates(instructions),
    )


def _is_of(entry: InstructionText, word_list: WordList) -> bool:
    stated = entry.language.replace("_", "-").split("-")[0].casefold()
    return stated == word_list.language if stated else is_latin(entry.text)


def _spread(counts: Iterable[int]) -> Spread:
    found = np.fromiter(counts, dtype=np.int64)
    return Spread(float(found.mean()), float(np.median(found)), int(found.min()), int(found.max()))


def _named_words(
    listed: Sequence[InstructionText], find: Callable[[str], Counter[str]]
) -> NamedWords | None:
    if not listed:
        return None
    found = [find(entry.text) for entry in listed]
    total: Counter[str] = sum(found, Counter())
    return NamedWords(
        _spread(entry.total() for entry in found),
        tuple(sorted(total.items(), key=lambda item: (-item[1], item[0]))),
        tuple(entry.item for entry, own in zip(listed, found, strict=True) if not own),
    )


def near_duplicates(instructions: Sequence[InstructionText]) -> tuple[NearDuplicate, ...] | None:
    """Pairs of texts with a similarity of ``NEAR`` or more; each other text with the first alike.

    The similarity is that of the words, joined by blanks and without case: twice the letters that
    both have in the same order, among all letters of both (indel, as rapidfuzz computes it). Of
    texts that are all the same each later one is paired with the first only.

    Returns:
        The most similar first; ``None`` for more than ``MOST_COMPARED`` different texts.
    """
    first_of: dict[str, str] = {}
    found = []
    for entry in instructions:
        text = " ".join(words(entry.text)).casefold()
        if text in first_of:
            found.append(NearDuplicate(first_of[text], entry.item, 100.0))
        first_of.setdefault(text, entry.item)
    if len(first_of) > MOST_COMPARED:
        return None
    texts, items = list(first_of), list(first_of.values())
    for start in range(0, len(texts), _ROWS_AT_ONCE):
        similar: NDArray[np.float32] = process.cdist(
            texts[start : start + _ROWS_AT_ONCE], texts[start:],
            scorer=fuzz.ratio, score_cutoff=NEAR, dtype=np.float32,
        )  # fmt: skip
        for row, column in np.argwhere(np.triu(similar, k=1) >= NEAR):
            pair = items[start + row], items[start + column]
            found.append(NearDuplicate(*pair, float(similar[row, column])))
    return tuple(sorted(found, key=lambda pair: (-pair.similarity, pair.first, pair.second)))
