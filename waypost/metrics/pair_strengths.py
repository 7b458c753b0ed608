"""How strong each instruction is among those it was compared with, after Bradley and Terry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import choix
import networkx as nx
import numpy as np

from waypost.domain.score.comparison import Better, PairComparison
from waypost.domain.score.score_book import ScoreBook

NO_COMPARISON: Final = "nothing was compared"
NOT_CONNECTED: Final = "some items never won, or never lost, against the others"


@dataclass(frozen=True, slots=True)
class PairStrengths:
    """Strengths on one criterion."""

    criterion: str
    comparisons: int
    strengths: MappingProxyType[str, float] | None
    """Item → log strength, of mean 0: the first of a pair is better with probability
    1 / (1 + exp(second − first)). ``None`` where ``undefined`` says why."""

    undefined: str = ""


def pair_strengths(book: ScoreBook, batch: str, criterion: str) -> PairStrengths:
    """Strengths of the items of a batch by all comparisons submitted; a tie counts half for each.

    Raises:
        EditError: If there is no such batch.

    Source:
        Bradley and Terry 1952, Rank analysis of incomplete block designs; by choix
        (github.com/lucasmaystre/choix, ``ilsr_pairwise``).
    """
    pairs = book.batch(batch).pairs
    answers = [
        (answer, pairs[key.pair])
        for key, answer in book.comparisons.items()
        if key.batch == batch and answer.submitted_at is not None and criterion in answer.answers
    ]
    items = sorted({item for _, both in answers for item in both})
    if not items:
        return PairStrengths(criterion, 0, None, NO_COMPARISON)
    places = {item: place for place, item in enumerate(items)}
    wins = [(places[winner], places[loser]) for winner, loser in _wins(answers, criterion)]
    beats = nx.DiGraph(wins)
    beats.add_nodes_from(range(len(items)))
    if not nx.is_strongly_connected(beats):
        return PairStrengths(criterion, len(answers), None, NOT_CONNECTED)
    found = np.asarray(choix.ilsr_pairwise(len(items), wins), dtype=np.float64)
    found -= found.mean()
    strengths = MappingProxyType(dict(zip(items, found.tolist(), strict=True)))
    return PairStrengths(criterion, len(answers), strengths)


def _wins(
    answers: Iterable[tuple[PairComparison, tuple[str, str]]], criterion: str
) -> Iterable[tuple[str, str]]:
    """Winner and loser, two for each answer: a tie is one win for each side."""
    for answer, (first, second) in answers:
        said = answer.answers[criterion]
        yield (second, first) if said is Better.SECOND else (first, second)
        yield (first, second) if said is Better.FIRST else (second, first)
