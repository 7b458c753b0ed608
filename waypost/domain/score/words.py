"""Words and sentences of a text in any script, as they are counted."""

from __future__ import annotations

from typing import Final

import regex

_WORD: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}]"
    r"|(?:(?![\p{Han}\p{Hiragana}\p{Katakana}])[\p{L}\p{M}\p{N}])+"
    r"(?:['’\-‐](?:(?![\p{Han}\p{Hiragana}\p{Katakana}])[\p{L}\p{M}\p{N}])+)*"
)
_SENTENCE_END: Final = regex.compile(r"[.!?…]+(?=\s|$)|[。！？।॥؟۔]+|\n{2,}")
_LATIN: Final = regex.compile(r"\p{Latin}")
_LETTER: Final = regex.compile(r"\p{L}")


def words(text: str) -> tuple[str, ...]:
    """The words of a text: letters with their marks and digits, joined by ``'`` and ``-``.

    Each character of Chinese and Japanese counts as a word, as their texts are counted; scripts
    without spaces between words, such as Thai, give one word per stretch.
    """
    return tuple(_WORD.findall(text))


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, without the marks that end them."""
    return tuple(part.strip() for part in _SENTENCE_END.split(text) if part.strip())


def is_latin(text: str) -> bool:
    """Whether nine of ten letters are Latin; false without letters."""
    letters = len(_LETTER.findall(text))
    return letters > 0 and len(_LATIN.findall(text)) >= 0.9 * letters
