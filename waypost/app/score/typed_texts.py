"""What is typed beside a sheet or a pair stays with what it is about, and survives a kill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, QTimer, SignalInstance
from PySide6.QtWidgets import QWidget

from waypost.app.score.score_panel import ScorePanel
from waypost.app.score.sheet_desk import SheetDesk
from waypost.domain.base.rounds import RoundState
from waypost.domain.score.comparison import PairComparison
from waypost.domain.score.comparison_edits import (
    set_pair_comment,
    write_pair_decision,
    write_pair_reason,
)
from waypost.domain.score.sheet import Sheet
from waypost.domain.score.sheet_edits import set_comment, write_decision, write_reason

PAUSE_MS: Final = 800
"""After the last key, until what was typed so far is written down."""


class OwnText(NamedTuple):
    """A text of the project that a field shows."""

    about: tuple[object, ...]
    """What it is about; another text has another one."""

    title: str
    text: str
    write: Callable[[str, object], object]
    """Takes the new text, and what edits that join one step of undo have in common."""

    can_write: bool


class _Field(NamedTuple):
    widget: QWidget
    changed: SignalInstance
    left: SignalInstance
    read: Callable[[], str]
    show: Callable[[OwnText | None], object]


class _KeptField(QObject):
    """Shows a text in a field, and writes down what is typed there.

    All that is typed in one go, until the cursor leaves the field, is one step of undo.
    """

    def __init__(
        self, field: _Field, at_hand: Callable[[], OwnText | None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._field, self._at_hand = field, at_hand
        self._about: tuple[object, ...] | None = None
        self._shown = ""
        """As the field gave it back when it was shown: fields have line ends of their own."""

        self._in_one_go = object()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._keep_so_far)
        field.changed.connect(self._pause.start)
        field.left.connect(self.keep)

    @property
    def is_pending(self) -> bool:
        """Whether somebody typed a moment ago."""
        return self._pause.isActive()

    def forget(self) -> None:
        """Write nothing down: what is shown is not what is at hand any more."""
        self._about = None

    def keep(self) -> None:
        """Write down what was typed, if what it is about is still at hand."""
        self._keep_so_far()
        self._in_one_go = object()

    def show(self) -> None:
        """Show the text at hand, unless somebody is typing it."""
        now = self._at_hand()
        about = None if now is None else now.about
        is_typing = self._field.widget.hasFocus() and about is not None and about == self._about
        self._about = about
        if not is_typing:
            self._field.show(now)
            self._shown = self._field.read()

    def _keep_so_far(self) -> None:
        self._pause.stop()
        text, now = self._field.read(), self._at_hand()
        if now is not None and now.about == self._about and text != self._shown and now.can_write:
            self._shown = text
            now.write(text, self._in_one_go)


class TypedTexts(QObject):
    """The comment, the reason to skip, and what a lead says to a rater.

    Args:
        desk: Through which the sheet or the comparison at hand is changed.
        panel: Has the fields.
    """

    def __init__(self, desk: SheetDesk, panel: ScorePanel) -> None:
        super().__init__(desk)
        self._desk, self._panel, self._criterion = desk, panel, ""
        comment = _Field(
            panel.comment,
            panel.comment.textChanged,
            panel.comment_left,
            panel.comment.toPlainText,
            self._show_comment,
        )
        reason = _Field(
            panel.reason,
            panel.reason.textChanged,
            panel.reason_left,
            panel.reason.text,
            self._show_reason,
        )
        self._fields = (
            _KeptField(comment, self._comment, self),
            _KeptField(reason, self._reason, self),
        )

    @property
    def are_being_typed(self) -> bool:
        """Whether anything was typed that is not written down yet."""
        return any(field.is_pending for field in self._fields)

    def forget(self) -> None:
        """Write nothing down: what is shown is not what is at hand any more."""
        for field in self._fields:
            field.forget()

    def keep(self) -> None:
        """Write down what was typed, if what it is about is still at hand."""
        for field in self._fields:
            field.keep()

    def show(self, criterion: str = "") -> None:
        """Show what is written about a criterion of the sheet at hand, or about the pair."""
        if criterion != self._criterion:
            self.keep()
            self._criterion = criterion
        for field in self._fields:
            field.show()

    def _comment(self) -> OwnText | None:
        desk, criterion, said = self._desk, self._criterion, self._desk.at_hand
        if said is None:
            return None
        if not desk.is_rater:
            return self._decision(said)
        if isinstance(said, PairComparison):
            title, text = "Comment on the pair", said.comment
        else:
            rubric = desk.book.rubric_of(desk.batch_name, said.rubric_version)
            entry = rubric.criterion(criterion)
            title = f"Comment on {entry.title.lower()}" if entry else "Comment"
            text = said.comments.get(criterion, "")

        def write(new: str, go: object) -> None:
            desk.fill(
                "Comment",
                lambda book, sheet, now: set_comment(book, sheet, criterion, new, now),
                lambda book, key, now: set_pair_comment(book, key, new, now),
                go,
            )

        return OwnText((*desk.place, "comment", criterion), title, text, write, not said.is_locked)

    def _decision(self, said: Sheet | PairComparison) -> OwnText:
        """What a lead has written to the rater of what is at hand so far, or has said."""
        desk = self._desk

        def write(new: str, go: object) -> None:
            desk.decide(
                "Comment to a rater",
                lambda book, sheet, _: write_decision(book, sheet, new),
                lambda book, key, _: write_pair_decision(book, key, new),
                go,
            )

        title = "Comment to the rater"
        about = (*desk.place, "decision")
        return OwnText(about, title, said.decision_comment, write, said.can_be_decided)

    def _reason(self) -> OwnText | None:
        desk, said = self._desk, self._desk.at_hand
        if said is None or not desk.is_rater:
            return None

        def write(new: str, go: object) -> None:
            desk.fill(
                "Reason to skip",
                lambda book, sheet, now: write_reason(book, sheet, new, now),
                lambda book, key, now: write_pair_reason(book, key, new, now),
                go,
            )

        return OwnText((*desk.place, "reason"), "", said.skip_reason, write, not said.is_locked)

    def _show_comment(self, own: OwnText | None) -> None:
        if own is None:
            self._panel.set_comment("Comment", "", can_write=False)
        else:
            self._panel.set_comment(own.title, own.text, can_write=own.can_write)

    def _show_reason(self, own: OwnText | None) -> None:
        """Show a reason that is begun; that of what is skipped stands among the facts."""
        said = self._desk.at_hand
        is_begun = said is not None and said.state is not RoundState.SKIPPED and not said.is_locked
        text = own.text if own else ""
        self._panel.set_reason(text, is_begun=is_begun and bool(text.strip()))
