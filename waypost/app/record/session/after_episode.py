"""What follows an episode: questions, how it went, a break."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from waypost.app.record.session import participant_pages as pages
from waypost.app.record.session.participant_card import CardPage, ParticipantCard
from waypost.app.record.study_desk import StudyDesk
from waypost.domain.record.study import Take
from waypost.domain.record.study_edits import answer_questions, take_break
from waypost.domain.record.study_progress import break_reason
from waypost.domain.record.take_rules import TakeAnswers, gives_feedback


@dataclass(frozen=True, slots=True)
class Stops:
    """Where the session goes on."""

    show: Callable[[CardPage, Callable[[], None], Callable[[], None]], None]
    """Shows a page; what its two buttons do."""

    draw: Callable[[], None]
    """Shows the path that was driven."""

    cover: Callable[[], None]
    """Hides the scene."""

    next: Callable[[], None]
    """Goes to the next episode."""


class AfterEpisode:
    """Shows one page after the other and enters what is answered.

    Args:
        desk: Changes the study.
        card: Where the questions are answered.
        stops: Where the session goes on.
    """

    def __init__(self, desk: StudyDesk, card: ParticipantCard, stops: Stops) -> None:
        self._desk, self._card, self._stops = desk, card, stops
        self._key = ""
        self._take: Take | None = None
        self._then: Callable[[], None] = stops.next
        card.questions.changed.connect(self._on_answered)

    def set_key(self, key: str) -> None:
        """Name the key that goes on."""
        self._key = key

    def follow(self, take: Take) -> None:
        """Go through everything that follows a take that has just ended."""
        self.ask(take, lambda: self._show_result(take))

    def ask(self, take: Take, then: Callable[[], None] | None = None) -> None:
        """Ask the questions of a take that are not answered yet, then go on."""
        self._take, self._then = take, then or self._stops.next
        if not take.rules.questions or take.answers is not None:
            self._then()
            return
        page = pages.question_page(take, self._key)
        self._stops.show(page, self._enter, lambda: self._answer(TakeAnswers()))
        self._card.questions.take_keyboard()
        self._on_answered()

    def _on_answered(self) -> None:
        page = self._card.page
        if page is not None and page.questions:
            self._card.set_ready(is_ready=self._card.questions.is_complete)

    def _enter(self) -> None:
        self._answer(self._card.questions.answers)

    def _answer(self, answers: TakeAnswers) -> None:
        take = self._take
        if take is None:
            return
        is_kept = self._desk.change(
            "Answer the questions",
            lambda study, now: answer_questions(
                study, take.key, replace(answers, answered_utc=now)
            ),
        )
        if is_kept:
            self._then()

    def _show_result(self, take: Take) -> None:
        study, code = self._desk.study, take.key.participant
        assignment = study.assignments[take.key.assignment]
        is_told = gives_feedback(take.rules, is_training=assignment.is_training)
        due = break_reason(study, code)
        page = pages.result_page(take, assignment, self._key, due, is_told=is_told)
        go_on = self._stops.next
        self._stops.show(page, (lambda: self._break(code)) if due else go_on, go_on)
        if is_told:
            self._stops.draw()

    def _break(self, code: str) -> None:
        self._desk.change("Take a break", lambda study, now: take_break(study, code, now))
        self._stops.cover()
        self._stops.show(pages.break_page(self._key), self._stops.next, self._stops.next)
