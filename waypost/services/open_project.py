"""Opens a project and reads it whole, as one job with progress and cancel."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from waypost.documents.kept_steps import History, history_file, read_history
from waypost.domain.base.errors import StoreError
from waypost.domain.base.progress import Progress
from waypost.domain.project import Project
from waypost.store.presence import Presence
from waypost.store.project_store import ProjectStore


@dataclass(frozen=True, eq=False, slots=True)
class LoadedProject:
    """A project that is ready to be shown."""

    store: ProjectStore
    """Without a connection: its next use makes one, in the thread that uses it."""

    project: Project
    """As it was in the file when it was read."""

    history: History = field(default_factory=History)
    """Steps of before that can be undone."""

    presence: Presence | None = None
    """Says on a server that it is open here; let go of with the last reference."""


def open_project_job(
    location: Path | str,
    *,
    root: Path | None = None,
    steps: Path | None = None,
    viewer: str = "",
) -> Generator[Progress, None, LoadedProject]:
    """Open a project, bring an older one up to date, and read it.

    Nothing that is open changes before the result is taken over by the caller.

    Args:
        location: A file, or a URL ``postgresql://…``.
        root: Folder that relative paths resolve against, where it is not the usual one.
        steps: Folder of the steps of undo, where they are kept.
        viewer: Who opens it; see ``ProjectStore.open``.

    Yields:
        Rows read and rows in all.

    Returns:
        The project and where it is kept.

    Raises:
        ReadError: If it is no project, damaged, or written by a newer Waypost.
        StoreError: If it cannot be reached or another program keeps it locked.
    """
    yield Progress(0.0, 0.0, f"Opening {location}")
    store = ProjectStore.open(location, root=root, viewer=viewer)
    history = History()
    try:
        project = yield from store.loading()
        with suppress(StoreError):
            store.forget_attachments(project)
        if steps is not None:
            file = history_file(steps, store.location)
            history = read_history(file, project, store.changes_since)
    finally:
        # A result that nobody takes over any more must leave nothing open.
        store.close()
    return LoadedProject(store, project, history, Presence.at(store.location))
