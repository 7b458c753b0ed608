"""Which version a project database has, and how an older one is brought up to date."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from waypost.domain.base.errors import ReadError, StoreError
from waypost.store.database import for_writing, image_engine, image_of, sentence
from waypost.store.project_database import ProjectDatabase
from waypost.store.row_security import hide_again
from waypost.store.schema import METADATA

MIGRATIONS: Final = Path(__file__).parent / "migrations"
"""The alembic folder; revisions are numbered ``0001``, ``0002``, …"""


def latest_version(migrations: Path = MIGRATIONS) -> int:
    """The version this program writes."""
    return max(int(file.name[:4]) for file in (migrations / "versions").glob("[0-9]*.py"))


def schema_version(connection: Connection) -> int | None:
    """The version of a database; ``None`` if it holds no Waypost project.

    Raises:
        ValueError: If it is not numbered as this program numbers versions.
    """
    tables = inspect(connection).get_table_names()
    if "alembic_version" not in tables or "facts" not in tables:
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    if len(found) != 1 or re.fullmatch("[0-9]{4,9}", str(found[0])) is None or not int(found[0]):
        shown = ", ".join(map(repr, found)) or "no version"
        raise ValueError(f"{shown} is not known to this Waypost; it may be from a newer one")
    return int(found[0])


def make_tables(connection: Connection) -> None:
    """Make the tables of a new database, word for word as the migrations make them.

    Alembic takes ten times as long to import. Runs inside the transaction of the connection.
    """
    METADATA.create_all(connection, checkfirst=False)
    connection.execute(text(_VERSION_TABLE))
    wanted = {"version": f"{latest_version():04}"}
    connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), wanted)


_VERSION_TABLE: Final = """
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)
"""


def upgrade(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Bring a database to the latest version, an empty one as well.

    Runs inside the transaction of the connection: all of it happens or nothing.
    """
    # Alembic takes longer to import than opening an up-to-date project takes.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def keep_copy(file: Path, version: int, project: str) -> Path:
    """Copy a project beside itself before its tables change.

    Args:
        file: Of the project.
        version: Which it has now.
        project: The file as the user named it.

    Returns:
        ``NAME.version-1.waypost``, numbered further if that exists.

    Raises:
        StoreError: If the copy cannot be written; the project is then left as it is.
    """
    stem = f"{file.stem}.version-{version}"
    copy = file.with_name(f"{stem}{file.suffix}")
    number = 2
    while os.path.lexists(copy):
        copy = file.with_name(f"{stem}-{number}{file.suffix}")
        number += 1
    try:
        with (
            closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
    except Exception as error:
        with suppress(OSError):
            copy.unlink(missing_ok=True)
        reason = f"no copy of the older project could be kept as {copy.name}: {sentence(error)}"
        raise StoreError(project, "file", reason) from error
    return copy


def bring_up_to_date(database: ProjectDatabase, migrations: Path) -> None:
    """Bring an older project up to date; a file is copied beside itself first.

    A read-only file stays as it is: a copy in memory is brought up to date, and read.

    Raises:
        ReadError: If it is no project, or of a newer Waypost.
        StoreError: If its tables cannot be changed; the project is then as it was.
    """
    name = database.title
    with database.reading() as connection:
        try:
            version = schema_version(connection)
        except ValueError as error:
            raise ReadError(name, "version", str(error)) from error
    latest = latest_version(migrations)
    if version is None:
        raise ReadError(name, "file", "is a database, but not a Waypost project")
    if version > latest:
        reason = f"version {version} is from a newer Waypost; this one reads up to {latest}"
        raise ReadError(name, "version", reason)
    if version == latest:
        return
    copy: Path | None = None
    is_fixed = database.is_read_only
    if isinstance(database.location, Path) and not is_fixed:
        copy = keep_copy(database.location, version, name)
    try:
        if is_fixed:
            database.read_image(_upgraded_image(database, migrations))
            return
        with database.writing() as connection:
            upgrade(connection, migrations)
            hide_again(connection)
    except Exception as error:
        # The project is as it was; a copy of it says nothing more.
        if copy is not None:
            copy.unlink(missing_ok=True)
        why = error.reason if isinstance(error, StoreError) else sentence(error)
        reason = f"version {version} cannot be brought up to date: {why}"
        raise StoreError(name, "version", reason) from error


def _upgraded_image(database: ProjectDatabase, migrations: Path) -> bytes:
    with database.reading() as connection:
        image = image_of(connection)
    engine = image_engine(image)
    try:
        with for_writing(engine.connect()) as connection:
            with connection.begin():
                upgrade(connection, migrations)
            return image_of(connection)
    finally:
        engine.dispose()
