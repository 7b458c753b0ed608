"""What a participant reads between two episodes: one card with one thing to do next."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from waypost.app.record.session.question_form import QuestionForm
from waypost.domain.record.take_rules import Question
from waypost.widgets.parts import TextBox, button, label, scroll_panel
from waypost.widgets.stage_card import StageCard

_WIDTH_PX = 520
_SIDE_WIDTH_PX = 300
_GAP_PX = 16
_MARGINS_PX = (20, 16, 20, 14)
_SPACING_PX = 10
_BORDER_PX = 2
_LONG_TEXT_LINES = 12


@dataclass(frozen=True, slots=True)
class CardPage:
    """What a card says."""

    title: str
    text: str = ""
    long_text: str = ""
    """Shown in a box that scrolls, e.g. a consent text."""

    told: str = ""
    """How an episode went, in one or two short sentences."""

    questions: tuple[Question, ...] = ()
    """What is asked here."""

    primary: str = ""
    """The button of what comes next, with its key; empty for none."""

    secondary: str = ""
    is_ready: bool = True
    """Whether the primary button can be pressed now."""

    is_aside: bool = False
    """At the right, so that the scene is seen, instead of in the middle."""


class ParticipantCard(StageCard):
    """A card over the stage.

    Args:
        stage: What it is shown over.
    """

    primary_chosen = Signal()
    secondary_chosen = Signal()

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self.page: CardPage | None = None
        """What is shown; ``None`` while the card is away."""

        self._title, self._text = label("", "title"), label("")
        self._told = label("", "told")
        self._long = TextBox(_LONG_TEXT_LINES, "Consent text")
        self._long.setReadOnly(True)
        self.questions = QuestionForm()
        self.primary = button("", role="primary")
        self.secondary = button("", role="link")
        self.primary.clicked.connect(self.primary_chosen)
        self.secondary.clicked.connect(self.secondary_chosen)
        buttons = QHBoxLayout()
        buttons.addWidget(self.secondary)
        buttons.addStretch(1)
        buttons.addWidget(self.primary)
        content = QWidget()
        self._content = QVBoxLayout(content)
        self._content.setContentsMargins(0, 0, 0, 0)
        self._content.setSpacing(10)
        for widget in (self._title, self._told, self._text, self._long, self.questions):
            self._content.addWidget(widget)
        self._area = scroll_panel(content)
        for see_through in (self._area.viewport(), content):
            see_through.setAutoFillBackground(False)
        self._buttons = buttons
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*_MARGINS_PX)
        layout.setSpacing(_SPACING_PX)
        layout.addWidget(self._area, 1)
        layout.addLayout(buttons)

    def show_page(self, page: CardPage) -> None:
        """Show another page."""
        self.page = page
        self._title.setText(page.title)
        self.setAccessibleName(f"{page.title}. {page.told} {page.text}")
        self._text.setText(page.text)
        self._text.setVisible(bool(page.text))
        self._long.setPlainText(page.long_text)
        self._long.setVisible(bool(page.long_text))
        self._told.setText(page.told)
        self._told.setVisible(bool(page.told))
        self.questions.ask(page.questions)
        self.questions.setVisible(bool(page.questions))
        for made, text in ((self.primary, page.primary), (self.secondary, page.secondary)):
            made.setText(text)
            made.setAccessibleName(text)
            made.setVisible(bool(text))
        self.primary.setEnabled(page.is_ready)
        self.show()
        for part in (self, self.primary, self.secondary):
            self._take_font(part)
        self.place()

    def set_ready(self, *, is_ready: bool) -> None:
        """Say whether the primary button of this page can be pressed."""
        if self.page is not None:
            self.page = replace(self.page, is_ready=is_ready)
            self.primary.setEnabled(is_ready)

    @property
    def asks(self) -> bool:
        """Whether questions are shown."""
        return self.page is not None and bool(self.page.questions)

    def step_focus(self, by: int) -> None:
        """Go to the next (1) or previous (−1) control, for who has no keyboard at hand."""
        self.focusNextPrevChild(by > 0)

    def press_focused(self) -> bool:
        """Press the button that one has gone to; whether there is one."""
        focused = self.focusWidget()
        if isinstance(focused, QAbstractButton) and focused.hasFocus():
            focused.click()
            return True
        return False

    def _take_font(self, part: QWidget) -> None:
        font = self.stage.font()
        if part.font().pixelSize() != font.pixelSize():
            # A style sheet set before it was first seen leaves it the font of the platform.
            part.setFont(font)
            part.style().unpolish(part)
            part.style().polish(part)

    @property
    def side_share(self) -> float:
        """How much of the stage's width a card at the side takes; 0 while there is none."""
        if self.page is None or not self.page.is_aside:
            return 0.0
        return min((self.width() + _GAP_PX) / max(self.stage.width(), 1), 0.75)

    def put_away(self) -> None:
        """Hide the card."""
        self.page = None
        self.hide()

    def place(self) -> None:
        """Take the size and the place that fit the stage and the text now."""
        page = self.page
        if page is None:
            return
        wanted = _SIDE_WIDTH_PX if page.is_aside else _WIDTH_PX
        left, top, right, bottom = _MARGINS_PX
        least = max(self._content.totalMinimumSize().width(), self._buttons.sizeHint().width())
        frame_px = left + right + 2 * _BORDER_PX
        width = min(max(wanted, least + frame_px), self.stage.width() - 2 * _GAP_PX)
        inner = self._content.totalHeightForWidth(width - frame_px)
        needed = top + inner + _SPACING_PX + self._buttons.sizeHint().height() + bottom
        needed += 2 * _BORDER_PX
        height = min(needed, self.stage.height() - 2 * _GAP_PX)
        if height < needed:
            bar_px = self._area.verticalScrollBar().sizeHint().width()
            width = min(width + bar_px, self.stage.width() - 2 * _GAP_PX)
        self.resize(width, height)
        if page.is_aside:
            self.move(self.stage.width() - width - _GAP_PX, _GAP_PX)
        else:
            x, y = (self.stage.width() - width) // 2, (self.stage.height() - height) // 2
            self.move(x, y)
        self.raise_()
