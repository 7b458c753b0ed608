"""Where a passage is judged: the question, what was measured, the reason, the answer."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from waypost.annotators.traverse.answer_buttons import AnswerButtons
from waypost.annotators.traverse.label_keys import LabelKeys
from waypost.annotators.traverse.reason_chips import ReasonChips
from waypost.domain.traverse.traversability import Passage, Reason, Verdict, state_of
from waypost.services.appearance import SIGNS
from waypost.widgets.facts_table import Fact, FactsTable
from waypost.widgets.parts import TextBox, button, heading, label, scroll_panel, set_property
from waypost.widgets.theme import tokens_in_force

_DIGITS = "1234567890"


@dataclass(frozen=True, slots=True)
class LabelQuestion:
    """Everything the panel needs to ask about one passage."""

    passage: Passage
    agent_title: str
    from_name: str
    to_name: str
    facts: tuple[Fact, ...] = ()
    """Measured by driving; empty before."""

    facts_note: str = ""
    """One sentence under the facts."""

    verdict: Verdict | None = None
    """The answer so far."""

    reason: Reason | None = None
    note: str = ""
    is_stale: bool = False
    offered_reason: Reason | None = None
    """From the other direction; chosen only by answering."""

    offered_note: str = ""
    has_drive: bool = False
    """Whether there is a drive to show again."""


@dataclass(frozen=True, slots=True)
class LabelAnswer:
    """What the user decided."""

    passage: Passage
    verdict: Verdict
    reason: Reason | None
    note: str


@dataclass(slots=True)
class _Draft:
    reason: Reason | None
    note: str
    is_offered: bool


class LabelPanel(QWidget):
    """Asks about one passage at a time; half-filled answers stay with their own passage."""

    answered = Signal(object)
    """A ``LabelAnswer``; “does not” always has its reason."""

    drive_chosen = Signal()
    replay_chosen = Signal()
    skipped = Signal()
    """The user goes on without an answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question: LabelQuestion | None = None
        self._keys = LabelKeys()
        self._drafts: dict[Passage, _Draft] = {}
        self._reason: Reason | None = None
        self._is_asking_reason = False
        self._is_offered = False
        self._title = label("", "title")
        self._title.setTextFormat(Qt.TextFormat.RichText)
        self._state = label("")
        self._facts = FactsTable()
        self._facts_note = label("", "muted")
        self._reason_heading = heading("REASON, IF NOT")
        self._hint = label("")
        self._chips = ReasonChips()
        self._chips.reason_chosen.connect(self.choose_reason)
        self._note = TextBox(2, "Note")
        self._note.setPlaceholderText("Note (optional)")
        self._note.installEventFilter(self)
        self._note.textChanged.connect(self._on_note_typed)
        self._skip = button("Skip ▸", "Go on without an answer", "link")
        self._skip.clicked.connect(self.skipped)
        self._buttons = AnswerButtons()
        self._buttons.verdict_chosen.connect(self.answer)
        self._buttons.drive_chosen.connect(self.drive_chosen)
        self._buttons.replay_chosen.connect(self.replay_chosen)
        self._build()
        self.set_question(None)

    @property
    def question(self) -> LabelQuestion | None:
        """What is asked."""
        return self._question

    @property
    def chosen_reason(self) -> Reason | None:
        """The reason that “does not” would take."""
        return self._reason

    @property
    def is_asking_reason(self) -> bool:
        """Whether “does not” was pressed and only its reason is missing."""
        return self._is_asking_reason

    @property
    def hint(self) -> str:
        """What the panel says about the reason right now."""
        return self._hint.text()

    def set_question(self, question: LabelQuestion | None) -> None:
        """Ask about another passage, or refresh the same one; emits nothing by itself.

        A note that was changed on an answered passage is reported before it is left.
        """
        is_other = _passage_of(question) != _passage_of(self._question)
        if is_other:
            self.commit_note()
            self._keep_draft()
        self._question = question
        self.setEnabled(question is not None)
        if question is None:
            self._title.setText("Choose a passage in the queue")
            self._show_reason(None)
            self._set_note("")
            self._say("", "muted")
            self._show_state()
            return
        if is_other:
            self._open_draft(question)
        elif question.verdict is not None and not self._is_asking_reason:
            self._show_reason(question.reason)
        self._title.setText(self._title_html(question))
        self._facts.set_facts(question.facts)
        self._facts.setVisible(bool(question.facts))
        note = question.facts_note
        if not question.facts and not note:
            note = f"Not driven yet. Press {self._keys.drive} to drive it."
        self._facts_note.setText(note)
        self._facts_note.setVisible(bool(note))
        self._show_state()

    def set_keys(self, keys: LabelKeys) -> None:
        """Write other keys on the controls."""
        self._keys = keys
        self._chips.set_keys(keys)
        self._buttons.set_keys(keys)
        question = self._question
        if question is not None:
            self.set_question(question)

    def answer(self, verdict: Verdict) -> None:
        """Decide, as the buttons do; “does not” first asks for a reason if there is none."""
        question = self._question
        if question is None:
            return
        if verdict is Verdict.DOES_NOT and self._reason is None:
            self._ask_reason()
            return
        is_not = verdict is Verdict.DOES_NOT
        note = self._note.toPlainText().strip()
        if self._is_offered and not is_not:
            note = ""
        self._is_asking_reason = False
        self._drafts.pop(question.passage, None)
        given = LabelAnswer(question.passage, verdict, self._reason if is_not else None, note)
        if not is_not:
            self._show_reason(None)
        self._is_offered = False
        self._set_note(note)
        self._say("", "muted")
        self._show_state()
        self.answered.emit(given)

    def choose_reason(self, reason: Reason) -> None:
        """Choose a reason, as its chip does; completes “does not” if that was pressed before."""
        question = self._question
        if question is None:
            return
        self._is_offered = False
        self._show_reason(reason)
        if self._is_asking_reason or question.verdict is Verdict.DOES_NOT:
            self.answer(Verdict.DOES_NOT)
        else:
            self._say(
                f"Press {self._keys.does_not} to answer “does not” with this reason.", "muted"
            )

    def choose_reason_by_digit(self, digit: str) -> None:
        """Choose the reason with this digit, ``1`` … ``9`` or ``0``."""
        if digit in _DIGITS:
            self.choose_reason(tuple(Reason)[_DIGITS.index(digit)])

    def cancel_reason(self) -> None:
        """Take “does not” back while its reason is still missing."""
        self._is_asking_reason = False
        self._say("", "muted")
        self._show_state()

    def commit_note(self) -> None:
        """Report a note that was changed after the answer."""
        question = self._question
        note = self._note.toPlainText().strip()
        if question is None or question.verdict is None or self._is_offered:
            return
        if note != question.note.strip():
            reason = question.reason
            self.answered.emit(LabelAnswer(question.passage, question.verdict, reason, note))

    def focus_note(self) -> None:
        """Put the cursor into the note."""
        self._note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _build(self) -> None:
        content = QWidget()
        body = QVBoxLayout(content)
        body.setContentsMargins(0, 0, 4, 0)
        body.setSpacing(6)
        top = QHBoxLayout()
        top.addWidget(heading("QUESTION"), 1)
        top.addWidget(self._skip)
        body.addLayout(top)
        body.addWidget(self._title)
        body.addWidget(self._state)
        body.addWidget(heading("MEASURED BY DRIVING"))
        body.addWidget(self._facts)
        body.addWidget(self._facts_note)
        body.addWidget(self._reason_heading)
        body.addWidget(self._chips)
        body.addWidget(self._hint)
        body.addWidget(self._note)
        body.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(6)
        outer.addWidget(scroll_panel(content), 1)
        outer.addWidget(self._buttons)

    def _on_note_typed(self) -> None:
        self._is_offered = False

    def _title_html(self, question: LabelQuestion) -> str:
        agent = tokens_in_force().agent
        name = f'<span style="color:{agent}">{_escaped(question.agent_title.lower())}</span>'
        article = "an" if question.agent_title[:1].lower() in "aeiou" else "a"
        ends = f"{_escaped(question.from_name)} to {_escaped(question.to_name)}"
        return f"Can {article} {name} go from {ends}?"

    def _keep_draft(self) -> None:
        question = self._question
        if question is None:
            return
        note = self._note.toPlainText()
        is_changed = (self._reason, note.strip()) != (question.reason, question.note.strip())
        if is_changed and not self._is_offered and question.verdict is None:
            self._drafts[question.passage] = _Draft(self._reason, note, False)

    def _open_draft(self, question: LabelQuestion) -> None:
        self._is_asking_reason = False
        draft = self._drafts.pop(question.passage, None)
        if draft is None and question.verdict is None and question.offered_reason is not None:
            draft = _Draft(question.offered_reason, question.offered_note, True)
        if draft is None:
            draft = _Draft(question.reason, question.note, False)
        self._show_reason(draft.reason)
        self._set_note(draft.note)
        self._is_offered = draft.is_offered
        key = self._keys.does_not
        offer = f"↔ Reason and note as in the other direction. Press {key} to take them."
        self._say(offer if draft.is_offered else "", "muted")

    def _set_note(self, note: str) -> None:
        if self._note.toPlainText().strip() == note.strip():
            return
        self._note.blockSignals(True)
        self._note.setPlainText(note)
        self._note.blockSignals(False)

    def _ask_reason(self) -> None:
        self._is_asking_reason = True
        self._say("Why not? Press the digit of a reason, or click it.", "warning")
        self._show_state()

    def _say(self, sentence: str, role: str) -> None:
        self._hint.setText(sentence)
        self._hint.setVisible(bool(sentence))
        set_property(self._hint, "role", role)

    def _show_reason(self, reason: Reason | None) -> None:
        self._reason = reason
        self._chips.set_reason(reason)

    def _show_state(self) -> None:
        question = self._question
        verdict = question.verdict if question else None
        self._buttons.set_state(
            Verdict.DOES_NOT if self._is_asking_reason else verdict,
            can_replay=question is not None and question.has_drive,
            is_drive_next=question is not None and verdict is None and not question.facts,
        )
        if question is None or verdict is None:
            self._state.hide()
            return
        sign = SIGNS[state_of(verdict, is_stale=question.is_stale)]
        word = SIGNS[state_of(verdict)].word
        stale = "; stale: the scene or the agent has changed since" if question.is_stale else ""
        self._state.setText(f"{sign.mark} Answered: {word}{stale}")
        role = {"travels": "good", "does_not": "error"}.get(sign.colour, "warning")
        set_property(self._state, "role", role)
        self._state.show()

    def changeEvent(self, event: QEvent) -> None:
        """Write the question in the colours of another theme."""
        if event.type() == QEvent.Type.PaletteChange and self._question is not None:
            self._title.setText(self._title_html(self._question))
        super().changeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report a changed note when it is left."""
        if watched is self._note and event.type() == QEvent.Type.FocusOut:
            self.commit_note()
        return super().eventFilter(watched, event)


def _passage_of(question: LabelQuestion | None) -> Passage | None:
    return question.passage if question else None


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
