"""The bar at the top of the window: menu, workspaces, command search, theme and annotator."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QTabBar, QToolButton, QWidget

from waypost.app.actions import ActionSet
from waypost.widgets.parts import button, label

_TITLES = ("Graph", "Traverse", "Record", "Replay")


class WorkspaceBar(QFrame):
    """Always in the same place in every workspace."""

    workspace_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._menu_button = QToolButton()
        self._menu_button.setText("☰ Menu")
        self._menu_button.setAccessibleName("Menu")
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._tabs = QTabBar()
        self._tabs.setAccessibleName("Workspaces")
        self._tabs.setExpanding(False)
        self._tabs.setDrawBase(False)
        self._tabs.setUsesScrollButtons(False)
        for title in _TITLES:
            self._tabs.addTab(title)
        self._tabs.currentChanged.connect(self.workspace_chosen)
        self._undo, self._redo = QToolButton(), QToolButton()
        self._search = button("", "Find a command", "link")
        self._theme = button("◐", "Switch between dark and light", "link")
        self._theme.setToolTip("Switch between dark and light")
        self._menu_button.setToolTip("Everything the window can do")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 4, 10, 4)
        layout.setSpacing(8)
        name = label("Waypost", "title")
        name.setWordWrap(False)
        for widget in (name, self._menu_button, self._tabs, self._undo, self._redo):
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

    def set_actions(self, actions: ActionSet, categories: dict[str, tuple[str, ...]]) -> None:
        """Fill the menu and connect the buttons.

        Args:
            actions: The actions of the window.
            categories: Title of each submenu → ids of its actions.
        """
        menu = QMenu(self)
        menu.aboutToShow.connect(actions.refresh)
        for title, action_ids in categories.items():
            submenu = menu.addMenu(title)
            for action_id in action_ids:
                submenu.addAction(actions.action(action_id))
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

    def set_current(self, index: int) -> None:
        """Show a workspace as chosen; emits nothing."""
        self._tabs.blockSignals(True)
        self._tabs.setCurrentIndex(index)
        self._tabs.blockSignals(False)

    def set_search_key(self, key: str) -> None:
        """Say which key finds commands."""
        self._search.setText(f"⌕ Find  {key}")
        self._search.setToolTip("Find a command by a few letters of its name")
