"""The bar at the top of the window: menu, workspaces, command search, theme and annotator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QTabBar, QToolButton, QWidget

from waypost.app.shell.actions import ActionSet, ActionSpec
from waypost.app.shell.menu_columns import menu_groups
from waypost.app.shell.workspace import WorkspaceSpec
from waypost.services.appearance import changes_text_size
from waypost.widgets.parts import button, label


class WorkspaceBar(QFrame):
    """Always in the same place in every workspace; words give way before workspaces do."""

    workspace_chosen = Signal(str)
    """Its scope."""

    def __init__(self, specs: Sequence[WorkspaceSpec[Any]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._menu_button = QToolButton()
        self._menu_button.setAccessibleName("Menu")
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._tabs = QTabBar()
        self._tabs.setAccessibleName("Workspaces")
        self._tabs.setExpanding(False)
        self._tabs.setDrawBase(False)
        self._scopes = [spec.scope for spec in specs]
        for spec in specs:
            self._tabs.addTab(spec.title)
        self._tabs.currentChanged.connect(
            lambda place: self.workspace_chosen.emit(self._scopes[place])
        )
        self._undo, self._redo = QToolButton(), QToolButton()
        self._search = button("", "Find a command", "link")
        self._search_key = ""
        self._theme = button("◐", "Switch between dark and light", "link")
        self._theme.setToolTip("Switch between dark and light")
        self._menu_button.setToolTip("Everything the window can do")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 4, 10, 4)
        layout.setSpacing(8)
        self._name = label("Waypost", "title")
        self._name.setWordWrap(False)
        for widget in (self._name, self._menu_button, self._tabs, self._undo, self._redo):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addWidget(self._search)
        layout.addWidget(self._theme)

    @property
    def tabs(self) -> QTabBar:
        """Where workspaces are chosen."""
        return self._tabs

    @property
    def search(self) -> QWidget:
        """What finds commands."""
        return self._search

    @property
    def history(self) -> tuple[QWidget, QWidget]:
        """What undoes and what redoes."""
        return self._undo, self._redo

    def set_actions(self, actions: ActionSet, categories: dict[str, list[ActionSpec]]) -> None:
        """Fill the menu and connect the buttons.

        Args:
            actions: The actions of the window.
            categories: Title of each submenu → its actions.
        """
        menu = QMenu(self)
        menu.aboutToShow.connect(actions.refresh)
        for title, specs in categories.items():
            _fill(menu.addMenu(title), actions, specs)
        self._menu_button.setMenu(menu)
        for tool, action_id, sign in (
            (self._undo, "edit.undo", "↶"),
            (self._redo, "edit.redo", "↷"),
        ):
            action = actions.action(action_id)
            action.setIconText(sign)
            tool.setDefaultAction(action)
            tool.setAccessibleName(action.text())
        self._search.clicked.connect(lambda: actions.trigger("view.palette"))
        self._theme.clicked.connect(lambda: actions.trigger("view.theme"))

    def set_current(self, scope: str) -> None:
        """Show a workspace as chosen; emits nothing."""
        self._tabs.blockSignals(True)
        self._tabs.setCurrentIndex(self._scopes.index(scope))
        self._tabs.blockSignals(False)

    def set_search_key(self, key: str) -> None:
        """Say which key finds commands."""
        self._search_key = key
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what has no room, or say it again."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew at another size of text."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._fit()

    def _fit(self) -> None:
        layout = self.layout()
        if layout is None:
            return  # dressed before it is laid out
        for left_out in range(4):
            self._leave_out(left_out)
            if layout.totalSizeHint().width() <= self.width():
                return

    def _leave_out(self, count: int) -> None:
        """The key of the search first, then the name of the program, then words with signs."""
        key = f"  {self._search_key}" if self._search_key and not count else ""
        self._search.setText("⌕" if count > 2 else f"⌕ Find{key}")
        tip = "Find a command by a few letters of its name"
        self._search.setToolTip(f"{tip} ({self._search_key})" if self._search_key else tip)
        self._name.setVisible(count < 2)
        self._menu_button.setText("☰" if count > 2 else "☰ Menu")


def _fill(menu: QMenu, actions: ActionSet, specs: Sequence[ActionSpec]) -> None:
    """Put actions into a menu, their groups between separators or behind an entry each."""
    before = None
    for group in menu_groups(specs):
        if before is not None and not (before.is_folded and group.is_folded):
            menu.addSeparator()
        column = menu.addMenu(group.title) if group.is_folded else menu
        for action_id in group.action_ids:
            column.addAction(actions.action(action_id))
        before = group
