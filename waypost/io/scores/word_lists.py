"""The words that instructions of a language name actions and landmarks by, as shipped."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Final

from waypost.domain.score.word_list import WordList
from waypost.io.toml_reading import parse_toml

LANGUAGES: Final = ("en",)


@lru_cache
def shipped_word_list(language: str) -> WordList:
    """The list of one of ``LANGUAGES``."""
    file = resources.files("waypost.resources") / "word_lists" / f"{language}.toml"
    table = parse_toml(file.read_text(encoding="utf-8"), str(file))
    return WordList(
        table["language"],
        *(tuple(table[name]) for name in ("actions", "landmarks", "endings")),
    )
