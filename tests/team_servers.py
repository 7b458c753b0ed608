"""A PostgreSQL server with a project of a team, set up by the five commands of docs/team.md."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError
from team_examples import row_of_nodes

from waypost.app.main import main
from waypost.store.project_store import ProjectStore

URL = os.environ.get("WAYPOST_TEST_POSTGRESQL", "")
DOCS = Path(__file__).parents[1] / "docs" / "team.md"
PEOPLE = ("ana", "ben", "rita", "lea")
WAYPOST = "from waypost.app.main import main; raise SystemExit(main())"


class Server(NamedTuple):
    """A database of its own, set up as the docs say."""

    folder: Path
    name: str
    output: str
    """What the last command said."""

    def url(self, who: str) -> str:
        """Its address for somebody."""
        host = make_url(URL).query["host"]
        return f"postgresql://{who}@/{self.name}?host={host}"

    def engine(self, who: str) -> Engine:
        """Any program, as somebody."""
        return create_engine(self.url(who).replace("postgresql:", "postgresql+psycopg:"))


def as_owner(*statements: str) -> None:
    engine = create_engine(
        make_url(URL).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own."""
    first = [sys.executable, "-c", WAYPOST] if words[0] == "waypost" else [words[0]]
    environment = {**os.environ, "PATH": f"{_programs()}:{os.environ['PATH']}"}
    return subprocess.run(
        [*first, *words[1:]], cwd=folder, capture_output=True, text=True, env=environment,
        check=False,
    )  # fmt: skip


def _programs() -> str:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return str(found[-1]) if found else ""


@contextmanager
def team_server(folder: Path) -> Iterator[Server]:
    """The five commands of docs/team.md, on a project of four passages that two label."""
    name = f"waypost_test_{uuid.uuid4().hex}"
    project = row_of_nodes(3)
    ProjectStore.create(folder / "home.waypost", project, "lea").close()
    as_owner("CREATE ROLE lea LOGIN CREATEDB CREATEROLE")
    host = str(make_url(URL).query["host"])
    block = DOCS.read_text().split("## On a server")[1].split("```")[1]
    commands = block.strip().splitlines()
    assert len(commands) == 5
    said = ""
    try:
        for line in commands:
            here = line.replace("@HOST/house", f"@/{name}?host={host}").replace("0.2", "1")
            here = here.replace("HOST", host).replace("lea house", f"lea {name}")
            program, *words = shlex.split(here)
            if program == "waypost":
                # Here, as five starts of Python would take most of the time of these tests.
                with chdir(folder), redirect_stdout(io.StringIO()) as out:
                    assert main(words) == 0
                said = out.getvalue()
            else:
                done = run(folder, program, *words)
                assert done.returncode == 0, done.stderr
        yield Server(folder, name, said)
    finally:
        as_owner(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        for person in PEOPLE:
            as_owner(f"DROP ROLE IF EXISTS {person}")


def readable(server: Server, who: str) -> dict[str, list[str]]:
    """Every row of every table and view, also of the server's own, that somebody may read."""
    names = (
        "SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'p', 'f')"
        " AND has_table_privilege(oid, 'SELECT')"
    )
    engine, found = server.engine(who), {}
    with engine.connect() as connection:
        for name in connection.execute(text(names)).scalars().all():
            with suppress(DBAPIError), connection.begin_nested():
                rows = connection.execute(text(f"SELECT t::text FROM {name} t")).scalars()  # noqa: S608
                found[name] = [str(row) for row in rows]
    engine.dispose()
    return found


def rows_of(server: Server, statement: str, who: str = "lea") -> list[Any]:
    engine = server.engine(who)
    with engine.connect() as connection:
        found = list(connection.execute(text(statement)).scalars())
    engine.dispose()
    return found
