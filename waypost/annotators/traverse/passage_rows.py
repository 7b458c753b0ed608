"""The rows of the queue: what each says, in which parts it is, how it is painted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from waypost.annotators.traverse.queue_parts import QueuePart
from waypost.domain.base.visible_text import plain_tip
from waypost.domain.traverse.team import Standing
from waypost.domain.traverse.traversability import Passage, PassageState, Verdict, state_of
from waypost.services.appearance import SIGNS, Sign
from waypost.widgets.theme import tokens_in_force

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole + 1
"""Under which the model gives its ``PassageRow``."""


@dataclass(frozen=True, slots=True)
class PassageRow:
    """One question of the queue."""

    passage: Passage
    from_name: str
    to_name: str
    state: PassageState
    note: str = ""
    """Short words behind the names where they fit, e.g. ``too narrow``; always in the tool tip."""

    verdict: Verdict | None = None
    """The answer, a stale one too."""

    proposal: Verdict | None = None
    """What was measured, where nothing is answered that holds."""

    is_contradicting: bool = False
    standing: Standing | None = None
    """How it stands, if two label it."""

    is_of_others: bool = False
    """Whether others are to label it, or somebody has: it is not to be answered now."""

    margin: str = ""
    """Of what is proposed, e.g. ``+4.1 cm``; told instead of the note where room is little."""

    parts: frozenset[QueuePart] = field(init=False, repr=False, compare=False)
    """The parts of the queue that it is in."""

    second_sign: Sign | None = field(init=False, repr=False, compare=False)
    """Beside the sign of the state: a proposal, or the old answer of a stale label."""

    def __post_init__(self) -> None:
        """Find out once what a list of many thousand rows asks of each."""
        object.__setattr__(self, "parts", frozenset(self._parts()))
        object.__setattr__(self, "second_sign", self._second_sign())

    @property
    def title(self) -> str:
        """From where to where."""
        return f"{self.from_name} → {self.to_name}"

    @property
    def line(self) -> str:
        """What is to be read without a tool tip."""
        return "  ".join(part for part in (self.title, self.margin) if part)

    @property
    def words(self) -> str:
        """The state in words, with the old answer or the proposal."""
        word = SIGNS[self.state].word
        if self.state is PassageState.STALE and self.verdict is not None:
            word = f"{word}, was: {SIGNS[state_of(self.verdict)].word}"
        if self.proposal is not None:
            word = f"{word}, measured: {SIGNS[state_of(self.proposal)].word}"
        if self.is_contradicting:
            word = f"{word}, contradicts what was measured"
        if self.standing is not None:
            word = f"{word}, labelled by two: {self.standing}"
        return word

    def _second_sign(self) -> Sign | None:
        if self.is_contradicting:
            return _CONTRADICTS
        if self.standing is Standing.DISAGREEING:
            return _DISAGREEING
        shown = self.proposal
        if shown is None and self.state is PassageState.STALE:
            shown = self.verdict
        return SIGNS[state_of(shown)] if shown is not None else None

    def _parts(self) -> Iterator[QueuePart]:
        if self.standing is Standing.DISAGREEING:
            yield QueuePart.DISAGREEING
        if self.standing is Standing.RETURNED:
            yield QueuePart.RETURNED
        if self.is_of_others:
            return
        if self.state is PassageState.UNDECIDED:
            yield QueuePart.UNDECIDED
        if self.state is PassageState.STALE:
            yield QueuePart.STALE
        if self.proposal in (Verdict.TRAVELS, Verdict.DOES_NOT):
            yield QueuePart.PROPOSED
        if self.state is PassageState.UNCERTAIN or self.proposal is Verdict.UNCERTAIN:
            yield QueuePart.UNCERTAIN
        if self.is_contradicting:
            yield QueuePart.CONTRADICTING

    @property
    def searchable(self) -> str:
        """Everything that it can be found by, case folded."""
        ids = f"{self.passage.from_id} {self.passage.to_id}"
        return f"{self.title} {self.note} {self.words} {ids}".casefold()


_GAP_PX = 10
_DISAGREEING = Sign("⇄", "two disagree", "uncertain")
_CONTRADICTS = Sign("≠", "contradicts what was measured", "uncertain")


class PassageTable(QTableView):
    """One column of rows of one height: unlike a list it asks nothing of rows out of view."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        self.setAccessibleName("Queue of directed edges")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(8)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Home and End go to the first and last row, not column."""
        ends = QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd
        if action in ends:
            modifiers |= Qt.KeyboardModifier.ControlModifier
        return super().moveCursor(action, modifiers)


class PassageModel(QAbstractListModel):
    """The rows that are shown.

    Args:
        parent: Qt owner.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: tuple[PassageRow, ...] = ()
        self._numbers: dict[Passage, int] = {}

    def set_rows(self, rows: tuple[PassageRow, ...]) -> None:
        """Show other rows; what is selected stays so if they are the same passages."""
        numbers = {row.passage: number for number, row in enumerate(rows)}
        if len(rows) == len(self.rows) and numbers == self._numbers:
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self.rows, self._numbers = rows, numbers
        self.endResetModel()

    def number_of(self, passage: Passage | None) -> int:
        """Number of the row of a passage; -1 if it is not shown."""
        return -1 if passage is None else self._numbers.get(passage, -1)

    def rowCount(self, parent: Index | None = None) -> int:
        """How many rows are shown."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The row itself, its title, and the words for a tool tip and a screen reader."""
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            parts = (row.title, row.words, row.note)
            told = ", ".join(part for part in parts if part)
            return plain_tip(told) if role == Qt.ItemDataRole.ToolTipRole else told
        return None


class PassageDelegate(QStyledItemDelegate):
    """Paints the signs, names and the quiet note, on two lines where one is too short."""

    is_two_line = False
    has_second_sign = False
    """Whether there is room for a proposal, or an old answer, beside the state."""

    def signs_px(self, metrics: QFontMetrics) -> int:
        """Width of what stands in front of the names."""
        return (2 if self.has_second_sign else 1) * (metrics.horizontalAdvance("▨") + 5) + 6

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row = index.data(ROW_ROLE)
        tokens = tokens_in_force()
        rect = QRect(option.rect)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        metrics = option.fontMetrics
        vertical = Qt.AlignmentFlag.AlignVCenter
        sign_width = metrics.horizontalAdvance("▨") + 5
        for place, sign in enumerate((SIGNS[row.state], row.second_sign)):
            if sign is not None:
                left = rect.left() + 2 + place * sign_width
                area = QRect(left, rect.top(), sign_width, rect.height())
                own = getattr(tokens, sign.colour)
                painter.setPen(QColor(tokens.on_selection if is_current else own))
                painter.drawText(area, vertical | Qt.AlignmentFlag.AlignHCenter, sign.mark)
        rect.adjust(self.signs_px(metrics), 0, -3, 0)
        painter.setPen(QColor(tokens.on_selection if is_current else tokens.text))
        if self.is_two_line:
            upper = QRect(rect.left(), rect.top() + 4, rect.width(), metrics.lineSpacing())
            shown = metrics.elidedText(
                f"{row.from_name} →", Qt.TextElideMode.ElideRight, rect.width()
            )
            painter.drawText(upper, vertical | Qt.AlignmentFlag.AlignLeft, shown)
            rect = upper.translated(0, metrics.lineSpacing())
        whole = row.to_name if self.is_two_line else row.title
        margin_px = metrics.horizontalAdvance(row.margin) + _GAP_PX if row.margin else 0
        room_px = rect.width() - margin_px
        title = metrics.elidedText(whole, Qt.TextElideMode.ElideMiddle, room_px)
        painter.drawText(rect, vertical | Qt.AlignmentFlag.AlignLeft, title)
        rect.adjust(metrics.horizontalAdvance(title) + _GAP_PX, 0, 0, 0)
        for told in (row.note, row.margin):
            if metrics.horizontalAdvance(told) <= rect.width():
                painter.setPen(QColor(tokens.on_selection if is_current else tokens.muted))
                painter.drawText(rect, vertical | Qt.AlignmentFlag.AlignLeft, told)
                break
        painter.restore()
