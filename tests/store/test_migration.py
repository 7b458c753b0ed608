from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateTable

from waypost.domain.errors import ReadError, StoreError
from waypost.domain.project import Project
from waypost.store.database import sqlite_engine
from waypost.store.migration import MIGRATIONS, latest_version
from waypost.store.project_store import ProjectStore
from waypost.store.schema import METADATA

REVISION_2 = '''"""A second version, as the next Waypost might ship."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade():
    op.add_column("nodes", sa.Column("colour", sa.Text()))
    {last}
'''


def migrations_with(folder: Path, last: str) -> Path:
    """The shipped migrations and one more."""
    shutil.copytree(MIGRATIONS, folder)
    (folder / "versions" / "0002_next.py").write_text(REVISION_2.format(last=last))
    return folder


def columns(file: Path, table: str) -> list[str]:
    connection = sqlite3.connect(file)
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.close()
    return names


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "house.waypost"
    ProjectStore.create(file, Project("House"), "ana").close()
    return file


def test_the_migrations_make_exactly_the_tables_the_code_uses(file: Path) -> None:
    engine = sqlite_engine(file, "ro")
    with engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection), METADATA)
    engine.dispose()
    assert found == []


@pytest.mark.parametrize("table", METADATA.sorted_tables, ids=lambda table: table.name)
def test_every_column_type_exists_in_both_databases(table) -> None:
    words = {"TEXT", "INTEGER", "BIGINT", "BOOLEAN", "FLOAT", "DOUBLE PRECISION", "SERIAL"}
    for dialect in (sqlite.dialect(), postgresql.dialect()):
        assert {column.type.compile(dialect).split("(")[0] for column in table.c} <= words
        assert str(CreateTable(table).compile(dialect=dialect)).startswith("\nCREATE TABLE")


def test_the_version_is_a_number(file: Path) -> None:
    assert ProjectStore.open(file).schema_version() == latest_version() == 1


def test_an_older_file_is_copied_then_brought_up_to_date(file: Path, tmp_path: Path) -> None:
    newer = migrations_with(tmp_path / "migrations", last="pass")
    store = ProjectStore.open(file, migrations=newer)
    assert store.schema_version() == 2
    assert store.load() == Project("House")
    store.close()
    copy = tmp_path / "house.version-1.waypost"
    assert "colour" in columns(file, "nodes")
    assert "colour" not in columns(copy, "nodes")
    assert ProjectStore.open(copy).load() == Project("House")


def test_an_earlier_copy_is_not_overwritten(file: Path, tmp_path: Path) -> None:
    (tmp_path / "house.version-1.waypost").write_text("mine")
    ProjectStore.open(file, migrations=migrations_with(tmp_path / "m", last="pass")).close()
    assert (tmp_path / "house.version-1.waypost").read_text() == "mine"
    assert ProjectStore.open(tmp_path / "house.version-1-2.waypost").load().name == "House"


def test_a_migration_that_fails_changes_nothing(file: Path, tmp_path: Path) -> None:
    broken = migrations_with(tmp_path / "m", last="raise RuntimeError('broken')")
    with pytest.raises(RuntimeError, match="broken"):
        ProjectStore.open(file, migrations=broken)
    assert "colour" not in columns(file, "nodes")
    assert ProjectStore.open(file).load() == Project("House")


def test_a_file_of_a_newer_waypost_is_refused_untouched(file: Path, tmp_path: Path) -> None:
    ProjectStore.open(file, migrations=migrations_with(tmp_path / "m", last="pass")).close()
    content = file.read_bytes()
    with pytest.raises(
        ReadError, match="version 2 is from a newer Waypost; this one reads up to 1"
    ):
        ProjectStore.open(file)
    assert file.read_bytes() == content


def test_without_room_for_the_copy_nothing_is_changed(file: Path, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="needs RLIMIT_FSIZE")
    newer = migrations_with(tmp_path / "m", last="pass")
    content = file.read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
    try:
        with pytest.raises(StoreError, match="no copy of the older project could be kept"):
            ProjectStore.open(file, migrations=newer)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert file.read_bytes() == content
    assert not list(tmp_path.glob("*version-1*"))
