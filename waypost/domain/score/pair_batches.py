"""Batches whose instructions are compared in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Final

from waypost.domain.base.dealing import deal_names
from waypost.domain.base.errors import InputError
from waypost.domain.score.batch import ScoreBatch
from waypost.domain.score.batch_making import BatchWish, batch_item, make_batch
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import ScoreBook, add_batch, save_rubric

PAIR_COLUMN: Final = "pair"
"""Further column of a file: instructions that say the same there are compared."""


def same_path_pairs(instructions: Sequence[InstructionText]) -> tuple[tuple[str, str], ...]:
    """Every two instructions that can be compared, by their items, in the order they come in.

    Those that say the same under ``PAIR_COLUMN``; where they say nothing there, those of the same
    path, else of the same episode.
    """
    groups: dict[object, list[str]] = {}
    for entry in instructions:
        stated = entry.extra.get(PAIR_COLUMN, "")
        group: object = stated
        if not stated and entry.path_m:
            group = entry.scene_id, entry.path_m
        elif not stated and entry.episode_id:
            group = entry.scene_id, entry.episode_id
        if group:
            groups.setdefault(group, []).append(entry.item)
    return tuple(pair for items in groups.values() for pair in combinations(items, 2))


def make_pair_batch(
    book: ScoreBook,
    wish: BatchWish,
    instructions: Sequence[InstructionText],
    pairs: Sequence[tuple[str, str]],
) -> ScoreBook:
    """The book with a batch whose instructions are compared in pairs.

    A share of the pairs goes to all raters, each other one to one of them. Instructions of no pair
    are left out.

    Raises:
        InputError: If there is no pair, a pair has an item that is not there or one item twice, or
            stands twice, an instruction is an attention check, or it cannot be dealt, see
            ``deal_names``.
        EditError: If a batch of this name, or another rubric of this version, is there.
    """
    if not pairs:
        raise InputError(
            "pairs: no two instructions are of the same path or episode; paths on viewpoints are"
            " known with their folder of graphs"
        )
    named = {f"{first} | {second}": (first, second) for first, second in pairs}
    twice = next((pair for pair in pairs if pair[0] == pair[1]), None)
    if twice is not None:
        raise InputError(f"pairs: {twice[0]!r} is paired with itself")
    if len({frozenset(pair) for pair in pairs}) != len(pairs) or len(named) != len(pairs):
        raise InputError("pairs: one stands twice")
    batch = ScoreBatch(
        wish.name,
        wish.rubric.identity,
        wish.seed,
        wish.overlap_share,
        deal_names(list(named), wish.raters, wish.overlap_share, wish.seed),
        MappingProxyType(named),
        wish.graphs_path,
        wish.eye_height_m,
    )
    wanted = {item for pair in pairs for item in pair}
    items = [batch_item(wish, entry) for entry in instructions if entry.item in wanted]
    check = next((entry.key.item for entry in items if entry.is_attention_check), None)
    if check is not None:
        raise InputError(f"{check}: expected scores are of sheets; a pair has none")
    return add_batch(save_rubric(book, wish.rubric), batch, items)


def made_batch(
    book: ScoreBook, wish: BatchWish, instructions: Sequence[InstructionText], *, is_paired: bool
) -> ScoreBook:
    """The book with a new batch, of sheets or of pairs; see ``make_batch``, ``make_pair_batch``."""
    if is_paired:
        return make_pair_batch(book, wish, instructions, same_path_pairs(instructions))
    return make_batch(book, wish, instructions)
