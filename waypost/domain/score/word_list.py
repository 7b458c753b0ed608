"""Words by which instructions of one language name actions, landmarks and where to stop."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import regex

from waypost.domain.score.words import sentences


@dataclass(frozen=True)
class WordList:
    """What is counted in texts of one language."""

    language: str
    actions: tuple[str, ...]
    """Verbs in the form of commands; their forms in -s, -ing and -ed are not counted."""

    landmarks: tuple[str, ...]
    """Things and rooms, of one word or several; plurals with an s are found too."""

    endings: tuple[str, ...]
    """Words that say where to stop."""

    def actions_in(self, text: str) -> Counter[str]:
        """How often each action stands in a text."""
        return Counter(found.lower() for found in self._actions.findall(text))

    def landmarks_in(self, text: str) -> Counter[str]:
        """How often each landmark stands in a text; the longest name at a place counts."""
        return Counter(match[1].lower() for match in self._landmarks.finditer(text))

    def has_end_point(self, text: str) -> bool:
        """Whether the last sentence says to stop, or names a landmark."""
        last = sentences(text)[-1:]
        return bool(last) and bool(self._endings.search(last[0]) or self.landmarks_in(last[0]))

    @cached_property
    def _actions(self) -> regex.Pattern[str]:
        return _any_of(self.actions, "")

    @cached_property
    def _landmarks(self) -> regex.Pattern[str]:
        return _any_of(self.landmarks, "s?")

    @cached_property
    def _endings(self) -> regex.Pattern[str]:
        return _any_of(self.endings, "")


def _any_of(names: tuple[str, ...], ending: str) -> regex.Pattern[str]:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    said = "|".join(r"\s+".join(map(regex.escape, name.split())) for name in longest_first)
    return regex.compile(rf"\b({said}){ending}\b", regex.IGNORECASE)
