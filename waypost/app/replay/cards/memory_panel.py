"""What the agent remembered at a step: one page per kind of memory that the run has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from waypost.app.replay.cards.memory_pages import (
    DialoguePage,
    ExpertsPage,
    MemoryPageView,
    PlanPage,
    StagesPage,
    TextMapPage,
)
from waypost.app.replay.cards.pruning_page import PruningPage
from waypost.domain.replay.memories import PAGE_TITLES, MemoryPage, ReplayMemory, memory_of
from waypost.domain.replay.replay import Replay
from waypost.widgets.parts import WrappingColumn, button, label, scroll_panel, settle
from waypost.widgets.row_layouts import FlowRows

_MAKERS: Final[dict[MemoryPage, Callable[[], MemoryPageView]]] = {
    MemoryPage.MAP: TextMapPage,
    MemoryPage.PLAN: PlanPage,
    MemoryPage.EXPERTS: ExpertsPage,
    MemoryPage.DIALOGUE: DialoguePage,
    MemoryPage.STAGES: StagesPage,
    MemoryPage.PRUNING: PruningPage,
}
_NOTHING: Final = (
    "The log has no map, plan, expert, dialogue or stage, and without a graph no map can be carried"
    " along the path."
)


class MemoryPanel(QWidget):
    """Shows the page that was chosen last, where the run has it; pages are made when needed."""

    step_chosen = Signal(int)
    """A row that stands for a step was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memory: ReplayMemory | None = None
        self._step = 0
        self._wanted = MemoryPage.MAP
        self._shown: MemoryPage | None = None
        self._pages: dict[MemoryPage, MemoryPageView] = {}
        self._empty = label("Choose an episode to replay.", "muted")
        self._chips = QWidget()
        self._chips.setAccessibleName("Kinds of memory")
        self._buttons = self._make_buttons()
        self._content = WrappingColumn()
        self._body = QVBoxLayout(self._content)
        self._body.setContentsMargins(10, 8, 10, 8)
        self._body.addWidget(self._empty)
        self._body.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._chips)
        layout.addWidget(scroll_panel(self._content), 1)
        self._show_pages()

    def show_step(self, replay: Replay | None, step: int = 0) -> None:
        """Show what was remembered at a step; ``None`` empties the panel."""
        memory = None if replay is None or not len(replay) else memory_of(replay)
        is_other = memory is not self._memory
        self._memory, self._step = memory, step
        if is_other:
            self._show_pages()
        self._show_step()

    def choose_page(self, page: MemoryPage) -> None:
        """Show a page now, and in later runs that have it."""
        self._wanted = page
        self._show_pages()
        self._show_step()

    def page(self, page: MemoryPage) -> MemoryPageView:
        """The widget of a page, made if need be."""
        if page not in self._pages:
            made = self._pages[page] = _MAKERS[page]()
            made.step_chosen.connect(self.step_chosen)
            made.hide()
            self._body.insertWidget(self._body.count() - 1, made)
        return self._pages[page]

    def _make_buttons(self) -> dict[MemoryPage, QPushButton]:
        inner = QWidget()
        rows = FlowRows(inner, spacing_px=4)
        outer = QVBoxLayout(self._chips)
        outer.setContentsMargins(10, 6, 10, 0)
        outer.addWidget(inner)
        made = {}
        for page in MemoryPage:
            chip = button(PAGE_TITLES[page], f"Show {PAGE_TITLES[page].lower()}", "chip")
            chip.setCheckable(True)
            chip.clicked.connect(lambda _=False, page=page: self.choose_page(page))
            rows.addWidget(chip)
            made[page] = chip
        return made

    def _show_pages(self) -> None:
        pages = self._memory.pages if self._memory else ()
        self._shown = self._wanted if self._wanted in pages else next(iter(pages), None)
        for page, chip in self._buttons.items():
            chip.setVisible(page in pages)
            chip.setChecked(page is self._shown)
        self._chips.setVisible(bool(pages))
        self._empty.setText("Choose an episode to replay." if self._memory is None else _NOTHING)
        self._empty.setVisible(self._shown is None)
        if self._shown is not None:
            self.page(self._shown)
        for page, view in self._pages.items():
            view.setVisible(page is self._shown)

    def _show_step(self) -> None:
        if self._memory is not None and self._shown is not None:
            self.page(self._shown).show_step(self._memory, self._step)
            settle(self._content)
