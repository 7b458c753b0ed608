"""The project database as the rest of Waypost sees it: load a state, save a difference.

A save is one transaction that touches only the rows that differ. See ``database`` for what a
commit survives.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Generator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy.exc import IntegrityError

from waypost.domain.base.errors import ConflictError, ReadError, StoreError
from waypost.domain.base.progress import Progress, Work, exhaust
from waypost.domain.project import Project
from waypost.store.attachments import (
    digest_of,
    drop_attachments,
    get_attachment,
    put_attachments,
    unused_attachments,
)
from waypost.store.conflicts import (
    Conflict,
    StaleRowsError,
    conflicts,
    find_conflict,
    given_answers,
    not_allowed,
)
from waypost.store.database import sentence
from waypost.store.difference import KindDifference, project_difference
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import (
    COMPARISON,
    DOUBLE_LABEL,
    KINDS,
    SCORE_DRAFT,
    SHEET,
    TASK,
)
from waypost.store.loaded_rows import note_rows
from waypost.store.migration import (
    MIGRATIONS,
    bring_up_to_date,
    schema_version,
)
from waypost.store.new_project import Clock, create_file, fill
from waypost.store.project_database import ProjectDatabase
from waypost.store.project_loading import loading_rows
from waypost.store.row_reading import (
    changes_after,
)
from waypost.store.row_writing import Change, close_gaps, write_change
from waypost.store.score_news import NEWS_KINDS, ScoreNews, with_news
from waypost.store.seen import Seen, read_seen, with_seen
from waypost.store.untold_writes import UntoldWrite, UntoldWrites

_KEPT_UNUSED: Final = timedelta(days=30)
_HIDDEN_TEXTS: Final = {
    DOUBLE_LABEL: "Label passages that two label",
    SHEET: "Score instructions",
    COMPARISON: "Score instructions",
    SCORE_DRAFT: "Score instructions",
}
"""What a change is called that touches what others may not see: all see that, and its own name
would tell."""


def utc_now() -> datetime:
    """The clock of everyday use."""
    return datetime.now(UTC)


class ProjectStore:
    """One project in its file, or on a PostgreSQL server.

    Not for two threads at once; it may be opened in one and used in another. ``loaded_change`` has
    number and time of the newest change of the project as it was loaded.
    """

    def __init__(
        self, database: ProjectDatabase, root: Path, clock: Clock, viewer: str = ""
    ) -> None:
        self._database = database
        self._viewer, self._root, self._clock = viewer, root, clock
        self._versions: dict[ItemKind, dict[Any, int]] = {kind: {} for kind in KINDS}
        self._ordinals: dict[ItemKind, dict[Any, int]] = {kind: {} for kind in KINDS}
        self.loaded_change: tuple[int, str] | None = None
        self._team_change = 0
        self._written: dict[tuple[str, str], int] = {}
        self._task_places: Sequence[int] = ()
        self._untold = UntoldWrites()

    @classmethod
    def create(
        cls,
        location: Path | str,
        project: Project,
        author: str,
        *,
        clock: Clock = utc_now,
        overwrite: bool = False,
    ) -> ProjectStore:
        """Write a new project, whole or not at all, and open it.

        Args:
            location: A file, or the URL ``postgresql://…`` of a database without a project.
            project: What it holds at first.
            author: Who makes it.
            clock: Gives the time of each change.
            overwrite: Whether an existing file is replaced.

        Raises:
            StoreError: If it exists and ``overwrite`` is not set, or cannot be written.
        """
        if _is_url(location):
            with contextlib.closing(ProjectDatabase(location)) as database:
                with database.reading() as connection:
                    if schema_version(connection) is not None:
                        raise StoreError(database.title, "file", "holds a project already")
                fill(database, project, author, clock)
        else:
            create_file(Path(location), project, author, clock, overwrite=overwrite)
        created = cls.open(location, clock=clock)
        created.load()
        return created

    @classmethod
    def open(
        cls,
        location: Path | str,
        *,
        root: Path | None = None,
        clock: Clock = utc_now,
        viewer: str = "",
        migrations: Path = MIGRATIONS,
    ) -> ProjectStore:
        """Open a project; an older one is brought up to date, see ``bring_up_to_date``.

        Args:
            location: A file, or a URL ``postgresql://…``.
            root: Folder that relative paths resolve against; by default the file's folder,
                for a URL the folder Waypost was started in.
            clock: Gives the time of each change.
            viewer: Who looks: labels of others that they may not see are not read. On a server
                it is who is logged in there, where they are one of the project's people.
            migrations: The alembic folder.

        Raises:
            ReadError: If it is no project, damaged, or written by a newer Waypost.
            StoreError: If it cannot be reached or another program keeps it locked.
        """
        if _is_url(location):
            database = ProjectDatabase(location)
            folder = Path.cwd()
        else:
            file = Path(location).absolute()
            database, folder = ProjectDatabase(file, title=str(location)), file.parent
        try:
            database.check_file()
            bring_up_to_date(database, migrations)
        except BaseException:
            database.close()
            raise
        return cls(database, root or folder, clock, viewer)

    @property
    def location(self) -> Path | str:
        """The file, or the URL, of the project."""
        return self._database.location

    @property
    def is_on_server(self) -> bool:
        """Whether it is in a database of a server, and not in a file of its own."""
        return isinstance(self.location, str)

    @property
    def root(self) -> Path:
        """The folder that relative paths of the project resolve against."""
        return self._root

    @property
    def is_read_only(self) -> bool:
        """Whether the project could not be written when it was last tried."""
        return self._database.is_read_only

    def load(self) -> Project:
        """Read the whole project as it is in the file now.

        Raises:
            ReadError: If something in it cannot be used; nothing is left out silently.
            StoreError: If the file cannot be reached.
        """
        return exhaust(self.loading())

    def loading(self) -> Generator[Progress, None, Project]:
        """Read the whole project step by step; this store is as before until the last step.

        Yields:
            Rows read and rows in all. The file is locked only while rows are fetched, not while
            they are made into values.

        Returns:
            The project as it is in the file now.

        Raises:
            ReadError: If something in it cannot be used; nothing is left out silently.
            StoreError: If the file cannot be reached.
        """
        database = self._database.again()
        project, rows, places = yield from loading_rows(database, self._viewer)
        self._database.close()
        self._database = database
        for kind, read in rows.items():
            note_rows(self._versions[kind], self._ordinals[kind], read)
        self.loaded_change, self._team_change = database.known_change, self.newest_change
        self._task_places = places
        return project

    def look(self, places: Collection[tuple[str, str]], *, at_labels: bool) -> Seen:
        """Read what others have said meanwhile; it is known here once ``with_seen`` has taken it.

        Args:
            places: Batch and item, or pair, of scores.
            at_labels: Whether to read what was said of passages since that was last taken.

        Raises:
            ReadError: If something in the project cannot be used.
            StoreError: If it cannot be reached.
        """
        with self._database.reading() as connection:
            known = self._team_change if at_labels else None
            return read_seen(self._database, connection, known, places)

    def with_seen(self, project: Project, seen: Seen) -> Project:
        """The project with what its viewer may see of what was read.

        Args:
            project: As it is in the file, and as it was when that was read.
            seen: From ``look``.
        """
        if seen.labels is not None:
            self._team_change = self.newest_change
        return with_seen(project, seen, self._versions, self._ordinals)

    def with_score_news(self, project: Project, news: ScoreNews) -> Project:
        """The project with what others have changed of scores meanwhile; see ``with_news``."""
        return with_news(project, news.known_of(self._written), self._versions, self._ordinals)

    def save(self, before: Project, after: Project, author: str, text: str = "") -> None:
        """Write what differs between two states, in one transaction.

        Args:
            before: The state last loaded or saved through this object.
            after: The state wanted in the file.
            author: Who made the change.
            text: What the change is called, for the history.

        Raises:
            ConflictError: If somebody else changed one of the same items; nothing is written.
            StoreError: If it cannot be written; the file stays as it was.
        """
        difference = project_difference(before, after, self._ordinals)
        if difference:
            hidden = (_HIDDEN_TEXTS[p.kind] for p in difference if p.kind in _HIDDEN_TEXTS)
            change = Change(author, self._clock().astimezone(UTC).isoformat(), next(hidden, text))
            try:
                self._write(UntoldWrite(after, difference, change))
            except ConflictError:
                self._untold.refuse()
                raise
            self._untold.clear()

    @property
    def is_unsure(self) -> bool:
        """Whether a server has not said how a save ended."""
        return bool(self._untold)

    def known_again(self, before: Project) -> Project:
        """The state on the server, once that can say how the last saves ended.

        A connection may break when the server has everything and has not said so yet, or gets it
        a moment later.

        Args:
            before: What the server had before them.

        Raises:
            ReadError: If the project cannot be read.
            StoreError: If it cannot be reached.
        """
        if self._untold and (found := self._untold.settle(self._database, self.newest_change)):
            self._note_written(*found)
            return found[0].after
        return before

    @property
    def newest_change(self) -> int:
        """Number of the newest change that this writer has read or made; 0 for none."""
        return 0 if self._database.known_change is None else self._database.known_change[0]

    def changes_since(self, change_id: int) -> tuple[Change, ...]:
        """What was changed after a change, by anybody, in order.

        Raises:
            ReadError: If the file is damaged.
            StoreError: If it cannot be reached.
        """
        with self._database.reading() as connection:
            return changes_after(connection, change_id)

    def put_attachments(self, parts: Sequence[bytes]) -> tuple[str, ...]:
        """Keep large parts beside the rows, before the measure or drive that refers to them.

        Args:
            parts: The bytes of each; one that is there already is not written again.

        Returns:
            What to refer to each by.

        Raises:
            StoreError: If they cannot be written.
        """
        if parts:
            time_utc = self._clock().astimezone(UTC).isoformat()
            try:
                with self._database.writing() as connection:
                    put_attachments(connection, parts, time_utc)
            except IntegrityError as error:
                # Another attempt to write the same has come there in between.
                raise StoreError(self._database.title, "attachments", sentence(error)) from error
        return tuple(map(digest_of, parts))

    def attachment(self, digest: str) -> bytes | None:
        """A large part that was kept; ``None`` if it is not there.

        Raises:
            ReadError: If its bytes are damaged.
            StoreError: If the file cannot be reached.
        """
        with self._database.reading() as connection:
            return get_attachment(connection, digest)

    def attachment_work(self, digest: str) -> Work[bytes | None]:
        """As ``attachment``, over a connection of its own, so that a job can do it meanwhile."""
        yield Progress(0.0, 0.0, f"Reading from {self._database.title}")
        again = contextlib.closing(self._database.again())
        with again as database, database.reading() as connection:
            return get_attachment(connection, digest)

    def forget_attachments(self, project: Project) -> None:
        """Forget large parts that nothing has referred to for a month; they only take room.

        Args:
            project: As it is in the file.

        Raises:
            ReadError: If the file is damaged.
            StoreError: If it cannot be written.
        """
        wanted = [measure.picture for measure in project.measures.values()]
        wanted += [drive.track for drive in project.drives.values()]
        before = (self._clock().astimezone(UTC) - _KEPT_UNUSED).isoformat()
        with self._database.reading() as connection:
            unused = unused_attachments(connection, wanted, before)
        if unused and not self.is_read_only:
            with self._database.writing() as connection:
                # Asked once more, as another window may have written in between.
                drop_attachments(connection, unused_attachments(connection, wanted, before))

    def conflicts(self, before: Project, after: Project) -> tuple[Conflict, ...]:
        """Which items keep a difference from being saved, because somebody else changed them.

        Args:
            before: As in ``save``.
            after: As in ``save``.

        Raises:
            ReadError: If the file is damaged.
            StoreError: If it cannot be reached.
        """
        difference = project_difference(before, after, self._ordinals)
        with self._database.reading() as connection:
            found = tuple(conflicts(connection, difference, self._versions))
        return found or (tuple(given_answers(difference)) if self.is_on_server else ())

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _write(self, save: UntoldWrite) -> None:
        difference, change = save.difference, save.change
        places = self._task_places if any(part.kind is TASK for part in difference) else ()
        try:
            with self._database.writing() as connection:
                if self.is_on_server:
                    self._untold.begin(connection, save)
                close_gaps(connection, places)
                change_id = write_change(
                    connection, self._database.title, difference, self._versions, change
                )
        except (IntegrityError, StaleRowsError) as error:
            raise _conflict(self._database, difference, self._versions) from error
        except StoreError as error:
            raise not_allowed(error, difference) from error.__cause__
        self._note_written(save, change_id)

    def _note_written(self, save: UntoldWrite, change_id: int) -> None:
        self._database.known_change = (change_id, save.change.time_utc)
        if any(part.kind is TASK for part in save.difference):
            self._task_places = ()
        for part in save.difference:
            self._remember(part, change_id)

    def _remember(self, part: KindDifference, change_id: int) -> None:
        versions, ordinals = self._versions[part.kind], self._ordinals[part.kind]
        for key in part.removed:
            del versions[key], ordinals[key]
        versions.update(dict.fromkeys((*part.added, *part.changed), change_id))
        if part.kind in NEWS_KINDS:
            keys = (*part.added, *part.changed, *part.removed)
            self._written.update(dict.fromkeys((key[:2] for key in keys), change_id))
        ordinals.update(part.ordinals)


def _is_url(location: Path | str) -> bool:
    return isinstance(location, str) and location.startswith("postgresql")


def _conflict(
    database: ProjectDatabase,
    difference: tuple[KindDifference, ...],
    versions: Mapping[ItemKind, Mapping[Any, int]],
) -> StoreError:
    try:
        with database.reading() as connection:
            return find_conflict(connection, database.title, difference, versions)
    except ReadError as error:
        return StoreError(error.file, error.place, error.reason)
