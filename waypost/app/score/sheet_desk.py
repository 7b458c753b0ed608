"""The one place through which the window reads and changes what people score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QObject

from waypost.app.score.batch_listing import BatchListing
from waypost.app.score.sheet_time import SheetTime
from waypost.app.shell.project_edits import edit_project
from waypost.app.shell.workbench import Workbench, at_window
from waypost.domain.base.mapping_changes import mapping_changes
from waypost.domain.project import Project
from waypost.domain.score.batch import ScoreBatch
from waypost.domain.score.comparison import ComparisonKey, PairComparison
from waypost.domain.score.comparison_edits import (
    add_pair_time,
    skip_comparison,
    toggle_pair_flag,
)
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import Sheet, SheetState
from waypost.domain.score.sheet_edits import (
    add_active_time,
    begin_anew,
    skip,
    to_score_anew,
    toggle_flag,
)
from waypost.store.score_news import ScoreNews

SheetEdit = Callable[[ScoreBook, Sheet, datetime], ScoreBook]
ComparisonEdit = Callable[[ScoreBook, ComparisonKey, datetime], ScoreBook]


class SheetDesk(QObject):
    """Knows the batch and item at hand; every edit is about the sheet at hand and no other.

    Args:
        bench: Has the open project, and who works.
        clock: Gives the time of every edit.
        parent: Qt owner.
    """

    def __init__(self, bench: Workbench, clock: Callable[[], datetime], parent: QObject) -> None:
        super().__init__(parent)
        self._bench, self._clock = bench, clock
        self.time = SheetTime(self)
        self.batch_name = ""
        """The batch at hand; empty for none."""

        self.item = ""
        """The item at hand; empty for none."""

        self._shown_rater = ""
        self._listing: BatchListing | None = None
        self.is_editing = False
        """Whether a change of the project comes from here."""

    @property
    def book(self) -> ScoreBook:
        """What the project keeps about scoring."""
        return self._bench.project.scoring

    @property
    def viewer(self) -> str:
        """Who is at the window; see ``at_window``."""
        return at_window(self._bench)

    @property
    def batch(self) -> ScoreBatch | None:
        """The batch at hand."""
        return self.book.batches.get(self.batch_name)

    @property
    def is_rater(self) -> bool:
        """Whether who is at the window scores in the batch at hand."""
        return self.batch is not None and self.viewer in self.batch.assigned

    @property
    def items(self) -> tuple[str, ...]:
        """The items of the batch at hand, in the order in which they are shown."""
        return () if self.batch is None else self.listing.items

    @property
    def listing(self) -> BatchListing:
        """The batch at hand as who is at the window sees it; another one if the batch changed.

        Raises:
            EditError: If there is no batch at hand.
        """
        at = self.book, self.batch_name, self.viewer
        if self._listing is None or not self._listing.fits(*at):
            self._listing = BatchListing(*at)
        return self._listing

    @property
    def is_comparing(self) -> bool:
        """Whether the batch at hand is compared in pairs."""
        return self.batch is not None and bool(self.batch.pairs)

    @property
    def noun(self) -> str:
        """What is at hand: ``pair`` or ``instruction``."""
        return "pair" if self.is_comparing else "instruction"

    @property
    def _one(self) -> str:
        return f"{'a' if self.is_comparing else 'an'} {self.noun}"

    @property
    def raters(self) -> tuple[str, ...]:
        """Who scores the item at hand."""
        return () if self.batch is None else self.listing.raters(self.item)

    @property
    def rater(self) -> str:
        """Whose sheet is shown: one's own, or the one that a lead looks at."""
        if self.is_rater:
            return self.viewer
        names = self.raters
        return self._shown_rater if self._shown_rater in names else next(iter(names), "")

    def choose_rater(self, name: str) -> None:
        """Look at the sheet of another rater."""
        self._shown_rater = name

    def turn_to(self, batch: str, item: str) -> None:
        """Take another item in hand."""
        self.batch_name, self.item = batch, item
        at = (batch, item, self.viewer) if item and self.is_rater else None
        self.time.turn_to(at)

    def shown(self) -> tuple[ScoreBook, Sheet] | None:
        """The sheet at hand, and the book it stands in; ``None`` without one, as in pairs.

        A submitted sheet of which a changed rubric asks more is shown as its next round, which
        begins with its first answer. Of another rater's sheet only what is in is shown.
        """
        book, batch = self.book, self.batch
        if batch is None or batch.pairs or self.item not in self.listing.places or not self.rater:
            return None
        sheet = book.sheet(self.batch_name, self.item, self.rater)
        if self.is_rater:
            if to_score_anew(book, sheet):
                book = begin_anew(book, sheet)
                sheet = book.sheet(self.batch_name, self.item, self.rater)
        elif sheet.state is SheetState.OPEN:
            sheet = Sheet(sheet.key, sheet.rubric_version)
        return book, sheet

    def compared(self) -> PairComparison | None:
        """The comparison at hand; ``None`` without one, as of sheets.

        Of another rater's comparison only what is in is shown.
        """
        if not self.is_comparing or self.item not in self.listing.places:
            return None
        said = self.book.comparison(self.batch_name, self.item, self.rater)
        if self.is_rater or said.is_settled:
            return said
        return PairComparison(said.key, said.earlier, round=said.round, is_swapped=said.is_swapped)

    @property
    def at_hand(self) -> Sheet | PairComparison | None:
        """The sheet, or the comparison, at hand."""
        if self.is_comparing:
            return self.compared()
        found = self.shown()
        return found[1] if found else None

    @property
    def place(self) -> tuple[object, ...]:
        """Which round of which sheet, or comparison, is at hand."""
        said = self.at_hand
        if said is None:
            number = None
        else:
            number = said.round if isinstance(said, PairComparison) else said.key.round
        return self.batch_name, self.item, self.rater, number

    def own_change(self, before: ScoreBook, after: ScoreBook) -> tuple[str, str] | None:
        """Batch and item, or pair, of the one own sheet or comparison that differs.

        ``None`` if none or several do.
        """
        sheets = mapping_changes(before.sheets, after.sheets).touched
        said = mapping_changes(before.comparisons, after.comparisons).touched
        places = {(key.batch, key.item) for key in sheets if key.rater == self.viewer}
        places |= {(key.batch, key.pair) for key in said if key.rater == self.viewer}
        return places.pop() if len(places) == 1 else None

    def edit(self, text: str, change: SheetEdit, merge_key: object | None = None) -> bool:
        """Change the sheet at hand as one step of undo; whether it was possible.

        Args:
            text: What the step is called.
            change: What it does to the sheet.
            merge_key: Following edits with an equal key join this step.
        """
        if self.shown() is None or not self.is_rater:
            return False
        seconds = self.time.take()
        where = self.batch_name, self.item, self.viewer

        def changed(project: Project) -> Project:
            found = self.shown()
            if found is None:
                return project
            book, sheet = found
            book = change(book, sheet, self._clock())
            return replace(project, scoring=add_active_time(book, book.sheet(*where), seconds))

        is_done = self._run(text, changed, merge_key)
        if not is_done:
            self.time.give_back(seconds)
        return is_done

    def compare(self, text: str, change: ComparisonEdit, merge_key: object | None = None) -> bool:
        """Change the comparison at hand as one step of undo; see ``edit``."""
        if self.compared() is None or not self.is_rater:
            return False
        seconds = self.time.take()
        key = ComparisonKey(self.batch_name, self.item, self.viewer)

        def changed(project: Project) -> Project:
            book = change(project.scoring, key, self._clock())
            return replace(project, scoring=add_pair_time(book, key, seconds))

        is_done = self._run(text, changed, merge_key)
        if not is_done:
            self.time.give_back(seconds)
        return is_done

    def fill(
        self, text: str, sheet: SheetEdit, pair: ComparisonEdit, merge_key: object | None = None
    ) -> bool:
        """Change the sheet, or the comparison, at hand as one step of undo; see ``edit``."""
        if self.is_comparing:
            return self.compare(text, pair, merge_key)
        return self.edit(text, sheet, merge_key)

    def skip(self, reason: str) -> bool:
        """Skip what is at hand; whether it was possible."""
        return self.fill(
            f"Skip {self._one}",
            lambda book, sheet, now: skip(book, sheet, reason, now),
            lambda book, key, now: skip_comparison(book, key, reason, now),
        )

    def flag(self) -> None:
        """Flag what is at hand, or take the flag back."""
        self.fill(f"Flag {self._one}", toggle_flag, toggle_pair_flag)

    def decide(
        self, text: str, sheet: SheetEdit, pair: ComparisonEdit, merge_key: object | None = None
    ) -> bool:
        """Decide about what is at hand of another rater; whether it was possible.

        See ``edit``, also for the arguments.
        """
        if self.is_rater or self.at_hand is None:
            return False
        key = ComparisonKey(self.batch_name, self.item, self.rater)

        def changed(project: Project) -> Project:
            book, now = project.scoring, self._clock()
            if self.is_comparing:
                return replace(project, scoring=pair(book, key, now))
            return replace(project, scoring=sheet(book, book.sheet(*key), now))

        return self._run(text, changed, merge_key)

    def take_news(self, news: ScoreNews) -> bool:
        """Take what others have changed meanwhile; whether it could, see ``ProjectDocument``."""
        document = self._bench.document
        if document is None:
            return False
        self.is_editing = True
        try:
            return document.take_news(news)
        finally:
            self.is_editing = False

    def change_book(self, text: str, change: Callable[[ScoreBook], ScoreBook]) -> bool:
        """Change the whole book as one step of undo; whether it was possible."""
        return self._run(text, lambda project: replace(project, scoring=change(project.scoring)))

    def _run(
        self, text: str, change: Callable[[Project], Project], merge_key: object | None = None
    ) -> bool:
        self.is_editing = True
        try:
            return edit_project(self._bench, text, change, merge_key)
        finally:
            self.is_editing = False
