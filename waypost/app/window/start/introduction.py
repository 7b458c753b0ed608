"""Leads a newcomer through the window in five steps: once by itself, and on request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QStackedWidget,
    QWidget,
)

from waypost.app.shell.driving.driving_mode import DrivingMode
from waypost.app.shell.exercise import KeyedWords, Place
from waypost.app.shell.middle import Middle
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench
from waypost.app.window.notices import Notices
from waypost.app.window.settings.preferences import Preferences
from waypost.app.window.start.exercise_run import ExerciseRun
from waypost.app.window.start.introduction_card import (
    IntroductionCard,
    IntroductionPage,
    KeyRow,
    Outline,
)
from waypost.app.window.start.introduction_steps import (
    IntroductionStep,
    exercise_steps,
    introduction_steps,
    offer_steps,
)
from waypost.app.window.status_strip import StatusStrip
from waypost.app.window.workspace_bar import WorkspaceBar
from waypost.app.window.workspaces import Workspaces

_GEOMETRY = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide})
_TYPED_INTO = (QLineEdit, QPlainTextEdit, QAbstractSpinBox)


@dataclass(frozen=True, slots=True)
class WindowParts:
    """What the steps point at."""

    bar: WorkspaceBar
    left: QStackedWidget
    right: QStackedWidget
    below: QWidget
    status: StatusStrip
    stage: Stage
    middle: Middle


class Introduction(QObject):
    """Five steps over the working window; nothing is stopped meanwhile.

    It stays away while somebody drives, an exercise in every workspace but its own; it points at
    nothing that is not to be seen.

    Args:
        window: Whose.
        parts: Its parts.
        bench: What is open.
        workspaces: Say of themselves what they are.
        show_workspace: Shows the one with a scope.
        driving: While somebody drives nothing is shown.
        preferences: Know the keys in force.
        notices: Tell why it does not begin.
    """

    def __init__(
        self,
        window: QMainWindow,
        parts: WindowParts,
        bench: Workbench,
        workspaces: Workspaces,
        show_workspace: Callable[[str], None],
        driving: DrivingMode,
        preferences: Preferences,
        notices: Notices,
    ) -> None:
        super().__init__(window)
        self._window, self._parts, self._bench = window, parts, bench
        self._workspaces, self._show_workspace = workspaces, show_workspace
        self._driving, self._preferences, self._notices = driving, preferences, notices
        self._host: QWidget = window.centralWidget() or window
        self._index = -1
        self._is_awaited = self._teaches = self._is_short = False
        self._run = ExerciseRun(bench, parts.stage, self)
        self._practised = workspaces.shown
        self._card = IntroductionCard(self._host)
        self._outlines: list[Outline] = []
        self._watched: tuple[QObject, ...] = ()
        self._listened: QWidget | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._show)
        self._card.next_chosen.connect(self.go_on)
        self._card.back_chosen.connect(self.go_back)
        self._card.leave_chosen.connect(self.leave)
        self._card.scale_changed.connect(self._soon.start)
        self._run.moved.connect(self._on_exercise)
        self._run.ended.connect(self._on_exercise_over)
        bench.document_replaced.connect(self._on_document)
        driving.began.connect(self._show)
        driving.ended.connect(self._show_soon)
        workspaces.turned.connect(self._on_turned)
        preferences.keys_changed.connect(self._show_soon)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    @property
    def step(self) -> int:
        """Number of the step that is shown, from 1; 0 if none."""
        return self._index + 1

    def is_running(self) -> bool:
        """Whether it was begun and neither finished nor left."""
        return self._index >= 0

    def start_with_first_project(self) -> None:
        """Begin as soon as a project is open, unless this user has seen it."""
        self._teaches = True
        if not self._bench.settings.introduction_done:
            self._is_awaited = True
            self._on_document()

    def start(self) -> None:
        """Begin; where it is under way already, show it and give it the keyboard."""
        if self.is_running():
            if self._is_elsewhere():
                self._show_workspace(self._practised.scope)
                self._show()
            self._card.take_keyboard()
            return
        self._is_awaited = True
        self._on_document()
        if self._is_awaited:
            self._notices.say(
                "The tour begins as soon as a project is open: open the sample or a scene."
            )

    def practise(self) -> None:
        """Begin the exercise of the first workspace that has one, on a copy of the sample."""
        spec = next(spec for spec in self._workspaces.specs if spec.exercise)
        if self._run.exercise is not None:
            self._show_workspace(self._practised.scope)
            return
        if not self._bench.has_project():
            self._notices.say("Open the sample or a project first: it comes back afterwards.")
            return
        self._show_workspace(spec.scope)
        self._begin_exercise()

    def go_on(self) -> None:
        """The next step; after the last one it is finished. One that waits goes on by itself."""
        step = self._steps()[self._index] if self.is_running() else None
        if step is None or step.waits or self._is_elsewhere():
            return
        if step.next_text:
            self._begin_exercise()
        elif self.step == len(self._steps()):
            self.leave()
        else:
            self._go_to(self._index + 1)

    def go_back(self) -> None:
        """The step before; the first one stays, and what was done in an exercise."""
        if self._run.exercise is None:
            self._go_to(max(self._index - 1, 0))

    def leave(self) -> None:
        """End it, and remember that it was seen."""
        self._run.end()
        self._put_away()

    def _put_away(self) -> None:
        had_keyboard = self._has_keyboard()
        self._index = -1
        self._show()
        if had_keyboard:
            self._parts.middle.take_keyboard()
        bench, scope = self._bench, self._workspaces.shown.scope
        seen = dict.fromkeys((*bench.settings.introduced, scope))
        done = replace(bench.settings, introduction_done=True, introduced=tuple(seen))
        bench.change_settings(done)

    def close_exercise(self) -> None:
        """Take away the copy of an exercise; what is open was closed before."""
        self._run.close()

    def _begin_exercise(self) -> None:
        self._practised = self._workspaces.shown
        exercise = self._workspaces.exercise(self._practised)
        self._put_away()
        if exercise is not None:
            self._run.begin(exercise)

    def _on_exercise(self) -> None:
        """Another step of the exercise has come; the keyboard belongs to what is to be done."""
        self._go_to(self._run.index)
        if self._has_keyboard():
            self._parts.middle.take_keyboard()

    def _on_exercise_over(self) -> None:
        if self.is_running():
            self._put_away()

    def _on_turned(self, *_: object) -> None:
        """A workspace that is opened for the first time says what is done in it."""
        settings, scope = self._bench.settings, self._workspaces.shown.scope
        is_new = settings.introduction_done and scope not in settings.introduced
        if self._teaches and is_new and not self.is_running() and self._bench.has_project():
            self._is_short = True
            self._go_to(0)
        self._show_soon()

    def _on_document(self) -> None:
        if self._is_awaited and self._bench.has_project():
            self._is_awaited = self._is_short = False
            self._go_to(0)
            self._card.take_keyboard()

    def _go_to(self, index: int) -> None:
        self._index = index
        if self._is_elsewhere():
            return
        had_keyboard, workspaces = self._has_keyboard(), self._workspaces
        if not self._parts.middle.isVisibleTo(self._window):
            self._show_workspace(workspaces.shown.scope)
        is_hidden = not self._parts.stage.isVisibleTo(self._window)
        if self._steps()[index].place is Place.SCENE and is_hidden:
            self._show_workspace(workspaces.specs[0].scope)
        self._show()
        if had_keyboard and not self._has_keyboard():
            self._card.take_keyboard()

    def _is_elsewhere(self) -> bool:
        """Whether an exercise waits in its workspace while another one is shown."""
        return self._run.exercise is not None and self._workspaces.shown is not self._practised

    def _has_keyboard(self) -> bool:
        holder = QApplication.focusWidget()
        return holder is not None and self._card.isAncestorOf(holder)

    def _steps(self) -> tuple[IntroductionStep, ...]:
        shown, run = self._workspaces.shown, self._run
        if run.exercise is not None:
            return exercise_steps(run.exercise, self._workspaces.specs[0].show_action)
        exercise = self._workspaces.exercise(shown) if self._is_short else None
        if exercise is not None:
            return offer_steps(exercise)
        steps = introduction_steps(shown, self._workspaces.specs)
        own = (Place.LISTS, Place.ANSWERS)
        return tuple(s for s in steps if s.place in own) if self._is_short else steps

    def _show_soon(self, *_: object) -> None:
        self._soon.start()

    def _show(self) -> None:
        if not self.is_running() or self._driving.is_on or self._is_elsewhere():
            self._card.hide()
            self._watch(())
            self._outline(())
            return
        step = self._steps()[self._index]
        meant = self._meant(step.place)
        shown = tuple(widget for widget in meant if widget.isVisibleTo(self._window))
        self._watch(meant)
        self._card.show_page(self._page(step, is_hidden=not shown))
        rects = tuple(QRect(w.mapTo(self._host, QPoint()), w.size()) for w in shown)
        self._card.stand_beside(rects)
        self._outline(rects)
        self._card.show()
        self._card.raise_()

    def _meant(self, place: Place) -> tuple[QWidget, ...]:
        parts, stage = self._parts, self._parts.stage
        return {
            Place.LISTS: (parts.left,),
            Place.SCENE: (stage.slider, stage.cameras),
            Place.ANSWERS: (parts.right,),
            Place.WORKSPACES: (parts.bar.tabs,),
            Place.COMMANDS: (parts.bar.search, *parts.bar.history, parts.status.saved),
        }[place]

    def _page(self, step: IntroductionStep, *, is_hidden: bool) -> IntroductionPage:
        keys = self._preferences.shortcuts.keys()
        text = step.text
        if is_hidden:
            key = keys[step.back_action_id] or "its command"
            text = f"{text} It is out of sight now: {key} brings it back."

        def row(words: KeyedWords) -> KeyRow:
            return KeyRow(tuple(filter(None, map(keys.get, words.action_ids))), words.words)

        rows = tuple(made for made in map(row, step.keyed) if made.keys)
        going = keys["help.introduction_next"], keys["help.introduction_back"]
        return IntroductionPage(
            self.step,
            len(self._steps()),
            step.title,
            text,
            rows,
            *going,
            next_text=step.next_text,
            waits=step.waits,
            goes_back=self._run.exercise is None,
        )

    def _outline(self, rects: tuple[QRect, ...]) -> None:
        while len(self._outlines) < len(rects):
            self._outlines.append(Outline(self._host))
        for index, outline in enumerate(self._outlines):
            if index < len(rects):
                outline.surround(rects[index])
            else:
                outline.hide()

    def _watch(self, meant: tuple[QWidget, ...]) -> None:
        """Follow these and what they stand in: each of them moves them."""
        around: dict[QObject, None] = {self._host: None} if meant else {}
        for widget in meant:
            holder: QWidget | None = widget
            while holder is not None and holder is not self._host:
                around[holder] = None
                holder = holder.parentWidget()
        for watched in self._watched:
            watched.removeEventFilter(self)
        self._watched = tuple(around)
        for watched in self._watched:
            watched.installEventFilter(self)

    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self._listened is not None:
            self._listened.removeEventFilter(self)
        self._listened = None
        if new is not None and new.window() is self._window and not isinstance(new, _TYPED_INTO):
            self._listened = new
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what is pointed at; hear Esc before it is anybody's command."""
        if event.type() in _GEOMETRY and watched in self._watched:
            self._soon.start()
        elif isinstance(event, QKeyEvent) and watched is self._listened and self._leaves(event):
            if event.type() == QEvent.Type.KeyPress:
                self.leave()
            event.accept()
            return True
        return super().eventFilter(watched, event)

    def _leaves(self, event: QKeyEvent) -> bool:
        is_escape = event.key() == Qt.Key.Key_Escape
        is_plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        kinds = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        return is_escape and is_plain and event.type() in kinds and self._card.isVisible()
