"""The last steps of undo in a file of their own, so that they survive the window.

Each project has one such file per user, beside the settings. It is a SQLite database: a step is a
row with what it changed, so that a program killed in the middle leaves the state of the commit
before. A step may be missing that the project already has, or stand on the wrong side of the
index; both are found by comparing with the project when it is opened.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import compress, takewhile
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

from waypost.documents.undo_step import ABSENT, ItemChange, Retrace, UndoStep, packed
from waypost.domain.project import Project
from waypost.store.database import sqlite_code
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import COMPARISON, DOUBLE_LABEL, SCORE_DRAFT, SHEET
from waypost.store.project_items import items_of
from waypost.store.row_writing import Change

MOST_STEPS: Final = 200
MOST_BYTES: Final = 64 << 20
"""Of all steps of a project; older ones are forgotten first."""

_MOST_FILES: Final = 40
_MOST_BEHIND: Final = 20
_FORMAT: Final = 1
_DAMAGED: Final = {"SQLITE_CORRUPT", "SQLITE_NOTADB"}
_LOG = logging.getLogger(__name__)
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS steps (
    place INTEGER PRIMARY KEY, text TEXT NOT NULL, data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS state (
    steps_done INTEGER NOT NULL, change_id INTEGER NOT NULL, author TEXT NOT NULL
);
"""


@dataclass(frozen=True, slots=True)
class History:
    """Steps in order, and how many of them are done; the others were taken back."""

    steps: tuple[UndoStep, ...] = ()
    done: int = 0
    dropped: tuple[str, ...] = ()
    """Names of steps that do not fit the project any more."""

    @property
    def dropped_words(self) -> str:
        """What is said of steps that were dropped; empty if there were none."""
        count = len(self.dropped)
        if not count:
            return ""
        names = ", ".join(f"“{name}”" for name in self.dropped[:2])
        more = f" and {count - 2} more" if count > 2 else ""
        return f"Somebody else changed the project since, so {names}{more} can no longer be undone"


def history_file(folder: Path, location: Path | str) -> Path:
    """Where the steps of a project are kept.

    Args:
        folder: Of this user, for all projects.
        location: The project's file or URL.
    """
    return folder / f"{hashlib.sha256(os.fsencode(location)).hexdigest()[:16]}.sqlite"


class Noted(NamedTuple):
    """Where a project was when its steps were written."""

    steps: Sequence[UndoStep]
    done: int
    """How many of them were done."""

    change_id: int
    """Newest change of the project's file that the steps know of."""

    author: str
    """Who did the steps."""


def read_history(
    file: Path,
    project: Project,
    changes_since: Callable[[int], Sequence[Change]],
) -> History:
    """The steps that fit a project as it is now; none if they cannot be read.

    Of somebody else's only those that ``shared`` leaves.

    Args:
        file: See ``history_file``.
        project: As it is in its file.
        changes_since: Number of a change → those that came after it, in order.
    """
    if not file.is_file():
        return History()
    try:
        # For writing: what a killed program left half written is rolled back first.
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True)) as connection:
            if connection.execute("PRAGMA user_version").fetchone() != (_FORMAT,):
                return History()
            rows = connection.execute("SELECT text, data FROM steps ORDER BY place").fetchall()
            ((done, change_id, author),) = connection.execute("SELECT * FROM state").fetchall()
            steps = [UndoStep(str(text), data=bytes(data)) for text, data in rows]
            noted = Noted(steps, min(max(int(done), 0), len(steps)), int(change_id), str(author))
    except Exception:  # whatever SQLite finds wrong with it
        _LOG.warning("%s: the steps of undo cannot be read", file, exc_info=True)
        return History()
    is_theirs = noted.author != project.team.viewer
    kept = shared(noted.steps, noted.done) if is_theirs else (noted.steps, noted.done)
    since = changes_since(noted.change_id)
    is_ours = bool(since) and all(change.author == noted.author for change in since)
    return fitting(*kept, project, since[-1].text if is_ours else "")


def shared(steps: Sequence[UndoStep], done: int) -> tuple[tuple[UndoStep, ...], int]:
    """Those of somebody's steps that another person may take, and how many of them are done.

    The others would say what somebody else has answered or scored, or take it back.
    """
    ours = [not _is_of_one(step) for step in steps]
    return tuple(compress(steps, ours)), sum(ours[:done])


def _is_of_one(step: UndoStep) -> bool:
    """Whether it has labels of two, scores, or what somebody begins to write to a rater.

    One that cannot be read is dropped later.
    """
    try:
        return not {DOUBLE_LABEL, SHEET, COMPARISON, SCORE_DRAFT}.isdisjoint(step.difference)
    except ValueError:
        return False


def fitting(steps: Sequence[UndoStep], done: int, project: Project, lost: str = "") -> History:
    """Those of some steps that fit a project as it is now.

    Steps are compared from the newest to the oldest: one that changed an item which is not as
    the step left it is dropped, and with it the older ones that changed the same item.

    Args:
        steps: In order.
        done: How many of them were done, as far as that is known.
        project: As it is.
        lost: Name of a last step by the same person that was not kept any more, because the
            program was killed; one that does the same takes its place.
    """
    place = _place(steps, done, project)
    if place is None:
        place = done
        if lost and (bridge := _bridge(steps, done, project, lost)):
            steps, place = (*steps[:done], bridge), done + 1
    kept: list[UndoStep] = []
    dropped: list[str] = []
    overlay = Retrace(project)
    for step in reversed(steps[:place]):
        if _fits(overlay, step, forward=False):
            kept.insert(0, step)
        else:
            dropped.insert(0, step.text)
    overlay = Retrace(project)
    undone = list(takewhile(partial(_fits, overlay, forward=True), steps[place:]))
    return History((*kept, *undone), len(kept), tuple(dropped))


def _bridge(steps: Sequence[UndoStep], done: int, project: Project, text: str) -> UndoStep | None:
    """A step from where known steps end to the project as it is, for the items they changed."""
    left: dict[tuple[ItemKind, Any], Any] = {}
    for step in steps[done:]:
        for kind, key, change in _changes(step):
            left.setdefault((kind, key), change.before)
    for step in steps[:done]:
        for kind, key, change in _changes(step):
            left[kind, key] = change.after
    found: dict[ItemKind, dict[Any, ItemChange]] = {}
    for (kind, key), value in left.items():
        items = items_of(kind, project)
        now = items.get(key, ABSENT)
        if now != value:
            last = next(reversed(items), None)
            found.setdefault(kind, {})[key] = ItemChange(value, now, last)
    return UndoStep(text, data=packed(found)) if found else None


def _changes(step: UndoStep) -> Iterator[tuple[ItemKind, Any, ItemChange]]:
    with suppress(ValueError):  # one that is damaged is dropped later
        for kind, changes in step.difference.items():
            for key, change in changes.items():
                yield kind, key, change


def _place(steps: Sequence[UndoStep], done: int, project: Project) -> int | None:
    """How many steps the project has; killed in the middle, the file may lag behind it."""
    near = range(max(0, done - _MOST_BEHIND), min(len(steps), done + _MOST_BEHIND) + 1)
    for place in sorted(near, key=lambda place: abs(place - done)):
        is_done = place == 0 or _fits(Retrace(project), steps[place - 1], forward=False)
        if is_done and (place == len(steps) or _fits(Retrace(project), steps[place], forward=True)):
            return place
    return None


def _fits(overlay: Retrace, step: UndoStep, *, forward: bool) -> bool:
    try:
        return overlay.take(step.difference, forward=forward)
    except ValueError:
        return False


class HistoryFile:
    """Keeps the steps of one project; for one thread at a time.

    Args:
        file: See ``history_file``.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._places: dict[UndoStep, int] | None = None
        """Where each step stands in the file; ``None`` while that is not known."""

        self._next_place = 0

    def write(self, noted: Noted) -> None:
        """Make the file hold the last of some steps, in one transaction.

        After a failure the next time writes them all: the file may have been removed, as it is
        here if it is damaged.

        Raises:
            OSError: If the folder cannot be made.
            sqlite3.Error: If the file cannot be written.
        """
        steps, done = _bounded(noted.steps, noted.done)
        known, self._places = self._places, None
        self._file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(sqlite3.connect(self._file, timeout=10.0)) as connection:
                if known is None:
                    self._begin(connection)
                state = (done, noted.change_id, noted.author)
                self._places = self._put(connection, steps, known, state)
        except sqlite3.DatabaseError as error:
            if sqlite_code(error) in _DAMAGED:
                self._file.unlink()
            raise

    def _put(
        self,
        connection: sqlite3.Connection,
        steps: Sequence[UndoStep],
        known: Mapping[UndoStep, int] | None,
        state: tuple[int, int, str],
    ) -> dict[UndoStep, int]:
        """Write what is not known to be in the file; the place of each step."""
        there = known or {}
        new = [step for step in steps if step not in there]
        added = {step: self._next_place + i for i, step in enumerate(new)}
        places = {step: added[step] if step in added else there[step] for step in steps}
        gone = [(place,) for step, place in there.items() if step not in places]
        rows = [(place, step.text, step.data) for step, place in added.items()]
        with connection:
            if known is None:
                connection.execute("DELETE FROM steps")
            connection.executemany("DELETE FROM steps WHERE place = ?", gone)
            connection.executemany("INSERT INTO steps VALUES (?, ?, ?)", rows)
            connection.execute("DELETE FROM state")
            connection.execute("INSERT INTO state VALUES (?, ?, ?)", state)
        self._next_place += len(new)
        return places

    def _begin(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in {0, _FORMAT}:
            connection.executescript("DROP TABLE IF EXISTS steps; DROP TABLE IF EXISTS state;")
        connection.executescript(f"{_TABLES}PRAGMA user_version = {_FORMAT};")
        others = sorted(self._file.parent.glob("*.sqlite"), key=lambda f: f.stat().st_mtime)
        for old in others[:-_MOST_FILES]:
            if old != self._file:
                with suppress(OSError):
                    old.unlink()


class HistoryKeeper:
    """Writes steps on a thread of its own; only the newest state counts.

    Args:
        file: See ``history_file``.
    """

    def __init__(self, file: Path) -> None:
        self._file = HistoryFile(file)
        self._name = str(file)
        self._thread = ThreadPoolExecutor(1, "undo steps")
        self._lock = Lock()
        self._newest: Noted | None = None
        self._is_writing = False

    @property
    def is_busy(self) -> bool:
        """Whether something is not written yet."""
        with self._lock:
            return self._newest is not None or self._is_writing

    def keep(self, noted: Noted) -> None:
        """Have the file hold these steps soon; returns at once."""
        with self._lock:
            is_waiting, self._newest = self._newest is not None, noted
        if not is_waiting:
            self._thread.submit(self._write)

    def close(self) -> None:
        """Wait until everything is written."""
        self._thread.shutdown()

    def _write(self) -> None:
        with self._lock:
            wanted, self._newest = self._newest, None
            self._is_writing = True
        try:
            if wanted is not None:
                self._file.write(wanted)
        except (OSError, sqlite3.Error):
            _LOG.warning("%s: the steps of undo are not kept", self._name, exc_info=True)
        finally:
            with self._lock:
                self._is_writing = False


def _bounded(steps: Sequence[UndoStep], done: int) -> tuple[list[UndoStep], int]:
    """The newest steps that may be kept, and how many of those are done.

    One that is too large, or cannot be written, ends what is kept: nobody could undo past it.
    """
    last = min(len(steps), max(done, MOST_STEPS))
    first, size = last, 0
    while first > 0 and last - first < MOST_STEPS:
        try:
            size += len(steps[first - 1].data)
        except TypeError:
            break
        if size > MOST_BYTES:
            break
        first -= 1
    return list(steps[first:last]), max(0, done - first)
