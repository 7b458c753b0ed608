"""Where a passage is judged: the question, what was measured, the reason, the answer."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from waypost.annotators.traverse.answer_buttons import AnswerButtons
from waypost.annotators.traverse.label_draft import (
    LabelAnswer,
    LabelDraft,
    LabelHint,
    LabelQuestion,
)
from waypost.annotators.traverse.label_keys import LabelKeys
from waypost.annotators.traverse.measure_view import MeasureView
from waypost.annotators.traverse.reason_chips import ReasonChips
from waypost.domain.traverse.traversability import Passage, Reason, Verdict, state_of
from waypost.services.appearance import SIGNS
from waypost.widgets.fact_lines import FactLines
from waypost.widgets.facts_table import Fact
from waypost.widgets.parts import TextBox, button, heading, label, scroll_panel, set_property
from waypost.widgets.theme import tokens_in_force


class LabelPanel(QWidget):
    """Asks about one passage at a time; shows a ``LabelDraft`` and reports what is decided."""

    answered = Signal(object)
    """A ``LabelAnswer``; “does not” always has its reason."""

    answer_begun = Signal()
    """A button is about to answer: whoever drives stops before."""

    drive_chosen = Signal()
    drive_itself_chosen = Signal()
    replay_chosen = Signal()
    accept_chosen = Signal()
    """What was measured is to be the answer."""

    note_left = Signal()
    """The cursor has left the note."""

    skipped = Signal()
    """The user goes on without an answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft, self._viewer = LabelDraft(), ""
        self._keys = LabelKeys()
        self._title = label("", "title")
        self._title.setTextFormat(Qt.TextFormat.RichText)
        self._state = label("")
        self._sides = label("")
        self._several = label("", "warning")
        self._several.hide()
        self._measure = MeasureView()
        self._driven_heading = heading("MEASURED BY DRIVING")
        self._replay = button("", role="link")
        self._replay.clicked.connect(self.replay_chosen)
        self._facts = FactLines()
        self._driven = label("", "fact")
        self._not_driven = label("", "muted")
        self._reason_heading = heading("REASON, IF NOT")
        self._hint = label("")
        self._chips = ReasonChips()
        self._chips.reason_chosen.connect(self.choose_reason)
        self._note = TextBox(1, "Note")
        self._note.setPlaceholderText("Note (optional)")
        self._note.installEventFilter(self)
        self._note.textChanged.connect(self._on_note_typed)
        self._skip = button("Skip ▸", "Go on without an answer", "link")
        self._skip.clicked.connect(self.skipped)
        self._buttons = AnswerButtons()
        self._buttons.verdict_chosen.connect(self._on_button)
        self._buttons.drive_chosen.connect(self.drive_chosen)
        self._buttons.drive_itself_chosen.connect(self.drive_itself_chosen)
        self._buttons.accept_chosen.connect(self.accept_chosen)
        self._build()
        self.set_question(None)

    def set_question(self, question: LabelQuestion | None) -> None:
        """Ask about another passage, or refresh the same one; emits nothing by itself.

        A note that was changed on an answered passage is reported before it is left. What somebody
        else has half given is not shown to who is asked now.
        """
        if question is not None and question.viewer != self._viewer:
            self.forget()
            self._viewer = question.viewer
        if question is None or question.passage != self._draft.passage:
            self.commit_note()
        self._draft = self._draft.asked(question)
        self._show()

    def forget(self) -> None:
        """Let go of all that is half given: passages of another project may have the same names."""
        self._draft = LabelDraft()

    def set_keys(self, keys: LabelKeys) -> None:
        """Write other keys on the controls."""
        self._keys = keys
        self._chips.set_keys(keys)
        self._buttons.set_keys(keys)
        self._show()

    def answer(self, verdict: Verdict) -> None:
        """Decide, as the buttons do; “does not” first asks for a reason if there is none."""
        self._take(*self._draft.answered(verdict))

    def set_driving(self, *, is_driving: bool) -> None:
        """While somebody drives, only the answers can be pressed, as only their keys work."""
        self._content.setEnabled(not is_driving)
        self._buttons.set_driving(is_driving=is_driving)

    def _on_button(self, verdict: Verdict) -> None:
        self.answer_begun.emit()
        self.answer(verdict)

    def accept(self) -> None:
        """Answer as it was measured; nothing where nothing is proposed."""
        self._take(*self._draft.accepted())

    @property
    def is_half_given(self) -> bool:
        """Whether a reason or a note was begun and not answered with."""
        return self._draft.is_half_given

    @property
    def written_notes(self) -> Mapping[Passage, str]:
        """Notes that were begun on passages without an answer."""
        return self._draft.written_notes

    def set_selected(self, count: int) -> None:
        """Say how many passages the next answer is for."""
        self._several.setText(f"{count:,} passages are selected: the next answer is for them all.")
        self._several.setVisible(count > 1)

    def choose_reason(self, reason: Reason) -> None:
        """Choose a reason, as its chip does; completes “does not” if that was pressed before."""
        self._take(*self._draft.with_reason(reason))

    def cancel_reason(self) -> None:
        """Take “does not” back while its reason is still missing."""
        self._take(self._draft.without_verdict(), None)

    def commit_note(self) -> None:
        """Report a note that was changed after the answer."""
        self._draft, given = self._draft.with_note_reported()
        if given is not None:
            self.answered.emit(given)

    def focus_note(self) -> None:
        """Put the cursor behind the note."""
        self._note.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._note.moveCursor(QTextCursor.MoveOperation.End)

    def _build(self) -> None:
        self._content = content = QWidget()
        body = QVBoxLayout(content)
        body.setContentsMargins(0, 0, 4, 0)
        body.setSpacing(2)
        top = QHBoxLayout()
        top.addWidget(heading("QUESTION"), 1)
        top.addWidget(self._skip)
        body.addLayout(top)
        body.addWidget(self._title)
        body.addWidget(self._state)
        body.addWidget(self._sides)
        body.addWidget(self._several)
        body.addWidget(self._measure)
        driven = QHBoxLayout()
        driven.addWidget(self._driven_heading, 1)
        driven.addWidget(self._replay)
        body.addLayout(driven)
        body.addWidget(self._facts)
        body.addWidget(self._driven)
        body.addWidget(self._not_driven)
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
        self._draft = self._draft.written(self._note.toPlainText())

    def _take(self, draft: LabelDraft, given: LabelAnswer | None) -> None:
        self._draft = draft
        if given is not None:
            self.answered.emit(given)
        # Who hears an answer asks the next question, which shows everything.
        if self._draft is draft:
            self._show()

    def _show(self) -> None:
        """Show the draft on every control."""
        draft = self._draft
        question = draft.question
        self.setEnabled(question is not None)
        self._chips.set_reason(draft.reason)
        if self._note.toPlainText().strip() != draft.note.strip():
            self._note.blockSignals(True)
            self._note.setPlainText(draft.note)
            self._note.blockSignals(False)
        self._show_hint(draft.hint)
        self._show_state(draft)
        self._sides.setText("\n".join(question.sides) if question else "")
        self._sides.setVisible(bool(question and question.sides))
        if question is None:
            self._title.setText("Choose a passage in the queue")
            return
        self._title.setText(self._title_html(question))
        self._show_drive(question)
        self._measure.show_measure(question.measure, question.measure_facts)

    def _show_drive(self, question: LabelQuestion) -> None:
        """A line for each fact, or all in a few lines below a measure: the reasons stay in view."""
        has_facts, is_measured = bool(question.facts), question.measure is not None
        self._facts.set_facts(() if is_measured else question.facts)
        self._facts.setVisible(has_facts and not is_measured)
        self._driven.setText(" · ".join(fact.words for fact in _shortened(question)))
        self._driven.setVisible(has_facts and is_measured)
        self._not_driven.setText(f"Not driven yet. Press {self._keys.drive} to drive it.")
        self._not_driven.setVisible(not has_facts and not is_measured)
        self._driven_heading.setVisible(has_facts or not is_measured)
        self._replay.setText("  ".join(part for part in ("Replay", self._keys.replay) if part))
        self._replay.setAccessibleName(f"Show the drive again, key {self._keys.replay}")
        self._replay.setEnabled(question.has_drive)
        self._replay.setVisible(question.has_drive)

    def _show_hint(self, hint: LabelHint) -> None:
        key = self._keys.does_not
        sentence = {
            LabelHint.NOTHING: "",
            LabelHint.OFFERED: (
                f"↔ Reason and note as in the other direction. Press {key} to take them."
            ),
            LabelHint.PROPOSED: "",
            LabelHint.WHY_NOT: "Why not? Press the key of a reason, or click it.",
            LabelHint.TAKE_REASON: f"Press {key} to answer “does not” with this reason.",
        }[hint]
        self._hint.setText(sentence)
        self._hint.setVisible(bool(sentence))
        set_property(self._hint, "role", "warning" if hint is LabelHint.WHY_NOT else "muted")

    def _title_html(self, question: LabelQuestion) -> str:
        tokens, mark = tokens_in_force(), question.mark
        agent = mark.colour(is_dark=tokens.is_dark) if mark else tokens.agent
        name = f'<span style="color:{agent}">{_escaped(question.agent_title.lower())}</span>'
        article = "an" if question.agent_title[:1].lower() in "aeiou" else "a"
        ends = f"{_escaped(question.from_name)} to {_escaped(question.to_name)}"
        return f"Can {article} {name} go from {ends}?"

    def _show_state(self, draft: LabelDraft) -> None:
        question = draft.question
        verdict = question.verdict if question else None
        self._buttons.set_state(
            Verdict.DOES_NOT if draft.is_asking_reason else verdict,
            is_drive_next=_is_drive_next(question),
            proposal=question.proposal.answer if question and question.proposal else None,
        )
        if question is None or verdict is None:
            self._state.hide()
            return
        sign = SIGNS[state_of(verdict, is_stale=question.is_stale)]
        word = SIGNS[state_of(verdict)].word
        stale = f"; stale: {', '.join(question.stale_because)}" if question.is_stale else ""
        against = "; ≠ its evidence says otherwise" if question.is_contradicting else ""
        self._state.setText(f"{sign.mark} Answered: {word}{stale}{against}")
        role = {"travels": "good", "does_not": "error"}.get(sign.colour, "warning")
        role = "warning" if against else role
        set_property(self._state, "role", role)
        self._state.show()

    def changeEvent(self, event: QEvent) -> None:
        """Write the question in the colours of another theme."""
        question = self._draft.question
        if event.type() == QEvent.Type.PaletteChange and question is not None:
            self._title.setText(self._title_html(question))
        super().changeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report a changed note when it is left."""
        if watched is self._note and event.type() == QEvent.Type.FocusOut:
            self.commit_note()
            self.note_left.emit()
        return super().eventFilter(watched, event)


def _is_drive_next(question: LabelQuestion | None) -> bool:
    return (
        question is not None
        and question.verdict is None
        and question.measure is None
        and not question.facts
    )


def _shortened(question: LabelQuestion) -> list[Fact]:
    """What driving showed, without what stands above it and what decides nothing."""
    contacts = set(question.measure.contacts) if question.measure else set[str]()
    return [
        fact
        for fact in question.facts
        if fact.name != "simulated time"
        and not (fact.name == "touched" and set(fact.found.split(", ")) <= contacts)
    ]


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
