"""Actions as data, and the one place that turns them into Qt actions with their keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from waypost.domain.base.visible_text import plain_tip
from waypost.services.input.shortcuts import (
    CLAIMED_KEYS,
    EVERYWHERE,
    ShortcutEntry,
    ShortcutMap,
    key_of_event,
)
from waypost.widgets.picker import PickerEntry

_PRESS_KEYS = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter})
_LETTERS_AND_DIGITS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing the user can do; menus, palette, key list and shortcuts are made from it."""

    id: str
    text: str
    """In the imperative, e.g. ``Delete selection``."""

    shortcut: str
    """Default key, portable; empty for none."""

    category: str
    """Heading in the palette and the key list."""

    enabled_when: Callable[[], bool] | None
    """Asked whenever keys or menus need to know; ``None`` means always."""

    run: Callable[[], None]
    checkable: bool = False
    tip: str = ""
    """One sentence; empty shows the text."""

    scope: str = EVERYWHERE
    """Workspace in which it works; see ``ShortcutEntry.scope``."""

    repeats: bool = False
    """Whether holding the key runs it again and again."""

    instead_of: str = ""
    """Action that rests while this workspace is shown; see ``ShortcutEntry.instead_of``."""

    group: str = ""
    """Title of the part of its menu that it stands in; see ``menu_columns``."""


def shortcut_entries(specs: Iterable[ActionSpec]) -> tuple[ShortcutEntry, ...]:
    """What the shortcut map needs to know about the actions."""
    return tuple(
        ShortcutEntry(s.id, s.text, s.category, s.shortcut, s.scope, s.instead_of) for s in specs
    )


class ActionSet(QObject):
    """The Qt actions of one window.

    Keys of letters and digits are heard by ``key_of_event``, so that they work under every
    layout; text fields keep their keys. While an agent is driven only an allow-list works.
    """

    def __init__(
        self, specs: Sequence[ActionSpec], shortcuts: ShortcutMap, window: QWidget
    ) -> None:
        super().__init__(window)
        self._window = window
        self._specs = {spec.id: spec for spec in specs}
        self._actions: dict[str, QAction] = {}
        self._resting: dict[str, set[str]] = {}
        """Action → workspaces in which another one stands for it."""

        for spec in specs:
            if spec.instead_of:
                self._resting.setdefault(spec.instead_of, set()).add(spec.scope)
        self._scope = EVERYWHERE
        self._tips: dict[str, str] = {}
        self._allowed: frozenset[str] | None = None
        self._asked: dict[Callable[[], bool], list[str]] = {}
        """Condition → actions that can run if it holds; those of other workspaces rest."""

        self._answers: dict[Callable[[], bool], bool] = {}
        """What the conditions said last."""

        for spec in specs:
            self._actions[spec.id] = self._make_action(spec)
        self._shortcuts = shortcuts
        self.set_shortcuts(shortcuts)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)
        window.installEventFilter(self)
        self._choose_asked()

    @property
    def shortcuts(self) -> ShortcutMap:
        """The keys in force."""
        return self._shortcuts

    @property
    def scope(self) -> str:
        """The workspace whose actions are in force."""
        return self._scope

    @property
    def is_driving(self) -> bool:
        """Whether all but the allow-list is suspended."""
        return self._allowed is not None

    def action(self, action_id: str) -> QAction:
        """The Qt action with this id.

        Raises:
            KeyError: If there is none.
        """
        return self._actions[action_id]

    def set_shortcuts(self, shortcuts: ShortcutMap) -> None:
        """Put other keys in force at once."""
        self._shortcuts = shortcuts
        keys = self._keys = shortcuts.keys()
        for action_id, action in self._actions.items():
            action.setShortcuts(_sequences(keys.get(action_id, "")))
            spec = self._specs[action_id]
            self.set_tip(action_id, self._tips.get(action_id) or spec.tip or spec.text)

    def set_tip(self, action_id: str, tip: str) -> None:
        """Say more of an action than its name, such as what would be undone; its key is added."""
        self._tips[action_id] = tip
        key = self._keys.get(action_id, "")
        text = f"{tip} ({key})" if key else tip
        # What people have written themselves may look like rich text.
        self._actions[action_id].setToolTip(plain_tip(text))

    def set_scope(self, scope: str) -> None:
        """Say which workspace is shown; actions of the others rest."""
        self._scope = scope
        self._choose_asked()

    def start_driving(self, allowed_ids: Iterable[str]) -> None:
        """Suspend every action but these, so that no drive key runs a command."""
        self._allowed = frozenset(allowed_ids)
        self._choose_asked()

    def end_driving(self) -> None:
        """Let every action work again."""
        self._allowed = None
        self._choose_asked()

    def refresh(self) -> None:
        """Ask anew whether the actions can run; a condition that many share is asked once."""
        for condition, action_ids in self._asked.items():
            answer = condition()
            if self._answers.get(condition) != answer:
                self._answers[condition] = answer
                for action_id in action_ids:
                    self._actions[action_id].setEnabled(answer)

    def trigger(self, action_id: str) -> bool:
        """Run an action by id if it can run now; returns whether it did."""
        if not self._can_run(self._specs[action_id]):
            return False
        self.refresh()
        self._actions[action_id].trigger()
        return True

    def palette_entries(self) -> tuple[PickerEntry, ...]:
        """What the command palette shows, in the order of the specs."""
        self.refresh()
        keys = self._shortcuts.keys()
        return tuple(
            PickerEntry(
                spec.id,
                self._actions[spec.id].text(),
                spec.category,
                keys.get(spec.id, ""),
                self._actions[spec.id].isEnabled(),
            )
            for spec in self._specs.values()
        )

    def _make_action(self, spec: ActionSpec) -> QAction:
        action = QAction(spec.text, self)
        action.setObjectName(spec.id)
        action.setCheckable(spec.checkable)
        action.setAutoRepeat(spec.repeats)
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda *_: self._run(spec))
        self._window.addAction(action)
        return action

    def _choose_asked(self) -> None:
        self._asked, self._answers = {}, {}
        for spec in self._specs.values():
            if self._is_in_force(spec) and spec.enabled_when is not None:
                self._asked.setdefault(spec.enabled_when, []).append(spec.id)
            else:
                self._actions[spec.id].setEnabled(self._is_in_force(spec))
        self.refresh()

    def _is_in_force(self, spec: ActionSpec) -> bool:
        is_allowed = self._allowed is None or spec.id in self._allowed
        if self._scope in self._resting.get(spec.id, ()):
            return False
        return is_allowed and spec.scope in (EVERYWHERE, self._scope)

    def _can_run(self, spec: ActionSpec) -> bool:
        return self._is_in_force(spec) and (spec.enabled_when is None or spec.enabled_when())

    def _run(self, spec: ActionSpec) -> None:
        if self._can_run(spec):
            spec.run()
        self.refresh()

    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and new.window() is self._window.window():
            new.installEventFilter(self)

    def _action_of(self, key: str) -> str | None:
        for action_id, held in self._shortcuts.keys().items():
            spec = self._specs.get(action_id)
            if held == key and spec is not None and self._can_run(spec):
                return action_id
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hear letters and digits by position before Qt looks for them by label."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            self.refresh()
            if _letter_or_digit(event) or _presses_control(event):
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = _letter_or_digit(event)
            action_id = self._action_of(key) if key else None
            if action_id is not None:
                if not event.isAutoRepeat() or self._specs[action_id].repeats:
                    self.trigger(action_id)
                return True
        return super().eventFilter(watched, event)


def _sequences(key: str) -> list[QKeySequence]:
    """The key, on the number pad as well where that has its twin."""
    return [QKeySequence(key), QKeySequence("Enter")] if key == "Return" else [QKeySequence(key)]


def _letter_or_digit(event: QKeyEvent) -> str:
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if held != Qt.KeyboardModifier.NoModifier or takes_text(QApplication.focusWidget()):
        return ""
    key = key_of_event(event)
    is_free = key in _LETTERS_AND_DIGITS and not _is_claimed(QApplication.focusWidget(), key)
    return key if is_free else ""


def _is_claimed(widget: QWidget | None, key: str) -> bool:
    """Whether the widget with the focus, or one around it, uses a key itself."""
    while widget is not None:
        if key in (widget.property(CLAIMED_KEYS) or ()):
            return True
        widget = None if widget.isWindow() else widget.parentWidget()
    return False


def _presses_control(event: QKeyEvent) -> bool:
    """Whether the key belongs to the button that has the focus, not to a command."""
    is_plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
    is_button = isinstance(QApplication.focusWidget(), QAbstractButton)
    return is_plain and is_button and event.key() in _PRESS_KEYS


def takes_text(widget: QWidget | None) -> bool:
    """Whether what is typed is text for this widget."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    if isinstance(widget, QLineEdit | QTextEdit | QPlainTextEdit):
        return not widget.isReadOnly()
    return isinstance(widget, QAbstractSpinBox)
