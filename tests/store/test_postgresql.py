"""Runs where ``WAYPOST_TEST_POSTGRESQL`` is the URL of a database on a server."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from project_strategies import projects
from sqlalchemy import create_engine, make_url, text

from waypost.domain.base.errors import ConflictError, StoreError
from waypost.domain.project import Project
from waypost.store.project_store import ProjectStore

URL = os.environ.get("WAYPOST_TEST_POSTGRESQL", "")
needs_server = pytest.mark.skipif(
    not URL, reason="WAYPOST_TEST_POSTGRESQL names no server; scripts/with_postgresql.sh makes one"
)


@pytest.fixture
def empty_database() -> Iterator[str]:
    """A schema of its own, so that nothing else on the server is touched."""
    schema = f"waypost_test_{uuid.uuid4().hex}"
    address = make_url(URL).set(drivername="postgresql+psycopg")
    engine = create_engine(address)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    inside = address.update_query_dict({"options": f"-csearch_path={schema}"})
    yield inside.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


def test_a_missing_driver_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'waypost\[postgresql\]'"):
        ProjectStore.open("postgresql://ana:secret@localhost/house")


@needs_server
def test_a_project_on_a_server_is_made_once_and_reads_the_same(empty_database: str) -> None:
    store = ProjectStore.create(empty_database, Project("start"), "ana")
    assert not store.is_read_only
    with pytest.raises(StoreError, match="holds a project already"):
        ProjectStore.create(empty_database, Project(), "ana")
    current = [store.load()]

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(project=projects())
    def saves(project: Project) -> None:
        store.save(current[0], project, "ana")
        current[0] = project
        loaded = store.load()
        assert loaded == project
        assert list(loaded.graph.nodes) == list(project.graph.nodes)

    saves()
    store.close()


@needs_server
def test_the_second_writer_on_a_server_is_refused(empty_database: str) -> None:
    first = ProjectStore.create(empty_database, Project("start"), "ana")
    second = ProjectStore.open(empty_database)
    a, b = first.load(), second.load()
    first.save(a, replace(a, name="ana's"), "ana")
    with pytest.raises(ConflictError, match="the project's name was changed by ana"):
        second.save(b, replace(b, name="ben's"), "ben")
    second.save(b, replace(b, scene_up_axis="Z"), "ben")
    assert second.load() == Project("ana's", scene_up_axis="Z")
    first.close()
    second.close()
