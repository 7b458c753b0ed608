"""The Score workspace: a batch, one sheet at a time, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtWidgets import QComboBox, QWidget

from waypost.app.score.batch_listing import BatchListing
from waypost.app.score.item_rows import others_words, round_words, sheet_facts
from waypost.app.score.news_watch import NewsWatch
from waypost.app.score.pairs.pair_face import PairFace
from waypost.app.score.pairs.pair_work import PairWork
from waypost.app.score.path.path_ground import PathGround
from waypost.app.score.results.results_work import ResultsWork
from waypost.app.score.rubric_editing import RubricEditing
from waypost.app.score.score_files import ScoreFiles
from waypost.app.score.score_panel import ScorePanel
from waypost.app.score.sheet_decisions import SheetDecisions
from waypost.app.score.sheet_desk import SheetDesk
from waypost.app.score.sheet_face import SheetFace
from waypost.app.score.typed_texts import TypedTexts
from waypost.app.shell.workspace import Surroundings, Workspace
from waypost.domain.project import Project
from waypost.domain.score.sheet import missing_criteria
from waypost.domain.score.sheet_edits import (
    set_cannot_judge,
    set_score,
    submit,
)
from waypost.services.input.shortcuts import ShortcutMap
from waypost.services.pieces import Steps
from waypost.widgets.empty_state import EmptyState
from waypost.widgets.grouped_list import GroupedList
from waypost.widgets.parts import column, scroll_panel

_KEYS = ("submit", "skip", "flag", "results")
_FROM: Final = "Episodes, a table, JSON or JSON lines give the instructions; raters score them."


class ScoreWorkspace(Workspace):
    """Instructions of a batch, the sheet of the chosen one, and the results.

    Args:
        around: What it finds in its window.
    """

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._around, self._bench = around, around.bench
        self._is_active = self.shows_results = False
        self._missing: tuple[str, ...] = ()
        self._listed: BatchListing | None = None
        """What the list shows; of the same one only the rows about which something changed."""

    def make(self) -> Steps:
        """Make its parts in steps, of which none holds up the window for long."""
        around = self._around
        self.desk = SheetDesk(around.bench, around.clock, self)
        self.files = ScoreFiles(around.bench, self.desk, around.jobs, around.window)
        self.rubrics = RubricEditing(around.bench, self.desk, around.window)
        self.batches, self.list = QComboBox(), GroupedList("instruction", "instructions")
        self.batches.setAccessibleName("Batch")
        self.face, self.panel = SheetFace(), ScorePanel()
        yield
        self.outcome = ResultsWork(around, self.desk)
        self.results = self.outcome.sheets
        yield
        self.ground = PathGround(around.bench, self.desk, around.jobs, self.face.path)
        self.texts = TypedTexts(self.desk, self.panel)
        self.pairs = PairWork(around, self.desk, self.panel, self.texts)
        self.grounds = self.ground, self.pairs.ground
        self.decisions = SheetDecisions(self.desk, self.panel, self.texts)
        self.news = NewsWatch(around.bench, self.desk, self.texts, around.say)
        self._empty = QWidget()
        self._invitation = EmptyState(self._empty)
        self.left, self.right = column(self.batches, self.list), scroll_panel(self.panel)
        yield
        for face in (self.face, self.pairs.face, self.results, self.outcome.pairs, self._empty):
            around.middle.add_face(face)
        self._connect()

    @property
    def batch(self) -> str:
        """Name of the batch at hand; empty for none."""
        return self.desk.batch_name if self.desk.batch is not None else ""

    @property
    def item(self) -> str:
        """The item or pair at hand; empty for none."""
        is_there = self.pairs.is_at_hand or self.desk.shown() is not None
        return self.desk.item if is_there else ""

    @property
    def _filled(self) -> SheetFace | PairFace:
        """The face of the sheet, or of the pair, at hand."""
        return self.pairs.face if self.desk.is_comparing else self.face

    def can_fill(self) -> bool:
        """Whether the sheet at hand is one's own and not locked."""
        found, is_own = self.desk.shown(), self.desk.is_rater and not self.shows_results
        return found is not None and is_own and not found[1].is_locked

    def activate(self) -> None:
        """Take over the middle."""
        self._is_active = True
        self._around.stage.set_hint("")
        self.desk.time.begin(self._around.window.window().windowHandle())
        self.refresh()

    def deactivate(self) -> None:
        """Let go of the middle; what is half filled in is kept already."""
        self.texts.keep()
        self._pause()
        self.desk.time.end()
        self._is_active = False
        self._around.middle.show_parts()

    def is_moving(self) -> bool:
        """Whether a path is played."""
        return any(ground.playing.cursor.is_playing for ground in self.grounds)

    def _pause(self) -> None:
        for ground in self.grounds:
            ground.playing.pause()

    def close(self) -> None:
        """End all loading."""
        for part in (self.news, *self.grounds):
            part.close()

    def place(self) -> dict[str, Any]:
        """The batch and the item at hand."""
        return {"batch": self.batch, "item": self.item}

    def go_to_place(self, place: Mapping[str, Any]) -> None:
        """Go to the item that was at hand, as far as it is there."""
        self._turn_to(str(place.get("batch", "")), str(place.get("item", "")))

    def set_keys(self, shortcuts: ShortcutMap) -> None:
        """Write the keys in force on the buttons."""
        self.panel.set_keys({name: shortcuts.key(f"score.{name}") for name in _KEYS})
        self.pairs.set_keys(shortcuts)
        self.face.path.walk_view.timeline.set_play_key(shortcuts.key("score.play"))

    def go_to_item(self, key: str) -> None:
        """Show the sheet of an item of the batch at hand, or of another one."""
        self.shows_results = False
        others = (own.batch for own in self.desk.book.items if own.item == key)
        batch = self.batch if key in self.desk.items else next(others, "")
        if batch:
            self._turn_to(batch, key)

    def give(self, score: int) -> None:
        """Score the criterion at hand."""
        self.score(self.face.current, score)

    def score(self, criterion: str, score: int) -> None:
        """Score a criterion of the sheet at hand."""
        found = self.desk.shown()
        if found is None or found[1].scores.get(criterion) == score:
            return
        self.desk.edit(
            "Score an instruction",
            lambda book, sheet, now: set_score(book, sheet, criterion, score, now),
        )

    def judge_cannot(self, criterion: str = "") -> None:
        """Say that a criterion, else the one at hand, cannot be judged, or take that back."""
        on = criterion or self.face.current
        self.desk.edit(
            "Cannot judge", lambda book, sheet, now: set_cannot_judge(book, sheet, on, now)
        )

    def submit(self) -> None:
        """Submit the sheet or pair at hand and go on, or name what is missing and go there."""
        self.texts.keep()
        if self.pairs.is_at_hand:
            if self.pairs.submit():
                self.go_to_open()
            return
        found = self.desk.shown()
        if found is None:
            return
        book, sheet = found
        rubric = book.rubric_of(sheet.key.batch, sheet.rubric_version)
        instruction = book.instruction(sheet.key.batch, sheet.key.item)
        missing = missing_criteria(sheet, rubric, instruction)
        if missing:
            self._missing = tuple(entry.key for entry in missing)
            self.refresh()
            self.face.set_current(missing[0].key)
            return
        if self.desk.edit("Submit a sheet", submit):
            self.go_to_open()

    def skip(self, reason: str) -> None:
        """Skip the item at hand and go on."""
        self.texts.keep()
        if self.desk.skip(reason):
            self._filled.setFocus()
            self.go_to_open()

    def flag(self) -> None:
        """Flag the item at hand, or take the flag back."""
        self._filled.setFocus()
        self.desk.flag()

    def focus_comment(self) -> None:
        """Put the cursor into the comment on the criterion at hand."""
        self.panel.comment.setFocus()

    def leave_field(self) -> None:
        """Keep what is written, and give the keyboard back to the sheet or the pair."""
        self._filled.setFocus()
        self.texts.keep()
        self.texts.show(self._filled.current)

    def step(self, places: int) -> None:
        """The next item, or the one before; the ends stand."""
        if self.item:
            here = self.desk.listing.places[self.item]
            place = min(max(here + places, 0), len(self.desk.items) - 1)
            self._turn_to(self.batch, self.desk.items[place])

    def go_to_open(self) -> None:
        """The next item whose sheet is not in; from the last the first."""
        if not self.item or not self.desk.is_rater:
            return
        item = self.desk.listing.next_open(self.item)
        if item:
            self._turn_to(self.batch, item)
            return
        nouns = "comparisons" if self.desk.is_comparing else "sheets"
        self._around.say(f"All {nouns} of this batch are in.")
        self.refresh()

    def toggle_results(self) -> None:
        """Show the results, or the sheet again."""
        self.shows_results = not self.shows_results
        if self.shows_results:
            self.texts.keep()
            self.outcome.compute()
        self.refresh()

    def _connect(self) -> None:
        bench, panel = self._bench, self.panel
        bench.document_replaced.connect(self._on_document)
        bench.project_changed.connect(self._on_changed)
        bench.settings_changed.connect(lambda *_: self.refresh())
        self.batches.textActivated.connect(lambda name: self._turn_to(name, ""))
        self.list.selection_changed.connect(self._on_selected)
        self.face.scored.connect(self.score)
        self.face.cannot_judge_chosen.connect(self.judge_cannot)
        self.face.wording_chosen.connect(self.go_to_item)
        self.face.criterion_chosen.connect(self.texts.show)
        self.outcome.item_chosen.connect(self.go_to_item)
        panel.skipped.connect(self.skip)
        panel.submit_chosen.connect(self.submit)
        panel.skip_chosen.connect(panel.ask_reason)
        panel.flag_chosen.connect(self.flag)
        panel.results_chosen.connect(self.toggle_results)
        panel.rater_chosen.connect(self.desk.choose_rater)
        panel.rater_chosen.connect(lambda _: self.refresh())
        self.files.told.connect(self._around.say)
        self.rubrics.told.connect(self._around.say)
        self.files.made.connect(lambda name: self._turn_to(name, ""))
        self._invitation.action_chosen.connect(self.files.ask_new_batch)

    def _turn_to(self, batch: str, item: str) -> None:
        """Take an item in hand; the first of the batch, or the first batch, where it is not."""
        self.texts.keep()
        book = self.desk.book
        name = batch if batch in book.batches else next(iter(book.batches), "")
        self.desk.turn_to(name, item)
        items = self.desk.items
        if not items or item not in self.desk.listing.places:
            self.desk.turn_to(name, items[0] if items else "")
        self._missing, self.face.current = (), ""
        self.pairs.turned()
        self.shows_results = self.shows_results and bool(name)
        self.refresh()

    def _on_document(self) -> None:
        self.texts.forget()
        self.shows_results = False
        self._turn_to("", "")

    def _on_changed(self, old: Project, new: Project) -> None:
        before, after = old.scoring, new.scoring
        if before is after:
            return
        if self._is_active and not self.desk.is_editing:
            place = self.desk.own_change(before, after)
            if place is not None:
                # An undo is seen where it happens.
                self.texts.forget()
                self.desk.turn_to(*place)
        self.refresh()

    def _on_selected(self, keys: frozenset[str]) -> None:
        if len(keys) == 1:
            self._turn_to(self.batch, next(iter(keys)))

    def refresh(self) -> None:
        """Show the batch and the sheet at hand as they are now."""
        if not self._is_active:
            return
        book = self.desk.book
        if self.desk.batch is None and book.batches:
            self._turn_to("", "")
            return
        names = list(book.batches)
        if [self.batches.itemText(n) for n in range(self.batches.count())] != names:
            self.batches.clear()
            self.batches.addItems(names)
        self.batches.setCurrentText(self.batch)
        self.batches.setVisible(bool(names))
        self._show_face()
        if self.desk.batch is None:
            self._listed = None
            self.list.set_rows(())
            self.panel.set_no_batch()
            self.texts.show()
            return
        noun = self.desk.noun
        self.list.set_noun(noun, f"{noun}s")
        listing = self.desk.listing
        changed = listing.follow(book)
        if listing is not self._listed:
            self._listed = listing
            self.list.set_rows(listing.rows())
        else:
            for row in changed:
                self.list.set_row(row)
        self._show_progress()
        self.list.set_selected({self.item} if self.item else ())
        self._show_sheet()

    def _show_face(self) -> None:
        middle = self._around.middle
        has_batch = self.desk.batch is not None
        own = self._filled if has_batch else self._empty
        face = self.outcome.show() if self.shows_results else own
        if middle.face is not face:
            self._pause()
            middle.show_parts(face)
            face.setFocus()
        self._invitation.invite("" if has_batch else "Begin with a batch of instructions", _FROM,
                                "New batch …" if self._bench.has_project() else "")  # fmt: skip

    def _show_progress(self) -> None:
        rubric, listing = self.desk.book.rubric_of(self.batch), self.desk.listing
        title = f"{self.batch}: {rubric.title}"
        self.panel.set_batch(title, listing.words, shows_results=self.shows_results)

    def _show_sheet(self) -> None:
        desk, panel = self.desk, self.panel
        if self.pairs.is_at_hand:
            self.pairs.show()
            return
        found = desk.shown()
        if found is None:
            panel.set_no_sheet()
            self.texts.show()
            return
        book, sheet = found
        own = book.rubric_of(self.batch, sheet.rubric_version)
        instruction = book.instruction(self.batch, sheet.key.item)
        listing = desk.listing
        title = f"{listing.places[desk.item] + 1:,} of {len(listing.items):,}"
        self.face.set_instruction(title, instruction, listing.wordings(desk.item))
        self.ground.show(instruction)
        asked = own.asked(instruction, sheet.scores)
        still = {entry.key for entry in missing_criteria(sheet, own, instruction)}
        self._missing = tuple(key for key in self._missing if key in still and desk.is_rater)
        is_locked = sheet.is_locked or not desk.is_rater
        self.face.set_sheet(asked, sheet, instruction, self._missing, is_locked=is_locked)
        titles = [entry.title for entry in asked if entry.key in self._missing]
        panel.show_problem(f"Missing: {', '.join(titles)}" if titles else "")
        panel.set_lead(
            () if desk.is_rater else desk.raters, desk.rater, can_decide=sheet.can_be_decided
        )
        facts = sheet_facts(book, sheet, desk.viewer)
        others = others_words(book, sheet, desk.viewer, listing.raters(desk.item))
        words = round_words(sheet, book.rounds(*sheet.key[:3]))
        panel.set_sheet(facts, words, others, is_flagged=sheet.is_flagged, can_edit=self.can_fill())
        self.texts.show(self.face.current)
