"""What the user changes about the window itself: name, theme, text size, keys and limits."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QInputDialog, QWidget

from waypost.app.shell.actions import ActionSet
from waypost.app.shell.outside_question import OutsideQuestion
from waypost.app.shell.workbench import Workbench
from waypost.app.window.settings.reading_limits_dialog import ReadingLimitsDialog
from waypost.io.confined.limits import put_in_force
from waypost.services.input.shortcuts import ShortcutMap
from waypost.services.jobs import JobRunner
from waypost.services.settings import Settings
from waypost.widgets.theme import apply_theme

if TYPE_CHECKING:
    from waypost.app.window.settings.key_list import KeyList
    from waypost.app.window.settings.shortcut_editor import ShortcutEditor


class Preferences(QObject):
    """Changes settings on request and puts them in force.

    Args:
        bench: Keeps the settings.
        jobs: Look for engines.
        window: Owner of the dialogs.
    """

    def __init__(self, bench: Workbench, jobs: JobRunner, window: QWidget) -> None:
        super().__init__(window)
        self._bench, self._jobs = bench, jobs
        self._window = window
        self.outside = OutsideQuestion(bench, window)
        self._actions: ActionSet | None = None
        self._look: tuple[str, int] | None = None
        bench.settings_changed.connect(self._apply)
        self._apply(bench.settings)

    keys_changed = Signal(object)
    """The `ShortcutMap` in force."""

    @property
    def shortcuts(self) -> ShortcutMap:
        """The keys in force; none before there are actions."""
        return self._actions.shortcuts if self._actions else ShortcutMap(())

    def use_actions(self, actions: ActionSet) -> None:
        """Whose keys can be changed."""
        self._actions = actions

    @cached_property
    def _editor(self) -> ShortcutEditor:
        from waypost.app.window.settings.shortcut_editor import ShortcutEditor  # noqa: PLC0415 - on request

        editor = ShortcutEditor(self.shortcuts, self._window)
        editor.shortcuts_changed.connect(self._change_keys)
        _make_dialog(editor, "Keys")
        return editor

    @cached_property
    def _keys(self) -> KeyList:
        from waypost.app.window.settings.key_list import KeyList  # noqa: PLC0415 - on request

        keys = KeyList(self.shortcuts, self._window)
        keys.change_chosen.connect(self.edit_shortcuts)
        _make_dialog(keys, "List of keys")
        return keys

    def ask_annotator(self) -> None:
        """Ask whose labels these are."""
        name, is_given = QInputDialog.getText(
            self._window, "Annotator", "Name written on every label:", text=self._bench.annotator
        )
        if is_given and name.strip():
            self._change(replace(self._bench.settings, annotator=name.strip()))

    def ask_reading_limits(self) -> None:
        """Ask how much memory and time the reading of one file may take."""
        settings = self._bench.settings
        dialog = ReadingLimitsDialog(settings.read_memory_gb, settings.read_minutes, self._window)

        def keep() -> None:
            self._change(
                replace(
                    self._bench.settings,
                    read_memory_gb=dialog.memory_box.value(),
                    read_minutes=dialog.minutes_box.value(),
                )
            )

        dialog.accepted.connect(keep)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def ask_engines(self) -> None:
        """Ask which engine drives, and show what was found of each."""
        from waypost.app.window.settings.engines_dialog import EnginesDialog  # noqa: PLC0415 - on request

        dialog = EnginesDialog(self._bench.settings, self._jobs, self._window)

        def keep() -> None:
            self._change(dialog.changed_of(self._bench.settings))

        dialog.accepted.connect(keep)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def switch_theme(self) -> None:
        """Between dark and light."""
        theme = "light" if self._bench.settings.theme == "dark" else "dark"
        self._change(replace(self._bench.settings, theme=theme))

    def scale_text(self, percent: int) -> None:
        """Make text larger or smaller by so much, between 100 and 200 %."""
        scale = min(max(self._bench.settings.text_scale_percent + percent, 100), 200)
        self._change(replace(self._bench.settings, text_scale_percent=scale))

    def edit_shortcuts(self) -> None:
        """Show the list of keys to change."""
        self._show(self._editor, QSize(640, 520))

    def show_keys(self) -> None:
        """Show the true list of keys."""
        self._show(self._keys, QSize(480, 620))

    def _show(self, dialog: QWidget, size_px: QSize) -> None:
        """Show a dialog, as large as the size of the text asks for and the window allows."""
        if dialog.isHidden():
            wanted = size_px * self._bench.settings.text_scale_percent / 100
            dialog.resize(wanted.boundedTo(self._window.size().expandedTo(size_px)))
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def _change(self, settings: Settings) -> None:
        self._bench.change_settings(settings)

    def _change_keys(self, shortcuts: ShortcutMap) -> None:
        if self._actions:
            self._actions.set_shortcuts(shortcuts)
            self._keys.set_shortcuts(shortcuts)
            self.keys_changed.emit(shortcuts)
        self._change(replace(self._bench.settings, shortcuts=shortcuts.changes))

    def _apply(self, settings: Settings) -> None:
        put_in_force(settings.reading_limits)
        look = (settings.theme, settings.text_scale_percent)
        if look == self._look:
            # Dressing every widget anew takes a noticeable time.
            return
        self._look = look
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, settings.theme, settings.text_scale_percent)


def _make_dialog(widget: QWidget, title: str) -> None:
    widget.setWindowFlag(Qt.WindowType.Dialog)
    widget.setWindowTitle(title)
    closing = QShortcut(QKeySequence.StandardKey.Cancel, widget)
    closing.activated.connect(widget.close)
