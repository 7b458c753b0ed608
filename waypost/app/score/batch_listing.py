"""A batch as one person sees it, kept up at the cost of what changed and not of its size."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain, filterfalse

from waypost.app.score.item_rows import item_row, items_in_order, pair_row
from waypost.domain.base.counted_words import counted
from waypost.domain.base.mapping_changes import mapping_changes
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import ScoreBook
from waypost.widgets.grouped_list import ListRow


class BatchListing:
    """Order, raters, wordings and progress of a batch; its items are pairs where it has any.

    Args:
        book: What the project keeps about scoring.
        batch: One of its batches.
        viewer: Who looks.

    Raises:
        EditError: If there is no such batch.
    """

    def __init__(self, book: ScoreBook, batch: str, viewer: str) -> None:
        self._book, self._batch, self._viewer = book, batch, viewer
        assigned = book.batch(batch).assigned
        self._is_paired = bool(book.batch(batch).pairs)
        self.is_rater = viewer in assigned
        """Whether who looks scores, or compares, in it."""

        self.items = items_in_order(book, batch, viewer)
        """In the order in which they are shown."""

        self.places = {item: place for place, item in enumerate(self.items)}
        """Item → place in that order, from 0."""

        raters: dict[str, list[str]] = {item: [] for item in self.items}
        for rater, own in assigned.items():
            for item in own:
                raters.setdefault(item, []).append(rater)
        self._raters = {item: tuple(names) for item, names in raters.items()}
        self._wordings: dict[object, list[str]] = defaultdict(list)
        for item in () if self._is_paired else self.items:
            self._wordings[_path_of(book.instruction(batch, item))].append(item)
        self._settled = {item for item in self.items if self._is_settled(item)}
        self._returned = {item for item in self.items if self._is_returned(item)}

    def fits(self, book: ScoreBook, batch: str, viewer: str) -> bool:
        """Whether it is of this batch and person still, whatever was filled in since."""
        known = self._book
        is_same = known.batches is book.batches and known.items is book.items
        is_same = is_same and known.rubrics is book.rubrics
        return is_same and (self._batch, self._viewer) == (batch, viewer)

    @property
    def settled(self) -> int:
        """Number of own sheets, or comparisons, that are in."""
        return len(self._settled)

    @property
    def words(self) -> str:
        """How far who looks is: ``72 of 73 instructions done, 1 returned to you``."""
        noun = "pair" if self._is_paired else "instruction"
        if not self.is_rater:
            return f"You do not score here. Each {noun} says how many of its raters are done."
        told = f"{self.settled:,} of {counted(len(self.items), noun)} done"
        return f"{told}, {len(self._returned):,} returned to you" if self._returned else told

    def rows(self) -> tuple[ListRow, ...]:
        """A row per item; see ``item_row`` and ``pair_row``."""
        return tuple(map(self._row, self.items))

    def raters(self, item: str) -> tuple[str, ...]:
        """Who scores an item, or compares a pair."""
        return self._raters.get(item, ())

    def wordings(self, item: str) -> list[tuple[str, str]]:
        """Item and name of each instruction for the same path, by name; empty if it has but one.

        None of a pair, of which both are shown.
        """
        if self._is_paired:
            return []
        mine = _path_of(self._book.instruction(self._batch, item))
        same = sorted(self._wordings[mine]) if mine else []
        if len(same) < 2:
            return []
        tasks = {other: self._book.instruction(self._batch, other).task for other in same}
        count = Counter(tasks.values())
        seen: Counter[str] = Counter()
        named = []
        for other, task in tasks.items():
            seen[task] += 1
            is_only = bool(task) and count[task] == 1
            named.append((other, task if is_only else f"{task or 'wording'} {seen[task]}"))
        return sorted(named, key=lambda pair: pair[1])

    def next_open(self, item: str) -> str:
        """The next item of which one's own is not in, from the last the first; empty if none."""
        place = self.places[item] + 1
        onward = chain(self.items[place:], self.items[:place])
        return next(filterfalse(self._settled.__contains__, onward), "")

    def follow(self, book: ScoreBook) -> tuple[ListRow, ...]:
        """Take note of what was filled in, or taken back, since.

        Args:
            book: One that it ``fits``.

        Returns:
            The rows of the items about which anything changed.
        """
        touched = self._touched(book)
        self._book = book
        shown = [item for item in touched if item in self.places]
        for item in shown:
            (self._settled.add if self._is_settled(item) else self._settled.discard)(item)
            (self._returned.add if self._is_returned(item) else self._returned.discard)(item)
        return tuple(map(self._row, shown))

    def _row(self, item: str) -> ListRow:
        raters = None if self.is_rater else self.raters(item)
        key = self._batch, item, self._viewer
        row = pair_row if self._is_paired else item_row
        return row(self._book, *key, self.places[item] + 1, raters)

    def _touched(self, book: ScoreBook) -> set[str]:
        known = self._book
        if self._is_paired:
            said = mapping_changes(known.comparisons, book.comparisons).touched
            return {key.pair for key in said if key.batch == self._batch}
        sheets = mapping_changes(known.sheets, book.sheets).touched
        return {key.item for key in sheets if key.batch == self._batch}

    def _is_settled(self, item: str) -> bool:
        return self.is_rater and self._book.is_settled(self._batch, item, self._viewer)

    def _is_returned(self, item: str) -> bool:
        return self.is_rater and self._book.is_returned(self._batch, item, self._viewer)


def _path_of(instruction: InstructionText) -> object:
    """What instructions for one path have in common; ``None`` where nothing is known of a path."""
    if instruction.path_m:
        return instruction.scene_id, instruction.path_m
    if instruction.episode_id and instruction.task:
        return instruction.dataset, instruction.scene_id, instruction.episode_id
    return None
