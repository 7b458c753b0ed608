"""Fails the test that leaves a project's database open; from Python 3.13 on that warns later."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection

from waypost.store.project_database import ProjectDatabase
from waypost.store.project_store import ProjectStore


@pytest.fixture(autouse=True)
def no_project_stays_open(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every connection that the test, or the program in it, made is closed at its end."""
    connections: list[tuple[str, Connection]] = []
    connect = ProjectDatabase._connect

    def noted(database: ProjectDatabase) -> Connection:
        connection = connect(database)
        connections.append((database.title, connection))
        return connection

    monkeypatch.setattr(ProjectDatabase, "_connect", noted)
    yield
    left = [(title, connection) for title, connection in connections if not connection.closed]
    for _, connection in left:
        connection.close()
    assert not left, f"left open: {[title for title, _ in left]}"


@pytest.fixture
def close_stores(no_project_stays_open: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Closes the stores that a test opens, so that it need not."""
    stores: list[ProjectStore] = []
    make = ProjectStore.__init__

    def noted(store: ProjectStore, *arguments: object) -> None:
        make(store, *arguments)
        stores.append(store)

    monkeypatch.setattr(ProjectStore, "__init__", noted)
    yield
    for store in stores:
        store.close()
