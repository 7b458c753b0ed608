"""How CapNav's released scorer reads places out of texts: the question's ends, a path's nodes."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final, NamedTuple

_NO_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_NODE_ID: Final = re.compile(r"node_\d+")
_SIMILAR: Final = 0.78
"""Names at least as alike as this are one."""

_BY_LENGTH: Final = 0.08
_BY_LENGTH_LEFT: Final = 0.05
"""How much a letter of the name weighs against a letter of distance, the second where the parts of
the question name nothing."""


class _Hit(NamedTuple):
    """A name where it stands in a question."""

    name: str
    start: int
    length: int

    @property
    def centre(self) -> float:
        return self.start + self.length / 2.0


@lru_cache(maxsize=4096)
def plain_words(text: str) -> str:
    """Lower case, without ASCII punctuation, single spaces."""
    return " ".join(text.lower().translate(_NO_PUNCTUATION).split())


def named_ends(question: str, names: Mapping[str, str]) -> tuple[str, str] | None:
    """The nodes that a question names as start and end; ``None`` if it names none.

    Between “from” and the next “to” the start is looked for, behind that the end; the nearest
    name wins, longer ones a little earlier. Of equal names the last node counts.

    Args:
        question: Its text.
        names: Node → name, in the order of the file.

    Source: makeabilitylab/CapNav:scripts/capnav_score.py.
    """
    node_of = {name: node_id for node_id, name in names.items()}
    text = plain_words(question)
    hits = _hits(text, tuple(node_of))
    if not hits:
        return None
    parts = _from_and_to(text)
    pair = _first_and_last(hits) if parts is None else _by_parts(hits, *parts)
    return None if pair is None else (node_of[pair[0].name], node_of[pair[1].name])


def _hits(text: str, names: Sequence[str]) -> list[_Hit]:
    found = []
    for name in names:
        words = plain_words(name)
        if words:
            places = re.finditer(rf"\b{re.escape(words)}\b", text)
            found += [_Hit(name, place.start(), len(words)) for place in places]
    return found


def _from_and_to(text: str) -> tuple[int, int] | None:
    """Where “from” ends and the next “to” begins."""
    begin = re.search(r"\bfrom\b", text)
    end = None if begin is None else re.compile(r"\bto\b").search(text, begin.end())
    return None if begin is None or end is None else (begin.end(), end.start())


def _first_and_last(hits: Sequence[_Hit]) -> tuple[_Hit, _Hit]:
    ordered = sorted(hits, key=lambda hit: (hit.start, -hit.length))
    is_one = ordered[0].name == ordered[-1].name and len(ordered) > 1
    return ordered[0], ordered[-2 if is_one else -1]


def _by_parts(hits: Sequence[_Hit], begin: int, middle: int) -> tuple[_Hit, _Hit] | None:
    starts = [hit for hit in hits if begin <= hit.centre <= middle]
    ends = [hit for hit in hits if hit.centre >= middle]
    weight = _BY_LENGTH
    if not starts or not ends:
        starts = ends = [hit for hit in hits if hit.centre >= begin]
        weight = _BY_LENGTH_LEFT
    if not starts:
        return None
    start = min(starts, key=_away_from(begin, weight))
    order = sorted(ends, key=_away_from(middle, weight))
    return start, next((hit for hit in order if hit.name != start.name), order[0])


def _away_from(place: int, weight: float) -> Callable[[_Hit], float]:
    return lambda hit: abs(hit.centre - place) - weight * hit.length


def matched_nodes(path: Sequence[str], names: Mapping[str, str]) -> tuple[str | None, ...]:
    """The node that each entry of a path means; ``None`` for one that means none.

    Ids count as they are if all of them look like ``node_1`` and are in the graph; otherwise each
    entry is taken for a name: the same words, else the longest name that contains it or is
    contained, else the most similar one.

    Args:
        path: As the model wrote it.
        names: Node → name, in the order of the file.

    Source: makeabilitylab/CapNav:scripts/capnav_score.py.
    """
    if path and all(_NODE_ID.fullmatch(entry.strip()) and entry in names for entry in path):
        return tuple(path)
    node_of = {name: node_id for node_id, name in names.items()}
    return tuple(_matched(entry, node_of) for entry in path)


def _matched(entry: str, node_of: Mapping[str, str]) -> str | None:
    words = plain_words(entry)
    if not words:
        return None
    same = next((name for name in node_of if plain_words(name) == words), None)
    if same is not None:
        return node_of[same]
    parts = [
        (len(own), name)
        for name in node_of
        if (own := plain_words(name)) and (own in words or words in own)
    ]
    if parts:
        return node_of[max(parts)[1]]
    alike = {name: SequenceMatcher(None, words, plain_words(name)).ratio() for name in node_of}
    best = max(alike, key=alike.__getitem__, default=None)
    return node_of[best] if best is not None and alike[best] >= _SIMILAR else None
