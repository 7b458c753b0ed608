"""A batch of pairs as one person sees it, kept up at the cost of what changed."""

from __future__ import annotations

from itertools import chain, filterfalse

from waypost.domain.base.mapping_changes import mapping_changes
from waypost.domain.score.score_book import ScoreBook
from waypost.widgets.grouped_list import ListRow

_LETTERS = 34


class PairListing:
    """Order, raters and progress of a batch of pairs; see ``BatchListing``.

    Args:
        book: What the project keeps about scoring.
        batch: One of its batches that has pairs.
        viewer: Who looks.

    Raises:
        EditError: If there is no such batch.
    """

    def __init__(self, book: ScoreBook, batch: str, viewer: str) -> None:
        self._book, self._batch, self._viewer = book, batch, viewer
        known = book.batch(batch)
        self._pairs = known.pairs
        self.is_rater = viewer in known.assigned
        """Whether who looks compares in it."""

        self.items = known.assigned[viewer] if self.is_rater else tuple(known.pairs)
        """Pairs, in the order in which they are shown."""

        self.places = {pair: place for place, pair in enumerate(self.items)}
        """Pair → place in that order, from 0."""

        raters: dict[str, list[str]] = {pair: [] for pair in self.items}
        for rater, own in known.assigned.items():
            for pair in own:
                raters.setdefault(pair, []).append(rater)
        self._raters = {pair: tuple(names) for pair, names in raters.items()}
        self._settled = {pair for pair in self.items if self._is_settled(pair)}

    def fits(self, book: ScoreBook, batch: str, viewer: str) -> bool:
        """Whether it is of this batch and person still, whatever was said since."""
        known = self._book
        is_same = known.batches is book.batches and known.items is book.items
        return is_same and (self._batch, self._viewer) == (batch, viewer)

    @property
    def settled(self) -> int:
        """Number of own comparisons that are in."""
        return len(self._settled)

    def rows(self) -> tuple[ListRow, ...]:
        """A row per pair: the first words of both, the left one first, and how far it is."""
        return tuple(map(self._row, self.items))

    def raters(self, item: str) -> tuple[str, ...]:
        """Who compares a pair."""
        return self._raters.get(item, ())

    def wordings(self, item: str) -> list[tuple[str, str]]:  # noqa: ARG002 - as of sheets
        """None: both wordings are shown."""
        return []

    def next_open(self, item: str) -> str:
        """The next pair that is not in, from the last the first; empty if all are in."""
        place = self.places[item] + 1
        onward = chain(self.items[place:], self.items[:place])
        return next(filterfalse(self._settled.__contains__, onward), "")

    def follow(self, book: ScoreBook) -> tuple[ListRow, ...]:
        """Take note of what was said, or taken back, since.

        Args:
            book: One that it ``fits``.

        Returns:
            The rows of the pairs about which anything changed.
        """
        found = mapping_changes(self._book.comparisons, book.comparisons)
        self._book = book
        touched = (*found.added, *found.changed, *found.removed)
        pairs = {key.pair for key in touched if key.batch == self._batch}
        shown = [pair for pair in pairs if pair in self.places]
        for pair in shown:
            (self._settled.add if self._is_settled(pair) else self._settled.discard)(pair)
        return tuple(map(self._row, shown))

    def _row(self, pair: str) -> ListRow:
        raters = self._raters[pair]
        said = self._book.comparison(self._batch, pair, self._viewer)
        texts = [
            self._book.instruction(self._batch, item).first_words for item in self._pairs[pair]
        ]
        if said.is_swapped and self.is_rater:
            texts.reverse()
        short = (text if len(text) <= _LETTERS else f"{text[:_LETTERS]}…" for text in texts)
        told = self._own_state(pair) if self.is_rater else self._count(pair, raters)
        # The names of the two may tell where they come from.
        return ListRow(pair, f"{self.places[pair] + 1}  {' ↔ '.join(short)}", told)

    def _own_state(self, pair: str) -> str:
        said = self._book.comparison(self._batch, pair, self._viewer)
        state = "begun" if said.has_content else ""
        if said.is_settled:
            state = "skipped" if said.skip_reason else "✓"
        return f"{state}{' ⚑' if said.is_flagged else ''}".strip()

    def _count(self, pair: str, raters: tuple[str, ...]) -> str:
        every = [self._book.comparison(self._batch, pair, rater) for rater in raters]
        flag = " ⚑" if any(said.is_flagged for said in every) else ""
        return f"{sum(said.is_settled for said in every)} of {len(every)}{flag}"

    def _is_settled(self, pair: str) -> bool:
        return self.is_rater and self._book.is_settled(self._batch, pair, self._viewer)
