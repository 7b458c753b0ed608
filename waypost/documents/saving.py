"""What of a project is in its file, and the writing of the rest: on a server beside the window."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from waypost.documents.blocked_items import BlockedItems, still_so
from waypost.documents.save_state import SaveKind, SaveState
from waypost.domain.base.errors import ConflictError, ReadError, StoreError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project
from waypost.domain.score.fairness import newly_in
from waypost.store.attachments import digest_of
from waypost.store.conflicts import Conflict
from waypost.store.project_store import ProjectStore
from waypost.store.seen import Seen

_LOOK_MS: Final = 10
"""Between two looks whether a server has answered."""

_MOST_WAITING: Final = 20
_LOG = logging.getLogger(__name__)


class _Wish(NamedTuple):
    """A state that is to be in the file."""

    project: Project
    author: str
    text: str
    is_part: bool = False
    """Whether it is what is still so of another one, see ``Saving._put_parts_first``."""


class _Written(NamedTuple):
    """How an attempt to write a state ended."""

    error: StoreError | ReadError | None = None
    conflicts: tuple[Conflict, ...] = ()
    saved: Project | None = None
    """What was found to be on the server before; ``None`` where nothing was found."""


class Saving(QObject):
    """Writes one state after the other, each in a transaction of its own.

    A file is written before ``want`` returns. What waits for a server waits on a thread of its
    own, so that the window does not; until it has answered the state is SAVING. Nothing else may
    use the store meanwhile.

    Args:
        store: Where it is written to; closed with this.
        project: What is in the file.
        clock: Gives the time for ``state``.
        retry_interval_ms: Between attempts after a failure.
        parent: Qt owner.

    Signals:
        state_changed: The new `SaveState`.
        due: What is not in the file is to be wanted once more.
        settled: A server has answered all it was asked for now.
        seen: On a server something was read of what others have said: `Seen`.
    """

    state_changed = Signal(object)
    due = Signal()
    settled = Signal()
    seen = Signal(object)

    def __init__(
        self,
        store: ProjectStore,
        project: Project,
        clock: Callable[[], datetime],
        retry_interval_ms: int,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._thread: ThreadPoolExecutor | None = None
        self._retry = QTimer(self, interval=retry_interval_ms)
        self._retry.timeout.connect(self.due)
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._on_look)
        self._parts: dict[str, bytes] = {}
        self._begin(store, project)
        self._state = self._clean_state()

    def _begin(self, store: ProjectStore, project: Project) -> None:
        self.store = store
        # The last is what is in the file, with what is found again at the next opening.
        self.saved = self.kept = project
        self._blocked = BlockedItems()
        self._wishes: deque[_Wish] = deque()
        self._under_way: tuple[Future[Any], Callable[[Any], None]] | None = None
        self._earlier: tuple[_Wish, ...] = ()
        """Of those that failed the last of each author before the newest."""

        self._refused: tuple[_Wish, ...] = ()
        """Of those with a conflict that named no item the last of each author."""

        self._with_parts: _Wish | None = None
        self._unseen: Project | None = None
        """What was on the server when others' words were last read; ``None`` for ``saved``."""

        self._labels_wait, self._places_wait = False, frozenset[tuple[str, str]]()
        self.is_whole = True
        """Whether the last state that was tried is in the file, and nothing was left out of it."""

        self.last_saved_at = self._clock()

    @property
    def state(self) -> SaveState:
        """Whether what was last wanted is in the file."""
        return self._state

    @property
    def is_busy(self) -> bool:
        """Whether a server has not answered yet."""
        return self._under_way is not None

    @property
    def known_before(self) -> Project | None:
        """What a server had before all that it has not answered about yet.

        It may not have said that it has an answer, or not yet what others say of the same.
        ``None`` if it is not asked now, or could not be reached.
        """
        if not self.is_busy or self._state.kind is SaveKind.NOT_SAVED:
            return None
        return self._unseen or self.saved

    def want(self, project: Project, author: str, text: str) -> Project:
        """Have a state in the file: a file has it when this returns, unless it failed.

        Args:
            project: The state.
            author: Who made it.
            text: What the change is called in the history.

        Returns:
            The state to go on from: with what others have said, as far as that is known now.
        """
        self._wish(_Wish(project, author, text))
        if not self.is_busy:
            self._write_next()
        elif self._state.kind is SaveKind.SAVED and project is not self.saved:
            self._set_state(SaveState(SaveKind.SAVING, self._clock()))
        return self.saved if self.is_whole and not self.is_busy else project

    def _wish(self, wish: _Wish) -> None:
        if self._earlier:
            *others, last = self._earlier
            self._earlier = ()
            # The new state has what the last one of the same author had.
            self._wishes.extend(others if last.author == wish.author else (*others, last))
        elif len(self._wishes) > _MOST_WAITING and self._wishes[-1].author == wish.author:
            # Who turns a dial is faster than a far server; it gets the newest of what waits.
            self._wishes.pop()
        self._wishes.append(wish)

    def finish(self) -> bool:
        """Wait for the server.

        Returns:
            Whether everything that was wanted is in the file.
        """
        while self._under_way is not None:
            wait([self._under_way[0]])
            self._on_look()
        return self.is_whole

    def keep(self, part: bytes) -> str:
        """Have a large part written with the next state that is wanted.

        Returns:
            What to refer to it by.
        """
        name = digest_of(part)
        self._parts[name] = part
        return name

    def part_work(self, name: str) -> Work[bytes | None]:
        """Read a large part that was kept, also one that is not written yet.

        Returns:
            Its bytes; ``None`` if there is none of the name.

        Raises:
            ReadError: If its bytes are damaged.
            StoreError: If the file cannot be reached.
        """
        return _held(self._parts[name]) if name in self._parts else self.store.attachment_work(name)

    def take(self, seen: Seen) -> Project:
        """Take what was read; only while nothing is under way or waits to be written.

        Returns:
            The state with it, which is what is in the file.
        """
        self._labels_wait, self._places_wait = False, frozenset()
        self._unseen = None
        self.saved = self.kept = self.store.with_seen(self.saved, seen)
        return self.saved

    def take_over(self, store: ProjectStore, project: Project) -> None:
        """Go on from what was read elsewhere; what is not written is given up.

        Args:
            store: The one it was read with; it replaces the one so far.
            project: What it has read.
        """
        self._stop()
        if store is not self.store:
            self.store.close()
        self._parts.clear()
        self._begin(store, project)
        self._set_state(self._clean_state())

    def close(self) -> None:
        """Let go of the file; what is not written is given up."""
        self._stop()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None
        self.store.close()

    def _stop(self) -> None:
        self._retry.stop()
        self._look.stop()
        self._wishes.clear()
        if self._under_way is not None:
            wait([self._under_way[0]])
            self._under_way = None

    def _put_parts_first(self, wish: _Wish) -> None:
        """What others did that was refused and is so still is written under their names."""
        if wish.is_part or wish is self._with_parts:
            return
        self._with_parts = wish
        for other in reversed(self._refused):
            if other.author != wish.author:
                part = still_so(self.saved, other.project, wish.project)
                if part is not self.saved:
                    self._wishes.appendleft(other._replace(project=part, is_part=True))

    def _refuse(self, wish: _Wish) -> None:
        if not wish.is_part:
            self._refused = tuple(_last_of_each_author((*self._refused, wish)))

    def _write_next(self) -> None:
        self._put_parts_first(self._wishes[0])
        wish = self._wishes[0]
        wanted = self._blocked.left_out_of(wish.project, self.saved)
        parts = dict(self._parts)
        if wanted is self.saved and not parts and not self.store.is_unsure:
            self._on_written(wanted, parts, _Written())
            return
        work = partial(_write, self.store, self.saved, wanted, wish, list(parts.values()))
        self._run(work, partial(self._on_written, wanted, parts))
        if self.is_busy and self._state.kind is SaveKind.SAVED:
            self._set_state(SaveState(SaveKind.SAVING, self._clock()))

    def _run(self, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        if not self.store.is_on_server:
            try:
                done = work()
            except BaseException:
                self._wishes.clear()
                raise
            then(done)
            return
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "saving")
        self._under_way = self._thread.submit(work), then
        self._look.start()

    def _on_look(self) -> None:
        if self._under_way is None or not self._under_way[0].done():
            return
        (future, then), self._under_way = self._under_way, None
        self._look.stop()
        if (error := future.exception()) is not None:
            # Nobody foresaw it: what waits is tried again, and all is logged as any other.
            self._fail(StoreError("the project", "server", str(error)))
            self.settled.emit()
            raise error
        then(future.result())
        if not self.is_busy:
            self.settled.emit()

    def _on_written(self, wanted: Project, parts: dict[str, bytes], written: _Written) -> None:
        error, wish = written.error, self._wishes[0]
        if written.saved is not None:
            self._note_answers(self.saved, written.saved)
            self.saved = self.kept = written.saved
        is_found_late = written.saved is not None and not written.conflicts
        if isinstance(error, ConflictError) and (
            self._blocked.add(written.conflicts) or is_found_late
        ):
            self._write_next()
            return
        if error is None:
            self._wishes.popleft()
            for name in parts:
                self._parts.pop(name, None)
            self._succeed(wish, wanted)
        elif self.store.is_read_only and wish.project == self.kept:
            self._wishes.popleft()
            self._retry.stop()
            self.is_whole = False
            self._be_clean()
        else:
            self._fail(error)
        if self._wishes and not self.is_busy:
            self._write_next()

    def _succeed(self, wish: _Wish, wanted: Project) -> None:
        self._note_answers(self.saved, wanted)
        self.saved = self.kept = wanted
        self.last_saved_at = self._clock()
        self._retry.stop()
        self.is_whole = wanted is wish.project
        if not self.is_whole:
            self._not_saved(self._blocked.words, is_conflict=True)
            return
        if not wish.is_part:
            self._refused = ()
        if self._wishes:
            return
        if self._labels_wait or self._places_wait:
            look = partial(_look, self.store, self._places_wait, self._labels_wait)
            self._run(look, self._on_seen)
        self._be_clean()

    def _note_answers(self, before: Project, now: Project) -> None:
        """Note of which answers that are in now it is to be read what others say."""
        if before.team.labels is not now.team.labels:
            self._labels_wait, self._unseen = True, self._unseen or before
        # A file is read with all scores; there only views hide them.
        places = newly_in(before.scoring, now.scoring) if self.store.is_on_server else ()
        if places:
            self._places_wait, self._unseen = self._places_wait | places, self._unseen or before

    def _on_seen(self, seen: Seen | None) -> None:
        if self._wishes:
            # It was read beside an older state: it is read again once these are written.
            self._write_next()
        elif seen is not None and self.store.is_on_server:
            self.seen.emit(seen)
        elif seen is not None:
            self.take(seen)

    def _fail(self, error: StoreError | ReadError) -> None:
        self.is_whole = False
        # Of states that follow each other the last has what all of them changed; but it is not its
        # author who did what another one did before.
        if isinstance(error, ConflictError):
            self._retry.stop()
            self._blocked = BlockedItems()
            self._refuse(self._wishes.popleft())
            self._wishes = deque(_last_of_each_author(self._wishes))
            self._not_saved(f"{error.reason}; undo your change to it, or reload", is_conflict=True)
            return
        self._earlier = tuple(_last_of_each_author(self._wishes))
        self._wishes.clear()
        self._retry.start()
        self._not_saved(str(error), is_conflict=False)

    def _be_clean(self) -> None:
        state = self._clean_state()
        if state.kind is not self._state.kind:
            self._set_state(state)

    def _clean_state(self) -> SaveState:
        if self.store.is_read_only:
            reason = f"{self.store.location}: the file or its folder is read-only"
            return SaveState(SaveKind.READ_ONLY, self._clock(), reason)
        return SaveState(SaveKind.SAVED, self._clock())

    def _not_saved(self, reason: str, *, is_conflict: bool) -> None:
        was = self._state
        since = was.since if was.kind is SaveKind.NOT_SAVED else self._clock()
        if was.kind is not SaveKind.NOT_SAVED or was.reason != reason:
            _LOG.warning("not saved: %s", reason)
        self._set_state(SaveState(SaveKind.NOT_SAVED, since, reason, is_conflict))

    def _set_state(self, state: SaveState) -> None:
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)


def _held(part: bytes) -> Work[bytes]:
    yield Progress(1.0, 1.0, "Reading a part that is not saved yet")
    return part


def _write(
    store: ProjectStore, saved: Project, wanted: Project, wish: _Wish, parts: Sequence[bytes]
) -> _Written:
    """Write what differs between two states; on any thread."""
    before = saved
    try:
        saved = store.known_again(before)
        store.put_attachments(parts)
        store.save(saved, wanted, wish.author, wish.text)
    except ConflictError as error:
        try:
            # An attempt of before may have come to the server in between.
            again = store.known_again(saved)
            if again is not saved:
                return _Written(error, (), again)
            return _Written(error, store.conflicts(saved, wanted), _news(before, saved))
        except (StoreError, ReadError) as other:
            return _Written(other, (), _news(before, saved))
    except (StoreError, ReadError) as error:
        return _Written(error, (), _news(before, saved))
    return _Written()


def _news(before: Project, saved: Project) -> Project | None:
    return None if saved is before else saved


def _last_of_each_author(wishes: Iterable[_Wish]) -> Iterator[_Wish]:
    """Of wishes in order those before another one comes."""
    for _, same in groupby(wishes, key=attrgetter("author")):
        *_, last = same
        yield last


def _look(store: ProjectStore, places: frozenset[tuple[str, str]], at_labels: bool) -> Seen | None:
    """Read what others have said; on any thread."""
    try:
        return store.look(places, at_labels=at_labels)
    except (StoreError, ReadError) as error:
        _LOG.warning("what others say cannot be read: %s", error)
        return None
