"""The open project: its state, its undo history, and every change saved as it happens."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from waypost.documents.blocked_items import BlockedItems
from waypost.documents.kept_steps import History, HistoryKeeper, Noted, fitting, shared
from waypost.documents.replace_state import ReplaceState, restore_steps, steps_on
from waypost.documents.save_state import SaveKind, SaveState
from waypost.documents.undo_step import UndoStep, difference_between, titles
from waypost.domain.base.errors import ConflictError, EditError, ReadError, StoreError
from waypost.domain.project import Project
from waypost.domain.score.fairness import newly_in
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.team_labels import with_own_answers
from waypost.store.project_store import ProjectStore, utc_now
from waypost.store.score_news import ScoreNews

UNDO_LIMIT: Final = 1000
"""Steps kept; states share what they have in common, so a step costs some 100 KiB at most."""

RETRY_INTERVAL_MS: Final = 3000

_MOST_NAMED: Final = 3

_LOG = logging.getLogger(__name__)


class ProjectDocument(QObject):
    """The state of the open project and the only way to change it.

    Every accepted edit, undo and redo is written to the store before ``changed`` tells anyone.
    If that fails the edit stays, the state is NOT SAVED, and the whole difference since the last
    saved state is tried again with the next edit and every few seconds.

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

    Raises:
        ReadError: If the project cannot be read.
        StoreError: If it cannot be reached.
    """

    changed = Signal(object, object)
    save_state_changed = Signal(object)
    step_refused = Signal(str)

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
        self._store = store
        self._author = author
        self._clock = clock
        # The last is what is in the file, with what is found again at the next opening.
        self._project = self._saved = self._kept = store.load() if project is None else project
        self._blocked = BlockedItems()
        self._is_announcing = False
        self.undo_stack: Final = QUndoStack(self)
        """For undo and redo actions and the list of steps; change it only through the document."""

        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self._keeper: HistoryKeeper | None = None
        restore_steps(history or History(), self.undo_stack, self._take)
        self._keeper = keeper
        self.undo_stack.indexChanged.connect(self._keep_steps)
        self._retry = QTimer(self)
        self._retry.setInterval(retry_interval_ms)
        self._retry.timeout.connect(self.save_now)
        self._save_state = self._clean_state()
        self._last_saved_at = self._clock()

    @property
    def project(self) -> Project:
        """The state now."""
        return self._project

    @property
    def store(self) -> ProjectStore:
        """Where the project is kept."""
        return self._store

    @property
    def save_state(self) -> SaveState:
        """Whether the state now is in the file."""
        return self._save_state

    @property
    def last_saved_at(self) -> datetime:
        """When the file last held the state on screen: at opening, or at the latest save."""
        return self._last_saved_at

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
            EditError: If it labels a passage that others label.
        """
        if self._is_announcing:
            raise RuntimeError("a view must not edit while it is told of a change")
        new_project = with_own_answers(self._project, new_project, self._clock())
        if new_project is self._project or new_project == self._project:
            return
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
        new_project = change(self._project)
        with suppress(EditError):  # It hangs on an edit that is not in the file.
            self._kept = new_project if self._kept is self._project else change(self._kept)
        self.note(text, new_project)

    def undo(self) -> None:
        """Take back the last step, if there is one."""
        self.undo_stack.undo()

    def redo(self) -> None:
        """Repeat the step taken back last, if there is one."""
        self.undo_stack.redo()

    def save_now(self, text: str = "Save") -> bool:
        """Try to write what is not in the file yet.

        Args:
            text: What the change is called in the history.

        Returns:
            Whether everything is in the file.
        """
        is_whole = False
        try:
            is_whole = self._save_what_can_be(text)
        except ConflictError as error:
            self._retry.stop()
            self._not_saved(f"{error.reason}; undo your change to it, or reload", is_conflict=True)
            return False
        except (StoreError, ReadError) as error:
            if self._store.is_read_only and self._project == self._kept:
                self._retry.stop()
                self._be_clean()
            else:
                self._retry.start()
                self._not_saved(str(error), is_conflict=False)
            return False
        self._last_saved_at = self._clock()
        self._retry.stop()
        if not is_whole:
            self._not_saved(self._blocked.words, is_conflict=True)
            return False
        self._be_clean()
        return True

    @property
    def unsaved_titles(self) -> tuple[str, ...]:
        """What is not in the file, item by item as people know them; reloading gives it up."""
        return titles(difference_between(self._saved, self._project))

    def _save_what_can_be(self, text: str) -> bool:
        """Save all items but those that somebody else has changed first.

        Returns:
            Whether that was everything.

        Raises:
            ConflictError: If what is left cannot be saved without those.
            StoreError: If nothing could be written.
        """
        wanted = self._blocked.left_out_of(self._project, self._saved)
        try:
            self._store.save(self._saved, wanted, self._author, text)
        except ConflictError:
            found = self._store.conflicts(self._saved, wanted)
            if not self._blocked.add(found):
                raise
            wanted = self._blocked.left_out_of(self._project, self._saved)
            self._store.save(self._saved, wanted, self._author, text)
        self._saved = self._kept = wanted
        return wanted is self._project

    def take_news(self, news: ScoreNews) -> bool:
        """Take what others have changed of scores, which is no step of undo.

        Returns:
            Whether it could: what is not saved of scores here is saved, or given up, first.
        """
        old = self._project
        if self._is_announcing or self._saved.scoring is not old.scoring:
            return False
        states, found = (old, self._saved, self._kept), self._store.with_score_news(old, news)
        self._project, self._saved, self._kept = _with_scores(states, found.scoring)
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
        if store is not self._store:
            self._store.close()
            self._store = store
        old, self._project = self._project, project
        self._saved = self._kept = self._project
        self._blocked = BlockedItems()
        self._last_saved_at = self._clock()
        self._retry.stop()
        is_same = project.team.viewer == old.team.viewer or not project.team.people
        steps, done = steps_on(self.undo_stack), self.undo_stack.index()
        found = fitting(steps, done, project) if is_same else History()
        self._put_steps(found)
        self._set_save_state(self._clean_state())
        self._announce(old)

    def close(self) -> bool:
        """Save what is left and let go of the file.

        Returns:
            Whether nothing is lost.
        """
        # Whoever opens a read-only file again has read it by now; a save would come after that.
        is_saved = self._save_state.kind is SaveKind.READ_ONLY or self.save_now()
        self._retry.stop()
        if self._keeper is not None:
            self._keeper.close()
            self._keeper = None
        # Python, which frees what goes round in circles in any order, might free a step before the
        # stack, and the stack would free it again.
        self.undo_stack.clear()
        self._store.close()
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
        change_id = self._store.newest_change
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
        if self.save_now(text):
            self._project = self._saved = _with_more_seen(self._store, old, project)
        self._announce(old)

    def _announce(self, old: Project) -> None:
        self._is_announcing = True
        try:
            self.changed.emit(old, self._project)
        finally:
            self._is_announcing = False

    def _be_clean(self) -> None:
        state = self._clean_state()
        if state.kind is not self._save_state.kind:
            self._set_save_state(state)

    def _clean_state(self) -> SaveState:
        if self._store.is_read_only:
            reason = f"{self._store.location}: the file or its folder is read-only"
            return SaveState(SaveKind.READ_ONLY, self._clock(), reason)
        return SaveState(SaveKind.SAVED, self._clock())

    def _not_saved(self, reason: str, *, is_conflict: bool) -> None:
        was = self._save_state
        since = was.since if was.kind is SaveKind.NOT_SAVED else self._clock()
        if was.kind is not SaveKind.NOT_SAVED or was.reason != reason:
            _LOG.warning("not saved: %s", reason)
        self._set_save_state(SaveState(SaveKind.NOT_SAVED, since, reason, is_conflict))

    def _set_save_state(self, state: SaveState) -> None:
        if state != self._save_state:
            self._save_state = state
            self.save_state_changed.emit(state)


def _with_more_seen(store: ProjectStore, old: Project, new: Project) -> Project:
    """A state that was saved, with what others have labelled or scored of what is in only now.

    A file is read with all scores; there only views hide them.
    """
    places = newly_in(old.scoring, new.scoring) if isinstance(store.location, str) else ()
    try:
        if old.team.labels is not new.team.labels:
            new = store.with_visible_labels(new)
        if places:
            new = store.with_visible_scores(new, places)
    except (StoreError, ReadError) as error:
        _LOG.warning("what others say cannot be read: %s", error)
    return new


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
