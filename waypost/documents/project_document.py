"""The open project: its state, its undo history, and every change saved as it happens."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from waypost.documents.kept_steps import History, HistoryKeeper, Noted, fitting, shared
from waypost.documents.on_its_way import WORDS, changes_answers, has_answers
from waypost.documents.replace_state import ReplaceState, restore_steps, steps_on
from waypost.documents.save_state import SaveKind, SaveState
from waypost.documents.saving import Saving
from waypost.documents.undo_step import UndoStep, difference_between, titles
from waypost.domain.base.errors import EditError
from waypost.domain.base.progress import Work
from waypost.domain.base.sentences import capitalised
from waypost.domain.project import Project
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.team_labels import with_own_answers
from waypost.store.project_store import ProjectStore, utc_now
from waypost.store.score_news import ScoreNews
from waypost.store.seen import Seen

UNDO_LIMIT: Final = 1000
"""Steps kept; states share what they have in common, so a step costs some 100 KiB at most."""

RETRY_INTERVAL_MS: Final = 3000

_MOST_NAMED: Final = 3

_LOG = logging.getLogger(__name__)


class ProjectDocument(QObject):
    """The state of the open project and the only way to change it.

    Every accepted edit, undo and redo is written to a file before ``changed`` tells anyone; on a
    server it is on its way then, and the state is SAVING until the server has it. If that fails
    the edit stays, the state is NOT SAVED, and the whole difference since the last saved state is
    tried again with the next edit and every few seconds.

    Args:
        store: Where the project is read from and saved to; closed with the document.
        author: Who edits.
        project: What the store has loaded already; read now by default.
        clock: Gives the time for ``save_state``.
        retry_interval_ms: Time between attempts to save after a failure.
        history: Steps of before that can be undone or repeated.
        keeper: Keeps the steps for the next time; closed with the document.
        parent: Qt owner.

    Signals:
        changed: (old, new) `Project`; compare their parts with ``is``.
        save_state_changed: The new `SaveState`.
        step_refused: A sentence: what undo or redo could not do.
        settled: A server has answered; until the next edit nothing is on its way.

    Raises:
        ReadError: If the project cannot be read.
        StoreError: If it cannot be reached.
    """

    changed = Signal(object, object)
    save_state_changed = Signal(object)
    step_refused = Signal(str)
    settled = Signal()

    def __init__(
        self,
        store: ProjectStore,
        author: str,
        *,
        project: Project | None = None,
        clock: Callable[[], datetime] = utc_now,
        retry_interval_ms: int = RETRY_INTERVAL_MS,
        history: History | None = None,
        keeper: HistoryKeeper | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._author = author
        self._clock = clock
        self._project = store.load() if project is None else project
        self._saving = Saving(store, self._project, clock, retry_interval_ms, self)
        self._saving.state_changed.connect(self.save_state_changed)
        self._saving.due.connect(self.save_soon)
        self._saving.settled.connect(self._keep_steps)
        self._saving.settled.connect(self.settled)
        self._saving.seen.connect(self._on_seen)
        self._is_announcing = False
        self.undo_stack: Final = QUndoStack(self)
        """For undo and redo actions and the list of steps; change it only through the document."""

        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self._keeper: HistoryKeeper | None = None
        restore_steps(history or History(), self.undo_stack, self._take)
        self._keeper = keeper
        self.undo_stack.indexChanged.connect(self._keep_steps)

    @property
    def project(self) -> Project:
        """The state now."""
        return self._project

    @property
    def store(self) -> ProjectStore:
        """Where the project is kept."""
        return self._saving.store

    @property
    def save_state(self) -> SaveState:
        """Whether the state now is in the file."""
        return self._saving.state

    @property
    def last_saved_at(self) -> datetime:
        """When the file last held the state on screen: at opening, or at the latest save."""
        return self._saving.last_saved_at

    @property
    def author(self) -> str:
        """Who edits; recorded with every change."""
        return self._author

    @author.setter
    def author(self, author: str) -> None:
        self._author = author

    def hand_over(self, author: str) -> None:
        """Let somebody else edit; steps of undo that are of the one before alone are gone."""
        self._author = author
        steps = steps_on(self.undo_stack)
        left, done = shared(steps, self.undo_stack.index())
        if len(left) < len(steps):
            self._put_steps(History(left, done))

    def edit(self, text: str, new_project: Project, merge_key: object | None = None) -> None:
        """Make a new state the state of the project, as one step of undo.

        Args:
            text: What the edit is called: ``Move node``.
            new_project: The new state; an equal one is no edit.
            merge_key: Following edits with an equal key join this step; one key per drag.

        Raises:
            RuntimeError: If called while ``changed`` is being told.
            EditError: If it labels a passage that others label, or changes an answer that is on its
                way to a server.
        """
        if self._is_announcing:
            raise RuntimeError("a view must not edit while it is told of a change")
        new_project = with_own_answers(self._project, new_project, self._clock())
        if new_project is self._project or new_project == self._project:
            return
        known = self._saving.known_before
        if known is not None and changes_answers(known, self._project, new_project, self._author):
            raise EditError(WORDS)
        step = UndoStep(text, self._project, new_project)
        self.undo_stack.push(ReplaceState(step, merge_key, self._take))

    def note(self, text: str, new_project: Project) -> None:
        """Make a new state the state of the project without a step of undo.

        For what a machine found: undo takes back what people did, and leaves this alone.

        Args:
            text: What the change is called in the history of the file.
            new_project: The new state; an equal one is no change.

        Raises:
            RuntimeError: If called while ``changed`` is being told.
        """
        if self._is_announcing:
            raise RuntimeError("a view must not edit while it is told of a change")
        if new_project is not self._project and new_project != self._project:
            self._replace(new_project, text)

    def note_again(self, text: str, change: Callable[[Project], Project]) -> None:
        """Note what is found again whenever the project is opened.

        Where nothing can be written nothing is lost by that, so that it stays read-only.

        Args:
            text: As for ``note``.
            change: Puts what was found into a state.

        Raises:
            RuntimeError: As ``note``; else what ``change`` raises.
        """
        new_project, saving = change(self._project), self._saving
        with suppress(EditError):  # It hangs on an edit that is not in the file.
            saving.kept = new_project if saving.kept is self._project else change(saving.kept)
        self.note(text, new_project)

    def undo(self) -> None:
        """Take back the last step, if there is one."""
        if self._may_step():
            self.undo_stack.undo()

    def redo(self) -> None:
        """Repeat the step taken back last, if there is one."""
        if self._may_step():
            self.undo_stack.redo()

    def _may_step(self) -> bool:
        known = self._saving.known_before
        if known is not None and has_answers(known, self._project, self._author):
            self.step_refused.emit(f"{capitalised(WORDS)}.")
            return False
        return True

    def save_now(self, text: str = "Save") -> bool:
        """Try to write what is not in the file yet, and wait for it.

        Args:
            text: What the change is called in the history.

        Returns:
            Whether everything is in the file.
        """
        # What is under way may fail, and take with it what would wait behind it.
        self._saving.finish()
        self._want(text)
        return self._saving.finish()

    def save_soon(self) -> bool:
        """Try to write what is not in the file yet; no server is waited for.

        Returns:
            Whether everything is in the file already.
        """
        if not self._saving.is_busy:
            self._want("Save")
        return not self._saving.is_busy and self._saving.is_whole

    @property
    def is_saving(self) -> bool:
        """Whether a server has not answered yet."""
        return self._saving.is_busy

    @property
    def unsaved_titles(self) -> tuple[str, ...]:
        """What is not in the file, item by item as people know them; reloading gives it up."""
        return titles(difference_between(self._saving.saved, self._project))

    def keep_part(self, part: bytes) -> str:
        """Have a large part written before what is noted next, which refers to it by the result."""
        return self._saving.keep(part)

    def part_work(self, name: str) -> Work[bytes | None]:
        """Read a large part that was kept, also one that is not written yet.

        Returns:
            Its bytes; ``None`` if there is none of the name.

        Raises:
            ReadError: If its bytes are damaged.
            StoreError: If the file cannot be reached.
        """
        return self._saving.part_work(name)

    def take_news(self, news: ScoreNews) -> bool:
        """Take what others have changed of scores, which is no step of undo.

        Returns:
            Whether it could: what is not saved of scores here is saved, or given up, first.
        """
        old, saving = self._project, self._saving
        is_unsure = saving.is_busy or saving.store.is_unsure
        if self._is_announcing or is_unsure or saving.saved.scoring is not old.scoring:
            return False
        states, found = (old, saving.saved, saving.kept), saving.store.with_score_news(old, news)
        self._project, saving.saved, saving.kept = _with_scores(states, found.scoring)
        if self._project is not old:
            self._announce(old)
        return True

    def reload(self, store: ProjectStore, project: Project) -> None:
        """Take a state that was read elsewhere, giving up unsaved edits.

        Of the history those steps stay that fit it, and none once somebody else looks; edits that
        were given up can be repeated.

        Args:
            store: The one it was read with, of the same file; it replaces the one so far.
            project: What it has read.
        """
        old, self._project = self._project, project
        is_same = project.team.viewer == old.team.viewer or not project.team.people
        steps, done = steps_on(self.undo_stack), self.undo_stack.index()
        found = fitting(steps, done, project) if is_same else History()
        self._saving.take_over(store, project)
        self._put_steps(found)
        self._announce(old)

    def close(self) -> bool:
        """Save what is left and let go of the file.

        Returns:
            Whether nothing is lost.
        """
        # Whoever opens a read-only file again has read it by now; a save would come after that.
        is_saved = self.save_state.kind is SaveKind.READ_ONLY or self.save_now()
        if self._keeper is not None:
            self._keeper.close()
            self._keeper = None
        # Python, which frees what goes round in circles in any order, might free a step before the
        # stack, and the stack would free it again.
        self.undo_stack.clear()
        self._saving.close()
        return is_saved

    def _put_steps(self, history: History) -> None:
        # Kept once they all are in their place: of those in between none may be what is left.
        keeper, self._keeper = self._keeper, None
        self.undo_stack.clear()
        restore_steps(history, self.undo_stack, self._take)
        self._keeper = keeper
        self._keep_steps()

    def _keep_steps(self) -> None:
        if self._keeper is None:
            return
        change_id = self.store.newest_change
        steps, done = steps_on(self.undo_stack), self.undo_stack.index()
        self._keeper.keep(Noted(steps, done, change_id, self._author))

    def _take(self, step: UndoStep, forward: bool) -> bool:
        """Take a step, forward or back; where it cannot be taken any more that is said."""
        text = step.text if forward else f"Undo {step.text}"
        try:
            found = step.taken(self._project, forward=forward, author=self._author)
        except ValueError as error:
            self.step_refused.emit(f"“{step.text}” cannot be {_done(forward)} any more: {error}")
            return False
        if found.left_out:
            self.step_refused.emit(_left_out_words(found.left_out, forward))
        if found.project is not self._project:
            self._replace(found.project, text)
        return True

    def _replace(self, project: Project, text: str) -> None:
        old, self._project = self._project, project
        self._project = self._saving.want(project, self._author, text)
        self._announce(old)

    def _want(self, text: str) -> None:
        old = self._project
        self._project = self._saving.want(old, self._author, text)
        if self._project is not old:
            self._announce(old)

    def _on_seen(self, seen: Seen) -> None:
        # What cannot be taken now is read again after the next save.
        if not self._is_announcing and self._saving.saved is self._project:
            old, self._project = self._project, self._saving.take(seen)
            self._announce(old)

    def _announce(self, old: Project) -> None:
        self._is_announcing = True
        try:
            self.changed.emit(old, self._project)
        finally:
            self._is_announcing = False


def _with_scores(states: Sequence[Project], book: ScoreBook) -> Iterator[Project]:
    """The states with other scores in each; those that are one stay one."""
    found = {
        id(state): state if state.scoring is book else replace(state, scoring=book)
        for state in states
    }
    return (found[id(state)] for state in states)


def _left_out_words(left_out: Sequence[str], forward: bool) -> str:
    others = ", ".join(left_out[:_MOST_NAMED])
    more = len(left_out) - _MOST_NAMED
    named = f"{others} and {more} more" if more > 0 else others
    return f"Left as changed since, not {_done(forward)}: {named}"


def _done(forward: bool) -> str:
    return "repeated" if forward else "undone"
