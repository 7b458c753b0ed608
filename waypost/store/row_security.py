"""Hides labels and scores that others may not see in the database itself: row-level security.

Each person has a role on the server with their name. Who owns the tables, usually the lead who
made the project, sees everything; everybody else sees what the policies let through, whatever
program asks. The rules are those of ``hidden_labels``, and of ``score_security`` for scores.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Final

from sqlalchemy import Connection, select, text

from waypost.domain.base.errors import StoreError
from waypost.domain.traverse.team import Person, Role
from waypost.store.project_database import ProjectDatabase
from waypost.store.schema import METADATA, PEOPLE
from waypost.store.score_security import (
    ONLY_LEADS_WRITE,
    SCORE_FUNCTIONS,
    SCORE_POLICIES,
    SCORE_PROCEDURES,
    SCORE_TRIGGERS,
)

_ONLY_READ: Final = ("alembic_version", "people", "double_passages", *ONLY_LEADS_WRITE)
"""What only a lead writes."""

_ONLY_ADDED: Final = ("changes", "history")
_LONGEST_NAME_BYTES: Final = 63
"""PostgreSQL cuts longer names of roles, silently."""

_PATH: Final = "SET search_path = %I, pg_temp"
"""Functions run as their owner, and never on tables that somebody else calls alike."""

_FUNCTIONS: Final = {
    "waypost_role() RETURNS text": "SELECT role FROM people WHERE name = session_user",
    "waypost_is_in(a text, b text, c text, who text) RETURNS boolean": (
        "SELECT coalesce((SELECT state IN ('submitted', 'skipped', 'accepted') FROM double_labels"
        " WHERE (from_id, to_id, agent_key, author) = (a, b, c, who)"
        " ORDER BY round DESC LIMIT 1), false)"
    ),
    "waypost_labels(a text, b text, c text) RETURNS boolean": (
        "SELECT EXISTS (SELECT 1 FROM double_passages WHERE (from_id, to_id, agent_key) = (a, b, c)"
        " AND session_user IN (first_annotator, second_annotator))"
    ),
    "waypost_both_in(a text, b text, c text) RETURNS boolean": (
        "SELECT coalesce((SELECT waypost_is_in(a, b, c, first_annotator)"
        " AND waypost_is_in(a, b, c, second_annotator)"
        " FROM double_passages WHERE (from_id, to_id, agent_key) = (a, b, c)), false)"
    ),
    "waypost_is_final(a text, b text, c text) RETURNS boolean": (
        "SELECT EXISTS (SELECT 1 FROM final_labels WHERE (from_id, to_id, agent_key) = (a, b, c))"
    ),
    "waypost_decides(a text, b text, c text) RETURNS boolean": (
        "SELECT coalesce(waypost_role() IN ('reviewer', 'lead'), false)"
        " AND NOT waypost_labels(a, b, c)"
    ),
    "waypost_may_see(a text, b text, c text, who text) RETURNS boolean": (
        "SELECT who = session_user OR CASE"
        " WHEN waypost_labels(a, b, c) THEN waypost_is_in(a, b, c, session_user)"
        " ELSE waypost_decides(a, b, c) OR waypost_both_in(a, b, c) END"
    ),
    "waypost_may_change(a text, b text, c text, who text) RETURNS boolean": (
        "SELECT who = session_user AND waypost_labels(a, b, c)"
        " AND NOT waypost_both_in(a, b, c) AND NOT waypost_is_final(a, b, c)"
    ),
}
"""Name and arguments → what it gives; ``a``, ``b`` and ``c`` are a passage."""

_ROW: Final = "from_id, to_id, agent_key"
_POLICIES: Final = {
    "double_labels": {
        "SELECT": f"USING (waypost_may_see({_ROW}, author))",
        "INSERT": f"WITH CHECK (waypost_decides({_ROW}) OR (round = 1 AND state = 'submitted'"
        f" AND waypost_may_change({_ROW}, author)))",
        "UPDATE": f"USING (waypost_decides({_ROW}) OR (state IN ('open', 'submitted')"
        f" AND waypost_may_change({_ROW}, author)))"
        f" WITH CHECK (waypost_decides({_ROW}) OR (author = session_user"
        " AND state IN ('open', 'submitted')))",
        "DELETE": f"USING (waypost_decides({_ROW}) OR (round = 1 AND state = 'submitted'"
        f" AND waypost_may_change({_ROW}, author)))",
    },
    "final_labels": {
        "SELECT": "USING (true)",
        "INSERT": f"WITH CHECK (waypost_decides({_ROW}) AND waypost_both_in({_ROW}))",
        "UPDATE": f"USING (waypost_decides({_ROW})) WITH CHECK (waypost_decides({_ROW}))",
        "DELETE": f"USING (waypost_decides({_ROW}))",
    },
}


def secure_project(location: str, people: Mapping[str, Person]) -> dict[str, str]:
    """Have the server of a project hide what others may not see; see ``secure``.

    Args:
        location: URL of the project, as who owns it.
        people: Who works on it.

    Raises:
        StoreError: If it is no server, or it refuses.
    """
    with closing(ProjectDatabase(location)) as database, database.writing() as connection:
        return secure(connection, people, database.title)


def sees_all_rows(location: str) -> bool:
    """Whether the server of a project hides nothing from who is logged in there: its owner.

    Raises:
        StoreError: If it cannot be reached.
    """
    with closing(ProjectDatabase(location)) as database, database.reading() as connection:
        return not connection.exec_driver_sql("SELECT row_security_active('sheets')").scalar()


def secure(connection: Connection, people: Mapping[str, Person], project: str) -> dict[str, str]:
    """Give each person a role of their name, and hide what they may not see.

    May be run again, after people came or went.

    Args:
        connection: Of who owns the tables and may make roles, in a transaction.
        people: Who works on the project.
        project: As the user named it.

    Returns:
        Name → new password, of those who had no role on the server.

    Raises:
        StoreError: If it is no server, nobody is there, or a name cannot be a role.
    """
    if connection.dialect.name != "postgresql":
        reason = "only a server hides rows from its own users; a file is trusted as it is"
        raise StoreError(project, "team", reason)
    if not people:
        raise StoreError(project, "team", "there are no people yet; see waypost team set")
    for name in people:
        if len(name.encode()) > _LONGEST_NAME_BYTES or "\0" in name or name.startswith("pg_"):
            raise StoreError(project, "team", f"{name!r} cannot be the name of a role")
    made = {}
    for person in people.values():
        password = _made_role(connection, person.name)
        if password is not None:
            made[person.name] = password
    _hide(connection, people.values())
    return made


def hide_again(connection: Connection) -> None:
    """Hide what a project has after its tables changed, where its rows were hidden before.

    Who has no role on the server gets none.

    Args:
        connection: Of who owns the tables, in the transaction that changed them.
    """
    if connection.dialect.name != "postgresql":
        return
    found = "SELECT relrowsecurity FROM pg_class WHERE oid = to_regclass('double_labels')"
    if connection.exec_driver_sql(found).scalar():
        rows = connection.execute(select(PEOPLE.c.name, PEOPLE.c.role)).all()
        people = (Person(name, Role(role)) for name, role in rows)
        _hide(connection, [person for person in people if _has_role(connection, person.name)])


def _hide(connection: Connection, people: Iterable[Person]) -> None:
    """Put every rule in place for people who have a role, and take the tables from all others."""
    for name, body in {**_FUNCTIONS, **SCORE_FUNCTIONS}.items():
        _define(connection, name, f"sql STABLE SECURITY DEFINER {_PATH} AS $$ {body} $$")
    for name, (kind, body) in SCORE_PROCEDURES.items():
        _define(connection, name, f"plpgsql {kind} SECURITY DEFINER {_PATH} AS $$ {body} $$")
    for table, policies in {**_POLICIES, **SCORE_POLICIES}.items():
        connection.exec_driver_sql(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        for action, rule in policies.items():
            name = f"waypost_{action.lower()}"
            connection.exec_driver_sql(f"DROP POLICY IF EXISTS {name} ON {table}")
            connection.exec_driver_sql(f"CREATE POLICY {name} ON {table} FOR {action} {rule}")
    owner = str(connection.exec_driver_sql("SELECT current_user").scalar_one())
    for table, keep in SCORE_TRIGGERS.items():
        connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {keep} ON {table}")
        trigger = f"CREATE TRIGGER {keep} BEFORE UPDATE ON %I.{table}"
        _run(connection, f"{trigger} FOR EACH ROW EXECUTE FUNCTION {keep}(%L)", owner)
    named = {person.name: person for person in people}
    _let_go(connection, {*named, owner})
    for person in named.values():
        if person.name != owner:
            _grant(connection, person)


def _define(connection: Connection, name: str, rest: str) -> None:
    _run(connection, f"CREATE OR REPLACE FUNCTION {name} LANGUAGE {rest}", "")


def _let_go(connection: Connection, kept: set[str]) -> None:
    """Take the tables from roles of people that are there no more."""
    found = connection.execute(
        text(
            "SELECT DISTINCT grantee FROM information_schema.role_table_grants"
            " WHERE table_name = 'double_labels' AND table_schema = current_schema()"
        )
    )
    for name in set(found.scalars()) - kept:
        _run(connection, "REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM %I", name)


def _made_role(connection: Connection, name: str) -> str | None:
    if _has_role(connection, name):
        return None
    password = secrets.token_urlsafe(16)
    made = text(
        "SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', CAST(:n AS text), CAST(:p AS text))"
    )
    statement = connection.execute(made, {"n": name, "p": password}).scalar_one()
    connection.exec_driver_sql(str(statement).replace("%", "%%"))
    return password


def _has_role(connection: Connection, name: str) -> bool:
    known = connection.execute(text("SELECT 1 FROM pg_roles WHERE rolname = :n"), {"n": name})
    return known.scalar() is not None


def _grant(connection: Connection, person: Person) -> None:
    _run(connection, "GRANT USAGE ON SCHEMA %I TO %I", person.name)
    _run(connection, "GRANT USAGE ON ALL SEQUENCES IN SCHEMA %I TO %I", person.name)
    _run(connection, "REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM %I", person.name)
    for table in ("alembic_version", *METADATA.tables):
        rights = "SELECT, INSERT, UPDATE, DELETE"
        if table in _ONLY_ADDED:
            rights = "SELECT, INSERT"
        elif table in _ONLY_READ and person.role is not Role.LEAD:
            rights = "SELECT"
        _run(connection, f"GRANT {rights} ON %I.{table} TO %I", person.name)


def _run(connection: Connection, statement: str, name: str) -> None:
    """Run a statement about the schema and a role, whose names the server quotes itself."""
    made = text("SELECT format(CAST(:statement AS text), current_schema(), CAST(:name AS text))")
    found = connection.execute(made, {"statement": statement, "name": name}).scalar_one()
    connection.exec_driver_sql(str(found).replace("%", "%%"))
