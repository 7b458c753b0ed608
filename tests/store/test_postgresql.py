"""Runs where ``WAYPOST_TEST_POSTGRESQL`` is the URL of a database on a server."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from fixtures.older_projects import migrations_until, rows_of_version_4, rows_of_version_9
from fixtures.project_strategies import projects
from fixtures.server_schemas import needs_server, server_schema
from hypothesis import HealthCheck, given, settings
from sqlalchemy import (
    Connection,
    MetaData,
    create_engine,
    insert,
    inspect,
    make_url,
    select,
    text,
)
from stored_rows import change_rows
from value_types import check_types

from waypost.domain.base.errors import ConflictError, StoreError
from waypost.domain.project import Project
from waypost.store import database
from waypost.store.database import postgresql_engine
from waypost.store.migration import latest_version, schema_version, upgrade
from waypost.store.project_store import ProjectStore
from waypost.store.schema import METADATA

pytestmark = pytest.mark.heavy


@pytest.fixture
def empty_database() -> Iterator[str]:
    """A schema of its own, so that nothing else on the server is touched."""
    with server_schema() as place:
        address = make_url(place).set(drivername="postgresql+psycopg")
        yield address.render_as_string(hide_password=False)


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


@needs_server
def test_nobody_waits_for_ever_for_rows_that_somebody_writes(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where another program was cut off in the middle of that."""
    waits = database._SERVER_WAITS
    assert "lock_timeout = '2s'" in waits
    monkeypatch.setattr(database, "_SERVER_WAITS", waits.replace("'2s'", "'50ms'"))
    store = ProjectStore.create(empty_database, Project("start"), "ana")
    with postgresql_engine(empty_database, "house").connect() as other:
        other.execute(text("UPDATE facts SET row_version = row_version"))
        with pytest.raises(StoreError, match="somebody else is writing the same"):
            store.save(Project("start"), Project("end"), "ana")
    store.save(Project("start"), Project("end"), "ana")
    assert store.load().name == "end"
    store.close()


def test_a_server_that_is_gone_is_given_up_unless_its_address_says_otherwise() -> None:
    waits = postgresql_engine("postgresql://ana@host/house?connect_timeout=3", "house").url.query
    assert waits["connect_timeout"] == "3"
    assert waits["tcp_user_timeout"] == "30000"


@needs_server
def test_large_parts_are_kept_on_a_server(empty_database: str) -> None:
    store = ProjectStore.create(empty_database, Project("start"), "ana")
    (digest,) = store.put_attachments([b"\0\xff picture"])
    assert store.put_attachments([b"\0\xff picture"]) == (digest,)
    store.close()
    other = ProjectStore.open(empty_database)
    assert other.attachment(digest) == b"\0\xff picture"
    assert other.attachment("of nothing") is None
    other.close()


@contextmanager
def changing(database: str) -> Iterator[Connection]:
    """A connection whose changes are there when it ends."""
    engine = create_engine(database)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def copy_to_server(file: Path, database: str, folder: Path, version: int = 4) -> None:
    """The rows of a file of a version in tables that the migrations up to it make on a server."""
    with changing(database) as server, changing(f"sqlite:///{file}") as source:
        upgrade(server, migrations_until(version, folder))
        tables = MetaData()
        tables.reflect(server)
        for table in tables.sorted_tables:
            rows = [dict(row) for row in source.execute(select(table)).mappings()]
            for row in rows if table.name == "changes" else ():
                # The server counts these itself.
                del row["change_id"]
            if rows and table.name != "alembic_version":
                server.execute(insert(table), rows)


@needs_server
def test_an_older_project_opens_on_a_server_as_in_a_file(
    empty_database: str, tmp_path: Path
) -> None:
    file = rows_of_version_4(tmp_path)
    change_rows(file, "UPDATE tasks SET question = char(64976) || '\"a\\u0000b \\ud800\"'")
    copy_to_server(file, empty_database, tmp_path)
    in_file, store = ProjectStore.open(file), ProjectStore.open(empty_database)
    loaded = store.load()
    assert loaded == in_file.load()
    assert [task.question for task in loaded.tasks] == ["a\0b \ud800"]
    check_types(loaded)
    store.save(loaded, replace(loaded, tasks=(), labels={}), "ben", "Go on")
    assert store.load() == replace(loaded, tasks=(), labels={})
    for opened in (in_file, store):
        opened.close()
    with changing(empty_database) as connection:
        assert schema_version(connection) == latest_version()
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


@needs_server
def test_a_project_whose_server_hid_labels_hides_scores_once_it_is_up_to_date(
    empty_database: str, tmp_path: Path
) -> None:
    file = rows_of_version_9(tmp_path)
    change_rows(file, "UPDATE changes SET text = 'Skip an instruction' WHERE change_id = 1")
    copy_to_server(file, empty_database, tmp_path, 9)
    with changing(empty_database) as connection:
        connection.execute(text("ALTER TABLE double_labels ENABLE ROW LEVEL SECURITY"))
    in_file, store = ProjectStore.open(file), ProjectStore.open(empty_database)
    assert store.load() == in_file.load()
    for opened in (in_file, store):
        opened.close()
    hidden = "SELECT relname FROM pg_class WHERE relrowsecurity AND relnamespace ="
    hidden += " current_schema()::regnamespace ORDER BY 1"
    with changing(empty_database) as connection:
        assert connection.execute(text(hidden)).scalars().all() == [
            "comparisons", "double_labels", "final_labels", "history", "item_origins",
            "score_drafts", "sheets",
        ]  # fmt: skip
        texts = connection.execute(text("SELECT text FROM changes ORDER BY change_id"))
        assert texts.scalars().first() == "Score instructions"
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


@needs_server
def test_an_older_project_on_a_server_that_cannot_be_brought_up_to_date_stays(
    empty_database: str, tmp_path: Path
) -> None:
    copy_to_server(rows_of_version_4(tmp_path), empty_database, tmp_path)
    with changing(empty_database) as connection:
        connection.execute(text("UPDATE nodes SET extra = '[' WHERE node_id = 'node_2'"))
    message = "version 4 cannot be brought up to date: nodes, row 2: Expecting value"
    with pytest.raises(StoreError, match=message):
        ProjectStore.open(empty_database)
    with changing(empty_database) as connection:
        assert schema_version(connection) == 4
        assert "x_m" in {column["name"] for column in inspect(connection).get_columns("nodes")}
        assert connection.execute(text("SELECT count(*) FROM nodes")).scalar() == 2
