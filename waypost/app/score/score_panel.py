"""What can be done with a sheet, beside it: comment, skip, flag, submit; how the batch stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QVBoxLayout, QWidget

from waypost.domain.base.visible_text import breakable
from waypost.services.input.shortcuts import named_key
from waypost.widgets.facts_table import Fact, FactsTable
from waypost.widgets.parts import TextBox, button, heading, label

_COMMENT_LINES = 3
_FLAG, _UNFLAG = "Flag", "Take the flag back"
_RESULTS, _LEAVE = "Results", "Leave the results"


class ScorePanel(QWidget):
    """Fields and buttons; says nothing by itself."""

    comment_left = Signal()
    """The cursor leaves the comment."""

    reason_left = Signal()
    """The cursor leaves the reason to skip."""

    skipped = Signal(str)
    """The reason."""

    submit_chosen = Signal()
    skip_chosen = Signal()
    flag_chosen = Signal()
    results_chosen = Signal()
    accept_chosen = Signal()
    returned = Signal(str)
    """What is said to the rater."""

    rater_chosen = Signal(str)
    """Whose sheet a lead looks at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label("", "title")
        self._progress = label("", "muted")
        self._sheet, self._facts = QWidget(), FactsTable()
        self.words = label("")
        self._others = label("", "small")
        self.rater = QComboBox()
        self.rater.setAccessibleName("Whose sheet")
        self.rater.textActivated.connect(self.rater_chosen)
        self._comment_heading = heading("Comment")
        self.comment = TextBox(_COMMENT_LINES, "Comment")
        self.comment.installEventFilter(self)
        self.reason = QLineEdit()
        self.reason.installEventFilter(self)
        self.reason.setPlaceholderText("Why skip it? Enter skips")
        self.reason.setAccessibleName("Reason to skip this instruction")
        self.reason.returnPressed.connect(lambda: self.skipped.emit(self.reason.text()))
        self.problem = label("", "warning")
        self.submit = button("Submit", "Submit and go on", "primary")
        self.skip, self.flag = button("Skip …"), button(_FLAG)
        self.accept = button("Accept", "Accept it, which locks it")
        self.give_back = button("Return", "Return it to its rater, with the comment")
        self.results = button(_RESULTS, "Agreement and means of the batch")
        self._keyed = {
            "submit": self.submit, "skip": self.skip, "flag": self.flag, "results": self.results,
        }  # fmt: skip
        self._texts = {name: made.text() for name, made in self._keyed.items()}
        self._keys: Mapping[str, str] = {}
        self._lay_out()
        self._connect()
        self.show_problem("")

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.setSpacing(8)
        layout.addWidget(self._title)
        layout.addWidget(self._progress)
        layout.addWidget(self._sheet)
        layout.addStretch(1)
        sheet = QVBoxLayout(self._sheet)
        sheet.setContentsMargins(0, 0, 0, 0)
        sheet.setSpacing(8)
        for part in (
            self.rater,
            self._facts,
            self.words,
            self._others,
            self.problem,
            self.submit,
            self.flag,
            self.skip,
            self.reason,
            self._comment_heading,
            self.comment,
            self.accept,
            self.give_back,
            self.results,
        ):
            sheet.addWidget(part)
        self.reason.hide()

    def _connect(self) -> None:
        for made in (*self._keyed.values(), self.accept, self.give_back):
            # After a click Enter submits: it does not press the same button again.
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.submit.clicked.connect(lambda *_: self.submit_chosen.emit())
        self.skip.clicked.connect(lambda *_: self.skip_chosen.emit())
        self.flag.clicked.connect(lambda *_: self.flag_chosen.emit())
        self.results.clicked.connect(lambda *_: self.results_chosen.emit())
        self.accept.clicked.connect(lambda *_: self.accept_chosen.emit())
        self.give_back.clicked.connect(lambda *_: self.returned.emit(self.comment.toPlainText()))

    def set_batch(self, title: str, progress: str, *, shows_results: bool) -> None:
        """Say how a batch stands, and whether its results are shown."""
        self._title.setText(title)
        self._progress.setText(progress)
        self._texts["results"] = _LEAVE if shows_results else _RESULTS
        self._write_texts()
        self._sheet.show()

    def set_no_batch(self) -> None:
        """Show that there is nothing to score, and no control of it."""
        self._title.setText("No batch yet")
        self._progress.setText("")
        self.set_no_sheet()
        self._sheet.hide()

    def set_no_sheet(self) -> None:
        """Show that no sheet is at hand: nothing can be filled in or decided."""
        self.show_problem("")
        self.set_lead((), "")
        self.set_sheet((), "", "", is_flagged=False, can_edit=False)

    def set_sheet(
        self, facts: tuple[Fact, ...], words: str, others: str, *, is_flagged: bool, can_edit: bool
    ) -> None:
        """Say what is known of the sheet at hand.

        Args:
            facts: Its state and what is counted of it.
            words: What was said to its rater, or by them; empty for nothing.
            others: What other raters say of the same.
            is_flagged: Whether its rater flagged it.
            can_edit: Whether it can be changed.
        """
        self._facts.set_facts(facts)
        self.words.setText(breakable(words))
        self.words.setVisible(bool(words))
        self._others.setText(breakable(others))
        self._others.setVisible(bool(others))
        self._texts["flag"] = _UNFLAG if is_flagged else _FLAG
        self._write_texts()
        for part in (self.submit, self.skip, self.flag):
            part.setEnabled(can_edit)

    def set_lead(self, raters: Iterable[str], chosen: str, *, can_decide: bool = False) -> None:
        """Offer whose sheet to look at and what to decide; to a rater nothing of it.

        Args:
            raters: Who can be chosen; nobody for who is a rater.
            chosen: Of whom.
            can_decide: Whether it waits to be decided.
        """
        names = tuple(raters)
        is_lead = bool(names)
        if [self.rater.itemText(n) for n in range(self.rater.count())] != list(names):
            self.rater.clear()
            self.rater.addItems(names)
        self.rater.setCurrentText(chosen)
        self.rater.setVisible(is_lead)
        for part in (self.accept, self.give_back):
            part.setVisible(is_lead)
            part.setEnabled(can_decide)
            part.setToolTip(
                "" if can_decide else "Only what is submitted can be accepted or returned"
            )
        for part in (self.submit, self.skip, self.flag):
            part.setVisible(not is_lead)

    def set_comment(self, title: str, text: str, *, can_write: bool) -> None:
        """Show a comment under its title."""
        self._comment_heading.setText(title)
        self.comment.setReadOnly(not can_write)
        if self.comment.toPlainText() != text:
            self.comment.setPlainText(text)

    @property
    def can_comment(self) -> bool:
        """Whether a comment can be written."""
        return not self.comment.isReadOnly()

    def show_problem(self, sentence: str) -> None:
        """Say what is missing; an empty sentence for nothing."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def ask_reason(self) -> None:
        """Ask why an item is skipped."""
        self.reason.show()
        self.reason.setFocus()

    def set_reason(self, text: str, *, is_begun: bool) -> None:
        """Show a reason to skip, or have it only at hand until it is asked for."""
        if not is_begun:
            # Else the field after it would get the keyboard.
            self.reason.clearFocus()
        self.reason.setVisible(is_begun)
        if self.reason.text() != text:
            self.reason.setText(text)

    def set_keys(self, keys: Mapping[str, str]) -> None:
        """Write the keys in force on the buttons."""
        self._keys = keys
        for name, made in self._keyed.items():
            made.setToolTip(f"{made.accessibleName()} ({keys[name]})" if keys[name] else "")
        self._write_texts()

    def _write_texts(self) -> None:
        for name, made in self._keyed.items():
            made.setText(f"{self._texts[name]}  {named_key(self._keys.get(name, ''))}".strip())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say when the cursor leaves a field."""
        if event.type() is QEvent.Type.FocusOut and watched is self.comment:
            self.comment_left.emit()
        elif event.type() is QEvent.Type.FocusOut and watched is self.reason:
            self.reason_left.emit()
        return super().eventFilter(watched, event)
