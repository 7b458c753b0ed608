"""Comparing in pairs: what keys, buttons and the panel do while a pair is at hand."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject

from waypost.app.score.item_rows import round_words
from waypost.app.score.pairs.pair_face import PairFace
from waypost.app.score.pairs.pair_row import ANSWER_TEXTS, PairAnswer
from waypost.app.score.path.path_ground import PathGround
from waypost.app.score.score_panel import ScorePanel
from waypost.app.score.sheet_desk import SheetDesk
from waypost.app.score.typed_texts import TypedTexts
from waypost.app.shell.workspace import Surroundings
from waypost.domain.base.rounds import RoundState
from waypost.domain.score.comparison import Better, PairComparison
from waypost.domain.score.comparison_edits import (
    asked_of_pair,
    missing_answers,
    set_better,
    set_pair_cannot_judge,
    submit_comparison,
)
from waypost.domain.score.fairness import may_see_others, may_see_sources
from waypost.domain.score.score_book import ScoreBook
from waypost.services.input.shortcuts import ShortcutMap, named_key
from waypost.widgets.facts_table import Fact

ANSWER_KEYS: Mapping[PairAnswer, str] = {
    PairAnswer.LEFT: "left_better",
    PairAnswer.TIE: "tie",
    PairAnswer.RIGHT: "right_better",
    PairAnswer.CANNOT_JUDGE: "cannot_judge",
}
"""Answer → action of the workspace."""


class PairWork(QObject):
    """The face of a pair, and every edit of the comparison at hand.

    Args:
        around: What the workspace finds in its window.
        desk: Through which the comparison at hand is read and changed.
        panel: Beside the face, shared with sheets.
        texts: Keep what is written there.
    """

    def __init__(
        self,
        around: Surroundings,
        desk: SheetDesk,
        panel: ScorePanel,
        texts: TypedTexts,
    ) -> None:
        super().__init__(desk)
        self._desk, self._panel, self._texts = desk, panel, texts
        self.face = PairFace()
        self.ground = PathGround(around.bench, desk, around.jobs, self.face.path)
        self._missing: tuple[str, ...] = ()
        self.face.answered.connect(lambda criterion, said: self.answer(PairAnswer(said), criterion))

    @property
    def is_at_hand(self) -> bool:
        """Whether a pair is at hand."""
        return self._desk.compared() is not None

    def can_fill(self) -> bool:
        """Whether the comparison at hand is one's own and not locked."""
        said = self._desk.compared()
        return said is not None and self._desk.is_rater and not said.is_locked

    def set_keys(self, shortcuts: ShortcutMap) -> None:
        """Say the keys in force."""
        said = (
            f"{named_key(shortcuts.key(f'score.{action}'))} {ANSWER_TEXTS[answer].lower()}".replace(
                " ", "\u00a0"
            )
            for answer, action in ANSWER_KEYS.items()
            if shortcuts.key(f"score.{action}")
        )
        self.face.set_keys("Which is better?  " + " · ".join(said))
        self.face.path.walk_view.timeline.set_play_key(shortcuts.key("score.play"))

    def answer(self, answer: PairAnswer, criterion: str = "") -> None:
        """Say which side is better on a criterion, else on the one at hand."""
        on = criterion or self.face.current
        if answer is PairAnswer.CANNOT_JUDGE:
            self._desk.compare(
                "Cannot judge", lambda book, key, now: set_pair_cannot_judge(book, key, on, now)
            )
            return
        said = self._desk.compared()
        if said is None:
            return
        better = {
            PairAnswer.TIE: Better.NEITHER,
            PairAnswer.LEFT: Better.SECOND if said.is_swapped else Better.FIRST,
            PairAnswer.RIGHT: Better.FIRST if said.is_swapped else Better.SECOND,
        }[answer]
        if said.answers.get(on) is better:
            return
        self._desk.compare(
            "Compare a pair", lambda book, key, now: set_better(book, key, on, better, now)
        )

    def answer_by_key(self, answer: str) -> None:
        """Say which side is better on the criterion at hand; ``answer`` is a ``PairAnswer``."""
        self.answer(PairAnswer(answer))

    def submit(self) -> bool:
        """Submit the comparison at hand, or name what is missing and go there; whether it is in."""
        said = self._desk.compared()
        if said is None or not self.can_fill():
            return False
        missing = missing_answers(self._desk.book, said)
        if missing:
            self._missing = tuple(entry.key for entry in missing)
            self.show()
            self.face.set_current(missing[0].key)
            return False
        return self._desk.compare("Submit a comparison", submit_comparison)

    def turned(self) -> None:
        """Another pair is at hand, or none."""
        self._missing, self.face.current = (), ""

    def show(self) -> None:
        """Show the pair at hand, if there is one, and what is said of it."""
        desk, panel, book = self._desk, self._panel, self._desk.book
        said, batch = desk.compared(), desk.batch_name
        if said is None:
            return
        items = book.batch(batch).pairs[desk.item]
        both = [book.instruction(batch, item) for item in items]
        if said.is_swapped:
            both.reverse()
        knows = may_see_sources(book, batch, desk.viewer)
        place = f"{desk.listing.places[desk.item] + 1:,} of {len(desk.listing.items):,}"
        sources = (both[0].source, both[1].source) if knows else ("", "")
        self.face.set_texts(place, (both[0].text, both[1].text), sources)
        self.ground.show(both[0])
        asked = asked_of_pair(book, batch, desk.item)
        still = {entry.key for entry in missing_answers(book, said)}
        self._missing = tuple(key for key in self._missing if key in still and desk.is_rater)
        self.face.set_answers(
            asked, answers_by_side(said), self._missing, is_locked=not self.can_fill()
        )
        titles = [entry.title for entry in asked if entry.key in self._missing]
        panel.show_problem(f"Missing: {', '.join(titles)}" if titles else "")
        panel.set_lead(
            () if desk.is_rater else desk.raters, desk.rater, can_decide=said.can_be_decided
        )
        facts = comparison_facts(said, desk.viewer)
        others = "" if not desk.is_rater else self._others(book, said)
        words = round_words(said, said.rounds)
        panel.set_sheet(facts, words, others, is_flagged=said.is_flagged, can_edit=self.can_fill())
        self._texts.show()

    def _others(self, book: ScoreBook, own: PairComparison) -> str:
        """What other raters say, by the sides of who looks; empty while it is hidden."""
        key = own.key
        if not may_see_others(book, key.batch, key.pair, key.rater):
            return ""
        titles = {entry.key: entry.title for entry in book.rubric_of(key.batch).criteria}
        lines = []
        for rater in self._desk.raters:
            said = book.comparison(key.batch, key.pair, rater)
            if rater != key.rater and said.is_settled:
                sides = answers_by_side(said, is_swapped=own.is_swapped)
                words = (f"{titles[k]} {ANSWER_TEXTS[a].lower()}" for k, a in sides.items())
                is_skipped = said.state is RoundState.SKIPPED
                told = f"skipped: {said.skip_reason}" if is_skipped else ", ".join(words)
                lines.append(f"{rater}: {told}")
        return "\n".join(lines)


def answers_by_side(
    said: PairComparison, *, is_swapped: bool | None = None
) -> dict[str, PairAnswer]:
    """What is said, by sides.

    Args:
        said: Which of the two is better.
        is_swapped: Whether the second stands on the left; as its rater saw it by default.
    """
    swapped = said.is_swapped if is_swapped is None else is_swapped
    sides = {
        Better.FIRST: PairAnswer.RIGHT if swapped else PairAnswer.LEFT,
        Better.SECOND: PairAnswer.LEFT if swapped else PairAnswer.RIGHT,
        Better.NEITHER: PairAnswer.TIE,
    }
    answers = {criterion: sides[better] for criterion, better in said.answers.items()}
    return answers | dict.fromkeys(said.cannot_judge, PairAnswer.CANNOT_JUDGE)


def comparison_facts(said: PairComparison, viewer: str) -> tuple[Fact, ...]:
    """What is known of a comparison: its state and round, and to others than its rater the time."""
    facts = [Fact("pair", said.state.value, f"round {said.round}")]
    if viewer != said.key.rater and said.state is not RoundState.OPEN:
        facts.append(Fact("time", f"{said.active_s:.0f} s", "at work"))
    return tuple(facts)
